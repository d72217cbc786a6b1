// A house whose first draw is some seconds away, with a draw each minute, and a ticket that wins
// something whatever is drawn.
// @ts-check
import { EACH_MINUTE, expect } from "./house.js";

/** So long before the first draw, which is at noon, the house is opened. */
const BEFORE_MS = 18_000;

/** What waits for a draw. */
export const DRAWN = { timeout: 150_000 };

/** Scans a ticket until it has been drawn, and central says so. @param {import("./house.js").Counter} counter @param {string} code @param {string | RegExp} says */
export const scannedUntil = (counter, code, says) =>
  expect(async () => {
    await counter.scan(code);
    await expect(counter.page.locator("#verdict")).toContainText(says, { timeout: 1_000 });
  }).toPass(DRAWN);

/** Opens the house so. @param {import("./house.js").House} house */
export const openBeforeDraw = (house) => house.open({ schedule: EACH_MINUTE, beforeNoonMs: BEFORE_MS });

/** Keys of twenty numbers alone. */
const TWENTY = Array.from({ length: 20 }, (_, at) => [...String(4 * at + 1).padStart(2, "0"), "Enter"]).flat();

/**
 * Makes a slip of twenty numbers, each a way of one: some of them are drawn, whatever is drawn. A clerk
 * chooses a way once the device has said which there are; a key before that would be for nothing.
 * @param {import("./house.js").Counter} counter
 */
export const winsSomething = async (counter) => {
  await counter.press("/", ...TWENTY, "Enter");
  await expect(counter.page.locator(".ways li").first()).toBeVisible();
  await counter.press("1", "Enter");
};
