// The desk of the draws: two people enter balls, each blind of the other, by keys or by touch, and two
// decide. The board shows what counts, and nothing before.
// @ts-check
import { Agent } from "./agent.js";
import { picture, types } from "./counter.js";
import { BALLS_AT_NOON, draws, measures, sits } from "./desks.js";
import { MARKER, SUPERVISOR, VERIFIER } from "./house.js";
import { looks } from "./round.js";
import { expect, test } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./house.js").House} House */

/** Until the machine has the seal. */
const DRAWING = { timeout: 45_000 };

const BALLS = [66, 9, 6, 80, 1, 68, 69, 33, 41, 48, 52, 57, 60, 63, 70, 72, 75, 77, 29, 5];
const two = (/** @type {number} */ number) => String(number).padStart(2, "0");

/** A ball, by its two figures. @param {Page} page @param {number} position @param {number} number */
const keys = async (page, position, number) => {
  await expect(page.locator(".typed")).toContainText(`${position}`);
  await types(page, two(number));
};

/** What the board of central shows. @param {House} house */
const board = async (house) => (await (await fetch(`http://${house.address}/api/v1/draws/1`)).json()).balls;

test("two people enter the balls by keys alone, and certify them", async ({ house, page, context }) => {
  await house.open(BALLS_AT_NOON);
  const other = await context.newPage();
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
  await expect(page.locator("#state")).toHaveText("ventes en cours");
  await picture(page, "desk-1-on-sale");
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await looks(page, "desk-begins");

  await keys(page, 1, 66);
  await expect(page.locator("#tube-1")).toContainText("66");
  await expect(page.locator("#tube-1 .sign")).toHaveText("…");
  // The other sees that one was entered, and not which.
  await expect(other.locator(".enterers")).toContainText("M101 : 1 sur 20");
  await expect(other.locator("#work")).not.toContainText("66…");
  await expect(other.locator("#tube-1")).toContainText("–");
  expect(await board(house)).toEqual([]);
  await keys(other, 1, 66);
  await expect(other.locator("#tube-1 .sign")).toHaveText("✓");
  await expect(page.locator("#tube-1 .sign")).toHaveText("✓");
  expect(await board(house)).toEqual([66]);

  // A nine that one of them held for a six.
  await keys(page, 2, 6);
  await keys(other, 2, 9);
  await expect(other.locator("#tube-2 .sign")).toHaveText("↻");
  await expect(page.locator("#tube-2 .sign")).toHaveText("↻");
  for (const one of [page, other]) await expect(one.locator("#told")).toContainText("Boule 2 : vous n’avez pas vu la même");
  await looks(page, "desk-differs");
  await picture(page, "desk-2-differs");
  expect(await board(house)).toEqual([66]);
  for (const one of [page, other]) await keys(one, 2, 9);
  for (const [at, number] of BALLS.entries()) {
    if (at < 2) continue;
    await keys(page, at + 1, number);
    await keys(other, at + 1, number);
  }
  await expect(page.locator("#act-certify")).toBeVisible();
  expect(await board(house)).toEqual(BALLS);

  // A correction: the third ball is asked of both once more.
  for (let step = 0; step < 18; step++) await page.keyboard.press("ArrowLeft");
  await expect(page.locator("#tube-3")).toHaveAttribute("aria-current", "step");
  await page.keyboard.press("*");
  await expect(other.locator("#tube-3 .sign")).toHaveText("↻");
  await expect(page.locator("#act-certify")).toHaveCount(0);
  for (const one of [page, other]) await keys(one, 3, 6);
  await looks(page, "desk-entered");
  await picture(page, "desk-3-entered");

  // Two keys each.
  await page.keyboard.press("F2");
  await looks(page, "desk-certify");
  await page.keyboard.press("Enter");
  await expect(page.locator("#asks")).toContainText("Une deuxième personne");
  await expect(other.locator("#asks")).toContainText("M101 demande");
  await looks(other, "desk-asked");
  await picture(other, "desk-4-asked");
  await other.keyboard.press("F9");
  await expect(other.locator("#told")).toHaveText("C’est fait.");
  await expect(async () => {
    const draw = await (await fetch(`http://${house.address}/api/v1/draws/1`)).json();
    expect(["official", "settled"]).toContain(draw.state);
    expect(draw.balls).toEqual(BALLS);
  }).toPass();

  // The first result of all: nothing beside it says that there is none.
  await other.goto(`http://${house.address}/board`);
  await expect(other.locator("#stage")).toHaveAttribute("data-state", "official");
  expect(await other.locator("#last-words").innerText()).toBe("");
  expect(await other.locator("#last-numbers > span").count()).toBe(20);
  await picture(other, "desk-8-board");
});

test("by touch: a draw is stopped, and two void it, in at most four touches each", async ({ house, page, browser }) => {
  await house.open(BALLS_AT_NOON);
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 1366, height: 768 }, locale: "fr-CA" });
  const [marker, supervisor] = [await context.newPage(), page];
  await sits(house, marker, "desk.toml", VERIFIER);
  await sits(house, supervisor, "desk-2.toml", SUPERVISOR);
  await draws(house);
  await expect(marker.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await marker.locator("#number-66").tap();
  await expect(marker.locator("#tube-1")).toContainText("66");
  await expect(marker.locator("#number-66")).toBeDisabled();
  // Whoever supervises enters nothing, and sees nothing of it.
  await expect(supervisor.locator(".enterers")).toContainText("V102 : 1 sur 20");
  await expect(supervisor.locator("#tube-1")).toContainText("–");
  await supervisor.keyboard.press("F3");
  await supervisor.keyboard.press("1");
  await supervisor.keyboard.press("Enter");
  // By interrupting, one person alone would decide what becomes of it.
  await expect(supervisor.locator("#asks")).toContainText("Une deuxième personne");
  await expect(marker.locator("#asks")).toContainText("S007 demande : Interrompre le tirage");
  await marker.locator("#agree").tap();
  await expect(supervisor.locator("#state")).toHaveText("INTERROMPU");
  // By these rules it is void, and no other way is offered.
  await expect(supervisor.locator("#actions button")).toHaveText(["F6Annuler et rembourser"]);
  await looks(supervisor, "desk-stopped");
  await picture(supervisor, "desk-5-stopped");
  // Three keys, and one touch.
  await supervisor.keyboard.press("F6");
  await looks(supervisor, "desk-void");
  await picture(supervisor, "desk-6-void");
  await supervisor.keyboard.press("2");
  await supervisor.keyboard.press("Enter");
  await expect(marker.locator("#asks")).toContainText("Une boule est tombée");
  await marker.locator("#agree").tap();
  await expect(async () => {
    const draw = await (await fetch(`http://${house.address}/api/v1/draws/1`)).json();
    expect(draw.state).toBe("void");
  }).toPass();
  await context.close();
});

test("a locked desk shows nothing that was entered, and a desk without central says so", async ({ house, page }) => {
  await house.open(BALLS_AT_NOON);
  const address = await sits(house, page, "desk.toml", MARKER);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await keys(page, 1, 66);
  await expect(page.locator(".enterers")).toContainText("1 sur 20");
  await new Agent(page, address).post("lock", {});
  await expect(page.locator("#alarm")).toContainText("Personne n’est en service");
  await expect(page.locator("#work")).not.toContainText("66");
  await types(page, "09");
  await page.keyboard.press("Escape");
  await page.getByLabel("NIP").fill(MARKER.pin);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Poste du tirage" }).waitFor();
  await page.keyboard.press("1");
  await expect(page.locator("#tube-1")).toContainText("66");
  await expect(page.locator("#tube-2")).toContainText("–");
  house.central.freeze();
  await expect(page.locator("#alarm")).toBeVisible({ timeout: 15_000 });
  await picture(page, "desk-7-away");
  house.central.goOn();
  await expect(page.locator("#alarm")).toBeHidden({ timeout: 15_000 });
  await keys(page, 2, 9);
  await expect(page.locator("#tube-2")).toContainText("09");
});

test("a draw that waits for the draw room is held later, by two, with the same minutes", async ({ house, page, context }) => {
  await house.open(BALLS_AT_NOON);
  const other = await context.newPage();
  const first = await sits(house, page, "desk.toml", VERIFIER);
  const second = await sits(house, other, "desk-2.toml", SUPERVISOR);
  // A register that has begun: the draw waits for a room that nobody has opened.
  await measures("A", new Agent(page, first), new Agent(other, second));
  await draws(house);
  await expect(page.locator("#state")).toHaveText("fermé et scellé", DRAWING);
  await page.keyboard.press("F10");
  await expect(page.locator(".confirm")).toContainText("Reporter le tirage de 5 minutes");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await expect(page.locator(".confirm")).toContainText("Reporter le tirage de 15 minutes");
  await page.keyboard.press("4");
  await looks(page, "desk-postpones");
  await page.keyboard.press("Enter");
  await expect(page.locator("#asks")).toContainText("Une deuxième personne");
  await expect(other.locator("#asks")).toContainText("V102 demande : Reporter le tirage de 15 minutes");
  await expect(other.locator("#asks")).toContainText("L’enregistrement vidéo ne fonctionne pas");
  await picture(other, "desk-9-postpone");
  await other.keyboard.press("F9");
  await expect(other.locator("#told")).toHaveText("C’est fait.");
  await expect(page.locator("#asks")).toHaveCount(0);
  expect(await house.record()).toContain("DrawPostponed");
  // A quarter of an hour after noon, or after the moment of the decision.
  await expect(page.locator("#draw-head")).toContainText(/prévu à \d\d:1[5-9]/);
});
