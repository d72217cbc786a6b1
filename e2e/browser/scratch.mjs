import { House, CLERK, SUPERVISOR, codeOn } from "./house.js";
import { chromium } from "@playwright/test";
const house = new House();
await house.open();
const { address, program } = await house.agent();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", chromiumSandbox: false });
const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, locale: "fr-CA" });
const page = await context.newPage();
page.on("console", (m) => console.log("console", m.type(), m.text()));
page.on("pageerror", (e) => console.log("pageerror", e.stack));
let n = 0;
const shot = async (name, p = page) => { n++; await p.screenshot({ path: `/tmp/shots/${String(n).padStart(2, "0")}-${name}.png` }); };
const press = async (...keys) => { for (const k of keys) { await page.keyboard.press(k); await page.waitForTimeout(45); } };
const scan = async (text) => { for (const c of text) await page.keyboard.press(c, { delay: 0 }); await page.keyboard.press("Enter"); };
try {
  const f = (await import(process.argv[2])).default;
  await f({ house, page, press, shot, scan, context, address, CLERK, SUPERVISOR, codeOn, program });
} catch (e) { console.log(e); await shot("error"); }
await browser.close();
await house.close();
process.exit(0);
