// A screen that opens, waits or ends under the hands of whoever types: no key is for what came after
// it, nothing that was given is dropped, and whoever sees a form again is told why.
// @ts-check
import { between, holdsNext } from "./between.js";
import { Counter } from "./counter.js";
import { CLERK } from "./house.js";
import { AWAY, expect, test, testOnDuty } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */

/** Somebody types on, and these keys come in the moment in which the sale is shown. @param {Page} page @param {string[]} keys */
const typesOn = (page, keys) =>
  page.evaluate((keys) => {
    const typed = { isDone: false };
    Object.assign(globalThis, { typed });
    const seen = new MutationObserver(() => {
      if (document.body.dataset.mode !== "sale") return;
      seen.disconnect();
      for (const key of keys) dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
      typed.isDone = true;
    });
    seen.observe(document.body, { attributes: true, attributeFilter: ["data-mode"] });
  }, keys);

/** @param {Page} page */
const hasTypedOn = (page) => expect.poll(() => page.evaluate(() => /** @type {any} */ (globalThis).typed.isDone)).toBe(true);

/** How a command ends. @param {string} exit @param {object} [more] */
const ended = (exit, more = {}) => ({ exit, said: [{ is_fact: false, fr: "Essai.", en: "Trial." }], fact: null, problem: null, ...more });

test("what is typed while a sign-on is at work is for nothing, and no digit of a PIN is a number of a slip", async ({ counter, page }) => {
  const numbers = page.locator('[data-field="numbers"] .value');
  await counter.mode("off");
  const float = page.getByLabel("Fonds de caisse, $");
  await page.getByLabel("Insigne").fill(CLERK.badge);
  await page.getByLabel("NIP").fill(CLERK.pin);
  await float.fill("200");
  const signOn = await holdsNext(page, "sign-on");
  await float.press("Enter");
  await signOn.arrived;
  await expect(page.locator("#sign-on .working")).toBeVisible();
  await counter.picture("entering-1-at-work");
  await counter.type("200");
  await page.keyboard.press("Enter");
  await expect(float, "typed twice").toHaveValue("200");
  await typesOn(page, ["0", "6", "8", "1", "3", "Enter"]);
  await (await signOn.arrived).continue();
  await hasTypedOn(page);
  await counter.sells();
  await expect(numbers, "typed on after the PIN").toHaveText("à choisir");
  await expect(counter.total).toContainText("Prêt pour le prochain joueur");
  await counter.draft();
});

testOnDuty("an Enter that follows a PIN sells no slip that comes back", async ({ counter, page }) => {
  await counter.signOn();
  await counter.draft();
  let sales = 0;
  await between(page, "**/agent/sales", (route) => {
    sales += 1;
    return route.continue();
  });
  await counter.press("F12");
  await counter.mode("locked");
  await typesOn(page, ["Enter"]);
  await counter.type(CLERK.pin);
  await page.keyboard.press("Enter");
  await hasTypedOn(page);
  await counter.sells();
  await counter.costs("6,00\u00a0$");
  expect(sales, "sold by an Enter that followed a PIN").toBe(0);
  await counter.press("Enter");
  await counter.sold(1);
});

test("what was asked for in a session that central had ended is told to whoever sees the form", { tag: AWAY }, async ({ counter, house, page }) => {
  await counter.signOn();
  const { central, line } = house;
  line.isTakenUnheard("/sessions/end", central.child.pid);
  await page.keyboard.press("Alt+c");
  await counter.press("6");
  await expect(counter.told.first()).toContainText("refaites la commande");
  central.goOn();
  await counter.trusted();
  await counter.press("Escape");
  await counter.draft();
  await counter.press("Enter");
  await counter.mode("off");
  const form = page.locator("#sign-on");
  await expect(form).toContainText("Cette session est terminée");
  await expect(form).toContainText("n’a pas été fait");
  await expect(form, "what a terminal asks at its command line").not.toContainText("Insigne :");
  await counter.picture("entering-2-ended");
  expect(house.texts(), "sold in a session that had ended").toHaveLength(0);
  await page.getByLabel("Insigne").fill(CLERK.badge);
  await page.getByLabel("NIP").fill(CLERK.pin);
  await page.getByLabel("NIP").press("Enter");
  await counter.sells();
  await expect(counter.told).toHaveCount(0);
});

test("a movement that is given while another command waits is done after it", async ({ counter, page }) => {
  await counter.signOn();
  await page.keyboard.press("Alt+c");
  await counter.mode("till");
  const count = await holdsNext(page, "till-counts");
  await counter.press("3");
  await counter.answer({ "Compté, $": "200", Motif: "relève", ...Counter.second() }, "Compter à deux");
  await count.arrived;
  await counter.press("1");
  const movement = page.waitForResponse("**/agent/till-movements");
  await counter.answer({ "Montant, $": "50", ...Counter.second() }, "Approvisionner");
  await (await count.arrived).fulfill({ json: ended("done") });
  expect((await (await movement).json()).exit, "the movement that was given meanwhile").toBe("done");
  await expect(counter.told.filter({ hasText: "50,00\u00a0$" })).toBeVisible();
});

testOnDuty("a device that falls silent in a sale leaves its money apart", async ({ counter, page }) => {
  await counter.signOn();
  await counter.draft();
  const sale = await holdsNext(page, "sales");
  await counter.press("Enter");
  await (await sale.arrived).fulfill({ body: "" });
  await expect(counter.told.filter({ hasText: "gardez cet argent à part" })).toContainText("6,00\u00a0$");
  await counter.picture("entering-3-silent");
});
