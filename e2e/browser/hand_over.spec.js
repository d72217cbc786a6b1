// A terminal that is left, and the neighbour that goes on with its till.
// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import { SLIP, SUPERVISOR, expect, test } from "./house.js";

test("a terminal that nobody took over is taken back", async ({ counter, page }) => {
  await counter.signOn();
  await counter.leave();
  await expect(page.locator("#code-image svg")).toBeVisible();
  await counter.picture("left-1-code");
  console.log(await page.locator("#code-text").innerText());
  await expect(page.locator("#counter")).toBeHidden();
  await expect(page.locator("#sign-on")).toBeHidden();
  await expect(page.locator("#leaving")).toBeHidden();
  await page.getByRole("button", { name: "Personne ne l’a repris : continuer ici" }).click();
  await expect(page.locator("#handed-out")).toBeHidden();
  await counter.picture("left-2-taken-back");
  await counter.price();
  await counter.sell(1);
});

test("a neighbour is taken over with the supervisor's PIN, and not with a wrong one", async ({ counter, house, page }) => {
  await house.keno("sign-on", "--float-cents", "20000");
  console.log(await house.keno("sell", SLIP));
  await counter.signOn();
  await page.getByText("Laisser ou reprendre un terminal").click();
  const form = counter.form("take-over");
  const take = async (/** @type {string} */ pin) => {
    await form.getByLabel("Numéro du terminal").fill("1");
    await form.getByLabel("Raison").fill("écran noir");
    await form.getByLabel("Insigne de la deuxième personne").fill(SUPERVISOR.badge);
    await form.getByLabel("NIP").fill(pin);
    await form.getByRole("button", { name: "Reprendre, avec sa caisse" }).click();
  };
  await take("0000");
  await expect(counter.said).toHaveAttribute("data-exit", "refused");
  await counter.picture("taken-1-wrong-pin");
  console.log(await counter.said.innerText());
  await expect(form.getByLabel("NIP")).toHaveValue("");
  console.log(await house.keno("status"));
  await take(SUPERVISOR.pin);
  await expect(counter.said).toContainText("T01");
  await counter.picture("taken-2-taken");
  console.log(await counter.said.innerText());
  await expect(form.getByLabel("NIP")).toHaveValue("");
  console.log(await house.keno("status"));
});

test("a terminal that was taken over lists what was left open there", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.doubt();
  await page.getByRole("button", { name: "Mettre de côté" }).click();
  await expect(counter.doubts).toContainText("Mise de côté");
  await counter.leave();
  const code = await page.locator("#code-text").innerText();
  await counter.picture("neighbour-1-code");
  house.central.goOn();
  await house.keno("sign-on", "--float-cents", "20000");
  const file = path.join(house.folder, "code");
  writeFileSync(file, code);
  console.log(await house.keno("take-over", "2", "--reason", "écran noir", "--code", file, "--second", SUPERVISOR.badge));
  await expect(page.locator("#central")).toHaveAttribute("data-state", "handed_over");
  await expect(page.locator("#left")).toBeVisible();
  await page.waitForTimeout(1000);
  await counter.picture("neighbour-2-left");
  console.log(await page.locator("#left-items").allInnerTexts(), await page.locator("#central").innerText());
});
