// The audit office: central's pages through a device of its own.
// @ts-check
import { picture } from "./counter.js";
import { AUDITOR, codeOn } from "./house.js";
import { AWAY, expect, test } from "./test.js";

/**
 * Sells a ticket at the counter and signs in at the audit office, to look it up for a purpose.
 * @param {import("./counter.js").Counter} counter @param {import("./house.js").House} house
 * @param {import("@playwright/test").Page} page @param {string} purpose
 */
async function signIn(counter, house, page, purpose) {
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  const { address } = await house.office();
  await page.goto(`${address}/`);
  await page.getByLabel("Insigne").fill(AUDITOR.badge);
  await page.getByLabel("NIP").fill(AUDITOR.pin);
  await page.getByRole("combobox").selectOption(purpose);
  await page.keyboard.press("Enter");
  return { address, code };
}

/**
 * Looks a ticket up by its control number, which is a part of its code.
 * @param {import("@playwright/test").Page} page @param {string} code @param {string} purpose
 */
async function lookUp(page, code, purpose) {
  await page.locator("input[name=number]").fill(code.slice(3, 19));
  await page.locator("form.lookup").getByRole("combobox").selectOption(purpose);
  await page.locator("form.lookup button").click();
}

test("an auditor signs in, looks a ticket up and signs out", async ({ counter, house, page }) => {
  const { address, code } = await signIn(counter, house, page, "claim");
  await expect(page.getByText(AUDITOR.badge)).toBeVisible();
  expect(page.url(), "still at the device").toContain(address);
  const [cookie] = await page.context().cookies();
  expect(cookie.name).toMatch(/^boulier-5-/);
  expect([cookie.httpOnly, cookie.sameSite]).toEqual([true, "Strict"]);
  await lookUp(page, code, "claim");
  await expect(page.locator("main")).toContainText("2,00\u00a0$");
  await picture(page, "office-1-ticket");
  // A link of the page leads to central's draws, here; what is of no office is told so.
  await page.getByRole("link", { name: "Tirages" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Tirages");
  await page.goto(`${address}/audit`);
  await page.getByRole("button", { name: "Fermer la session" }).click();
  await expect(page.getByLabel("NIP")).toBeVisible();
});

test("an auditor remarks on a ticket, and reads the remark in its life", async ({ counter, house, page }) => {
  const { code } = await signIn(counter, house, page, "complaint");
  await lookUp(page, code, "complaint");
  const remark = page.getByLabel("Remarque");
  await expect(remark).toBeVisible();
  await picture(page, "office-3-to-remark");
  const text = "La joueuse dit avoir remis ce billet au comptoir 2 avant 14 h; la bande du 2 est demandée au service de la sécurité.";
  await remark.fill(text);
  await page.getByRole("button", { name: "Inscrire la remarque" }).click();
  await expect(page.locator(".life")).toContainText(text);
  // The form is empty again, and stands where it stood.
  await expect(page.getByLabel("Remarque")).toHaveValue("");
  await picture(page, "office-4-remarked");
  // What cannot be recorded is said beside the form, and what was typed is still there.
  await page.getByLabel("Remarque").fill("un signe \u202e caché");
  await page.getByRole("button", { name: "Inscrire la remarque" }).click();
  await expect(page.locator("form.remark [role=alert]")).toContainText("ne se voit pas");
  await expect(page.locator("form.remark [role=alert]")).toBeInViewport();
  await expect(page.getByLabel("Remarque")).toHaveValue("un signe \u202e caché");
  await picture(page, "office-5-refused");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), "nothing beyond the edge").toBeLessThanOrEqual(390);
  await picture(page, "office-6-narrow");
});

test("the audit office says when central is silent, and goes on when it is back", { tag: AWAY }, async ({ house, page }) => {
  await house.open();
  const { address } = await house.office();
  await page.goto(`${address}/`);
  await expect(page.getByLabel("NIP")).toBeVisible();
  house.central.freeze();
  await page.goto(`${address}/audit`);
  await expect(page.getByRole("alert")).toContainText("Le central ne répond pas");
  await expect(page.getByRole("alert")).toContainText("Central does not answer");
  await picture(page, "office-2-silent");
  house.central.goOn();
  await expect(async () => {
    await page.getByRole("link", { name: "Recommencer" }).click();
    await expect(page.getByLabel("NIP")).toBeVisible({ timeout: 1_000 });
  }).toPass();
});
