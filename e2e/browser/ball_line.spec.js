// A machine that reads its own balls, at the desk: what it reads is shown as it comes, what is wrong is
// said in words, and two people declare it official or take it over.
// @ts-check
import { BallMachine } from "./ball_machine.js";
import { picture, types } from "./counter.js";
import { BALLS_AT_NOON, draws, sits } from "./desks.js";
import { MARKER, SUPERVISOR, VERIFIER } from "./house.js";
import { plant } from "./planted.js";
import { Hands, looks as looksAt, small } from "./round.js";
import { expect, test } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./house.js").House} House */

/** Until the machine has the seal. */
const DRAWING = { timeout: 45_000 };
/** Until a machine that reads no ball is said to be stuck. */
const STUCK = { timeout: 60_000 };
/** A state is said so soon: the machine is missed after two seconds, and the desk asks twice a second. */
const SAID = { timeout: 6_000 };

/** Balls as they fall. */
const FELL = [66, 9, 6, 80, 1, 68, 69, 33, 41, 48, 52, 57, 60, 63, 70, 72, 75, 77, 29, 5];
/** Every state here is new, and is looked at by axe in both languages. @param {Page} page @param {string} state @param {{typed?: string[]}} [how] */
const looks = (page, state, how) => looksAt(page, state, { ...how, axeInEnglish: true });
/** What the board of central shows. @param {House} house @returns {Promise<number[]>} */
const board = async (house) => (await (await fetch(`http://${house.address}/api/v1/draws/1`)).json()).balls;
const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
/** What central says of the draw. @param {House} house @returns {Promise<string>} */
const stateOf = async (house) => (await (await fetch(`http://${house.address}/api/v1/draws/1`)).json()).state;

/** A house with a machine that somebody has in their hands. @param {House} house @param {number[]} [balls] as they fall */
const opens = async (house, balls = FELL) => {
  const machine = new BallMachine(balls);
  await machine.plugIn();
  await house.open({ ...BALLS_AT_NOON, readsAt: machine.address });
  return machine;
};

test("a machine reads its balls, and two people declare them official", async ({ house, page, context }) => {
  const machine = await opens(house);
  const other = await context.newPage();
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  machine.fallen = 7;
  await expect(page.locator("#line")).toContainText(/b-1 lit les boules\s: 7\s/);
  await expect(page.locator("#hand")).toContainText("La machine lit.");
  // No key takes a ball from a machine that reads, and nothing waits for one.
  await types(page, "07");
  await expect(page.locator("#number-7")).toHaveCount(0);
  await looks(page, "desk-line-reads");
  await picture(page, "ball-line-1-reads");
  expect(await board(house)).toEqual(FELL.slice(0, 7));

  machine.fallen = 20;
  await expect(page.locator("#line")).toContainText("a lu les 20 boules", DRAWING);
  await expect(page.locator("#hand")).toContainText("Comparez chaque boule aux tubes.");
  await looks(page, "desk-line-whole");
  await picture(page, "ball-line-2-whole");
  expect(await board(house)).toEqual(FELL);
  for (const [at, number] of FELL.entries()) await expect(page.locator(`#tube-${at + 1}`)).toContainText(two(number));
  await page.keyboard.press("F2");
  await page.keyboard.press("Enter");
  await expect(other.locator("#asks")).toContainText("M101 demande");
  await other.keyboard.press("F9");
  await expect(other.locator("#told")).toHaveText("C’est fait.");
  await expect.poll(async () => (await (await fetch(`http://${house.address}/api/v1/draws/1`)).json()).state).toMatch(/official|settled/);
  expect(await board(house)).toEqual(FELL);
  await machine.unplug();
});

test("what is wrong with the machine is said, and two people enter every ball", async ({ house, page, context }) => {
  await house.open({ ...BALLS_AT_NOON, ballMachine: ["--interval-ms", "300", "--seed", "3", "--fault", "repeated"] });
  const other = await context.newPage();
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await expect(page.locator("#line")).toContainText("b-1 ne lit plus ce tirage", DRAWING);
  await expect(page.locator("#line")).toContainText("un numéro sorti deux fois");
  await looks(page, "desk-line-stopped");
  await picture(page, "ball-line-3-stopped");
  const read = await board(house);
  expect(read.length).toBeGreaterThan(0);
  const rest = Array.from({ length: 80 }, (_, index) => index + 1).filter((number) => !read.includes(number));
  const fell = [...read, ...rest].slice(0, 20);
  for (const [at, number] of fell.entries()) {
    for (const one of [page, other]) {
      await expect(one.locator(".typed")).toContainText(`${at + 1}`);
      await types(one, two(number));
    }
  }
  await expect(page.locator("#act-certify")).toBeVisible();
  await looks(page, "desk-line-entered");
  await page.keyboard.press("F2");
  await page.keyboard.press("Enter");
  await expect(other.locator("#asks")).toContainText("M101 demande");
  await other.keyboard.press("F9");
  await expect(other.locator("#told")).toHaveText("C’est fait.");
  await expect.poll(async () => board(house)).toEqual(fell);
});

test("a machine that is gone is said to be, and comes back to the same balls", async ({ house, page }) => {
  await house.open({ ...BALLS_AT_NOON, ballMachine: ["--interval-ms", "500", "--seed", "3"] });
  await sits(house, page, "desk.toml", MARKER);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await expect(page.locator("#line")).toContainText(/b-1 lit les boules\s: ([2-9]|1\d)\s/, DRAWING);
  const machine = house.machine;
  if (!machine) throw new Error("there is no machine");
  machine.child.kill("SIGSTOP");
  await expect(page.locator("#line")).toContainText("b-1 ne dit plus rien");
  await looks(page, "desk-line-silent");
  await picture(page, "ball-line-4-silent");
  // Somebody may enter by now; nobody does, and the machine comes back.
  await expect(page.locator("#number-7")).toBeVisible();
  machine.child.kill("SIGCONT");
  await expect(page.locator("#line")).toContainText("Remarqué sur la ligne");
  await expect(page.locator("#line")).toContainText("a lu les 20 boules", DRAWING);
  await looks(page, "desk-line-noticed");
});

test("a machine that reads no ball is said to be stuck, one that is away is said to be, and both go on", async ({ house, page, context }) => {
  const machine = await opens(house);
  const other = await context.newPage();
  await plant(other);
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", SUPERVISOR);
  const line = page.locator("#line");
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  machine.fallen = 7;
  await expect(line).toContainText(/^b-1 lit les boules\s: 7\sde\s20\.$/);
  await expect(line).toHaveAttribute("data-tone", "good");
  await expect(page.locator("#tube-7")).toContainText("69");
  await expect(page.locator("#tube-8")).toContainText("–");
  await expect(page.locator(".legend")).toContainText("lue par la machine");

  await expect(line).toContainText("b-1 n’a lu aucune boule depuis une demi-minute", STUCK);
  await expect(line).toContainText(/\s: 7\sde\s20\./);
  await expect(line).toHaveAttribute("data-tone", "warn");
  await expect(page.locator("#number-7")).toBeVisible();
  // Whoever supervises is told of it, and enters nothing.
  await expect(other.locator("#line")).toContainText("depuis une demi-minute");
  await expect(other.locator("#hand")).toContainText("Vous suivez ce tirage");
  await looks(page, "desk-line-stalled");
  await picture(page, "ball-line-5-stalled");

  // A figure that was typed meanwhile is not the first of a ball later on.
  await types(page, "0");
  await expect(page.locator("#typed")).toHaveText("0·");
  machine.fallen = 8;
  await expect(line).toContainText(/lit les boules\s: 8\sde\s20\./, SAID);
  await expect(page.locator("#number-7")).toHaveCount(0);
  await machine.unplug();
  await expect(line).toContainText(/b-1 n’est pas jointe\s: 8\sde\s20 boules lues/, SAID);
  await expect(line).toHaveAttribute("data-tone", "warn");
  await expect(page.locator("#typed")).toHaveText("··");
  await looks(page, "desk-line-away");
  await picture(page, "ball-line-6-away");
  // Each thing that was noticed, in the order of the list.
  await expect(line).toContainText(/Remarqué sur la ligne\s: silence de la machine, connexion perdue\./);
  await machine.plugIn();
  await expect(line).toContainText(/lit les boules\s: 8\sde\s20\./);
  await expect(line).toContainText("Remarqué sur la ligne");

  // What it read while central was silent is there once central is.
  house.central.freeze();
  await expect(page.locator("#alarm")).toBeVisible();
  machine.fallen = 12;
  house.central.goOn();
  await expect(line).toContainText(/lit les boules\s: 12\sde\s20\./);
  await expect(page.locator("#alarm")).toBeHidden();
  expect(await board(house)).toEqual(FELL.slice(0, 12));
  machine.isSilent = true;
  await expect(line).toContainText(/b-1 ne dit plus rien\s: 12\sde\s20 boules lues/, SAID);
  machine.isSilent = false;
  machine.isStopped = true;
  await expect(line).toContainText("b-1 ne lit plus ce tirage");
  await expect(line).toContainText("Deux personnes inscrivent toutes les boules, depuis la première");
  await machine.unplug();
});

test("what a machine has read is declared by whoever may, and taken over by whoever enters balls", async ({ house, page, context }) => {
  const machine = await opens(house);
  const other = await context.newPage();
  await plant(other);
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", SUPERVISOR);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  machine.fallen = 19;
  await expect(page.locator("#line")).toContainText(/lit les boules\s: 19\sde\s20\./);
  // Nineteen balls are no result.
  for (const one of [page, other]) await expect(one.locator("#act-certify")).toHaveCount(0);
  machine.fallen = 20;
  for (const one of [page, other]) {
    await expect(one.locator("#line")).toContainText("b-1 a lu les 20 boules.");
    await expect(one.locator("#act-certify")).toBeVisible();
  }
  await expect(page.locator("#hand")).toContainText(/Toutes bonnes\s: F2, ou F9/);
  await expect(page.locator("#take-over")).toBeVisible();
  await expect(page.locator(".typed")).toHaveCount(0);
  // Whoever supervises may be one of the two who declare it, and compares like the others.
  await expect(other.locator("#hand")).toContainText("Comparez chaque boule aux tubes.");
  await expect(other.locator("#take-over")).toHaveCount(0);
  await looks(other, "desk-line-whole-supervisor");
  await picture(other, "ball-line-7-whole-supervisor");
  await other.keyboard.press("F2");
  await looks(other, "desk-line-certify");
  await other.keyboard.press("Enter");
  await expect(page.locator("#asks")).toContainText("S007 demande : Déclarer officiels les numéros");
  await looks(page, "desk-line-asked");
  await picture(page, "ball-line-8-asked");
  await page.keyboard.press("F9");
  await expect(page.locator("#told")).toHaveText("C’est fait.");
  await expect.poll(() => stateOf(house)).toMatch(/official|settled/);
  expect(await board(house)).toEqual(FELL);
  await machine.unplug();
});

test("a ball that was misread is taken over by keys alone: two enter all of them, and that counts", async ({ house, page, context }) => {
  const machine = await opens(house, FELL.with(2, 8));
  const other = await context.newPage();
  await plant(other);
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
  const [one, second] = [await new Hands(page).begin(), await new Hands(other).begin()];
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  machine.fallen = 20;
  await expect(page.locator("#line")).toContainText("b-1 a lu les 20 boules.");
  // By mistake, and then in earnest: nothing is taken over before a ball is entered.
  for (const key of ["Escape", ""]) {
    await one.goesTo(page.locator("#take-over"));
    await one.press("Enter");
    await expect(page.locator(".typed")).toContainText(/Boule 1\s:/);
    if (key) await one.press(key);
  }
  await expect(page.locator("#number-66")).toBeVisible();
  await looks(page, "desk-line-taken-over");
  await picture(page, "ball-line-9-taken-over");
  // The other one types, without any button.
  await second.type("6");
  await expect(other.locator("#typed")).toHaveText("6·");
  await second.type("6");
  await expect(page.locator(".enterers")).toContainText("V102 : 1 sur 20");
  for (const where of [page, other]) {
    await expect(where.locator("#line")).toContainText("b-1 ne lit plus ce tirage");
    await expect(where.locator("#act-certify")).toHaveCount(0);
  }
  await expect(page.locator(".legend")).toContainText("lue par la machine, ou inscrite par les deux");
  await one.type(two(FELL[0]));
  await expect(page.locator(".enterers")).toContainText("Vous (M101) : 1 sur 20");
  for (const [at, number] of FELL.entries()) {
    if (at === 0) continue;
    for (const hands of [one, second]) {
      await expect(hands.page.locator(".typed")).toContainText(new RegExp(`Boule ${at + 1}\\s:`));
      await hands.type(two(number));
    }
    if (at === 2) {
      await expect(page.locator("#tube-3")).toContainText("06");
      await expect(page.locator("#tube-3 .sign")).toHaveText("✓");
    }
  }
  await expect(page.locator("#act-certify")).toBeVisible();
  await looks(page, "desk-line-entered-all");
  expect(await board(house)).toEqual(FELL);
  await one.press("F2", "Enter");
  await expect(other.locator("#asks")).toContainText("M101 demande : Déclarer officiels les numéros");
  await second.press("F9");
  await expect.poll(() => stateOf(house)).toMatch(/official|settled/);
  expect(await board(house)).toEqual(FELL);
  await machine.unplug();
});

test("by touch: what a machine has read is taken over, entered and declared", async ({ house, browser }) => {
  const machine = await opens(house);
  // A browser each: a page that stands behind another is drawn once a second.
  const contexts = await Promise.all([1, 2].map(() => browser.newContext({ hasTouch: true, viewport: { width: 1366, height: 768 }, locale: "fr-CA" })));
  const [page, other] = await Promise.all(contexts.map((context) => context.newPage()));
  await plant(page);
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  machine.fallen = 20;
  await expect(page.locator("#take-over")).toBeVisible();
  expect(await small(page), "what a finger does not hit, to compare").toEqual([]);
  await page.locator("#take-over").tap();
  await expect(page.locator("#number-66")).toBeVisible();
  expect(await small(page), "what a finger does not hit, to enter").toEqual([]);
  for (const [at, number] of FELL.entries()) {
    for (const one of [page, other]) {
      // The other one has a keyboard.
      if (one === other) await types(other, two(number));
      else await one.locator(`#number-${number}`).tap();
      await expect(one.locator(".enterers")).toContainText(`: ${at + 1} sur 20`);
    }
  }
  await page.locator("#act-certify").tap();
  await page.locator("#decide").tap();
  await expect(other.locator("#asks")).toContainText("M101 demande");
  await other.locator("#agree").tap();
  await expect.poll(() => stateOf(house)).toMatch(/official|settled/);
  expect(await board(house)).toEqual(FELL);
  await Promise.all(contexts.map((context) => context.close()));
  await machine.unplug();
});

test("a draw that a machine reads is interrupted by two, one by touch and one by keys", async ({ house, page, browser }) => {
  const machine = await opens(house);
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 1366, height: 768 }, locale: "fr-CA" });
  const finger = await context.newPage();
  await sits(house, finger, "desk.toml", MARKER);
  await sits(house, page, "desk-2.toml", VERIFIER);
  const hands = await new Hands(page).begin();
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  machine.fallen = 3;
  await expect(page.locator("#line")).toContainText(/lit les boules\s: 3\sde\s20\./);
  await finger.locator("#act-suspend").tap();
  await finger.locator("#hand .reasons button").first().tap();
  await finger.locator("#decide").tap();
  await expect(page.locator("#asks")).toContainText("M101 demande : Interrompre le tirage");
  // It reads on until two have said so.
  machine.fallen = 4;
  await expect(page.locator("#line")).toContainText(/lit les boules\s: 4\sde\s20\./);
  // The reason is as it was given, in the language of whoever gave it.
  await looks(page, "desk-line-asked-to-stop", { typed: ["L’appareil à boules ne fonctionne pas"] });
  await hands.press("F9");
  await expect(page.locator("#state")).toHaveText("INTERROMPU");
  await expect(page.locator("#line")).toHaveCount(0);
  await expect(page.locator("#hand")).toContainText("Le tirage est interrompu");
  await expect(page.locator("#take-over")).toHaveCount(0);
  // What the machine read before is not said to be anybody’s entry.
  await expect(page.locator(".legend")).toContainText("lue par la machine");
  await expect(page.locator(".enterers")).toHaveCount(0);
  machine.fallen = 20;
  await looks(page, "desk-line-interrupted");
  await picture(page, "ball-line-10-interrupted");
  expect(await board(house)).toEqual(FELL.slice(0, 4));
  await context.close();
  await machine.unplug();
});

test("the draw room says beforehand whether the machine is there", async ({ house, page }) => {
  const machine = await opens(house);
  await sits(house, page, "desk.toml", MARKER, 2);
  const good = page.locator("#checks .good", { hasText: "La machine à boules répond" });
  const bad = page.locator("#checks .bad", { hasText: "La machine à boules ne répond pas" });
  await expect(good.locator(".sign")).toHaveText("✓");
  await looks(page, "room-ball-machine-there");
  await picture(page, "room-ball-machine-1-there");
  await machine.unplug();
  await expect(bad).toContainText("deux personnes inscriront les boules");
  await expect(bad.locator(".sign")).toHaveText("✗");
  await expect(good).toHaveCount(0);
  await looks(page, "room-ball-machine-away");
  await picture(page, "room-ball-machine-2-away");
  await machine.plugIn();
  await expect(good).toBeVisible();
  await expect(bad).toHaveCount(0);
  await machine.unplug();
});
