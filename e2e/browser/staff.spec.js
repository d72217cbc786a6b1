// The staff at the back office: who is on it, a person recorded by two, a card, a forgotten PIN; and
// the wall there, which grants what a counter asks.
// @ts-check
import { Agent } from "./agent.js";
import { between } from "./between.js";
import { picture, types } from "./counter.js";
import { ADMINISTRATOR, CLERK, OTHER_ADMINISTRATOR, OTHER_CLERK, SUPERVISOR } from "./house.js";
import { plant } from "./planted.js";
import { fitsAsItIs, looks } from "./round.js";
import { expect, test } from "./test.js";

/** @typedef {import("./house.js").House} House */
/** @typedef {import("@playwright/test").Page} Page */

/** Somebody at the back office, at this page. @param {House} house @param {Page} page @param {{badge: string, pin: string}} who @param {string} path */
const opened = async (house, page, who, path) => {
  const { address } = await house.backOffice();
  const agent = new Agent(page, address);
  await agent.signOn(who);
  await page.goto(`${address}${path}`);
  return { address, agent, box: page.locator("#ask"), told: page.locator("#told") };
};

/** @param {Page} page @param {string} badge */
const rowOf = (page, badge) => page.locator("tbody tr", { has: page.getByRole("button", { name: badge, exact: true }) });

/** What two people answer. @param {import("@playwright/test").Locator} box @param {{badge: string, pin: string}} first @param {{badge: string, pin: string}} second */
const byTwo = async (box, first, second) => {
  await box.getByLabel("Votre NIP").fill(first.pin);
  await box.getByLabel("Insigne de la deuxième personne").fill(second.badge);
  await box.getByLabel("NIP de la deuxième personne").fill(second.pin);
  await box.page().keyboard.press("Enter");
};

test("two administrators record a person, make a card and withdraw a badge", async ({ house, page }) => {
  await house.open();
  const { address, agent, box, told } = await opened(house, page, ADMINISTRATOR, "/staff");
  await expect(rowOf(page, CLERK.badge)).toContainText("préposé(e)");
  await looks(page, "staff");
  await picture(page, "staff-1-list");

  // A key right after another language is a key: its letter is none that a scanner types.
  for (const _ of ["to English", "and back"]) await page.keyboard.press("Alt+l");
  await page.keyboard.press("1");
  await box.getByLabel("Insigne", { exact: true }).fill("C150");
  await box.getByLabel("Matricule").fill("4750");
  await box.getByLabel("Nom").fill("Léa");
  await box.getByLabel("Premier NIP").fill("123456");
  await box.getByLabel("préposé(e)").check();
  await fitsAsItIs(page, "staff-new");
  await picture(page, "staff-2-new");
  // A card that a scanner types leaves its badge, and nothing of its secret.
  await box.getByLabel("Insigne de la deuxième personne").focus();
  await types(page, "KB10123456789ABCDEFD002");
  await page.keyboard.press("Enter");
  await expect(box.getByLabel("Insigne de la deuxième personne")).toHaveValue("D002");
  await expect(box.getByLabel("NIP de la deuxième personne")).toBeFocused();
  await box.getByLabel("Insigne de la deuxième personne").fill("");

  // Whoever is there already is nobody new.
  await box.getByLabel("Insigne", { exact: true }).fill(CLERK.badge.toLowerCase());
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(box.getByRole("alert")).toContainText(`${CLERK.badge} existe déjà`);
  await expect(box.getByLabel("Matricule")).toHaveValue("4750");
  await box.getByLabel("Insigne", { exact: true }).fill("C150");
  // What is wrong is said where it was typed; only PINs are typed again, and nobody was recorded.
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(box.getByRole("alert")).toContainText("NIP");
  await expect(rowOf(page, "C150")).toHaveCount(0);
  await expect(box.getByLabel("Matricule")).toHaveValue("4750");
  await expect(box.getByLabel("préposé(e)")).toBeChecked();
  await picture(page, "staff-3-refused");
  await box.getByLabel("Premier NIP").fill("581924");
  // Until central has told of them, the page may be drawn again with those who were there before.
  let tell = () => {};
  const answered = new Promise((resolve) => (tell = () => resolve(null)));
  await between(page, "**/agent/people", async (route) => {
    if (route.request().method() === "GET") await answered;
    await route.continue();
  });
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(box).toBeHidden();
  for (const _ of ["to English", "and back"]) await page.keyboard.press("Alt+l");
  await expect(told).toHaveText("C150 est inscrit.");
  await expect(rowOf(page, "C150")).toHaveCount(0);
  tell();
  await expect(rowOf(page, "C150")).toContainText("4750");
  await expect(rowOf(page, "C150")).toContainText("Léa");
  await expect(rowOf(page, "C150")).toContainText("doit choisir un NIP");
  await expect(rowOf(page, "C150"), "who was recorded is chosen").toHaveClass("chosen");

  // A card is shown once.
  await page.keyboard.press("4");
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(box).toContainText("Carte de C150");
  await expect(box.locator("svg")).toBeVisible();
  await fitsAsItIs(page, "staff-card");
  await picture(page, "staff-4-card");
  await page.emulateMedia({ media: "print" });
  await picture(page, "staff-5-card-printed");
  await expect(page.locator("main")).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.keyboard.press("Escape");
  await expect(box, "no key loses a card").toBeVisible();
  await box.getByRole("button", { name: "C’est noté" }).click();
  await expect(box).toBeHidden();
  await expect(rowOf(page, "C150")).toContainText("a une carte");

  // Named by two for the day when a supervisor is away, and taken back.
  await page.keyboard.press("5");
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(rowOf(page, "C150")).toContainText("peut être superviseur(e) par intérim");
  await page.keyboard.press("5");
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(rowOf(page, "C150")).not.toContainText("intérim");

  await page.keyboard.press("3");
  await byTwo(box, ADMINISTRATOR, OTHER_ADMINISTRATOR);
  await expect(told).toHaveText("C150 est retiré.");
  await expect(rowOf(page, "C150")).toHaveCount(0);
  await page.keyboard.press("Alt+l");
  await expect(rowOf(page, SUPERVISOR.badge)).toContainText("supervisor");
  await fitsAsItIs(page, "staff in English");
  await picture(page, "staff-6-english");

  // Whoever may not see them any more does not, and behind a lock nobody is shown.
  const none = { name: "wrong_role", status: 403, title: { fr: "Ce n’est pas pour ce rôle.", en: "Not for this role." } };
  await page.route("**/agent/people", (route) => route.fulfill({ json: none }));
  await expect(page.locator("tbody tr"), "may not see them any more").toHaveCount(0);
  await page.unroute("**/agent/people");
  await expect(rowOf(page, SUPERVISOR.badge)).toBeVisible();
  await agent.post("lock");
  expect((await agent.get("people")).name).toBe("terminal_locked");
  await expect(page.locator("tbody tr")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${address}/office`);
});

test("a supervisor at the back office gives a clerk another PIN, said once", async ({ house, page }) => {
  await house.open();
  const { address, agent, box, told } = await opened(house, page, SUPERVISOR, "/staff");
  await page.getByRole("button", { name: CLERK.badge, exact: true }).click();
  // Who makes people is another.
  await expect(page.locator("#actions button")).toHaveText([/Nouveau NIP de C143/]);
  await page.keyboard.press("6");
  await byTwo(box, SUPERVISOR, OTHER_CLERK);
  await expect(page.locator("#pin-once")).toHaveText(/^\d{6,}$/);
  const pin = await page.locator("#pin-once").innerText();
  await fitsAsItIs(page, "staff-pin");
  await picture(page, "staff-7-pin");
  // Keys that were meant for what came before send nothing away.
  for (const key of ["Enter", "Escape", "Alt+b"]) await page.keyboard.press(key);
  await expect(page.locator("#pin-once"), "no key loses a PIN").toBeVisible();
  await box.getByRole("button", { name: "C’est noté" }).click();
  await expect(box).toBeHidden();
  await expect(told).toHaveText("C143 a un nouveau NIP.");
  expect(await page.content(), "a PIN that was said once").not.toContain(pin);
  await expect(rowOf(page, CLERK.badge)).toContainText("doit choisir un NIP");
  expect((await agent.get("people")).people.length).toBeGreaterThan(5);

  // At the counter its owner chooses another, and is signed on with it.
  const counter = await house.agent();
  const desk = await page.context().newPage();
  await plant(desk);
  await desk.goto(`${counter.address}/`);
  await expect.poll(async () => (await new Agent(desk, counter.address).get("state")).central.state).toBe("trusted");
  await desk.getByLabel("Insigne").fill(CLERK.badge);
  await desk.getByLabel("NIP").fill(pin);
  await desk.keyboard.press("Enter");
  await desk.keyboard.press("Enter");
  const chooses = desk.locator("#ask");
  await expect(chooses).toContainText("Choisir son NIP");
  await chooses.getByLabel("Nouveau NIP", { exact: true }).fill("581924");
  await chooses.getByLabel("Nouveau NIP, encore").fill("581924");
  await desk.keyboard.press("Enter");
  await expect.poll(async () => (await new Agent(desk, counter.address).get("state")).badge).toBe(CLERK.badge);

  // A locked office is ended by whoever signs on there next; the badge that left is told nothing of.
  await agent.post("lock");
  await page.goto(`${address}/office`);
  await page.locator("#other").click();
  await fitsAsItIs(page, "office of somebody else");
  await page.getByLabel("Insigne").fill(ADMINISTRATOR.badge);
  await page.getByLabel("NIP").fill(ADMINISTRATOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#who")).toHaveText(ADMINISTRATOR.badge);
});

test("the wall of the back office grants what a counter asks, and leaves papers to the counters", async ({ house, page }) => {
  await house.open();
  const clerk = new Agent(page, (await house.agent()).address);
  await clerk.signOn(CLERK, 20_000);
  const { address } = await opened(house, page, SUPERVISOR, "/wall");
  await expect(page.locator('[data-name="terminal-2"]')).toContainText(CLERK.badge);
  await expect(page.locator("#counter")).toHaveText("Bureau");
  await expect(page.locator("#keys")).toContainText("Alt+B bureau");
  const content = { what: "till_movement", kind: "fill", amount_cents: 10_000 };
  const asked = await clerk.post("approvals", { content, reason: "monnaie" });
  await expect(page.locator(`[data-name="approval-${asked.id}"]`)).toContainText("100,00");
  await page.keyboard.press("ArrowRight");
  await picture(page, "staff-8-wall");
  await fitsAsItIs(page, "wall of the back office");
  await page.keyboard.press("1");
  await types(page, SUPERVISOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toHaveText(`Approuvé : ${CLERK.badge} peut continuer.`);
  const filled = await clerk.post("till-movements", { kind: "fill", amount_cents: 10_000, second: { approval: asked.id } });
  expect(filled.exit, JSON.stringify(filled)).toBe("done");
  await page.keyboard.press("Alt+b");
  await expect(page).toHaveURL(`${address}/office`);
});
