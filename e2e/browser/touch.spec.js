// A slip by the finger alone.
// @ts-check
import { CLERK } from "./house.js";
import { isOnTheScreen, small } from "./round.js";
import { expect, test } from "./test.js";

test.use({ hasTouch: true });

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
  expect(await small(page), "keys too small for a finger").toEqual([]);
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
  // With what is received the rows stay, and the key that confirms lies where the finger was. It takes
  // no tap that was meant for the other: the second one of two is done here as soon as it is there.
  await page.getByRole("button", { name: "50\u00a0$" }).tap();
  await page.evaluate(
    () =>
      new Promise((tapped) => {
        new MutationObserver((_, watch) => {
          const confirm = document.getElementById("confirm-sell");
          if (!confirm) return;
          watch.disconnect();
          confirm.click();
          tapped(null);
        }).observe(document.body, { subtree: true, childList: true });
        document.getElementById("sell")?.click();
      }),
  );
  await expect(page.locator("#confirm-sell"), "after two taps at once").toBeEnabled();
  // Nor does what is to be confirmed change under a finger.
  await page.locator('#total [data-field="tender"]').tap();
  await expect(page.locator('#total [data-field="tender"]')).toContainText("Comptant");
  await page.locator("#confirm-sell").tap();
  expect(await counter.sold(2)).toMatch(/^MISE TOTALE +25,00/m);
  await expect(counter.total).toContainText("25,00\u00a0$");
  expect(house.texts()).toHaveLength(2);

  // With three selections and four, too, every key is for a finger, and all of them are there at once.
  for (const [count, name] of [[3, "three"], [4, "four"]]) {
    await counter.press(...(count === 3 ? ["0", "7", "+", "1", "8", "+"] : ["+"]));
    await number(String(30 + Number(count))).tap();
    await expect(page.locator(".selection")).toHaveCount(Number(count));
    await counter.costs(`${count},00\u00a0$`);
    expect(await small(page), `keys too small for a finger, with ${name} selections`).toEqual([]);
    await isOnTheScreen(page, `${name} selections by touch`);
    await counter.picture(`touch-${name}-selections`);
  }
  // The last of them in groups, which have more fields.
  await counter.press("/");
  await expect(page.locator('.selection.current [data-field="ways"]')).toBeVisible();
  expect(await small(page), "keys too small for a finger, with groups").toEqual([]);
  await isOnTheScreen(page, "groups of a fourth selection by touch");
  await counter.picture("touch-four-selections-groups");
});
