// A slip by the finger alone.
// @ts-check
import { CLERK, expect, test } from "./house.js";

test.use({ hasTouch: true });

/** Twelve millimetres of a screen that is 1366 wide and as large as a counter's are. */
const FINGER = 44;

test("by touch alone: numbers of the grid, an express pick, and what is big", async ({ counter, house, page }) => {
  await page.getByLabel("Insigne").tap();
  await counter.type(CLERK.badge);
  await page.getByLabel("NIP").tap();
  await counter.type(CLERK.pin);
  await page.getByLabel("Fonds de caisse, $").tap();
  await counter.type("200");
  await page.getByRole("button", { name: "Prendre le service" }).tap();
  await counter.mode("sale");
  await expect(page.locator("#express button")).toHaveCount(8);
  const number = (/** @type {string} */ name) => page.locator(".grid").getByRole("button", { name, exact: true });
  for (const name of ["07", "18", "33"]) await number(name).tap();
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("071833");
  await expect(number("18")).toHaveAttribute("aria-pressed", "true");
  // What was touched by mistake is touched again.
  await number("18").tap();
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("0733");
  await counter.costs("1,00\u00a0$");
  const small = await page.locator("main button:visible, footer button:visible").evaluateAll((all, least) => all.filter((one) => one.getBoundingClientRect().height < least).map((one) => one.textContent), FINGER);
  expect(small, "keys too small for a finger").toEqual([]);
  await page.locator('#total [data-field="tender"]').tap();
  await expect(page.locator('#total [data-field="tender"]')).toContainText("Coupon");
  await page.locator("#sell").tap();
  const text = await counter.sold(1);
  expect(text).toMatch(/^\s+07\s+33$/m);
  expect(text).toMatch(/coupon/i);
  // An express pick of 25,00 $ is confirmed by another key than the one that was there.
  await page.locator("#express button").nth(7).tap();
  await counter.press("5");
  await counter.costs("25,00\u00a0$");
  await page.locator("#sell").tap();
  await page.locator("#confirm-correct").tap();
  await page.locator("#sell").tap();
  await page.locator("#confirm-sell").tap();
  expect(await counter.sold(2)).toMatch(/^MISE TOTALE +25,00/m);
  expect(house.texts()).toHaveLength(2);
});
