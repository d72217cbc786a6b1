// Central falls silent in the middle of a sale.
// @ts-check
import { expect, test } from "./house.js";

test("a sale in doubt is put aside, central goes on, and the clerk's key ends it", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.doubt();
  await expect(counter.doubts).toContainText("Gardez l’argent à part.");
  await counter.picture("doubt-1-asked");
  await page.getByRole("button", { name: "Mettre de côté" }).click();
  await expect(counter.doubts).toContainText("Mise de côté : l’argent reste dans l’enveloppe.");
  await expect(page.locator("#central")).toHaveAttribute("data-state", "away");
  await counter.picture("doubt-2-aside");
  house.central.goOn();
  await counter.trusted();
  await expect(page.getByRole("button", { name: "C’est fait" })).toBeVisible();
  await counter.picture("doubt-3-to-tell");
  console.log(await counter.doubts.allInnerTexts(), house.texts().length);
  await counter.done();
  await counter.picture("doubt-4-done");
  console.log(await house.keno("status"));
});
