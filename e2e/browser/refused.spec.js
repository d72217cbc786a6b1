// A holder who is not paid, at the counter: one digit says why, nobody is named, and the prize is
// paid by two people from then on, whatever it is. By the keyboard alone.
// @ts-check
import { counterOf } from "./counter.js";
import { SUPERVISOR, codeOn } from "./house.js";
import { winsSomething, openBeforeDraw, scannedUntil } from "./near_draw.js";
import { fitsAsItIs as fits } from "./round.js";
import { AWAY, expect, test } from "./test.js";

test("a holder who is refused is not named, and the prize waits for a supervisor", { tag: AWAY }, async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  const customer = await counter.player();
  await counter.signOn();

  await winsSomething(counter);
  await counter.confirms();
  const code = codeOn(await counter.sold(1));
  const verdict = page.locator("#verdict");
  await scannedUntil(counter, code, "Billet gagnant");
  const amount = await counter.total.locator("output").innerText();
  const refused = page.locator("#refused");
  await expect(refused).toHaveCount(0);

  // One digit says why, and Enter alone says nothing. There is no field for a name.
  counter.counted();
  await counter.press("-");
  const panel = counter.work.locator(".confirm");
  await expect(panel).toContainText("Aucun nom n’est noté.");
  // The question is an alert; its answers are not.
  await expect(counter.work.getByRole("alert")).toHaveText("Pourquoi ce détenteur n’est-il pas payé\u00a0?");
  await expect(page.locator("#refuse-yes")).toBeDisabled();
  await counter.press("Enter");
  await expect(panel).toBeVisible();
  await expect(counter.work.locator("input, textarea, [contenteditable]")).toHaveCount(0);
  await counter.press("1");
  await expect(panel.getByRole("button", { name: "mineur" })).toHaveAttribute("aria-pressed", "true");
  await fits(page, "why a holder is refused");
  await counter.picture("refused-1-why");
  await page.keyboard.press("Alt+l");
  await expect(panel).toContainText("No name is noted.");
  await fits(page, "why a holder is refused, in English");
  await page.keyboard.press("Alt+l");
  await counter.press("Enter");
  expect(counter.counted(), "keys of a refusal, with the one that said nothing").toBe(4);
  await expect(counter.told.filter({ hasText: "Refus noté, sans nom." })).toContainText("appelez le superviseur");
  await expect(refused).toContainText("mineur, ou âge non prouvé");
  await expect(verdict).toContainText("Billet gagnant");
  await fits(page, "a ticket whose holder was refused");
  await counter.picture("refused-2-noted");

  // The player sees the verdict, and nothing of that.
  await expect(customer.locator("main")).toContainText("Billet gagnant");
  const shown = await customer.locator("body").innerText();
  expect(shown, "the player's screen").not.toMatch(/refus|mineur|minor|exclu|superviseur|supervisor/i);

  // However small the prize, somebody else decides; left, nothing is paid.
  await counter.press("F9");
  await expect(counter.box).toContainText("un superviseur décide");
  await fits(page, "the second person of a refused ticket");
  await counter.picture("refused-3-second");
  await counter.press("Escape");
  await expect(counter.box).toBeHidden();
  await counter.press("F9");
  await expect(counter.box).toBeVisible();
  await counter.type(SUPERVISOR.badge);
  await page.keyboard.press("Tab");
  await counter.type("0000");
  await counter.press("Enter");
  await expect(counter.told.filter({ hasText: "ne convient pas" })).toBeVisible();
  expect(house.texts(), "papers before two people have paid").toHaveLength(1);

  // Another holder, another reason: the later one stands.
  await scannedUntil(counter, code, "Billet gagnant");
  await expect(refused).toContainText("mineur");
  // Central falls silent just after it: what was noted is told at once, and the ticket asked about
  // as soon as central is there.
  house.line.falls("/checks", house.central.child.pid);
  await counter.press("-", "2", "Enter");
  const noted = counter.told.filter({ hasText: "Refus noté, sans nom." });
  await expect(noted).toBeVisible();
  await expect(counter.work).toContainText("Le central est interrogé");
  await expect(counter.told.filter({ hasText: "Le central ne répond pas" })).toBeVisible();
  await expect(noted).toBeVisible();
  house.central.goOn();
  await expect(refused).toContainText("personne exclue");
  await expect(noted).toBeVisible();
  await page.keyboard.press("Alt+l");
  await expect(refused).toContainText("excluded person");
  await page.keyboard.press("Alt+l");

  await counter.press("F9");
  await expect(counter.box).toBeVisible();
  await counter.type(SUPERVISOR.badge);
  await page.keyboard.press("Tab");
  await counter.type(SUPERVISOR.pin);
  await counter.press("Enter");
  const receipt = await house.paper(2);
  expect(receipt).toContain(SUPERVISOR.badge);
  await expect(counter.total).toContainText("REMETTEZ");
  await expect(counter.total).toContainText(amount);
  await expect(refused).toHaveCount(0);
  // What is paid is refused to nobody any more.
  await scannedUntil(counter, code, "Lot déjà payé");
  await expect(page.locator("#refuse")).toHaveCount(0);
  await counter.press("-");
  await expect(panel).toHaveCount(0);
  const kinds = (await house.record()).filter((kind) => ["PatronRefused", "PrizePaid"].includes(kind));
  expect(kinds).toEqual(["PatronRefused", "PatronRefused", "PrizePaid"]);
});
