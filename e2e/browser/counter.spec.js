// A clerk's sale, its cancellation, and a refund that is refused in words.
// @ts-check
import { SUPERVISOR, codeOn, expect, test } from "./house.js";

test("a ticket is sold, its paper comes out, it is checked and cancelled", async ({ counter, house, page }) => {
  await counter.picture("counter-1-nobody-on-duty");
  await counter.signOn();
  await counter.picture("counter-2-on-duty");
  await counter.price();
  await counter.picture("counter-3-priced");
  const text = await counter.sell(1);
  await counter.picture("counter-4-sold");
  expect(text).toContain("2 TIRAGES / DRAWS");
  expect(text).toMatch(/^MISE TOTALE +6,00\s\$$/m);
  expect(text).toMatch(/^T02 +C143 .*ORIGINAL$/m);
  expect(text).toContain("*** FIN / END");

  const form = counter.form("check");
  const field = form.getByLabel("Code du billet");
  const cancel = form.getByRole("button", { name: "Annuler le billet" });
  const check = async () => {
    await field.fill(codeOn(text));
    await form.getByRole("button", { name: "Vérifier" }).click();
  };
  await check();
  await expect(counter.said).toContainText("À payer maintenant : 0,00 $");
  await expect(form.getByRole("button", { name: "Payer" })).toBeDisabled();
  // The next scan must not be typed behind this one.
  await expect(field).toHaveValue("");
  await counter.picture("counter-5-checked");
  await cancel.click();
  const receipt = await house.paper(2);
  expect(receipt).toMatch(/^REMBOURSÉ, comptant +6,00\s\$$/m);
  await expect(counter.said).toContainText("Annulé : rendez 6,00 $ et gardez le papier.");
  await expect(cancel).toBeDisabled();
  await counter.nothingOpen();
  await counter.picture("counter-6-cancelled");
  await check();
  await expect(counter.said).toContainText("Billet annulé");
  await counter.picture("counter-7-checked-again");

  await page.getByRole("button", { name: "Fin de service" }).click();
  await expect(page.locator("#who")).toHaveText("Personne en service");
  await expect(page.locator("#counter")).toBeHidden();
  // Whoever comes next does not sign on with what this clerk typed.
  for (const label of ["Insigne", "NIP", "Fonds de caisse"]) {
    await expect(counter.form("sign-on").getByLabel(label)).toHaveValue("");
  }
  // Nor pays, cancels or sells what this one had in hand.
  for (const key of ["#sell", "#pay", "#cancel"]) await expect(page.locator(key)).toBeDisabled();
  await counter.picture("counter-8-off-duty");
  expect(await counter.journal()).toContain("2 commandes, 0 en suspens");
  expect(house.texts()).toHaveLength(2);
});

test("a refund of a ticket that no restore lost is refused in words", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.price();
  const code = codeOn(await counter.sell(1));
  await page.getByText("Billet perdu à la restauration").click();
  const form = counter.form("lost-refund");
  await form.getByLabel("Code du billet").fill(code);
  await form.getByLabel("Prix sur le papier").fill("6,00");
  await form.getByLabel("Motif").fill("Prix lu sur le papier");
  await form.getByLabel("Insigne de la deuxième personne").fill(SUPERVISOR.badge);
  await form.getByLabel("NIP").fill(SUPERVISOR.pin);
  await form.getByRole("button", { name: "Rembourser à deux" }).click();
  await expect(counter.said).toContainText("Rien n’a été remboursé.");
  await expect(counter.said).toContainText("Tirage à venir");
  await expect(counter.said).toHaveAttribute("data-exit", "refused");
  await expect(form.getByLabel("NIP")).toHaveValue("");
  await counter.nothingOpen();
  await counter.picture("refund-refused");
  expect(house.texts()).toHaveLength(1);
});
