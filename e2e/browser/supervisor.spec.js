// The supervisor's wall by the keyboard alone, and each state of it looked at.
// @ts-check
import { Counter } from "./counter.js";
import { CLERK, SUPERVISOR } from "./house.js";
import { plant } from "./planted.js";
import { Hands, looks } from "./round.js";
import { expect, test } from "./test.js";

/** Another supervisor of the demonstration. */
const OTHER = { badge: "S008", pin: "753186" };

/** Goes with the arrows to the card of T02. What is wrong comes first, so that the order is the moment's. @param {Hands} hands */
const choosesClerk = async (hands) => {
  for (let step = 0; step < 30; step += 1) {
    const way = await hands.page.evaluate(() => {
      const cards = [...document.querySelectorAll("main .card")];
      return cards.findIndex((one) => one.getAttribute("data-name") === "terminal-2") - cards.findIndex((one) => one === document.activeElement);
    });
    if (way === 0) return hands.seesWhereItIs(hands.page.locator('[data-name="terminal-2"]'));
    await hands.press(way > 0 ? "ArrowDown" : "ArrowUp");
  }
  throw new Error("no arrow comes to the card of T02");
};

test("by the keyboard alone: a supervisor at the wall, and the clerk who hears of it", async ({ counter, house, page, context }) => {
  await counter.signOn();
  const { program, address } = await house.agent({}, "terminal.toml");
  const desk = await context.newPage();
  await plant(desk);
  const supervisor = new Counter(desk, house, program, address);
  await supervisor.open();
  const hands = await new Hands(desk).begin();
  await supervisor.mode("off");
  await hands.type(SUPERVISOR.badge);
  await hands.press("Tab");
  await hands.type(SUPERVISOR.pin);
  // To the float, of which there is none.
  await hands.press("Enter", "Enter");
  await supervisor.mode("sale");
  await desk.goto(`${address}/wall`);
  const box = desk.locator("#ask");
  const told = desk.locator("#told");
  const card = (/** @type {string} */ name) => desk.locator(`[data-name="${name}"]`);
  await expect(card("terminal-2")).toContainText(CLERK.badge);
  await looks(desk, "wall-quiet");

  // A message to one counter, which is read there, and one to all.
  await choosesClerk(hands);
  await hands.press("1");
  await looks(desk, "wall-message", { language: "" });
  await hands.answers(box, "Appelez-moi.", "Call me.");
  await expect(told).toContainText("Message envoyé à T02.");
  await expect(card("message-1")).toContainText("Pas encore lu : T02");
  await looks(desk, "wall-message-sent", { typed: ["Appelez-moi.", "Call me."] });
  await page.bringToFront();
  await expect(page.locator(".message")).toContainText("Appelez-moi.");
  await counter.press("0", "7");
  await looks(page, "message", { typed: ["Appelez-moi.", "Call me."] });
  await expect(page.locator(".message button")).toBeEnabled();
  await page.keyboard.press("Alt+m");
  await expect(page.locator(".message")).toHaveCount(0);
  // It stood in nobody's way.
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("07");
  await desk.bringToFront();
  await expect(card("message-1")).toContainText(`Lu : T02 ${CLERK.badge}`);

  // The clerk asks the wall by the keyboard; the supervisor refuses, then approves.
  const clerk = await new Hands(page).begin();
  const asks = async (/** @type {string} */ cash) => {
    await page.bringToFront();
    await page.keyboard.press("Alt+c");
    await clerk.press("1");
    await clerk.type(cash);
    await clerk.goesTo(counter.box.locator("#ask-wall"));
    await clerk.press("Enter");
    await expect(counter.box).toContainText("un superviseur répond d’ici");
  };
  await asks("75,00");
  await looks(page, "wall-asked", { language: "" });
  await desk.bringToFront();
  const approval = desk.locator('[data-name^="approval-"]');
  await expect(approval).toBeVisible();
  await hands.press("ArrowRight");
  await expect(approval).toBeFocused();
  await looks(desk, "wall-approval");
  await hands.press("2");
  await looks(desk, "wall-refuse", { language: "" });
  await hands.answers(box, "Je viens voir", SUPERVISOR.pin);
  await expect(told).toContainText("Refusé");
  await page.bringToFront();
  await expect(counter.box).toContainText("Je viens voir");
  await looks(page, "wall-was-refused", { language: "", typed: ["Je viens voir"] });
  await clerk.press("Escape", "Escape");
  await asks("60,00");
  await desk.bringToFront();
  await expect(approval).toBeVisible();
  await hands.press("ArrowRight");
  await expect(approval).toBeFocused();
  await hands.press("1");
  await looks(desk, "wall-grant", { language: "" });
  await hands.answers(box, SUPERVISOR.pin);
  await expect(told).toContainText(`Approuvé : ${CLERK.badge} peut continuer.`);
  await page.bringToFront();
  await expect(counter.told.first()).toContainText("Mettez 60,00");
  await clerk.press("Escape");

  // A terminal is stopped, and the sales of the whole house; each goes on again.
  await desk.bringToFront();
  await hands.press("ArrowLeft");
  await choosesClerk(hands);
  await hands.press("2");
  await hands.answers(box, "recomptage");
  await expect(card("terminal-2")).toContainText(`Arrêté par ${SUPERVISOR.badge}`);
  await looks(desk, "wall-stopped", { typed: ["recomptage"] });
  await page.bringToFront();
  await expect(page.locator("#alarm")).toContainText("arrêté les ventes de ce terminal");
  await looks(page, "stopped");
  await desk.bringToFront();
  await hands.press("2");
  await hands.answers(box, "juste");
  await expect(told).toHaveText("T02 vend de nouveau.");
  await hands.press("8");
  await hands.answers(box, "gains improbables");
  await expect(desk.locator("#sales")).toHaveText("Ventes suspendues");
  await looks(desk, "wall-suspended", { typed: ["gains improbables"] });
  await page.bringToFront();
  await expect(page.locator("#sales")).toHaveText("Ventes suspendues");
  await looks(page, "suspended");
  await desk.bringToFront();
  // Nobody is two people.
  await hands.press("8");
  await hands.answers(box, SUPERVISOR.badge, SUPERVISOR.pin);
  await expect(told).toHaveAttribute("data-tone", "bad");
  await expect(desk.locator("#sales")).toHaveText("Ventes suspendues");
  await looks(desk, "wall-same-person");
  await hands.press("8");
  await hands.answers(box, OTHER.badge, OTHER.pin);
  await expect(desk.locator("#sales")).toHaveText("Ventes en cours");
});
