// The tests at the pages, in Debian's Chromium. Nothing is downloaded but the packages of the
// lock file.
// @ts-check
import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** The shell has no window and takes less time; either has the same engine. */
const [SHELL, CHROMIUM] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

const PATIENCE_MS = Number(process.env.BOULIER_PATIENCE_MS ?? 60_000);

export default defineConfig({
  testDir: "browser",
  outputDir: "output",
  // Every test has a house of its own, or one in which those before it left nothing open: there is no order between them.
  fullyParallel: true,
  // Two cores, and a test that waits: with more, a house waits for its answers longer than its people do.
  workers: 3,
  forbidOnly: true,
  // A machine that stood still may fail a test that waits for its house; a fault of the product
  // fails it again. Whoever needed a second try is named at the end. Of planted faults, one try.
  retries: Number(process.env.BOULIER_RETRIES ?? 1),
  // A machine that is busy with other things is waited for.
  timeout: 300_000,
  expect: { timeout: PATIENCE_MS },
  reporter: [["list"], ["./browser/failures.js"]],
  use: {
    viewport: { width: 1366, height: 768 },
    locale: "fr-CA",
    actionTimeout: PATIENCE_MS,
    launchOptions: {
      executablePath: process.env.BOULIER_CHROMIUM || (existsSync(SHELL) ? SHELL : CHROMIUM),
      // No script of a page runs long enough to be worth a compiler's time, on cores that are all at work.
      args: ["--js-flags=--no-opt,--no-maglev"],
      // Chromium has no sandbox for root, as whom containers run.
      chromiumSandbox: process.getuid?.() !== 0,
    },
  },
});
