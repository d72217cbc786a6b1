// The supervisor's wall at T01, while a clerk is at work at T02: who is there and how the printer
// is, an approval that lets a fill go through, a message that is read, a terminal that is stopped.
// @ts-check
import { Agent } from "./agent.js";
import { Counter, picture, types } from "./counter.js";
import { CLERK, SUPERVISOR, codeOn } from "./house.js";
import { plant } from "./planted.js";
import { AWAY, expect, test } from "./test.js";

/** @typedef {import("./house.js").House} House */

/**
 * A clerk signed on at T02, a supervisor at T01, and the wall on the page.
 * @param {House} house @param {import("@playwright/test").Page} page
 */
const opened = async (house, page) => {
  await house.open();
  const clerk = new Agent(page, (await house.agent()).address);
  const supervisor = new Agent(page, (await house.agent({}, "terminal.toml")).address);
  await clerk.signOn(CLERK, 20_000);
  await supervisor.signOn(SUPERVISOR);
  await page.goto(`${supervisor.address}/wall`);
  const row = page.locator('[data-name="terminal-2"]');
  await expect(row).toContainText("T02");
  return { clerk, supervisor, row };
};

const SLIP = { selections: [{ type: "straight", numbers: [7, 18, 33], wager_cents: 200 }], draws: 1 };

test("the wall shows a terminal with its clerk, its till and its printer", { tag: AWAY }, async ({ house, page }) => {
  const { clerk, row } = await opened(house, page);
  await expect(row).toContainText("En ligne");
  await expect(row).toContainText(`En service : ${CLERK.badge} depuis`);
  await expect(row).toContainText("Quart");
  await expect(row).toContainText("Tiroir : comptant habituel");
  await expect(row).toContainText("Aucune vente");
  await expect(row).toContainText("Imprimante prête");
  await expect(row).toHaveAttribute("data-tone", "good");
  const own = page.locator('[data-name="terminal-1"]');
  await own.click();
  const cards = await Promise.all([row, own].map((one) => one.elementHandle()));
  /** Whether T02's card, then T01's, are those that they were. */
  const stay = () => Promise.all(cards.map((one) => one?.evaluate((card) => card.isConnected)));
  const sold = await clerk.post("sales", { slip: SLIP, total_cents: 200 });
  expect(sold.exit, JSON.stringify(sold)).toBe("done");
  expect(codeOn(await house.paper(1))).toContain("KT2");
  await expect(row).toContainText(/Dernière vente \d\d:\d\d:\d\d, 2,00\s\$/);
  await expect(page.locator("#draw")).toContainText("TIRAGE");
  await expect(page.locator("#closes")).toContainText("fermeture dans");
  await picture(page, "wall-1-quiet");

  expect(await stay(), "cards of other words are the same cards").toEqual([true, true]);

  // Held for longer, a key is pressed once.
  await page.keyboard.down("Alt");
  for (const _ of [1, 2]) await page.keyboard.down("l");
  await page.keyboard.up("l");
  await page.keyboard.up("Alt");
  await expect(page.locator("html"), "a key that is held").toHaveAttribute("lang", "en-CA");
  await expect(row).toContainText("Printer ready");
  await expect(page.locator("h1")).toHaveText("SUPERVISOR’S WALL");
  await picture(page, "wall-2-english");

  // A terminal that falls silent while somebody is at it comes first, in red and in words.
  await page.keyboard.press("Alt+l");
  house.programs.find((one) => one.said.includes(clerk.address))?.freeze();
  await expect(row).toContainText("Muet depuis");
  await expect(row).toHaveAttribute("data-tone", "bad");
  await expect(page.locator("#terminals .card").first()).toHaveAttribute("data-name", "terminal-2");
  expect(await stay(), "cards that change places are the same cards").toEqual([true, true]);
  await expect(own).toBeFocused();
  await picture(page, "wall-3-silent");
  house.programs.find((one) => one.said.includes(clerk.address))?.goOn();
  await expect(row).toContainText("En ligne");

  // Central falls silent: what is shown says how old it is.
  house.central.freeze();
  // That it is old is said by what it had last, and not by when it was asked for last.
  await expect(page.locator("#alarm")).toContainText(/Le mur date de \d\d\ss\s: le central ne répond pas/, { timeout: 20_000 });
  await expect(page.locator("body")).toHaveClass(/is-old/);
  await picture(page, "wall-4-old");
  house.central.goOn();
  await expect(page.locator("#alarm")).toBeHidden();

  // The agent answers what is none, and then nothing: what is said of it is in the language in force.
  let answers = 0;
  await page.route("**/agent/wall", async (route) => {
    answers += 1;
    if (answers === 1) await route.fulfill({ body: "?" });
  });
  await expect(page.locator("#alarm")).toContainText("appelez le technicien");
  await page.keyboard.press("Alt+l");
  await expect(page.locator("#alarm"), "the alarm in English").toContainText("call the technician", { timeout: 2_000 });
});

test("an approval at the wall lets a fill go through, and a refusal does not", async ({ house, page }) => {
  const { clerk, supervisor } = await opened(house, page);
  const fill = { kind: "fill", amount_cents: 10_000 };
  const asked = await clerk.post("approvals", { content: { what: "till_movement", ...fill }, reason: "monnaie" });
  expect(asked.state).toBe("waiting");
  const early = await clerk.post("till-movements", { ...fill, second: { approval: asked.id } });
  expect(early.problem.type).toContain("approval_waiting");
  const card = page.locator(`[data-name="approval-${asked.id}"]`);
  await expect(card).toContainText(/Approvisionnement du tiroir\s*100,00\s\$/);
  await expect(card).toContainText(`par ${CLERK.badge} à T02`);
  await expect(card).toContainText("Règle : toujours à deux");
  await expect(card).toContainText("Motif : monnaie");
  await page.keyboard.press("ArrowRight");
  await expect(card).toBeFocused();
  await picture(page, "wall-5-approval");
  await page.keyboard.press("1");
  await expect(page.getByRole("dialog")).toContainText(/Approuver\s: Approvisionnement du tiroir 100,00\s\$\s\?/);
  await picture(page, "wall-6-grant");
  await types(page, "0000");
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText("ne convient pas");
  await page.keyboard.press("1");
  await types(page, SUPERVISOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toHaveText(`Approuvé : ${CLERK.badge} peut continuer.`);
  await expect(card).toHaveCount(0);
  const filled = await clerk.post("till-movements", { ...fill, second: { approval: asked.id } });
  expect(filled.exit, JSON.stringify(filled)).toBe("done");
  expect(await house.paper(1)).toContain(SUPERVISOR.badge);
  const again = await clerk.post("till-movements", { ...fill, second: { approval: asked.id } });
  expect(again.problem.type).toContain("approval_used");

  // The chosen one goes away just before its key: that key is for no other.
  const asks = async (/** @type {number} */ amount_cents) => {
    const { id } = await clerk.post("approvals", { content: { what: "till_movement", kind: "drop", amount_cents } });
    await expect(page.locator(`[data-name="approval-${id}"]`)).toBeVisible();
    return id;
  };
  const gone = await asks(4_000);
  const second = { id: await asks(5_000) };
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(`[data-name="approval-${gone}"]`)).toBeFocused();
  await supervisor.post(`approvals/${gone}/refuse`, { pin: SUPERVISOR.pin, reason: "par un autre" });
  await expect(page.locator(`[data-name="approval-${gone}"]`)).toHaveCount(0);
  await page.keyboard.press("1");
  await expect(page.getByRole("dialog"), "what is asked when the chosen one has gone").toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("2");
  await page.getByLabel("Motif").fill("Je viens voir");
  await page.getByLabel("Votre NIP").fill(SUPERVISOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText("Refusé");
  const told = await clerk.get(`approvals/${second.id}`);
  expect([told.state, told.refusal]).toEqual(["refused", "Je viens voir"]);
});

test("a message is read at the counter, and the wall says by whom", async ({ house, page, context }) => {
  const { clerk } = await opened(house, page);
  await page.keyboard.press("7");
  await page.getByLabel("En français").fill("Le tirage de 15 h est retardé.");
  await page.getByLabel("En anglais").fill("The 3 p.m. draw is late.");
  await picture(page, "wall-7-write");
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText("Message envoyé à tous les comptoirs.");
  const card = page.locator('[data-name="message-1"]');
  // Who wrote it is not asked to read it.
  await expect(card).toContainText("Pas encore lu : T02");
  await expect(card).toHaveAttribute("data-tone", "warn");
  await expect.poll(async () => (await clerk.get("state")).messages.length).toBe(1);

  const counter = await context.newPage();
  await plant(counter);
  await counter.goto(`${clerk.address}/`);
  await expect(counter.locator(".message")).toContainText("Le tirage de 15 h est retardé.");
  await picture(counter, "wall-8-read");
  await expect(counter.locator(".message").getByRole("button", { name: "Lu" })).toBeEnabled();
  await counter.keyboard.press("Alt+m");
  await expect(counter.locator(".message")).toHaveCount(0);
  await expect(card).toContainText(new RegExp(`Lu\\s: T02 ${CLERK.badge} \\d\\d:\\d\\d`));
  await expect(card).toHaveAttribute("data-tone", "plain");
  await picture(page, "wall-9-read");
});

test("a terminal is stopped and sells again; a clerk sees no wall", async ({ house, page, context }) => {
  const { clerk, row, supervisor } = await opened(house, page);
  await row.click();
  await page.keyboard.press("2");
  await page.getByLabel("Motif").fill("tiroir recompté");
  await page.keyboard.press("Enter");
  await expect(row).toContainText(`Arrêté par ${SUPERVISOR.badge}`);
  await expect(row).toContainText("tiroir recompté");
  const refused = await clerk.post("sales", { slip: SLIP, total_cents: 200 });
  expect(refused.problem.type).toContain("terminal_stopped");
  await picture(page, "wall-10-stopped");
  await page.keyboard.press("2");
  await page.getByLabel("Motif").fill("tiroir juste");
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toHaveText("T02 vend de nouveau.");
  expect((await clerk.post("sales", { slip: SLIP, total_cents: 200 })).exit).toBe("done");

  await page.keyboard.press("8");
  await page.getByLabel("Motif").fill("gains improbables");
  await page.keyboard.press("Enter");
  await expect(page.locator("#sales")).toHaveText("Ventes suspendues");
  await expect(page.locator('[data-name="alarm-0"]')).toContainText("Les ventes sont suspendues");
  await picture(page, "wall-11-suspended");
  await page.keyboard.press("8");
  await page.getByLabel("Insigne").fill("S008");
  await page.getByLabel("NIP").fill("753186");
  // A screen that is locked keeps no PIN that was typed before.
  await supervisor.post("lock", {});
  await expect(page.getByRole("dialog"), "what is asked at a screen that is locked").toHaveCount(0);
  await expect(page.locator("input")).toHaveCount(0);
  // It shows nothing of the house but that something waits.
  await expect(page.locator("#alarm")).toContainText("QUELQUE CHOSE ATTEND");
  await expect(page.locator("main")).toBeHidden();
  await expect(page.locator(".card")).toHaveCount(0);
  await picture(page, "wall-12-locked");
  await supervisor.post("unlock", SUPERVISOR);
  await expect(page.locator("main")).toBeVisible();
  await page.keyboard.press("8");
  await page.getByLabel("Insigne").fill("S008");
  await page.getByLabel("NIP").fill("753186");
  await page.keyboard.press("Enter");
  await expect(page.locator("#sales")).toHaveText("Ventes en cours");

  const own = await context.newPage();
  await own.goto(`${clerk.address}/wall`);
  await expect(own.locator("#alarm")).toContainText("Le mur est pour les superviseur(e)s");
  await expect(own.locator(".card")).toHaveCount(0);
  await picture(own, "wall-12-clerk");
});

test("a paper in doubt stands on the wall with what the record says of it", async ({ house, page }) => {
  const { clerk, row } = await opened(house, page);
  // The printer takes every line and never says that it printed them.
  house.programs[0].freeze();
  const sold = await clerk.post("sales", { slip: SLIP, total_cents: 200 });
  expect(sold.exit, JSON.stringify(sold)).not.toBe("done");
  const card = page.locator('[data-name^="doubt-2-"]');
  await expect(card).toContainText(/T02\s*Vente\s*2,00\s\$/);
  await expect(card).toContainText("Papier peut-être incomplet");
  await expect(card).toContainText(/Enregistré, feuille \d+/);
  await expect(card).toContainText("Impression non confirmée");
  await expect(row).toContainText("En suspens : 1");
  await expect(row).toHaveAttribute("data-tone", "bad");
  await picture(page, "wall-13-in-doubt");
  const { key } = (await clerk.get("state")).open[0];
  expect((await clerk.post("paper", { key, whole: true })).exit).toBe("done");
  await expect(card).toHaveCount(0);
  await expect(row).not.toContainText("En suspens");
});

test("a clerk's box asks the wall, and goes on when a supervisor approves there", async ({ house, page }) => {
  const { clerk } = await opened(house, page);
  const desk = await page.context().newPage();
  const counter = new Counter(desk, house, /** @type {any} */ (null), clerk.address);
  await counter.open();
  await counter.mode("sale");
  await desk.bringToFront();
  await desk.keyboard.press("Alt+c");
  await counter.press("1");
  await counter.box.getByLabel("Montant, $").fill("75,00");
  await counter.box.getByRole("button", { name: "Demander au mur" }).click();
  await expect(counter.box).toContainText("un superviseur répond d’ici");
  await picture(desk, "wall-9-asked");
  await page.bringToFront();
  const card = page.locator('[data-name^="approval-"]');
  await expect(card).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(card).toBeFocused();
  await page.keyboard.press("1");
  await types(page, SUPERVISOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText("peut continuer");
  await desk.bringToFront();
  await expect(counter.told.first()).toContainText("Mettez 75,00");
  expect(await house.paper(1)).toContain(SUPERVISOR.badge);
  // Refused: nothing moves, and why is told.
  await counter.press("2");
  await counter.box.getByLabel("Montant, $").fill("50,00");
  await counter.box.getByRole("button", { name: "Demander au mur" }).click();
  await page.bringToFront();
  await expect(card).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(card).toBeFocused();
  await page.keyboard.press("2");
  await expect(page.getByRole("dialog")).toBeVisible();
  const fields = page.getByRole("dialog").locator("input");
  for (let at = 0; at < (await fields.count()); at += 1) {
    const field = fields.nth(at);
    await field.fill((await field.getAttribute("type")) === "password" ? SUPERVISOR.pin : "pas maintenant");
  }
  await page.keyboard.press("Enter");
  await desk.bringToFront();
  await expect(counter.box).toContainText("pas maintenant");
  await picture(desk, "wall-10-refused");
  await counter.press("Escape");
  await expect(counter.box.locator("button")).toHaveCount(0);
  expect(house.texts()).toHaveLength(1);
});

test("a held ticket whose record does not hold is shown as that, without a price", async ({ house, page }) => {
  const held = { number: "•••• •••• •••• 6663", device: 2, name: "T02", first_draw: 1, last_draw: 1 };
  await page.route("**/agent/wall", async (route) => {
    const answer = await route.fetch();
    const wall = await answer.json();
    const two = [
      { ...held, ticket: 91, total_cents: 500, why: "unconfirmed" },
      { ...held, ticket: 92, why: "doubtful" },
    ];
    await route.fulfill({ response: answer, json: { ...wall, held: two } });
  });
  await opened(house, page);
  await expect(page.locator('[data-name="held-91"]')).toContainText(/impression jamais confirmée.*5,00\s\$/);
  await expect(page.locator('[data-name="held-92"]')).toContainText(/registre à faire vérifier.*\?/);
  await expect(page.locator('[data-name="held-92"]')).not.toContainText("$");
  await picture(page, "wall-held-doubtful");
});
