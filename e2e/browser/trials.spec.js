// The pages on which a technician tries printer and scanner.
// @ts-check
import { codeOn, expect, picture, test } from "./house.js";

test("a test page is printed, and the page speaks both languages", async ({ counter, house, page }) => {
  await page.getByRole("link", { name: "Essai de l’imprimante" }).click();
  const state = page.locator("#state");
  await expect(state).toHaveAttribute("data-state", "ready");
  await page.keyboard.press("1");
  const text = await house.paper(1);
  await expect(state).toContainText("Confirmé après");
  await picture(page, "printer-1-french");
  console.log(text);
  await page.keyboard.press("F9");
  await expect(page.getByRole("heading", { name: "Printer test" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Essai de l’imprimante" })).toBeHidden();
  await expect(state).toContainText("Confirmed after");
  await picture(page, "printer-2-english");
  await page.keyboard.press("Escape");
  await counter.trusted();
});

test("a scan is named and its secret covered", async ({ counter, page }) => {
  await counter.signOn();
  await counter.price();
  const text = await counter.sell(1);
  const code = codeOn(text);
  await page.getByRole("link", { name: "Essai du lecteur" }).click();
  const state = page.locator("#state");
  await expect(state).toContainText("Prêt : ce que le lecteur tape est lu ici.");
  await page.keyboard.type(code);
  await picture(page, "scanner-1-typed");
  await page.keyboard.press("Enter");
  await expect(state).toContainText("claim_code");
  await picture(page, "scanner-2-read");
  console.log(await page.locator("#text").innerText(), await page.locator("#hexadecimal").innerText());
  await page.keyboard.press("F9");
  await expect(page.getByRole("heading", { name: "Scanner test" })).toBeVisible();
  await picture(page, "scanner-3-english");
  await page.keyboard.press("Escape");
  await counter.trusted();
});
