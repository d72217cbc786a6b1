// The pages on which a technician tries printer and scanner.
// @ts-check
import { picture } from "./counter.js";
import { codeOn } from "./house.js";
import { expect, test } from "./test.js";

test("a test page is printed, and the page speaks both languages", async ({ counter, house, page }) => {
  await page.getByRole("button", { name: "Autres" }).click();
  await page.getByRole("link", { name: "Essai de l’imprimante" }).click();
  const state = page.locator("#state");
  await expect(state).toContainText("L’imprimante est prête.");
  await page.keyboard.press("1");
  const paper = await house.paper(1);
  expect(paper).toContain("éèêàçùôîœÉÈÀÇ«»’");
  expect(paper).toContain("*** FIN / END");
  await expect(state).toContainText("Confirmé après");
  await expect(page.locator("#said")).toContainText("Page d’essai imprimée et coupée");
  await picture(page, "printer-1-french");
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
  const code = codeOn(await counter.sell(1));
  await page.getByRole("button", { name: "Autres" }).click();
  await page.getByRole("link", { name: "Essai du lecteur" }).click();
  const state = page.locator("#state");
  const field = page.locator("#typed");
  await expect(state).toContainText("Prêt : ce que le lecteur tape est lu ici.");
  // As a scanner does: into whatever has the focus, without a pause, and Enter at the end.
  await page.keyboard.type(code);
  await expect(field).toHaveValue(code);
  await expect(field).toHaveCSS("-webkit-text-security", "disc");
  await picture(page, "scanner-1-typed");
  await page.keyboard.press("Enter");
  await expect(state).toContainText("Code du billet complet.");
  await expect(state).toContainText("claim_code");
  await expect(field).toHaveValue("");
  // The control number may be read by anyone; what comes after it is the secret.
  await expect(page.locator("#text")).toHaveText(/^KT2\d{16}\w\w·+$/);
  await expect(page.locator("#text")).toContainText(code.slice(0, 19));
  await expect(page.locator("body")).not.toContainText(code.slice(24, 40));
  await picture(page, "scanner-2-read");
  await page.keyboard.press("F9");
  await expect(page.getByRole("heading", { name: "Scanner test" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Essai du lecteur" })).toBeHidden();
  await expect(state).toContainText("claim_code");
  await picture(page, "scanner-3-english");
  await page.keyboard.press("Escape");
  await counter.trusted();
});
