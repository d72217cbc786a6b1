// People at the two draw desks, and sets of balls.
// @ts-check
import { EACH_MINUTE } from "./house.js";
import { expect } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./agent.js").Agent} Agent */

/** A draw of balls at noon; the next is long after. */
export const BALLS_AT_NOON = { schedule: { ...EACH_MINUTE, every_minutes: 30 }, beforeNoonMs: 120_000, balls: true };

/** The hour of that draw comes, for which the machine has the seal. @param {import("./house.js").House} house */
export const draws = (house) => house.until(0);

/** What stands first on each of the pages of a desk, by the key of its menu. */
const PAGES = { 1: "#draw-head", 2: "#checks" };

/**
 * Somebody at a desk, and at one of its pages.
 * @param {import("./house.js").House} house @param {Page} page @param {"desk.toml" | "desk-2.toml"} settings
 * @param {{badge: string, pin: string}} who @param {1 | 2} [key]
 */
export const sits = async (house, page, settings, who, key = 1) => {
  const { address } = await house.desk(settings);
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto(`${address}/`);
  await page.getByLabel("Insigne").fill(who.badge);
  await page.getByLabel("NIP").fill(who.pin);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Poste du tirage" }).waitFor();
  await page.keyboard.press(String(key));
  await expect(page.locator(PAGES[key])).toBeVisible();
  return address;
};

/** Weights of eighty balls in milligrams, 2.69 g to 2.71 g. */
export const WEIGHTS = Array.from({ length: 80 }, (_, at) => 2_690 + 10 * (at % 3));

/** A set is measured, by two people who are at their desks. @param {string} set @param {Agent} first @param {Agent} second */
export const measures = async (set, first, second) => {
  const { asked } = await first.post("room/measures", { set, masses_mg: WEIGHTS, passed: true, instruments: "balance B-1, calibre C-2" });
  const room = await second.post("room/agreement", { number: asked.number });
  expect(room.sets.map((/** @type {any} */ one) => one.name)).toContain(set);
};
