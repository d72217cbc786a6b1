// A house whose first draw is some seconds away, with a draw each minute, and a ticket that wins
// something whatever is drawn.
// @ts-check
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "./house.js";

const CLOCK = path.join(path.dirname(fileURLToPath(import.meta.url)), "clock.c");
/** So long before the first draw, which is at a whole minute, the house is opened. */
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
export const openBeforeDraw = async (house) => {
  const library = path.join(house.folder, "clock.so");
  execFileSync("cc", ["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", library, CLOCK]);
  const ahead = (120_000 - BEFORE_MS - (Date.now() % 60_000)) % 60_000;
  await house.open({
    schedule: { every_minutes: 1, last: '"23:59"', close_before_seconds: 5, ball_interval_ms: 500, start_lead_ms: 100 },
    clock: { LD_PRELOAD: library, BOULIER_CLOCK_AHEAD_MS: String(ahead) },
  });
};

/** Keys of twenty numbers alone, each a way of one: some of them are drawn, whatever is drawn. */
export const TWENTY = Array.from({ length: 20 }, (_, at) => [...String(4 * at + 1).padStart(2, "0"), "Enter"]).flat();
