// From the clerk's Enter to the first byte at the printer, in the browser against a real central:
// `npm run bench`. In the same run, in turn: the page's own question for a price, which crosses the
// same browser and the same agent and stops there.
// @ts-check
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { chromium } from "@playwright/test";
import { CLERK, House } from "./house.js";

const SALES = Number(process.env.BOULIER_SALES ?? 100);

/** The line to the printer: when the first byte of a paper passes. */
class PrinterLine {
  address = "";
  /** @type {((at: number) => void) | null} */
  waits = null;

  /** @param {string} printer */
  async lay(printer) {
    const [host, port] = printer.split(":");
    this.server = createServer((near) => {
      const far = connect(Number(port), host);
      near.on("data", (bytes) => {
        // Questions about its state are no paper: DLE EOT n.
        let at = 0;
        while (bytes[at] === 0x10 && bytes[at + 1] === 0x04) at += 3;
        if (at < bytes.length && this.waits) {
          this.waits(performance.now());
          this.waits = null;
        }
        far.write(bytes);
      });
      far.on("data", (bytes) => near.write(bytes));
      for (const [one, other] of [[near, far], [far, near]]) {
        one.on("error", () => other.destroy());
        one.on("close", () => other.destroy());
      }
    });
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    this.address = `127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (this.server.address()).port}`;
  }

  /** When the first byte of the next paper passes. @returns {Promise<number>} */
  firstByte() {
    return new Promise((told) => (this.waits = told));
  }
}

/** @param {number[]} all @param {number} part */
const quantile = (all, part) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))];

const house = await new House().open();
const printer = new PrinterLine();
await printer.lay(String(house.printer));
const { address } = await house.agent({ BOULIER_PRINTER_ADDRESS: printer.address });
const browser = await chromium.launch({ executablePath: process.env.BOULIER_CHROMIUM ?? "/usr/bin/chromium", chromiumSandbox: process.getuid?.() !== 0 });
const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, locale: "fr-CA" });
try {
  await page.goto(address);
  await page.getByLabel("Insigne").fill(CLERK.badge);
  await page.getByLabel("NIP").fill(CLERK.pin);
  await page.getByLabel("Fonds de caisse, $").fill("200");
  await page.getByLabel("NIP").press("Enter");
  await page.waitForSelector("#express button");
  /** @type {number[]} */
  const sales = [];
  /** @type {number[]} */
  const questions = [];
  for (let sale = 0; sale < SALES; sale += 1) {
    const before = performance.now();
    await page.evaluate(async () => {
      const slip = { selections: [{ type: "straight", quick_pick: 5, wager_cents: 200 }], draws: 1 };
      await fetch("/agent/draft", { method: "POST", headers: { "Content-Type": "application/json", "Boulier-Page": "1" }, body: JSON.stringify({ slip }) });
    });
    questions.push(performance.now() - before);
    await page.keyboard.press("F3");
    await page.waitForSelector("#sell");
    const byte = printer.firstByte();
    const pressed = performance.now();
    await page.keyboard.press("Enter");
    sales.push((await byte) - pressed);
    await page.waitForSelector(".issued");
  }
  const shown = (/** @type {number} */ ms) => `${ms.toFixed(1)} ms`;
  console.log(`Enter to the first byte at the printer, ${SALES} sales: median ${shown(quantile(sales, 0.5))}, p95 ${shown(quantile(sales, 0.95))}, most ${shown(Math.max(...sales))}`);
  console.log(`the page's question for a price, ${SALES} times: median ${shown(quantile(questions, 0.5))}, p95 ${shown(quantile(questions, 0.95))}`);
  console.log(`ratio of the medians: ${(quantile(sales, 0.5) / quantile(questions, 0.5)).toFixed(1)}`);
} finally {
  await browser.close();
  printer.server?.close();
  await house.close();
}
process.exit(0);
