// Central falls silent in the middle of a sale.
// @ts-check
import { expect, test } from "./house.js";

test("a sale in doubt is put aside, central goes on, and the clerk's key ends it", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.putAside();
  const envelope = await house.paper(1);
  expect(envelope).toContain("NON VALIDE COMME BILLET");
  expect(envelope).toMatch(/^REÇU DU JOUEUR +6,00\s\$$/m);

  house.central.goOn();
  await counter.trusted();
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("Vente non enregistrée");
  await expect(counter.doubt).toContainText("(enveloppe)");
  await expect(counter.doubt).toContainText("6,00\u00a0$");
  await expect(counter.doubt).toContainText("RENDEZ l’argent au joueur.");
  await counter.picture("doubt-3-to-tell");
  // Nothing else is done before, and only the clerk's key ends it: a page that is opened anew
  // still asks for it.
  await counter.press("F3", "Enter", "Escape");
  await counter.mode("doubt");
  // Nor is it answered by a number that was meant for the next slip.
  await expect(counter.doubt).toHaveAttribute("data-armed", "false");
  await page.keyboard.type("0718", { delay: 100 });
  await expect(counter.doubt).toContainText("Vente non enregistrée");
  await page.reload();
  await counter.done();
  await counter.picture("doubt-4-done");
  expect(await counter.journal()).toContain("1 commandes, 0 en suspens");
});
