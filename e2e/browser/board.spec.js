// What a board and a kiosk show of the draws.
// @ts-check
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, picture, test } from "./house.js";

const CLOCK = path.join(path.dirname(fileURLToPath(import.meta.url)), "clock.c");
/** A draw of the demonstration is at each whole minute here; sales close five seconds before. */
const OPEN_FOR_MS = 9_000;

test("board and kiosk show the last draw", async ({ house, page }) => {
  const library = path.join(house.folder, "clock.so");
  execFileSync("cc", ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, CLOCK]);
  const ahead = (120_000 - OPEN_FOR_MS - (Date.now() % 60_000)) % 60_000;
  await house.open({
    schedule: { every_minutes: 1, last: '"23:59"', close_before_seconds: 5, ball_interval_ms: 500, start_lead_ms: 100 },
    clock: { LD_PRELOAD: library, BOULIER_CLOCK_AHEAD_MS: String(ahead) },
  });
  const device = (/** @type {string} */ role, /** @type {number} */ number) =>
    house.agent({
      BOULIER_ROLE: role,
      BOULIER_DEVICE: String(number),
      BOULIER_DEVICE_KEY: house.keyOf(number),
      BOULIER_JOURNAL: path.join(house.folder, role),
    });
  const display = await device("display", 4);
  await page.goto(`${display}/`);
  await expect(page.locator("#central")).toHaveAttribute("data-state", "trusted");
  await expect(page.locator("#draws")).toBeHidden();
  await expect(page.locator("#draw")).toContainText("000 001");
  await picture(page, "display");
  console.log(await page.locator("#draws").innerText());

  const kiosk = await device("kiosk", 3);
  await page.goto(`${kiosk}/`);
  await expect(page.locator("#draw")).toContainText("000 001");
  await picture(page, "kiosk");
  console.log(await page.locator("body").innerText());
});
