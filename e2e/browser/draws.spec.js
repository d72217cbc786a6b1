// Draws that close and are drawn: a sale that comes too late, and a prize that is paid.
// @ts-check
import { Counter, codeOn, counterOf, expect, test } from "./house.js";
import { DRAWN, TWENTY, openBeforeDraw } from "./near_draw.js";

test("a sale that comes too late is sold for the next draw or not at all, and a prize is paid once", async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  await counter.signOn();

  // A ticket that wins something.
  await counter.press("/", ...TWENTY, "Enter", "1", "Enter");
  await counter.mode("sale");
  await counter.press("1");
  const winner = codeOn(await counter.sold(1));

  // Two screens with a draft each, made for the draw that the players were told.
  const other = new Counter(await page.context().newPage(), house, counter.agent, counter.address);
  await other.open();
  await other.mode("sale");
  await expect(other.page.locator("#express button")).toHaveCount(8);
  await other.press("F3");
  await other.costs("2,00\u00a0$");
  await page.bringToFront();
  await counter.press("F3");
  await counter.costs("2,00\u00a0$");
  const told = await page.locator('#total [data-field="first"] .value').innerText();

  // Central alone knows that the draw has closed: it refuses, and the clerk chooses.
  house.line.hidesWhatIsOnSale = true;
  const isClosed = async () => {
    const next = await (await fetch(`http://${house.address}/api/v1/draws/next`)).json();
    return next.draw.draw > Number(told.replace(/\D/g, ""));
  };
  await expect.poll(isClosed, DRAWN).toBe(true);
  await counter.press("Enter");
  await expect(counter.total).toContainText(/Tirage 000\s\d{3} fermé/);
  await expect(counter.total).toContainText("Rien n’a été vendu.");
  await counter.picture("late-1-refused");
  // Enter is no answer.
  await counter.press("Enter");
  await expect(counter.total).toContainText("fermé");
  await counter.press("0");
  await expect(counter.told).toContainText("Rien n’a été vendu : rendez");
  await counter.picture("late-2-cash-back");
  expect(house.texts()).toHaveLength(1);

  // The other screen hears of it, and its draft does not move to the next draw by itself.
  house.line.hidesWhatIsOnSale = false;
  await other.page.bringToFront();
  await expect(other.told).toContainText(/Les ventes du tirage 000\s\d{3} sont terminées/);
  await other.picture("late-3-noticed");
  // It takes no key from the clerk: a number goes on being a number.
  await other.press("1");
  await expect(other.told).toContainText("sont terminées");
  await other.press("Enter");
  await expect(other.total).toContainText(/Tirage 000\s\d{3} fermé/);
  await other.press("Enter", "1");
  const late = await other.sold(2);
  expect(late).not.toContain(told);
  expect(late).toMatch(/^1\sTIRAGE/m);
  await other.page.close();
  await page.bringToFront();

  // The prize: a scan moves nothing, and what is shown is what is paid.
  await expect(async () => {
    await counter.scan(winner);
    await expect(page.locator("#verdict")).toContainText("Billet gagnant", { timeout: 1_000 });
  }).toPass(DRAWN);
  const amount = await counter.total.locator("output").innerText();
  await counter.picture("pay-1-winner");
  expect(house.texts()).toHaveLength(2);
  counter.counted();
  await counter.press("F9");
  expect(counter.counted(), "keys of a payment, after the scan").toBe(1);
  const receipt = await house.paper(3);
  expect(receipt).toContain(amount.replace(/\u00a0/g, receipt.includes("\u00a0$") ? "\u00a0" : " "));
  await expect(counter.total).toContainText("REMETTEZ");
  await expect(counter.total).toContainText(amount);
  await counter.picture("pay-2-paid");
  // F9 again pays nothing more.
  await counter.press("F9");
  await counter.scan(winner);
  await expect(page.locator("#verdict")).toContainText("Lot déjà payé");
  await counter.press("F9");
  await expect(page.locator("#pay")).toHaveCount(0);
  await counter.picture("pay-3-already");
  expect(house.texts()).toHaveLength(3);
  // Without the code of the ticket it takes two people: there is nothing left to pay, and the
  // page does not ask for them.
  await counter.press("Escape");
  await page.keyboard.press("Alt+n");
  await counter.answer({ "Numéro de contrôle": winner.slice(3, 19) }, "Vérifier");
  await expect(page.locator("#verdict")).toContainText("Lot déjà payé");

});
