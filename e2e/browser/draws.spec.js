// Draws that close and are drawn: a sale that comes too late, and a prize that is paid.
// @ts-check
import { Counter, counterOf } from "./counter.js";
import { SUPERVISOR, codeOn } from "./house.js";
import { CLOSED_MS, DRAWN, openBeforeDraw, scannedUntil, winsSomething } from "./near_draw.js";
import { Hands, looks, looksAtPlayer } from "./round.js";
import { expect, test } from "./test.js";

test("a sale that comes too late is sold for the next draw or not at all, and a prize is paid once", async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  await counter.signOn();

  // A ticket that wins something.
  await winsSomething(counter);
  await counter.confirms();
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
  house.line.hidesWhatIsOnSale(true);
  const isClosed = async () => {
    const next = await (await fetch(`http://${house.address}/api/v1/draws/next`)).json();
    return next.draw.draw > Number(told.replace(/\D/g, ""));
  };
  await house.until(CLOSED_MS);
  await expect.poll(isClosed, DRAWN).toBe(true);
  await counter.press("Enter");
  await expect(counter.total).toContainText(/Tirage 000\s\d{3} fermé/);
  await expect(counter.total).toContainText("Rien n’a été vendu.");
  await looks(page, "late");
  // Enter is no answer.
  await counter.press("Enter");
  await expect(counter.total).toContainText("fermé");
  await counter.press("0");
  await expect(counter.told).toContainText("Rien n’a été vendu : rendez");
  await counter.picture("late-2-cash-back");
  expect(house.texts()).toHaveLength(1);

  // The other screen hears of it, and its draft does not move to the next draw by itself.
  house.line.hidesWhatIsOnSale(false);
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
  const player = await counter.player();
  const hands = await new Hands(page).begin();
  const second = [SUPERVISOR.badge, SUPERVISOR.pin];
  const verdict = page.locator("#verdict");
  await scannedUntil(counter, winner, "Billet gagnant");
  const amount = await counter.total.locator("output").innerText();
  await looks(page, "winner");
  await looksAtPlayer(player, "winner");
  expect(house.texts()).toHaveLength(2);

  // A till that has too little pays nothing, and never a part: it is filled first.
  const moves = async (/** @type {string} */ key, /** @type {string} */ cash, /** @type {RegExp} */ told) => {
    await page.keyboard.press("Alt+c");
    await hands.press(key);
    await hands.answers(counter.box, cash, ...second);
    await expect(counter.told.first()).toContainText(told);
    await hands.press("Escape");
  };
  // The float, and the two tickets.
  await moves("2", "222", /Sortez 222,00/);
  await counter.scan(winner);
  await expect(counter.total).toContainText("Jamais une partie");
  await expect(page.locator("#pay")).toBeDisabled();
  await looks(page, "till-short");
  await hands.press("F9");
  await expect(counter.total).toContainText(amount);
  expect(house.texts()).toHaveLength(3);
  await moves("1", "500", /Mettez 500,00/);
  await expect(page.locator("#pay")).toBeEnabled();
  counter.counted();
  await counter.press("F9");
  expect(counter.counted(), "keys of a payment, after the scan").toBe(1);
  const receipt = await house.paper(5);
  expect(receipt).toContain(amount.replace(/\u00a0/g, receipt.includes("\u00a0$") ? "\u00a0" : " "));
  await expect(counter.total).toContainText("REMETTEZ");
  await expect(counter.total).toContainText(amount);
  await looks(page, "paid");
  await looksAtPlayer(player, "paid");
  // F9 again pays nothing more: the record says so at the end.
  await counter.press("F9");

  // It was not handed over: two people undo it, and it is to be paid as before.
  await hands.goesTo(page.locator("#reverse"));
  await hands.press("Enter");
  await looks(page, "reverse", { language: "" });
  await hands.answers(counter.box, "parti", ...second);
  await expect(counter.told.first()).toContainText("renversé");
  await expect(verdict).toContainText("Billet gagnant");
  await looks(page, "reversed");
  await hands.press("Escape");
  // A number alone brings a verdict and no money, whoever stands there.
  await page.keyboard.press("Alt+n");
  await hands.answers(counter.box, winner.slice(3, 19));
  await expect(verdict).toContainText("Billet gagnant");
  await expect(page.getByText("Aucun montant sans le code du papier")).toBeVisible();
  await expect(page.locator("#pay")).toHaveCount(0);
  await hands.press("F9");
  await expect(counter.box).toBeHidden();
  // Nothing is shown that says nothing, and no key is named that leads nowhere.
  await expect(page.locator(".draws")).toHaveCount(0);
  await expect(page.locator("#keys")).toContainText("Esc");
  await expect(page.locator("#keys")).not.toContainText("F9");
  await looks(page, "number-alone");
  await hands.press("Escape");
  // With its paper it is paid.
  await counter.scan(winner);
  await expect(verdict).toContainText("Billet gagnant");
  await hands.press("F9");
  await expect(counter.total).toContainText("REMETTEZ");
  await hands.press("Escape");
  await counter.scan(winner);
  await expect(verdict).toContainText("Lot déjà payé");
  await counter.press("F9");
  await expect(page.locator("#pay")).toHaveCount(0);
  await looks(page, "already-paid");
  await looksAtPlayer(player, "already-paid");
  // Paid twice in all, because the first time was undone in between.
  const money = (await house.record()).filter((kind) => ["PrizePaid", "PaymentReversed"].includes(kind));
  expect(money).toEqual(["PrizePaid", "PaymentReversed", "PrizePaid"]);
});
