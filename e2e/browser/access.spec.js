// Every state of the counter's screens: by the rules of WCAG 2.2 AA, at twice the size, in both
// languages, and by the keyboard alone.
// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { codeOn, counterOf, expect, test } from "./house.js";
import { plant } from "./planted.js";
import { Printer } from "./printer.js";

/** @param {import("@playwright/test").Page} page @param {string} state */
const fits = async (page, state) => {
  const found = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  const said = found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
  expect(said, `${state}, by axe`).toEqual([]);
  expect(found.passes.length, `${state}: rules that were looked at`).toBeGreaterThan(10);
};

/** Nothing is cut off at the side of the screen. @param {import("@playwright/test").Page} page @param {string} state */
const hasNoSideways = async (page, state) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide, `${state}: pixels beyond the side`).toBeLessThanOrEqual(0);
};

/** Words of one language that must not stand on a page in the other. */
const FRENCH = /\b(Tirages?|Mise|Billet|Caisse|Préposé|Monnaie|Reçu|numéros|Imprimante|Ventes)\b/;
const ENGLISH = /\b(Draws?|Wager|Ticket|Till|Clerk|Change|Received|numbers|Printer|Sales)\b/;

test("every state of the counter fits everybody", async ({ counter, house, page }) => {
  const customer = await page.context().newPage();
  await customer.goto(`${counter.address}/customer`);
  await page.bringToFront();
  const state = async (/** @type {string} */ name) => {
    await fits(page, name);
    await hasNoSideways(page, name);
    expect(await page.locator("body").innerText(), `${name}: English on the French page`).not.toMatch(ENGLISH);
    await page.keyboard.press("Alt+l");
    expect(await page.locator("body").innerText(), `${name}: French on the English page`).not.toMatch(FRENCH);
    await expect(page.locator("html")).toHaveAttribute("lang", "en-CA");
    await hasNoSideways(page, `${name} in English`);
    await page.keyboard.press("Alt+l");
    // At twice the size there is half the room.
    await page.setViewportSize({ width: 683, height: 384 });
    await hasNoSideways(page, `${name} at 200 %`);
    await counter.picture(`access-${name}-200`);
    await page.setViewportSize({ width: 1366, height: 768 });
    await fits(customer, `${name}, the player's screen`);
    await hasNoSideways(customer, `${name}, the player's screen`);
  };
  await state("off");
  await counter.signOn();
  await state("idle");
  await counter.press("0", "7", "1", "8", "+", "*", "4", "+", "/", "0", "1", "0", "2", "Enter", "0", "3", "0", "4", "Enter", "Enter", "1");
  await state("three-selections");
  await counter.press("Enter");
  await expect(counter.total.locator(".confirm")).toBeVisible();
  await state("confirm");
  await counter.press("1");
  const code = codeOn(await counter.sold(1));
  await state("sold");
  await counter.press("8", "9");
  await expect(counter.told).toBeVisible();
  await state("refused-number");
  await counter.press("Escape", "Escape", "Escape");
  await counter.scan(code);
  await expect(page.locator("#verdict")).toBeVisible();
  await state("ticket");
  await counter.press("F11", "2");
  await state("cancel");
  await counter.press("Escape");
  await counter.press("F10");
  await expect(page.locator(".replay")).toBeVisible();
  await state("replay");
  await counter.press("0", "Escape", "Escape", "Escape");
  await page.keyboard.press("Alt+c");
  await state("till");
  await counter.press("1");
  await fits(page, "fill");
  await counter.press("Escape", "Escape");
  await page.keyboard.press("Alt+p");
  await state("more");
  await counter.press("Escape");
  await counter.press("F12");
  await counter.mode("locked");
  await state("locked");
  expect(house.texts()).toHaveLength(1);
});

test("the technician's page fits everybody", async ({ counter, house, page }) => {
  const state = async (/** @type {string} */ name) => {
    await fits(page, name);
    await hasNoSideways(page, name);
    expect(await page.locator("body").innerText(), `${name}: English on the French page`).not.toMatch(ENGLISH);
    await page.keyboard.press("Alt+l");
    expect(await page.locator("body").innerText(), `${name}: French on the English page`).not.toMatch(FRENCH);
    await hasNoSideways(page, `${name} in English`);
    await page.keyboard.press("Alt+l");
    await page.setViewportSize({ width: 683, height: 384 });
    await hasNoSideways(page, `${name} at 200 %`);
    await counter.picture(`access-${name}-200`);
    await page.setViewportSize({ width: 1366, height: 768 });
  };
  await counter.signOn();
  await counter.putAside();
  await page.goto(`${counter.address}/technician`);
  await expect(page.locator("#central dd.bad")).toBeVisible();
  await page.getByRole("button", { name: "Peut-il être emporté ?" }).click();
  await expect(page.locator("#stays")).toBeVisible();
  await state("technician-stays");

  const settings = path.join(house.data, "new.toml");
  const folder = path.join(house.folder, "new");
  writeFileSync(settings, [`central = "https://127.0.0.1:9"`, `journal = "${folder}/journal"`, `trust = "${folder}/trust"`, ""].join("\n"));
  const agent = house.start("keno-terminal", ["--config", settings, "serve"], { BOULIER_LISTEN: "127.0.0.1:0" });
  await page.goto((await agent.says(/page at (http:\/\/[\d.:]+)\//))[1]);
  await page.getByRole("button", { name: "Montrer un code" }).click();
  await expect(page.locator(".told.bad")).toBeVisible();
  await expect(page.locator("#enrol")).toBeEnabled();
  await state("technician-not-enrolled");
});

test("a doubt fits everybody", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.putAside();
  await fits(page, "aside");
  house.central.goOn();
  await counter.trusted();
  await counter.mode("doubt");
  await fits(page, "to tell");
  await page.keyboard.press("Alt+l");
  expect(await page.locator("body").innerText()).not.toMatch(FRENCH);
  await page.setViewportSize({ width: 683, height: 384 });
  await hasNoSideways(page, "to tell at 200 %");
});

test("a paper in doubt fits everybody", async ({ house, page }) => {
  const printer = new Printer();
  await printer.plugIn();
  try {
    await house.open();
    const counter = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
    const state = async (/** @type {string} */ name) => {
      await fits(page, name);
      await hasNoSideways(page, name);
      await page.keyboard.press("Alt+l");
      expect(await page.locator("body").innerText(), `${name}: French on the English page`).not.toMatch(FRENCH);
      await page.keyboard.press("Alt+l");
      await page.setViewportSize({ width: 683, height: 384 });
      await hasNoSideways(page, `${name} at 200 %`);
      await counter.picture(`access-${name}-200`);
      await page.setViewportSize({ width: 1366, height: 768 });
    };
    await counter.signOn();
    printer.breaks("out_of_paper", "MISE TOTALE");
    await counter.draft();
    await counter.press("Enter");
    await expect(counter.doubt).toContainText("Réglez d’abord l’imprimante");
    await state("paper-waits");
    printer.mend();
    await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
    await state("paper-asked");
    await counter.press("0");
    await expect(counter.doubt).toContainText("Billet annulé");
    await state("paper-cancelled");
  } finally {
    printer.unplug();
  }
});

test("no page asks for anything but this device", async ({ counter, page }) => {
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await counter.signOn();
  await counter.draft();
  await page.goto(`${counter.address}/customer`);
  await page.locator("#shown").innerText();
  const own = `${counter.address}/`;
  expect(asked.filter((url) => !url.startsWith(own))).toEqual([]);
  expect(asked.length).toBeGreaterThan(10);
});

test("the player's screen shows the draft field for field", async ({ counter, page }) => {
  const customer = await page.context().newPage();
  await plant(customer);
  await customer.setViewportSize({ width: 1280, height: 800 });
  await customer.goto(`${counter.address}/customer`);
  const shown = customer.locator("#shown");
  await expect(shown).toContainText("Ce comptoir est fermé");
  await expect(shown).toContainText("This counter is closed");
  await page.bringToFront();
  await counter.signOn();
  await expect(shown).toContainText("Bienvenue au Keno");
  // The mentions of s. 77, in both languages, before anything is sold.
  const mentions = customer.locator("#mentions");
  for (const words of ["De 1 à 10 numéros par sélection.", "1 to 10 numbers per selection.", "Comptoir et borne Keno", "Keno counter and kiosk", "Maximum payable en lots par tirage : 50\u00a0000\u00a0$.", "Maximum payable in prizes per draw: $50,000."]) {
    await expect(mentions).toContainText(words);
  }
  await counter.press("0", "7", "1", "8", "+", "/", "0", "3", "1", "4", "Enter", "4", "0", "5", "1", "Enter", "Enter", "1");
  await counter.costs("3,00\u00a0$");
  // What each shows of a field is the same.
  const numbers = async (/** @type {import("@playwright/test").Locator} */ where) => (await where.locator("b").allInnerTexts()).map((one) => one.trim());
  const own = await numbers(page.locator(".selections"));
  expect(own).toEqual(["07", "18", "03", "14", "40", "51"]);
  await expect(async () => expect(await numbers(customer.locator(".selections"))).toEqual(own)).toPass();
  await expect(shown).toContainText("Simple");
  await expect(shown).toContainText("Combinaison");
  await expect(shown).toContainText("2 × 2 numéros à 1,00\u00a0$");
  await expect(shown.locator(".total output")).toHaveText(["3,00\u00a0$"]);
  await page.locator('#total [data-field="draws"]').click();
  await counter.press("5");
  await counter.costs("15,00\u00a0$");
  await expect(shown).toContainText("5 tirages");
  await expect(shown.locator(".total output")).toHaveText(["15,00\u00a0$"]);
  await page.getByRole("button", { name: "20\u00a0$" }).click();
  await expect(shown.locator(".total output")).toHaveText(["15,00\u00a0$", "5,00\u00a0$"]);
  await customer.screenshot({ path: "output/states/customer-1-draft.png" });
  await counter.press("Enter", "1");
  const code = codeOn(await counter.sold(1));
  await expect(shown).toContainText("émis");
  await expect(shown.locator(".total output")).toHaveText(["15,00\u00a0$", "5,00\u00a0$"]);
  await customer.screenshot({ path: "output/states/customer-2-sold.png" });
  // The verdict of every inquiry, and nothing of it once the ticket is handed back.
  await counter.scan(code);
  await expect(shown).toContainText("Tirage à venir");
  await expect(shown).toContainText("Draw to come");
  await customer.screenshot({ path: "output/states/customer-3-verdict.png" });
  await counter.press("Escape");
  await expect(shown).toContainText("Bienvenue au Keno");
  await counter.press("0", "7", "F12");
  await expect(shown).toContainText("Ce comptoir est fermé");
});
