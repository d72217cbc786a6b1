// A house whose first draw is at noon, with one each half hour from then on: no other closes while a test
// goes on, however slow its machine is. And a ticket that wins something whatever is drawn.
// @ts-check
import { EACH_MINUTE } from "./house.js";
import { expect } from "./test.js";

/** The house is opened so long before: whatever is prepared for the first draw is ready before it closes. */
const BEFORE_MS = 120_000;
/** Sales of the first draw have just ended; all its balls are out. By the clock of the house, after noon. */
export const CLOSED_MS = -4_000;
export const DRAWN_MS = 11_500;

/** What waits for central, once its clock says so. */
export const DRAWN = { timeout: 60_000 };

/**
 * Scans a ticket of the first draw once it has been drawn, until central says so.
 * @param {import("./counter.js").Counter} counter @param {string} code @param {string | RegExp} says
 */
export const scannedUntil = async (counter, code, says) => {
  await counter.house.until(DRAWN_MS);
  await expect(async () => {
    await counter.scan(code);
    await expect(counter.page.locator("#verdict")).toContainText(says, { timeout: 1_000 });
  }).toPass(DRAWN);
};

const EACH_HALF_HOUR = { ...EACH_MINUTE, every_minutes: 30 };

/** Opens the house so. @param {import("./house.js").House} house @param {import("./house.js").HouseOptions} [options] */
export const openBeforeDraw = (house, options) => house.open({ schedule: EACH_HALF_HOUR, beforeNoonMs: BEFORE_MS, ...options });

/** Keys of twenty numbers alone. */
const TWENTY = Array.from({ length: 20 }, (_, at) => [...String(4 * at + 1).padStart(2, "0"), "Enter"]).flat();

/**
 * Makes a slip of twenty numbers, each a way of one: some of them are drawn, whatever is drawn. A clerk
 * chooses a way once the device has said which there are; a key before that would be for nothing.
 * @param {import("./counter.js").Counter} counter
 */
export const winsSomething = async (counter) => {
  await counter.press("/", ...TWENTY, "Enter");
  await expect(counter.page.locator(".ways li").first()).toBeVisible();
  await counter.press("1", "Enter");
};
