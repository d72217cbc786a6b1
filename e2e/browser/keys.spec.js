// Keys that are not what they seem: a keypad whose lock is off, and Tab, which is a key of the slip
// and of the browser.
// @ts-check
import { CLERK } from "./house.js";
import { expect, test, testOnDuty } from "./test.js";

test("the keypad types digits, whatever its lock says", async ({ counter, house, page }) => {
  // Playwright's keypad has its lock off: 7 comes as Home, 5 as Clear.
  const keypad = (/** @type {string} */ digits) => counter.press(...[...digits].map((digit) => `Numpad${digit}`));
  /** The point, as Chromium tells it then. */
  const point = () =>
    page.evaluate(() => {
      const key = { key: "Delete", code: "NumpadDecimal", location: 3, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
    });
  await counter.mode("off");
  await page.getByLabel("Insigne").fill(CLERK.badge);
  const pin = page.getByLabel("NIP");
  await pin.focus();
  await keypad(CLERK.pin);
  await expect(pin).toHaveValue(CLERK.pin);
  const float = page.getByLabel("Fonds de caisse, $");
  await float.focus();
  await keypad("200");
  // What was typed is what is sent on: a person waits for the last digit too.
  await expect(float).toHaveValue("200");
  await point();
  await keypad("50");
  await expect(float).toHaveValue("200.50");
  await page.keyboard.press("Enter");
  await counter.mode("sale");
  await expect(page.locator("#express button")).toHaveCount(8);

  await keypad("071845");
  const numbers = page.locator('[data-field="numbers"] .value');
  await expect(numbers).toHaveText("071845");
  // A number of one digit, and the next field.
  await keypad("9");
  await point();
  await expect(numbers).toHaveText("07184509");
  await point();
  const wager = page.locator('[data-field="wager"]');
  await expect(wager).toHaveAttribute("aria-current", "true");
  await keypad("2");
  await counter.costs("2,00\u00a0$");
  // The arrows beside the keypad are arrows.
  await counter.press("ArrowDown");
  await expect(page.locator('[data-field="draws"]')).toHaveAttribute("aria-current", "true");
  await keypad("3");
  await counter.costs("6,00\u00a0$");
  await page.keyboard.press("NumpadEnter");
  expect(await counter.sold(1)).toMatch(/^\s+07\s+09\s+18\s+45$/m);
  expect(house.texts()).toHaveLength(1);
});

testOnDuty("Tab goes through the fields both ways, and on to every button", async ({ counter, page }) => {
  await counter.signOn();
  await counter.press("0", "7", "1", "8");
  await counter.costs("1,00\u00a0$");
  const current = (/** @type {string} */ name) => expect(page.locator(`[data-field="${name}"]`)).toHaveAttribute("aria-current", "true");
  await current("numbers");
  await counter.press("Tab");
  await current("wager");
  await counter.press("Tab");
  await current("draws");
  await counter.press("Shift+Tab");
  await current("wager");
  await counter.press("Shift+Tab");
  await current("numbers");

  /** The button that has the focus, by a number of its own; null when none has. */
  const focused = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll("button, a")];
      return document.activeElement?.matches("button, a") ? all.indexOf(document.activeElement) : null;
    });
  const buttons = await page.evaluate(() => {
    const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("button, a")]);
    return all.flatMap((one, index) => (one.checkVisibility() && !one.matches(":disabled, [tabindex='-1']") ? [{ index, words: one.innerText.replaceAll("\n", " ") }] : []));
  });
  expect(buttons.length, "buttons of the sale").toBeGreaterThan(15);
  /** Presses a key until it has gone over every button, and tells which were missed. @param {string} key */
  const missed = async (key) => {
    const seen = new Set();
    for (let time = 0; time < buttons.length + 20; time += 1) {
      await counter.press(key);
      seen.add(await focused());
    }
    return buttons.filter((one) => !seen.has(one.index)).map((one) => one.words);
  };
  // Past the last field Tab is the browser's.
  expect(await missed("Tab"), "buttons that Tab does not reach").toEqual([]);
  expect(await missed("Shift+Tab"), "buttons that Shift and Tab do not reach").toEqual([]);
  // The slip has not changed by all this, and a key of it leaves the buttons.
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("0718");
  await page.locator("#language").focus();
  await counter.press("F3");
  await expect(page.locator("#work"), "the slip has the keys again").toBeFocused();
  await counter.costs("2,00\u00a0$");
  await counter.press("Enter");
  expect(await counter.sold(1)).toContain("*** FIN / END");
});
