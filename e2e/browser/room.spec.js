// The draw room: sets of balls are measured by two, chance chooses one, and two people open the room,
// hand it over and end its day, each at a desk of their own.
// @ts-check
import { Agent } from "./agent.js";
import { picture, types } from "./counter.js";
import { BALLS_AT_NOON, WEIGHTS, draws, measures, sits } from "./desks.js";
import { EACH_MINUTE, MARKER, SUPERVISOR, VERIFIER, afterNoon } from "./house.js";
import { DRAWN_MS } from "./near_draw.js";
import { Hands, looks, small } from "./round.js";
import { AWAY, expect, test } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */

/** A draw of the computer each minute, and balls later in the day. */
const EVENING = { schedule: EACH_MINUTE, beforeNoonMs: 60_000, balls: afterNoon(20) };

const MINUTE_MS = 60_000;

const SCALE = "balance B-1, calibre C-2";
const CAMERA = "caméra 3, 18:52:10";

/** Agrees to what waits, and both learn of it. @param {Page} asks @param {Page} agrees @param {string} what */
const agrees = async (asks, agrees, what) => {
  await expect(asks.locator("#asks")).toContainText(`Vous demandez : ${what}`);
  await expect(agrees.locator("#asks h2")).toContainText(`demande : ${what}`);
  await agrees.keyboard.press("F9");
  await expect(agrees.locator("#told")).toHaveText(`Accepté et inscrit : ${what}.`);
  await expect(asks.locator("#told")).toHaveText(`C’est fait : ${what}.`);
  await expect(asks.locator("#asks")).toHaveCount(0);
};

const row = (/** @type {Page} */ page, /** @type {string} */ set) => page.locator(`.register tr[data-field="${set}"]`);

test("by keys alone two people measure, let chance choose, open the room, hand it over and close it", async ({ house, page, context }) => {
  await house.open(EVENING);
  const other = await context.newPage();
  await sits(house, page, "desk.toml", MARKER, 2);
  await sits(house, other, "desk-2.toml", VERIFIER, 2);
  const [one, two] = [await new Hands(page).begin(), await new Hands(other).begin()];
  await expect(page.locator("#state")).toContainText("SALLE FERMÉE");
  await expect(page.locator("#state")).toContainText("Prochain tirage de boules");
  await expect(page.locator("#checks")).toContainText("Deux postes du tirage sont occupés");
  await expect(page.locator("#lacks")).toContainText("Décider d’un incident : il manque 1 personne");
  await expect(page.locator("#lacks")).toContainText("Inscrire les boules : complet");
  await looks(page, "room-empty");

  // As a scale types: a weight, and Enter. One ball is too heavy, and said by its number.
  await one.press("F2");
  await types(page, "A");
  await one.press("Tab");
  for (const [at, weight] of WEIGHTS.entries()) {
    await types(page, String(at === 6 ? 2900 : weight));
    await page.keyboard.press("Enter");
    if (at === 78) await expect(page.locator("#weighed")).toContainText("79 sur 80");
  }
  await expect(page.locator("#weighed")).toContainText("80 sur 80");
  await expect(page.locator("#weighed")).toContainText("La plus légère : 2,69\u00a0g La plus lourde : 2,90\u00a0g");
  await expect(page.locator("#weighed")).toContainText("Hors des limites (2,67\u00a0g à 2,77\u00a0g) : boule 07 (2,90\u00a0g)");
  await page.keyboard.press("Control+a");
  await types(page, `${WEIGHTS.slice(0, 79).join(" ")} 27x`);
  await expect(page.locator("#weighed")).toContainText("Illisible : 27x");
  for (let back = 0; back < 3; back += 1) await page.keyboard.press("Backspace");
  await types(page, "2700");
  await expect(page.locator("#weighed")).toContainText("Toutes dans les limites");
  // What was left by mistake stands there again.
  await one.press("Escape");
  await expect(page.locator("#form form")).toHaveCount(0);
  await one.press("F2");
  await expect(page.locator("#weighed")).toContainText("80 sur 80");
  await one.goesTo(page.locator('[name="passed"][value="yes"]'));
  await one.press("Space", "Tab");
  await types(page, SCALE);
  await looks(page, "room-measure", { typed: [SCALE] });
  await expect(page.locator('[name="instruments"]')).toHaveValue(SCALE);
  await page.locator('[name="instruments"]').focus();
  await one.press("Enter");
  await expect(other.locator("#asks")).toContainText("M101 demande : inscrire les mesures du jeu A");
  for (const words of ["2,69\u00a0g", "2,71\u00a0g", "respectées", "chaque boule passe", SCALE]) await expect(other.locator("#asks")).toContainText(words);
  await expect(other.locator("#weights td")).toHaveText(WEIGHTS.map(String));
  await looks(other, "room-asked", { typed: [SCALE] });
  await looks(page, "room-asks", { typed: [SCALE] });
  // The same person is no second one.
  await expect(page.locator("#agree")).toHaveCount(0);
  await one.press("F9");
  await expect(page.locator("#told")).toHaveAttribute("data-tone", "bad");
  await expect(page.locator("#told")).toContainText("quelqu’un d’autre");
  await agrees(page, other, "inscrire les mesures du jeu A");
  for (const where of [page, other]) await expect(row(where, "A")).toContainText("peut servir");

  // As somebody pastes. A ball of this set does not pass the gauge: it is recorded, and not used.
  await two.press("F2");
  await types(other, "B");
  await two.press("Tab");
  await other.keyboard.insertText(WEIGHTS.with(6, 2900).join(", "));
  await two.goesTo(other.locator('[name="passed"][value="yes"]'));
  await two.press("ArrowDown", "Tab");
  await types(other, SCALE);
  await two.press("Enter");
  await expect(page.locator("#asks")).toContainText("une boule ne passe pas");
  await expect(page.locator("#weights td.bad")).toHaveText(["✗2900"]);
  await picture(page, "room-asked-bad");
  await agrees(other, page, "inscrire les mesures du jeu B");
  await expect(row(page, "B")).toContainText("poids ou calibre hors limites");

  await one.press("F3", "Enter");
  await agrees(page, other, "faire choisir un jeu par le hasard");
  await expect(page.locator("#chosen")).toContainText("choisira quand il sera tiré");
  await expect(page.locator("#act-open")).toHaveCount(0);
  await looks(page, "room-choosing");
  await house.until(2 * MINUTE_MS + DRAWN_MS);
  await expect(page.locator("#chosen")).toContainText("a choisi le jeu A");
  // Another choice needs a reason, which nobody has here.
  await one.press("F3");
  await expect(page.locator('[name="reason"]')).toBeFocused();
  await looks(page, "room-choose-again");
  await one.press("Escape");

  // A ball is missing: what was typed stays, and is mended.
  await one.press("F4");
  await types(page, "79");
  await one.press("Tab");
  await types(page, CAMERA);
  await one.press("Enter");
  await expect(page.locator("#told")).toContainText("comptez de nouveau");
  await expect(page.locator('[name="camera"]')).toHaveValue(CAMERA);
  await looks(page, "room-miscounted", { typed: [CAMERA], language: "" });
  await page.keyboard.press("Shift+Tab");
  await types(page, "80");
  await one.press("Enter");
  await expect(other.locator("#asks")).toContainText(CAMERA);
  await agrees(page, other, "ouvrir la salle avec le jeu A");
  for (const where of [page, other]) await expect(where.locator("#state")).toContainText("SALLE OUVERTE, jeu A");
  await expect(page.locator("#state")).toContainText("M101 et V102 en répondent");
  await expect(row(page, "A")).toContainText("dans l’appareil");
  await looks(page, "room-open");
  await page.keyboard.press("Alt+l");
  await expect(page.locator("#state")).toContainText("ROOM OPEN, set A");
  await expect(row(page, "A")).toContainText("2.69\u00a0g");
  await picture(page, "room-open-en");
  await page.keyboard.press("Alt+l");

  await one.press("F8", "Tab");
  await types(page, "Une boule au sol");
  await looks(page, "room-incident", { typed: ["Une boule au sol"] });
  await page.locator('[name="text"]').focus();
  await one.press("Enter");
  await expect(page.locator("#told")).toHaveText("L’incident est inscrit.");
  expect(await house.record()).toContain("IncidentLogged");

  await two.press("F6", "Enter");
  await agrees(other, page, "passer la salle à qui accepte");
  await expect(page.locator("#state")).toContainText("V102 et M101 en répondent");
  await one.press("F7");
  await looks(page, "room-end");
  await one.press("Enter");
  await agrees(page, other, "fermer la salle");
  await expect(page.locator("#state")).toContainText("SALLE FERMÉE");
  // To the desk of the draws and back, and away.
  await page.keyboard.press("Alt+r");
  await expect(page.locator("#draw-head")).toBeVisible();
  await page.keyboard.press("Alt+r");
  await expect(page.locator("#checks")).toBeVisible();
  await one.press("Escape");
  await expect(page.getByRole("button", { name: "Salle des tirages" })).toBeVisible();
});

test("by touch two people measure a set, and one logs an incident of a draw", async ({ house, page, browser }) => {
  await house.open(EVENING);
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 1366, height: 768 }, locale: "fr-CA" });
  const [first, second] = [await context.newPage(), page];
  await sits(house, second, "desk-2.toml", SUPERVISOR, 2);
  await sits(house, first, "desk.toml", VERIFIER, 2);
  await expect(first.locator("#lacks")).toContainText("Inscrire les boules : il manque");
  expect(await small(first), "keys too small for a finger").toEqual([]);
  await first.locator("#act-measure").tap();
  await first.getByLabel("Nom du jeu").tap();
  await types(first, "Bleu 2");
  await first.getByLabel("Poids des 80 boules").tap();
  await first.keyboard.insertText(WEIGHTS.join("\n"));
  await first.getByLabel("oui").tap();
  await first.getByLabel("Balance et calibre").tap();
  await types(first, SCALE);
  expect(await small(first), "keys too small for a finger, in a form").toEqual([]);
  await first.locator("#send").tap();
  await expect(second.locator("#asks")).toContainText("V102 demande : inscrire les mesures du jeu Bleu 2");
  await second.locator("#agree").click();
  await expect(first.locator("#told")).toHaveText("C’est fait : inscrire les mesures du jeu Bleu 2.");
  await expect(row(first, "Bleu 2")).toContainText("peut servir");
  await first.locator("#act-incident").tap();
  await first.getByLabel("Tirage, si").tap();
  await types(first, "000 001");
  await first.getByLabel("Ce qui s’est passé").tap();
  await types(first, "Une boule au sol");
  await first.locator("#send").tap();
  await expect(first.locator("#told")).toHaveText("L’incident est inscrit.");
  // What another asks in the meantime takes the place of what waits: whoever asked first is told.
  await first.locator("#act-choose").tap();
  await first.locator("#send").tap();
  await expect(second.locator("#asks")).toContainText("V102 demande : faire choisir");
  await second.locator("#act-choose").click();
  await second.locator("#send").click();
  await expect(first.locator("#told")).toContainText("N’attend plus de deuxième personne");
  await expect(first.locator("#asks")).toContainText("S007 demande");
  await context.close();
});

test("a draw that waits for the room is said in red, and nothing is left on a screen that is locked or old", { tag: AWAY }, async ({ house, page, context }) => {
  await house.open(BALLS_AT_NOON);
  const other = await context.newPage();
  const address = await sits(house, page, "desk.toml", MARKER, 2);
  const beside = await sits(house, other, "desk-2.toml", VERIFIER, 2);
  await measures("A", new Agent(page, address), new Agent(other, beside));
  await draws(house);
  await expect(page.locator("#waits")).toContainText("attend la salle");
  await looks(page, "room-waits");
  await picture(page, "room-waits-fr");
  // Balls are drawn all day here: there is no draw of the computer that could choose, and it is not offered.
  await expect(page.locator("#choice")).toContainText("aucun tirage par ordinateur en vente ne peut choisir");
  await page.keyboard.press("F3");
  await expect(page.locator("#form form")).toHaveCount(0);
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await types(page, "Une boule au sol");
  await new Agent(page, address).post("lock", {});
  await expect(page.locator("#alarm")).toContainText("Personne n’est en service");
  await expect(page.locator("#work")).not.toContainText("Registre");
  await expect(page.locator("#form form")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByLabel("NIP").fill(MARKER.pin);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Salle des tirages" }).waitFor();
  await page.keyboard.press("2");
  await expect(row(page, "A")).toContainText("peut servir");
  house.central.freeze();
  await expect(page.locator("#alarm")).toBeVisible({ timeout: 15_000 });
  await picture(page, "room-away");
  house.central.goOn();
  await expect(page.locator("#alarm")).toBeHidden({ timeout: 15_000 });
});
