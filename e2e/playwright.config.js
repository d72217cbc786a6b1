// The tests at the pages, in Debian's Chromium. Nothing is downloaded but the packages of the
// lock file.
// @ts-check
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "browser",
  outputDir: "output",
  // Every test opens a house of its own: there is no order between them.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // A machine that is busy with other things is waited for; a quiet one needs a tenth of it.
  timeout: 60_000,
  expect: { timeout: 12_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "fr-CA",
    actionTimeout: 12_000,
    launchOptions: {
      executablePath: process.env.BOULIER_CHROMIUM ?? "/usr/bin/chromium",
      // The pages are those of this house alone; root, as in a container, has no sandbox.
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
  },
});
