// A machine that reads its own balls, at the desk: what it reads is shown as it comes, what is wrong is
// said in words, and two people declare it official or take it over.
// @ts-check
import { SOON, sits } from "./desks.js";
import { MARKER, VERIFIER, expect, picture, test } from "./house.js";
import { looks } from "./round.js";

/** @typedef {import("./house.js").House} House */

/** Until the machine has the seal. */
const DRAWING = { timeout: 45_000 };
/** What the board of central shows. @param {House} house @returns {Promise<number[]>} */
const board = async (house) => (await (await fetch(`http://${house.address}/api/v1/draws/1`)).json()).balls;
const two = (/** @type {number} */ number) => String(number).padStart(2, "0");

test("a machine reads its balls, and two people declare them official", async ({ house, page, context }) => {
  await house.open({ ...SOON, ballMachine: ["--interval-ms", "1200", "--seed", "3"] });
  const other = await context.newPage();
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await expect(page.locator("#line")).toContainText(/b-1 lit les boules\s: [1-9]/);
  await expect(page.locator("#hand")).toContainText("La machine lit.");
  // No key takes a ball from a machine that reads, and nothing waits for one.
  await page.keyboard.type("07");
  await expect(page.locator("#number-7")).toHaveCount(0);
  await looks(page, "desk-line-reads");
  await picture(page, "ball-line-1-reads");
  const some = await board(house);
  expect(some.length).toBeGreaterThan(0);
  expect(some.length).toBeLessThan(20);

  await expect(page.locator("#line")).toContainText("a lu les 20 boules", DRAWING);
  await expect(page.locator("#hand")).toContainText("Comparez chaque boule aux tubes.");
  await looks(page, "desk-line-whole");
  await picture(page, "ball-line-2-whole");
  const all = await board(house);
  expect(all.slice(0, some.length)).toEqual(some);
  for (const [at, number] of all.entries()) await expect(page.locator(`#tube-${at + 1}`)).toContainText(two(number));
  await page.keyboard.press("F2");
  await page.keyboard.press("Enter");
  await expect(other.locator("#asks")).toContainText("M101 demande");
  await other.keyboard.press("F9");
  await expect(other.locator("#told")).toHaveText("C’est fait.");
  await expect.poll(async () => (await (await fetch(`http://${house.address}/api/v1/draws/1`)).json()).state).toMatch(/official|settled/);
  expect(await board(house)).toEqual(all);
});

test("what is wrong with the machine is said, and two people enter every ball", async ({ house, page, context }) => {
  await house.open({ ...SOON, ballMachine: ["--interval-ms", "300", "--seed", "3", "--fault", "repeated"] });
  const other = await context.newPage();
  await sits(house, page, "desk.toml", MARKER);
  await sits(house, other, "desk-2.toml", VERIFIER);
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
      await one.keyboard.type(two(number));
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
  await house.open({ ...SOON, ballMachine: ["--interval-ms", "1500", "--seed", "3"] });
  await sits(house, page, "desk.toml", MARKER);
  await expect(page.locator("#state")).toHaveText("tirage en cours", DRAWING);
  await expect(page.locator("#line")).toContainText(/b-1 lit les boules\s: [2-9]/, DRAWING);
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
