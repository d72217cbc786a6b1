// Express picks and limits at the back office: what changes is shown old and new, two people record
// it, and the counter at T02 sells by it from its draw on.
// @ts-check
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { Agent } from "./agent.js";
import { between } from "./between.js";
import { Counter, picture, types } from "./counter.js";
import { ADMINISTRATOR, BINARIES, CLERK, SUPERVISOR } from "./house.js";
import { plant } from "./planted.js";
import { RULES, publish } from "./published.js";
import { fitsAsItIs, looks } from "./round.js";
import { expect, test } from "./test.js";

/** @typedef {import("./house.js").House} House */
/** @typedef {import("@playwright/test").Page} Page */

const OTHER = { badge: "S008", pin: "753186" };

/** The page at the back office. */
class Limits {
  /** @param {Page} page @param {string} address */
  constructor(page, address) {
    this.page = page;
    this.address = address;
    this.agent = new Agent(page, address);
    this.told = page.locator("#told");
    this.box = page.locator("#ask");
  }

  /** @param {string} at */
  field(at) {
    return this.page.locator(`#${at}`);
  }

  /** Types another value in a field. @param {string} at @param {string} text */
  async types(at, text) {
    await this.field(at).focus();
    await this.page.keyboard.press("Control+a");
    await types(this.page, text);
  }

  /** The row of a value before it is recorded. @param {string} words */
  row(words) {
    return this.page.locator(".changes tbody tr", { has: this.page.getByRole("rowheader", { name: words, exact: true }) });
  }

  /** The version that is the newest at central. */
  async newest() {
    return (await this.agent.get("amendments")).version;
  }

  /** Two people record what is shown. @param {{badge: string, pin: string}} second */
  async byTwo(second) {
    await this.page.keyboard.press("Enter");
    await this.box.getByLabel("Insigne de la deuxième personne").fill(second.badge);
    await this.box.getByLabel("NIP de la deuxième personne").fill(second.pin);
    await this.page.keyboard.press("Enter");
  }
}

/** A supervisor at the back office whose page is open; a clerk is at T02. @param {House} house @param {Page} page @param {string} [rules] a second version of them */
const opened = async (house, page, rules) => {
  await house.open();
  if (rules) await publish(house, rules, 1);
  const clerk = (await house.agent()).address;
  const { address } = await house.backOffice();
  await new Agent(page, address).signOn(SUPERVISOR);
  await page.goto(`${address}/limits`);
  const limits = new Limits(page, address);
  await expect(limits.field("counter_wager")).toBeFocused();
  return { limits, clerk };
};

/** The counter at T02, with a clerk. @param {House} house @param {Page} page @param {string} address */
const counterAt = async (house, page, address) => {
  await new Agent(page, address).signOn(CLERK, 20_000);
  const desk = await page.context().newPage();
  await plant(desk);
  const counter = new Counter(desk, house, /** @type {any} */ (null), address);
  await counter.open();
  await counter.sells();
  return counter;
};

/** The codes of the slips of the rules in force, as they stand on paper. @param {House} house @param {string[]} names */
const codesOf = (house, names) => {
  const folder = path.join(house.folder, "slips");
  mkdirSync(folder);
  execFileSync(path.join(BINARIES, "keno-central"), ["slips", "--data", house.data, "--out", folder], { stdio: "ignore" });
  return names.map((name) => {
    const paper = path.join(folder, `slip-v1-fr-${name}`);
    execFileSync("pdftoppm", ["-r", "300", "-png", "-singlefile", `${paper}.pdf`, paper]);
    return execFileSync("zbarimg", ["--quiet", "--raw", `${paper}.png`], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  });
};

test("an express pick is changed by two people, and the counter's key gives it", async ({ house, page }) => {
  const { limits, clerk } = await opened(house, page);
  const [blank, card] = codesOf(house, ["blank", "express-5"]);
  await expect(limits.field("counter_express_4_spots")).toHaveValue("7");
  await expect(limits.field("counter_express_4_wager")).toHaveValue("2,00");
  await expect(limits.field("payout_second_person")).toHaveValue("1000,00");
  await looks(page, "limits-edit");
  await picture(page, "limits-1-edit");
  const counter = await counterAt(house, page, clerk);
  const key = counter.page.locator("#express button").nth(4);
  await expect(key).toContainText(/7\sn\. \/ 2\s\$/);
  await page.bringToFront();

  await limits.types("counter_express_4_wager", "3");
  await limits.types("confirm_second_key", "30,50");
  await page.keyboard.press("Enter");
  await expect(limits.row("Mise express F5").locator(".old")).toHaveText(/7\sn\. à 2,00\s\$/);
  await expect(limits.row("Mise express F5").locator(".new")).toHaveText(/7\sn\. à 3,00\s\$/);
  await expect(limits.row("À confirmer avant d’émettre : Par une autre touche, dès").locator(".new")).toHaveText(/30,50\s\$/);
  await expect(page.locator(".changes tbody tr")).toHaveCount(2);
  await expect(page.locator(".when")).toHaveText(/En vigueur dès le tirage \d{3}\s\d{3}, \d{4}-\d\d-\d\d à \d\d:\d\d\./);
  await expect(page.locator(".slips").first()).toContainText("restent valides");
  await expect(page.locator(".slips").last()).toContainText("À imprimer de nouveau : carte express F5.");
  expect(await limits.newest(), "nothing is recorded yet").toBe(1);
  await fitsAsItIs(page, "review");
  await picture(page, "limits-2-review");
  await page.keyboard.press("Alt+l");
  await expect(limits.row("Express pick F5").locator(".new")).toHaveText("7 n. at $3.00");
  await fitsAsItIs(page, "review in English");
  await page.keyboard.press("Alt+l");

  // The same person twice.
  await limits.byTwo(SUPERVISOR);
  await expect(limits.told).toHaveText("La deuxième personne doit être quelqu’un d’autre.");
  expect(await limits.newest()).toBe(1);
  await picture(page, "limits-3-same-person");
  await page.keyboard.press("Enter");
  await expect(limits.box.getByLabel("Insigne de la deuxième personne")).toBeFocused();
  await fitsAsItIs(page, "second person");
  await picture(page, "limits-4-second");
  await page.keyboard.press("Escape");
  await expect(limits.box).toBeHidden();
  // A screen that is locked keeps no PIN that was typed before.
  await page.keyboard.press("Enter");
  await limits.box.getByLabel("NIP de la deuxième personne").fill(OTHER.pin);
  await limits.agent.post("lock", {});
  await expect(limits.box, "what is asked at a screen that is locked").toBeHidden();
  await expect(page.locator("input")).toHaveCount(0);
  await limits.agent.post("unlock", SUPERVISOR);
  // What is on its way is not left: its end is seen.
  let goesOn = () => {};
  const held = new Promise((done) => (goesOn = () => done(null)));
  await between(page, "**/agent/amendments", async (route) => {
    await held;
    await route.fallback();
  });
  await limits.byTwo(OTHER);
  await expect(limits.told).toHaveText("Enregistrement en cours…");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+b");
  goesOn();
  await expect(page.locator("#work h2"), "the end of what was on its way").toContainText("Version 2 enregistrée");
  await page.unroute("**/agent/amendments");
  await expect(page.locator(".slips").last()).toContainText("carte express F5");
  expect(await limits.newest()).toBe(2);
  await looks(page, "limits-done");
  await picture(page, "limits-5-done");

  // The key gives it; slips and cards of before are taken still, each as it says itself.
  await counter.page.bringToFront();
  await expect(key).toContainText(/7\sn\. \/ 3\s\$/);
  await counter.press("F5");
  await counter.costs("3,00\u00a0$");
  await counter.press("Enter");
  await counter.sold(1);
  await counter.scan(card);
  await counter.costs("2,00\u00a0$");
  await counter.press("Enter");
  await counter.sold(2);
  await counter.scan(blank);
  await expect(counter.told).toContainText("saisissez ce que le joueur a marqué");
});

test("what the rules refuse is said beside its field", async ({ house, page }) => {
  const { limits } = await opened(house, page);
  await limits.types("counter_wager", "0,75");
  await limits.types("counter_express_2_spots", "11");
  await limits.types("limits_draws", "400");
  await page.keyboard.press("Enter");
  await expect(page.locator("#fault-counter_wager")).toHaveText(/Une mise du jeu keno va de 0,50\s\$ à 20,00\s\$ par pas de 0,50\s\$\./);
  await expect(page.locator("#fault-counter_express_2_spots")).toContainText("de 1 à 10 numéros, pas 11");
  await expect(limits.field("counter_wager")).toBeFocused();
  await expect(limits.field("counter_wager")).toHaveAttribute("aria-invalid", "true");
  await expect(limits.told).toContainText("Rien n’est enregistré");
  await fitsAsItIs(page, "faults");
  await picture(page, "limits-6-faults");
  // In English, faults and amounts too.
  await page.keyboard.press("Alt+l");
  await expect(page.locator("#fault-counter_wager")).toHaveText("A wager of game keno goes from $0.50 to $20.00 in steps of $0.50.");
  await expect(limits.field("counter_wager")).toHaveValue("0.75");
  await expect(limits.field("payout_cage")).toHaveValue("5000.00");
  await page.keyboard.press("Alt+l");

  // What is no amount is said before central is asked.
  await limits.types("counter_wager", "1,2,3");
  await page.keyboard.press("Enter");
  await expect(page.locator("#fault-counter_wager")).toHaveText("Ce n’est pas un montant.");
  // The house opens no more draws at once than a ticket may carry.
  await limits.types("counter_wager", "1,00");
  await limits.types("counter_express_2_spots", "5");
  await page.keyboard.press("Enter");
  await expect(page.locator("#fault-limits_draws")).toContainText("La maison ouvre 40 tirages à la fois");
  await limits.types("limits_draws", "20");
  // Returns under 65 % are of no field (s. 85).
  await limits.types("game_0_wager_max", "200");
  await limits.types("game_0_wager_same_numbers", "200");
  await page.keyboard.press("Enter");
  await expect(page.locator("#faults")).toContainText("65 %");
  await expect(page.locator("#faults")).toBeFocused();
  await fitsAsItIs(page, "faults of no field");
  await picture(page, "limits-7-returns");
  await limits.types("game_0_wager_max", "20,00");
  await limits.types("game_0_wager_same_numbers", "20,00");

  // Somebody else was first, and central goes away before it says what they did: what is typed waits.
  const says = (/** @type {string} */ name, /** @type {number} */ status) => (/** @type {import("@playwright/test").Route} */ route) => route.fulfill({ json: { name, status, title: { fr: `Essai de ${name}.`, en: `Trial of ${name}.` } } });
  const away = says("central_away", 503);
  const alarm = page.locator("#alarm");
  await limits.types("effective_from", "0");
  await between(page, "**/agent/amendments/preview", says("rule_book_moved_on", 409), { times: 1 });
  await between(page, "**/agent/amendments", away, { times: 2 });
  await page.keyboard.press("Enter");
  await expect(limits.told).toHaveText("Essai de rule_book_moved_on.");
  await expect(alarm).toHaveText("Essai de central_away.");
  await expect(alarm, "the alarm once central answers").toBeHidden();
  await expect(limits.field("effective_from")).toHaveValue("0");
  // A draw that has begun, and nothing at all.
  await page.keyboard.press("Enter");
  await expect(page.locator("#fault-effective_from")).toContainText("qu’à partir du tirage");
  await limits.types("effective_from", (await limits.agent.get("amendments")).earliest.draw.toString());
  await page.keyboard.press("Enter");
  await expect(limits.told).toHaveText("Rien n’a changé : il n’y a rien à enregistrer.");
  // What was typed is left at the second Esc.
  await limits.types("limits_ways", "190");
  await page.keyboard.press("Escape");
  await expect(limits.told).toContainText("Esc encore");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${limits.address}/office`);
  expect(await limits.newest()).toBe(1);
  // Opened while central is away, the page has everything once it is back.
  await page.route("**/agent/amendments", away, { times: 2 });
  await page.goto(`${limits.address}/limits`);
  await expect(alarm).toHaveText("Essai de central_away.");
  await expect(limits.field("counter_wager"), "what can be changed, once central is back").toHaveValue("1,00");
  await expect(limits.field("counter_wager")).toBeFocused();
  await expect(alarm).toBeHidden();
});

test("a limit that a slip shows withdraws it, with both versions", async ({ house, page }) => {
  const { limits, clerk } = await opened(house, page);
  const [blank, card] = codesOf(house, ["blank", "express-5"]);
  await limits.types("limits_selections", "1");
  await page.keyboard.press("Enter");
  await expect(page.locator(".slips").first()).toHaveText(/Refusées dès ce tirage\s: fiche de sélection\./);
  await expect(page.locator(".slips").first()).toHaveAttribute("data-tone", "warn");
  await looks(page, "limits-withdrawn");
  await picture(page, "limits-8-withdrawn");
  await limits.byTwo(OTHER);
  await expect(page.locator("#work h2")).toContainText("Version 2 enregistrée");
  const counter = await counterAt(house, page, clerk);
  await counter.page.bringToFront();
  await counter.scan(blank);
  await expect(counter.told).toContainText(/version\s1, retirée.*version\s2/);
  await counter.press("Escape", "Escape");
  await counter.scan(card);
  await counter.costs("2,00\u00a0$");
});

/** The demonstration with a second game, of the same numbers and prizes. */
const TWO_GAMES = `${RULES}\n${RULES.slice(RULES.indexOf("[[game]]"))
  .replace('code = "keno"', 'code = "soir"')
  .replace('name.fr = "Keno"', 'name.fr = "Keno du soir"')
  .replace('name.en = "Keno"', 'name.en = "Evening Keno"')}`.replace("version = 1", "version = 2");

test("another supervisor approves a change at the wall, who sees it old and new", async ({ house, page }) => {
  const { limits, clerk } = await opened(house, page, TWO_GAMES);
  await limits.types("confirm_type_total", "150");
  await limits.types("game_0_wager_max", "15");
  await limits.types("game_1_wager_max", "10");
  await limits.field("counter_express_0_game").selectOption("soir");
  await limits.field("confirm_type_total").press("Enter");
  await expect(limits.row("À confirmer avant d’émettre : Total à taper, dès")).toBeVisible();
  await expect(limits.row("Mise maximale (Keno du soir)").locator(".new")).toHaveText(/10,00\s\$/);
  await fitsAsItIs(page, "review of two games");
  await picture(page, "limits-9-two-games");
  await page.keyboard.press("Enter");
  // Held for longer, the key that asks does not leave what it asked.
  await limits.box.getByRole("button", { name: "Demander au mur" }).focus();
  for (const _ of [1, 2, 3]) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await expect(limits.box, "a key that is held").toContainText("un superviseur répond d’ici");
  await new Agent(page, clerk).signOn(OTHER);
  const wall = await page.context().newPage();
  await plant(wall);
  await wall.goto(`${clerk}/wall`);
  const asked = wall.locator('[data-name^="approval-"]');
  await expect(asked).toContainText("Mises express et limites");
  await expect(asked.locator(".changes tbody tr"), "what is approved").toHaveText([
    "À confirmer avant d’émettre : Total à taper, dès100,00 $150,00 $",
    "Mise express F13 n. à 1,00 $ (Keno)3 n. à 1,00 $ (Keno du soir)",
    "Mise maximale (Keno)20,00 $15,00 $",
    "Mise maximale (Keno du soir)20,00 $10,00 $",
  ]);
  await expect(asked).toContainText(/En vigueur dès le tirage/);
  await fitsAsItIs(wall, "the card of a change");
  await picture(wall, "limits-9-wall");
  await wall.keyboard.press("ArrowRight");
  await expect(asked).toBeFocused();
  await wall.keyboard.press("1");
  // However long the card is, all of it stands beside the PIN.
  await expect(wall.locator("#ask .changes tbody tr"), "what is approved by a PIN").toHaveCount(4);
  await expect(wall.locator("#ask")).toContainText("En vigueur dès le tirage");
  await fitsAsItIs(wall, "the box in which a change is approved");
  await picture(wall, "limits-9-grant");
  await types(wall, OTHER.pin);
  await wall.keyboard.press("Enter");
  await expect(wall.locator("#told")).toContainText("peut continuer");
  await page.bringToFront();
  await expect(page.locator("#work h2")).toContainText("Version 3 enregistrée");
  expect(await limits.newest()).toBe(3);
});

test("a draft of the old book is sold for what is shown, or not at all", async ({ house, page }) => {
  const { limits, clerk } = await opened(house, page);
  const counter = await counterAt(house, page, clerk);
  const amend = async (/** @type {number} */ base_version, /** @type {object} */ changes) => {
    expect((await limits.agent.post("amendments", { base_version, changes, second: OTHER })).version).toBe(base_version + 1);
  };
  await counter.page.bringToFront();
  await counter.press("F1");
  await counter.costs("1,00\u00a0$");
  await amend(1, { express: [{ spots: 3, wager_cents: 500 }] });
  await expect(counter.page.locator("#express button")).toHaveCount(1);
  await expect(counter.total.locator("output").first()).toHaveText("1,00\u00a0$");
  await counter.press("Enter");
  expect(await counter.sold(1)).toMatch(/1,00\s\$/);

  await counter.press("F1");
  await counter.costs("5,00\u00a0$");
  await amend(2, { express: [{ spots: 3, wager_cents: 100 }], games: [{ code: "keno", wager_max_cents: 100 }] });
  await expect(counter.page.locator("#express button")).toContainText(/3\sn\. \/ 1\s\$/);
  await counter.press("Enter");
  await expect(counter.page.locator(".why, .told").first()).toBeVisible();
  await counter.picture("limits-10-draft");
  await counter.press("Escape", "Escape", "F1");
  await counter.costs("1,00\u00a0$");
  await counter.press("Enter");
  // What was refused is neither on paper nor in the record.
  expect(await counter.sold(2), "the second paper").toMatch(/^MISE TOTALE +1,00\s\$$/m);
  const sales = (await house.record()).filter((kind) => kind === "TicketSold");
  expect(sales, "tickets that were sold").toHaveLength(2);
});

test("whoever may not changes nothing, and a counter has no such page", async ({ house, page }) => {
  await house.open();
  const { address } = await house.backOffice();
  const office = new Agent(page, address);
  await expect.poll(async () => (await office.get("state")).central.state).toBe("trusted");
  const refused = await office.post("sign-on", CLERK);
  expect(refused.exit, "a clerk at the back office").not.toBe("done");
  expect((await office.get("state")).badge).toBeNull();
  await page.goto(`${address}/limits`);
  await expect(page.locator("#alarm")).toContainText("Personne n’est en service");
  await expect(page.locator("form")).toHaveCount(0);
  // Signed on, and of none of the roles.
  const title = { fr: "Essai.", en: "Trial." };
  await page.route("**/agent/amendments", (route) => route.fulfill({ json: { name: "wrong_role", status: 403, title } }));
  await page.goto(`${address}/limits`);
  await expect(page.locator("#alarm")).toContainText("pour les superviseur(e)s et administrateur(-trice)s");
  await expect(page.locator("form")).toHaveCount(0);
  await fitsAsItIs(page, "refused");
  const counter = (await house.agent()).address;
  for (const path of ["/limits", "/agent/amendments"]) {
    const answer = await page.request.get(`${counter}${path}`);
    expect(answer.status(), path).toBe(404);
  }
});

test("an administrator signs on at the back office, changes a limit, locks and leaves", async ({ house, page }) => {
  await house.open();
  const { address } = await house.backOffice();
  await page.goto(`${address}/`);
  await expect(page).toHaveURL(`${address}/office`);
  const badge = page.getByLabel("Insigne");
  await expect(badge).toBeFocused();
  await looks(page, "office-signed-off");
  await picture(page, "back-office-1-sign-on");
  await expect.poll(async () => (await new Agent(page, address).get("state")).central.state).toBe("trusted");
  // Who has no business here is told so, and the PIN does not stay.
  await badge.fill(CLERK.badge);
  await page.getByLabel("NIP").fill(CLERK.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator(".notes .told")).toBeVisible();
  await expect(page.getByLabel("NIP")).toHaveValue("");
  await page.getByLabel("Insigne").fill(ADMINISTRATOR.badge);
  await page.getByLabel("NIP").fill(ADMINISTRATOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Pourquoi êtes-vous ici" })).toBeVisible();
  await expect(page.locator("#who")).toHaveText(ADMINISTRATOR.badge);
  await looks(page, "office-signed-on");
  await picture(page, "back-office-2-choices");
  await page.keyboard.press("Alt+l");
  await expect(page.getByRole("heading", { name: "What are you here for?" })).toBeVisible();
  await fitsAsItIs(page, "choices in English");
  await picture(page, "back-office-3-english");
  await page.keyboard.press("Alt+l");
  await page.keyboard.press("1");
  const limits = new Limits(page, address);
  await expect(limits.field("counter_wager")).toBeFocused();
  await limits.types("payout_second_person", "900");
  await page.keyboard.press("Enter");
  await expect(page.locator(".changes tbody tr")).toHaveCount(1);
  await limits.byTwo(SUPERVISOR);
  await expect(page.locator("#work h2")).toContainText("Version 2 enregistrée");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${address}/office`);
  await expect(page.getByRole("heading", { name: "Pourquoi êtes-vous ici" })).toBeVisible();
  await page.keyboard.press("8");
  await expect(page.locator("#unlock")).toContainText(ADMINISTRATOR.badge);
  await looks(page, "office-locked");
  await picture(page, "back-office-4-locked");
  // Behind a lock nothing of what can be changed is shown.
  expect((await limits.agent.get("amendments")).name).toBe("terminal_locked");
  await page.getByLabel("NIP").fill(ADMINISTRATOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Pourquoi êtes-vous ici" })).toBeVisible();
  await page.keyboard.press("4");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Tirages");
  await page.goto(`${address}/`);
  await expect(page.getByRole("heading", { name: "Pourquoi êtes-vous ici" })).toBeVisible();
  await page.keyboard.press("9");
  await expect(page.getByLabel("Insigne")).toBeVisible();
  expect((await limits.agent.get("amendments")).name).toBe("not_signed_in");
});
