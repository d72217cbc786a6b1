// Named sets: the rules say their numbers, and a clerk sells them by their names.
// @ts-check
import { codeOn } from "./house.js";
import { RULES, publish } from "./published.js";
import { Hands, looks, looksAtPlayer } from "./round.js";
import { expect, test } from "./test.js";

/** A game that sells one set alone: twice the wager for eleven of its forty numbers and more. @param {string} code @param {string} fr @param {string} en @param {string} set */
const gameOf = (code, fr, en, set) => `
[[game]]
code = "${code}"
name.fr = "${fr}"
name.en = "${en}"
set = "${set}"
king_alone = false

[game.wager]
step = "1.00"
min = "1.00"
max = "20.00"
same_numbers = "20.00"

[game.pays]
40 = { ${Array.from({ length: 10 }, (_, at) => `${at + 11} = "2"`).join(", ")} }
`;

const WITH_SETS = RULES.replace("version = 1", "version = 2") + gameOf("heads", "Face", "Heads", "1-40") + gameOf("tails", "Pile", "Tails", "41-80") + gameOf("evens", "Pairs", "Evens", Array.from({ length: 40 }, (_, at) => 2 * at + 2).join(" "));

test("by the keyboard alone: a named set is sold, and its paper checked", async ({ counter, house, page }) => {
  const player = await counter.player();
  await counter.signOn();
  const { draws, rules } = await page.evaluate(async () => (await fetch("/agent/house")).json());
  expect(rules.games).toHaveLength(1);
  await publish(house, WITH_SETS, draws[1].draw.draw);
  await expect.poll(() => page.evaluate(async () => (await (await fetch("/agent/house")).json()).later.length)).toBe(1);

  // The rules of the next draw name no set; those of the one after it do.
  const hands = await new Hands(page).begin();
  const type = page.locator(".selection.current .type");
  const numbers = page.locator('.selection.current [data-field="numbers"] .value');
  await hands.press("0", "7", "1", "8", "/", "/", "/");
  await expect(type).toHaveText("Simple");
  const field = (/** @type {string} */ name) => page.locator(`[data-field="${name}"]`).last();
  await hands.press("ArrowDown", "ArrowDown", "ArrowDown");
  await expect(field("first")).toHaveAttribute("aria-current", "true");
  await hands.press("2", "/", "/", "/");
  await expect(type).toHaveText("Face");
  await expect(field("wager")).toHaveAttribute("aria-current", "true");
  await expect(numbers).toHaveText("01–40");
  await expect(page.locator('.grid [aria-pressed="true"]')).toHaveCount(40);
  await hands.press("5");
  await counter.costs("5,00\u00a0$");
  await looks(page, "named-set");
  await expect(player.locator(".selections .type")).toHaveText("FaceHeads");
  await expect(player.locator(".selections .numbers")).toHaveText("01–40");
  await looksAtPlayer(player, "named-set");

  // Others beside it, of which one is no row of numbers.
  await hands.press("+", "/", "/", "/", "/", "1", "0", "+", "/", "/", "/", "/", "/", "1");
  await expect(type).toHaveText("Pairs");
  await expect(numbers).toHaveText("020406…80");
  await counter.costs("16,00\u00a0$");
  await looks(page, "named-sets-three");
  await expect(player.locator(".selections .numbers").last().locator("b")).toHaveCount(40);
  await looksAtPlayer(player, "named-sets-three");
  await hands.press("Enter");
  const text = await counter.sold(1);
  expect(text).toMatch(/^A\s+ENSEMBLE,\s40\sNUMÉROS/m);
  expect(text).toMatch(/^\s+Face \/ Heads$/m);
  expect(text).toMatch(/^\s+01\s+02\s+03\s/m);
  expect(text).toMatch(/^\s+Pile \/ Tails$/m);
  expect(text).toMatch(/\s80$/m);
  expect(text).toMatch(/^MISE TOTALE +16,00\s\$$/m);

  await counter.scan(codeOn(text));
  await counter.mode("ticket");
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  await expect(page.locator("#work")).toContainText("Face");
  await looks(page, "named-set-checked", { mayScroll: true });
});
