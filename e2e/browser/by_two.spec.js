// Money that one person does not give back alone: a cancellation above the limit, with the paper or
// with the pieces of one that was torn; and what is in the till beside cash, which is counted.
// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Agent } from "./agent.js";
import { Counter, counterOf } from "./counter.js";
import { codeOn } from "./house.js";
import { expect, test } from "./test.js";

/** Five numbers at 20,00 $ for six draws. */
const DEAR = { selections: [{ type: "straight", numbers: [3, 14, 15, 65, 79], wager_cents: 2_000 }], draws: 6 };

/** How often a kind stands in the record. @param {import("./house.js").House} house @param {string} kind */
const count = async (house, kind) => (await house.record()).filter((one) => one === kind).length;

test("above 100,00 a ticket is cancelled by two, at the screen or at the wall", async ({ house, page }) => {
  await house.open();
  await house.keno("sign-on", "--float-cents", "50000");
  const slip = path.join(house.folder, "dear.json");
  writeFileSync(slip, JSON.stringify(DEAR));
  await house.keno("sell", slip, "--yes");
  const code = codeOn(await house.paper(1));
  const counter = await counterOf(house, page);
  await counter.signOn("500,00");

  await counter.scan(code);
  await counter.mode("ticket");
  await counter.press("F11", "2", "Enter");
  await expect(counter.box).toContainText("Annuler le billet, rendre 120,00\u00a0$");
  await counter.picture("by-two-1-asked");
  await counter.answer(Counter.second("999999"), "ANNULER LE BILLET, RENDRE 120,00\u00a0$");
  await expect(counter.told.first()).toContainText("ne convient pas");
  expect(await count(house, "TicketCancelled")).toBe(0);
  await counter.press("F11", "2", "Enter");
  await counter.answer(Counter.second(), "ANNULER LE BILLET, RENDRE 120,00\u00a0$");
  await expect(counter.total).toContainText("RENDEZ");
  await expect(counter.total).toContainText("120,00\u00a0$");
  await counter.picture("by-two-2-cancelled");
  expect(await house.paper(2)).toMatch(/^REMBOURSÉ, comptant +120,00\s\$$/m);
  expect(await count(house, "TicketCancelled")).toBe(1);
});

test("a ticket paid with a chip is undone whole: the chip goes back, and its change", async ({ house, page }) => {
  await house.open();
  await house.keno("sign-on", "--float-cents", "50000");
  const slip = path.join(house.folder, "chip.json");
  writeFileSync(slip, JSON.stringify({ ...DEAR, draws: 1, tender: "chip", received_cents: 10_000 }));
  await house.keno("sell", slip, "--yes");
  const code = codeOn(await house.paper(1));
  const counter = await counterOf(house, page);
  await counter.signOn("500,00");
  await counter.scan(code);
  await counter.mode("ticket");
  await counter.press("F11", "2");
  await expect(page.locator("#cancel-yes")).toContainText("RENDRE 100,00\u00a0$");
  await counter.press("Enter");
  await expect(counter.total).toContainText("RENDEZ LES JETONS");
  await expect(counter.total).toContainText("100,00\u00a0$");
  await expect(counter.total).toContainText("REPRENEZ LA MONNAIE DONNÉE");
  await expect(counter.total).toContainText("80,00\u00a0$");
  await counter.picture("by-two-8-chip");
  const receipt = await house.paper(2);
  expect(receipt).toMatch(/^REMBOURSÉ, jetons +100,00\s\$$/m);
  expect(receipt).toMatch(/^Monnaie reprise +80,00\s\$$/m);
});

test("a dear ticket whose paper is torn is cancelled by two, with its pieces", async ({ house, page, printer }) => {
  await house.open();
  const counter = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
  await counter.signOn("500,00");
  printer.breaks("cover_open", "MISE TOTALE");
  await counter.press("F5", "ArrowUp", "2", "0", "ArrowDown", "6");
  await counter.costs("120,00\u00a0$");
  await counter.press("Enter");
  await counter.picture("by-two-3-confirm");
  await counter.press("1", "2", "0", "Enter");
  await expect(counter.doubt).toContainText("Capot ouvert : fermez-le.");
  printer.mend();
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await counter.press("0");
  await expect(counter.doubt).toContainText("deux personnes décident");
  await counter.picture("by-two-4-torn");
  expect(await count(house, "TicketCancelled")).toBe(0);
  await counter.press("1");
  await counter.mode("sale");
  await page.keyboard.press("Alt+d");
  await counter.mode("ticket");
  await counter.picture("by-two-5-referred");
  await page.locator("#cancel-pieces").click();
  await counter.picture("by-two-6-pieces");
  await counter.answer(Counter.second(), "Annuler");
  await expect(counter.told.first()).toContainText("Annulé : rendez 120,00");
  await counter.picture("by-two-7-cancelled");
  await counter.nothingOpen();
  expect(await count(house, "TicketCancelled")).toBe(1);
  expect(printer.papers.map((paper) => paper.isWhole)).toEqual([false, true]);
});

test("a coupon gives no change, a chip gives cash, and both are counted at the close", async ({ house, page }) => {
  await house.open();
  const counter = await counterOf(house, page);
  await counter.signOn("100,00");
  const slip = { selections: [{ type: "straight", numbers: [3, 14, 15], wager_cents: 200 }], draws: 1 };
  for (const tender of ["coupon", "chip"]) {
    const sold = await new Agent(page, counter.address).post("sales", { slip, total_cents: 200, tender, received_cents: 2_500 });
    expect(sold.exit).toBe("done");
  }
  expect(await house.paper(2)).toMatch(/JETON|jeton/);
  await page.keyboard.press("Alt+c");
  await counter.mode("till");
  await counter.press("4");
  await counter.picture("till-1-count");
  // Enter goes from one field to the next: none is passed over.
  await counter.type("77,00");
  await counter.press("Enter", "1", "Enter", "2", "5", "Enter", "1", "Enter", "2", "4");
  await counter.picture("till-2-counted");
  await expect(counter.box.getByLabel("Coupons, $", { exact: true })).toHaveValue("25");
  await counter.press("Enter");
  await expect(page.locator("#count")).toContainText("Juste");
  const sheet = page.locator("#sheet");
  await expect(sheet.locator("#sheet-coupons")).toHaveText(/Coupons comptés \/ attendus\s*1\s*25,00.\$ \/ 25,00.\$/);
  await expect(sheet.locator("#sheet-chips")).toHaveText(/Jetons comptés \/ attendus\s*1\s*24,00.\$ \/ 25,00.\$/);
  await expect(sheet).toContainText(/Monnaie sur jetons\s*23,00/);
  await counter.picture("till-3-sheet");
  expect(await house.paper(3)).toContain("FEUILLE");
});
