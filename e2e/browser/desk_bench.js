// From the second person's key to the lit number on the hall's monitor, in the browser against a real
// central: `npm run bench:desk`. In the same run, in turn: the monitor's own question for the draw,
// which crosses the same browser and the same central and stops there.
// @ts-check
import { chromium } from "@playwright/test";
import { types } from "./counter.js";
import { EACH_MINUTE, House, MARKER, VERIFIER } from "./house.js";

const DRAWS = Number(process.env.BOULIER_DRAWS ?? 3);

/** @typedef {import("@playwright/test").Page} Page */

const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
/** @param {number[]} all @param {number} part */
const quantile = (all, part) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))];

const house = await new House().open({ schedule: { ...EACH_MINUTE, every_minutes: 2 }, beforeNoonMs: 12_000, balls: true });
const browser = await chromium.launch({ executablePath: process.env.BOULIER_CHROMIUM ?? "/usr/bin/chromium", chromiumSandbox: process.getuid?.() !== 0 });
const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: "fr-CA" });

/** Somebody at a desk. @param {"desk.toml" | "desk-2.toml"} settings @param {{badge: string, pin: string}} who */
const sits = async (settings, who) => {
  const { address } = await house.desk(settings);
  const page = await context.newPage();
  await page.goto(`${address}/`);
  await page.getByLabel("Insigne").fill(who.badge);
  await page.getByLabel("NIP").fill(who.pin);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Poste du tirage" }).waitFor();
  await page.keyboard.press("1");
  await page.locator("#draw-head").waitFor();
  return page;
};

/** What a page's clock says, in this program's time; both are of one machine. @param {Page} page */
const offsetOf = async (page) => (await page.evaluate(() => performance.timeOrigin)) - performance.timeOrigin;

try {
  const first = await sits("desk.toml", MARKER);
  const second = await sits("desk-2.toml", VERIFIER);
  const board = await context.newPage();
  await board.goto(`http://${house.address}/board`);
  const offset = await offsetOf(board);
  await board.evaluate(() => {
    /** @type {any} */ (globalThis).lit = {};
    new MutationObserver(() => {
      const at = performance.now();
      for (const cell of document.querySelectorAll("#cells .lit")) /** @type {any} */ (globalThis).lit[Number(cell.textContent)] ??= at;
    }).observe(document.querySelector("#cells") ?? document.body, { subtree: true, attributes: true, childList: true });
  });
  /** @type {number[]} */
  const balls = [];
  /** @type {number[]} */
  const questions = [];
  for (let draw = 1; draw <= DRAWS; draw += 1) {
    for (const page of [first, second]) await page.locator("#state", { hasText: "tirage en cours" }).waitFor({ timeout: 180_000 });
    // What was lit by the draw before is dark by now.
    await board.waitForFunction(() => document.querySelectorAll("#cells .lit").length === 0);
    await board.evaluate(() => {
      /** @type {any} */ (globalThis).lit = {};
    });
    for (let at = 1; at <= 20; at += 1) {
      const number = 1 + ((at * 7 + draw * 3) % 80);
      for (const page of [first, second]) await page.locator(".typed", { hasText: ` ${at}` }).waitFor();
      await types(first, two(number));
      await first.locator(`#tube-${at}`, { hasText: two(number) }).waitFor();
      await second.keyboard.press(two(number)[0]);
      const pressed = performance.now();
      await second.keyboard.press(two(number)[1]);
      const seen = await board.waitForFunction((one) => /** @type {any} */ (globalThis).lit[one], number, { polling: 5 });
      balls.push(/** @type {number} */ (await seen.jsonValue()) + offset - pressed);
      questions.push(
        await board.evaluate(async (of) => {
          const before = performance.now();
          await (await fetch(`/api/v1/draws/${of}`, { cache: "no-store" })).json();
          return performance.now() - before;
        }, draw),
      );
    }
    await first.locator("#act-certify").waitFor();
    await first.keyboard.press("F2");
    await first.keyboard.press("Enter");
    await second.locator("#agree").waitFor();
    await second.keyboard.press("F9");
    await second.locator("#told", { hasText: "C’est fait." }).waitFor();
  }
  const shown = (/** @type {number} */ ms) => `${ms.toFixed(1)} ms`;
  console.log(`the second person's key to the lit number, ${balls.length} balls: median ${shown(quantile(balls, 0.5))}, p95 ${shown(quantile(balls, 0.95))}, most ${shown(Math.max(...balls))}`);
  console.log(`the monitor's question for the draw, ${questions.length} times: median ${shown(quantile(questions, 0.5))}, p95 ${shown(quantile(questions, 0.95))}`);
  console.log(`ratio of the medians: ${(quantile(balls, 0.5) / quantile(questions, 0.5)).toFixed(1)}`);
} finally {
  await browser.close();
  await house.close();
}
process.exit(0);
