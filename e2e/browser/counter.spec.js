// A clerk's sale, its cancellation, and what is refused in words.
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
  console.log(text);

  const code = codeOn(text);
  const form = counter.form("check");
  await form.getByLabel("Code du billet").fill(code);
  await form.getByRole("button", { name: "Vérifier" }).click();
  const cancel = form.getByRole("button", { name: "Annuler le billet" });
  await expect(cancel).toBeEnabled();
  await counter.picture("counter-5-checked");
  console.log(await counter.said.innerText());
  await cancel.click();
  const receipt = await house.paper(2);
  await counter.picture("counter-6-cancelled");
  await page.waitForTimeout(1000);
  await counter.picture("counter-6-cancelled");
  console.log(receipt, await counter.said.innerText());
  await page.getByRole("button", { name: "Fin de service" }).click();
  await expect(page.locator("#who")).toHaveText("Personne en service");
  await counter.picture("counter-7-off-duty");
});

test("a refund of a ticket that no restore lost is refused in words", async ({ counter, page }) => {
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
  await expect(counter.said).toHaveAttribute("data-exit", "refused");
  await counter.picture("lost-refused");
  console.log(await counter.said.innerText());
  await expect(form.getByLabel("NIP")).toHaveValue("");
  await counter.nothingOpen();
});
