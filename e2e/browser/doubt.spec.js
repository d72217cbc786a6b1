// Central falls silent in the middle of a sale.
// @ts-check
import { expect, test } from "./house.js";

test("a sale in doubt is put aside, central goes on, and the clerk's key ends it", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.doubt();
  const envelope = await house.paper(1);
  expect(envelope).toContain("NON VALIDE COMME BILLET");
  expect(envelope).toMatch(/^REÇU DU JOUEUR +6,00\s\$$/m);

  house.central.goOn();
  await counter.trusted();
  await expect(counter.doubts).toContainText("Non enregistrée : RENDEZ 6,00 $ au joueur. (enveloppe)");
  await expect(page.getByRole("button", { name: "C’est fait" })).toBeVisible();
  await counter.picture("doubt-3-to-tell");
  // Only the clerk's key ends it: a page that is opened anew still asks for it.
  await page.reload();
  await counter.done();
  await counter.picture("doubt-4-done");
  expect(await counter.journal()).toContain("1 commandes, 0 en suspens");
});
