// Rules that change with a draw that is on sale already.
// @ts-check
import { RULES, publish } from "./published.js";
import { expect, test } from "./test.js";

/** A second version: another usual wager, an express pick of its own, and what is big begins at 4,00 $. */
const SECOND = RULES
  .replace("version = 1", "version = 2")
  .replace('[counter]\nwager = "1.00"', '[counter]\nwager = "2.50"')
  .replace('second_key = "25.00"', 'second_key = "4.00"')
  .replace('spots = 3\nwager = "1.00"', 'spots = 3\nwager = "3.00"');

test("a slip is priced by the rules of its first draw, and sold at the price that was shown", async ({ counter, house, page }) => {
  await counter.signOn();
  const draws = await page.evaluate(async () => (await (await fetch("/agent/house")).json()).draws.map((/** @type {any} */ one) => one.draw.draw));
  await publish(house, SECOND, draws[2]);
  await expect.poll(() => page.evaluate(async () => (await (await fetch("/agent/house")).json()).later.map((/** @type {any} */ one) => one.from_draw))).toEqual([draws[2]]);

  // The next draw has the rules that it had.
  await counter.press("0", "7", "1", "8");
  await counter.costs("1,00\u00a0$");
  await expect(page.locator("#express button").first()).toContainText("1\u00a0$");
  // The third one does not: the usual wager is another, on the screen, in the sale and on the paper.
  await page.locator('[data-field="first"]').click();
  await counter.press("3");
  await counter.costs("2,50\u00a0$");
  await expect(page.locator('[data-field="wager"] .value')).toHaveText("2,50\u00a0$");
  await expect(page.locator("#express button").first()).toContainText("3\u00a0$");
  await counter.picture("rules-of-a-later-draw");
  await counter.press("Enter");
  expect(await counter.sold(1)).toMatch(/^MISE TOTALE +2,50\s\$$/m);
  await expect(page.locator("#express button").first()).toContainText("1\u00a0$");

  // What is big is so by the same rules, at the page and at the device.
  await counter.press("F5", "2");
  await counter.costs("4,00\u00a0$");
  await page.locator('[data-field="first"]').click();
  await counter.press("3");
  await expect(page.locator('[data-field="first"] .value')).toContainText(String(draws[2]));
  await counter.costs("4,00\u00a0$");
  await counter.press("Enter");
  await expect(counter.total.locator(".confirm")).toContainText("montant");
  const before = counter.complaints.length;
  const refused = await page.evaluate(async (first_draw) => {
    const slip = { selections: [{ type: "straight", quick_pick: 7, wager_cents: 200 }], draws: 2, first_draw };
    const answer = await fetch("/agent/sales", { method: "POST", headers: { "Content-Type": "application/json", "Boulier-Page": "1" }, body: JSON.stringify({ slip, total_cents: 400 }) });
    return (await answer.json()).name;
  }, draws[2]);
  // Chromium says of a refusal that it is one; that is what is wanted here.
  counter.complaints.splice(before);
  expect(refused).toBe("confirm_needed");
  await counter.press("1");
  expect(await counter.sold(2)).toMatch(/^MISE TOTALE +4,00\s\$$/m);
  // For the next draw the same is sold with the usual key.
  await counter.press("F5", "2", "Enter");
  expect(await counter.sold(3)).toMatch(/^MISE TOTALE +4,00\s\$$/m);
  expect(house.texts()).toHaveLength(3);

  // Rules change twice, and what the page asked first is answered last: the later answer is what counts.
  /** @type {(() => void)[]} */
  const answers = [];
  await page.route("**/agent/house", async (route) => {
    const response = await route.fetch();
    if (answers.length === 0) await new Promise((on) => answers.push(() => on(null)));
    await route.fulfill({ response });
  });
  const later = (/** @type {number} */ version) => SECOND.replace("version = 2", `version = ${version}`).replace('wager = "2.50"', `wager = "${version}.00"`);
  await publish(house, later(3), draws[3]);
  await expect.poll(() => answers.length, "questions that are held up").toBe(1);
  const second = page.waitForResponse("**/agent/house");
  await publish(house, later(4), draws[4]);
  await second;
  answers[0]();
  await counter.press("0", "7", "1", "8");
  await page.locator('[data-field="first"]').click();
  await counter.press("5");
  await expect(page.locator('[data-field="wager"] .value')).toHaveText("4,00\u00a0$");
});
