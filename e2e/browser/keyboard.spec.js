// Every flow of the counter by the keyboard alone, and each state on the way looked at: by axe, on
// one screen, in both languages, at twice the size.
// @ts-check
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { CLERK, OTHER_CLERK, SUPERVISOR, codeOn } from "./house.js";
import { Hands, isOnTheScreen, isWhole, looks, looksAtPlayer, speaks } from "./round.js";
import { expect, test } from "./test.js";

/** @typedef {import("./counter.js").Counter} Counter */

/** Signs on by the keyboard. @param {Counter} counter @param {Hands} hands @param {string} [float] */
const signsOn = async (counter, hands, float = "200,00") => {
  await counter.mode("off");
  await expect(counter.page.getByLabel("Insigne")).toBeFocused();
  await hands.type(CLERK.badge);
  await hands.press("Tab");
  await hands.type(CLERK.pin);
  await hands.press("Tab");
  if (float !== "") await hands.type(float);
  await hands.press("Enter");
  await counter.mode("sale");
  await expect(counter.page.locator("#express button")).toHaveCount(8);
};

/** Opens a box while the screen is English, and leaves it. @param {Counter} counter @param {Hands} hands @param {string} key */
const boxInEnglish = async (counter, hands, key) => {
  await hands.press(key);
  await expect(counter.box).toBeVisible();
  const state = `${await counter.box.locator("h2").innerText()}, box in English`;
  await speaks(counter.page, state, "en", ["désaccord"]);
  await isWhole(counter.page, state);
  await isOnTheScreen(counter.page, state);
  await hands.press("Escape");
  await expect(counter.box).toBeHidden();
};

/** What an e-slip of the demonstration shows of its rules, marked (its form: `slip_code/shown.rs`). */
const markOfESlip = () => {
  const text = (/** @type {string} */ words) => {
    const bytes = Buffer.from(words);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  };
  const cap = Buffer.alloc(8);
  cap.writeBigInt64BE(5_000_000n);
  const shown = ["Keno slip 1", Buffer.from([2, 80]), cap, ...text("Comptoir et borne Keno"), ...text("Keno counter and kiosk"), ...text("keno"), Buffer.from([0, 1, 1, 10])];
  const hash = createHash("sha256");
  for (const part of shown) hash.update(part);
  return hash.digest().readUIntBE(0, 3) >> 4;
};

/** An e-slip of five numbers at 2,00 $ for two draws, as a kiosk shows it (its form: `slip_code.rs`). */
const eSlip = () => {
  const bits = (/** @type {number} */ value, /** @type {number} */ width) => value.toString(2).padStart(width, "0");
  const number = (/** @type {number} */ value) => {
    let left = value;
    let all = "";
    do {
      all += bits(left > 15 ? 1 : 0, 1) + bits(left % 16, 4);
      left = Math.floor(left / 16);
    } while (left > 0);
    return all;
  };
  const mark = markOfESlip();
  const numbers = [7, 18, 33, 42, 71];
  const head = bits(2, 2) + bits(0, 1) + bits(0, 1) + number(1) + bits(mark, 20);
  const selection = bits(0, 2) + bits(0, 1) + number(0) + number(numbers.length) + numbers.map((one) => bits(one, 7)).join("") + bits(1, 1) + number(200) + number(0);
  const text = (/** @type {string} */ all) => (all.padEnd(Math.ceil(all.length / 5) * 5, "0").match(/.{5}/g) ?? []).map((five) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[parseInt(five, 2)]).join("");
  const code = `KS1${text(head + number(2) + number(1) + selection)}`;
  return code + text(bits(crc32(code), 32));
};

test("by the keyboard alone: every kind of sale", async ({ counter, house, page }) => {
  const player = await counter.player();
  const hands = await new Hands(page).begin();
  const { total } = counter;
  const field = (/** @type {string} */ name) => page.locator(`[data-field="${name}"]`).last();
  await looks(page, "off");
  await looksAtPlayer(player, "closed");
  await signsOn(counter, hands);
  await looks(page, "idle");

  // Four selections, gone through with the keys of the panel, and each taken back.
  await hands.press("0", "7", "1", "8", "+", "*", "4", "+", "/", ..."03142229", "Enter", ..."40516680", "Enter", "Enter", "1", "2");
  await hands.press("+", "/", "/", ..."10", "Enter", ..."2021", "Enter", "Enter", "3");
  await expect(page.locator(".selection")).toHaveCount(4);
  await expect(page.locator(".group.king")).toHaveText("10");
  await looks(page, "four-selections");
  await expect(player.locator(".selections li")).toHaveCount(4);
  await looksAtPlayer(player, "four-selections");
  // With the colours of whoever needs their own, what is in hand is still marked.
  await page.emulateMedia({ forcedColors: "active" });
  await expect(page.locator('.field[aria-current="true"]')).toHaveCSS("outline-style", "solid");
  await counter.picture("state-four-selections-forced-colours");
  await page.emulateMedia({ forcedColors: null });
  await hands.press("PageUp", "PageUp", "PageUp");
  await expect(page.locator(".selection").first()).toHaveClass(/current/);
  await hands.press("-", "-", "-");
  await expect(page.locator(".selection")).toHaveCount(3);
  // A wager of its own, by way of the fields.
  await hands.press("PageDown", "ArrowDown", "ArrowDown");
  await expect(page.locator('.selection.current [data-field="wager"]')).toHaveAttribute("aria-current", "true");
  await hands.press("2");
  // A quick pick at 1,00 $, three ways at 2,00 $ each, and a way of a king at 1,00 $.
  await counter.costs("8,00\u00a0$");
  await hands.press("Enter");
  await expect(total.locator(".confirm")).toContainText("combinaison");
  await looks(page, "confirm-ways");
  await hands.press("0", "Enter", "1");
  const many = await counter.sold(1);
  expect(many).toMatch(/^A\s+SIMPLE,\s4\sNUMÉROS/m);
  expect(many).toMatch(/^B\s+COMBINAISON/m);
  expect(many).toContain("ROI");
  expect(many).toMatch(/^MISE TOTALE +8,00\s\$$/m);
  await looks(page, "sold");
  await looksAtPlayer(player, "sold");

  // What the groups do not generate is split by a key.
  await hands.press("/", ..."0102", "Enter", ..."0304", "Enter", ..."0506", "Enter", ..."0708", "Enter", "Enter", "1", "4", "*");
  await looks(page, "ways-written");
  await hands.press("2", "/", "4", "Enter");
  await expect(page.locator(".selection .why")).toBeVisible();
  await looks(page, "ways-not-generated");
  await hands.press("0");
  await expect(page.locator(".selection")).toHaveCount(2);
  await hands.press("Escape", "Escape");

  // First draw, tender, what is received and change, field by field.
  await hands.press("F3", "2", "ArrowDown");
  await expect(field("first")).toHaveAttribute("aria-current", "true");
  // There is a draw each hour.
  await hands.press("2", "5");
  await expect(total.locator(".other-day")).toContainText("Attention : le premier tirage est le");
  await looks(page, "another-day");
  await expect(player.locator(".other-day")).toBeVisible();
  await looksAtPlayer(player, "another-day");
  await hands.press("ArrowDown", "2");
  await expect(field("tender")).toHaveAttribute("aria-current", "true");
  await looks(page, "tender");
  await hands.press("ArrowDown", "5");
  // A coupon gives no change.
  await expect(total.locator(".change .value")).toHaveText("0,00\u00a0$");
  await looks(page, "received");
  await hands.press("-", "3", "Enter");
  await expect(counter.told).toContainText("Il manque 1,00\u00a0$.");
  await looks(page, "too-little");
  await hands.press("-", "5", "Enter");
  const late = await counter.sold(2);
  expect(late).toMatch(/coupon/i);
  await expect(total).toContainText("4,00\u00a0$");
  await expect(total.locator(".change")).toHaveCount(0);
  await looks(page, "change");

  // The total is typed; too early and wrong it sells nothing.
  await hands.press("F8", "2", "0", "Enter");
  await expect(total.locator(".confirm")).toContainText("Saisissez la mise totale");
  await looks(page, "confirm-typed");
  await hands.press("1", "0", "0", "0", "Enter");
  await expect(counter.told).toContainText("Ce n’est pas la mise totale");
  await looks(page, "confirm-mistyped");
  await hands.press("1", "0", "0", "Enter");
  await counter.sold(3);
  // What no rule allows is said.
  await hands.press("8", "9");
  await expect(counter.told).toContainText("n’existe pas");
  await looks(page, "refused-number");
  await hands.press("Escape", "Escape", "Escape");

  // An e-slip fills the draft: the scan and one key.
  await counter.scan(eSlip());
  await counter.costs("4,00\u00a0$");
  await hands.press("Enter");
  expect(await counter.sold(4)).toMatch(/^\s+07\s+18\s+33\s+42\s+71$/m);
  expect(house.texts()).toHaveLength(4);
});

test("by the keyboard alone: a ticket, in every way before its draw", async ({ counter, house, page }) => {
  const player = await counter.player();
  const hands = await new Hands(page).begin();
  const verdict = page.locator("#verdict");
  const second = [SUPERVISOR.badge, SUPERVISOR.pin];
  await signsOn(counter, hands);
  const sells = async (/** @type {number} */ paper) => {
    await hands.press("F5", "3");
    await counter.costs("6,00\u00a0$");
    await hands.press("Enter");
    return codeOn(await counter.sold(paper));
  };
  const first = await sells(1);
  await counter.scan(first);
  await expect(verdict).toContainText("Tirage à venir");
  await looks(page, "ticket");
  await looksAtPlayer(player, "to-come");

  // Sold again: what differs is marked, and nothing else.
  await hands.press("F10");
  await expect(page.locator(".replay")).toBeVisible();
  const rows = page.locator(".replay tbody tr");
  await expect(rows).toHaveCount(3);
  await expect(rows.locator("td:last-child")).toHaveText(["=", "=", "1"]);
  await expect(page.locator(".replay .changed")).toHaveCount(1);
  await looks(page, "replay");
  await hands.press("0", "ArrowUp", "2", ".", "5", "0");
  await expect(page.locator(".replay .changed")).toHaveCount(2);
  await looks(page, "replay-changed");
  await hands.press("Escape", "Escape", "Escape");
  await expect(page.locator(".replay")).toHaveCount(0);
  // With a new computer pick.
  await counter.scan(first);
  await expect(verdict).toBeVisible();
  await hands.press("*");
  await expect(page.locator(".replay .changed")).toHaveCount(2);
  await looks(page, "replay-new-pick");
  await expect(counter.total.locator(".confirm")).toBeVisible();
  await hands.press("1");
  expect(await counter.sold(2)).toMatch(/MISE-ÉCLAIR|ÉCLAIR/);

  // Paper and record differ; the record prevails.
  await counter.scan(first);
  await expect(verdict).toBeVisible();
  await hands.press("/");
  await expect(counter.box.locator("select")).toBeFocused();
  await looks(page, "discrepancy", { language: "" });
  await hands.press("ArrowDown", "Tab");
  await hands.type("2,00");
  await hands.press("Enter");
  await expect(counter.told).toContainText("Écart noté");
  await looks(page, "discrepancy-noted");

  // A duplicate by two people, by way of Tab: the old paper is worth nothing.
  await hands.goesTo(page.locator("#duplicate"));
  await hands.press("Enter");
  await looks(page, "duplicate", { language: "" });
  await hands.answers(counter.box, "mouillé", second[0], "0000");
  await expect(counter.told.first()).toContainText("ne convient pas");
  await hands.goesTo(page.locator("#duplicate"));
  await hands.press("Enter");
  await hands.answersAgain(counter.box, "mouillé", ...second);
  const copy = await house.paper(3);
  expect(copy).toContain("DUPLICATA");
  await looks(page, "duplicated", { typed: ["mouillé"] });
  await counter.scan(first);
  await expect(verdict).toContainText("Remplacé par un duplicata");
  await expect(page.locator("#cancel")).toHaveCount(0);
  await looks(page, "replaced");
  await looksAtPlayer(player, "replaced");

  // A patron left without paying: two people, before the first ball.
  await hands.press("Escape");
  await counter.scan(codeOn(copy));
  await hands.goesTo(page.locator("#unpaid"));
  await hands.press("Enter");
  await looks(page, "unpaid", { language: "" });
  await hands.answers(counter.box, ...second);
  await expect(counter.told.first()).toContainText("Billet nul");
  await expect(verdict).toContainText("Billet nul");
  await expect(page.locator("#unpaid")).toHaveCount(0);
  await counter.scan(codeOn(copy));
  await expect(verdict).toContainText("Billet nul");
  await looks(page, "void");
  await looksAtPlayer(player, "void");
  await hands.press("Escape");

  // To be cancelled: the key, the scan, the reason, and yes.
  const papers = house.texts().length;
  const other = await sells(papers + 1);
  counter.counted();
  await counter.press("F11");
  await counter.mode("ticket");
  await looks(page, "cancel-scan");
  await counter.scan(other);
  await expect(page.locator(".reasons")).toBeVisible();
  await looks(page, "cancel");
  await counter.press("3");
  await expect(page.locator('.reasons [aria-pressed="true"]')).toContainText("mal imprimé");
  await counter.press("Enter");
  expect(counter.counted(), "keys of a cancellation, beside the scan").toBe(3);
  await house.paper(papers + 2);
  await expect(verdict).toHaveText("Billet annulé");
  await looks(page, "cancelled");
  await looksAtPlayer(player, "cancelled");
  await hands.press("Escape");

  // A number that is typed, one that nobody knows, and what cannot be read.
  await page.keyboard.press("Alt+n");
  await looks(page, "number", { language: "" });
  await hands.answers(counter.box, "0731552890146663");
  await expect(verdict).toContainText("Numéro inconnu");
  await looks(page, "unknown");
  await looksAtPlayer(player, "unknown");
  await hands.press("Escape");
  await page.keyboard.press("Alt+n");
  await hands.answers(counter.box, "0731552890146664");
  await expect(counter.told).toContainText("pas écrit comme sur le billet");
  await looks(page, "mistyped");
  await hands.press("Escape");
  await counter.mode("sale");
});

test("by the keyboard alone: a shift, from the float to the sheet", async ({ counter, house, page }) => {
  const hands = await new Hands(page).begin();
  const second = [SUPERVISOR.badge, SUPERVISOR.pin];
  // Not the right PIN: the field is empty and has the focus again.
  await hands.type(CLERK.badge);
  await hands.press("Tab");
  await hands.type("0000");
  await hands.press("Enter", "Enter");
  await expect(counter.told).toContainText("ne convient pas");
  await expect(page.getByLabel("NIP")).toBeFocused();
  await looks(page, "wrong-pin");
  await hands.type(CLERK.pin);
  await hands.press("Tab");
  await hands.type("200,00");
  await hands.press("Enter");
  await counter.mode("sale");
  await expect(page.locator("#express button")).toHaveCount(8);
  await hands.press("F5", "3");
  await counter.costs("6,00\u00a0$");
  await hands.press("Enter");
  await counter.sold(1);

  // Locked, with a slip in hand.
  await hands.press("0", "7", "1", "8", "F12");
  await counter.mode("locked");
  await looks(page, "locked");
  await hands.type("0000");
  await hands.press("Enter");
  await expect(counter.told).toContainText("ne convient pas");
  await looks(page, "locked-wrong-pin");
  await hands.type(CLERK.pin);
  await hands.press("Enter");
  await counter.mode("sale");
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("0718");
  await hands.press("Escape", "Escape", "Escape");

  // The till: filled, dropped, counted by two people in the middle.
  await page.keyboard.press("Alt+c");
  await counter.mode("till");
  await looks(page, "till");
  await hands.press("1");
  await looks(page, "fill", { language: "" });
  await hands.answers(counter.box, "50", SUPERVISOR.badge, "0000");
  await expect(counter.told.first()).toContainText("ne convient pas");
  await hands.press("1");
  await hands.answersAgain(counter.box, "50", ...second);
  await expect(counter.told.first()).toContainText("Mettez 50,00");
  await looks(page, "filled");
  await hands.press("2");
  await hands.answers(counter.box, "20,50", ...second);
  await expect(counter.told.first()).toContainText("Sortez 20,50");
  await house.paper(3);
  await hands.press("3");
  await looks(page, "count-by-two", { language: "" });
  await hands.answers(counter.box, "235,50", "désaccord", ...second);
  await expect(page.locator("#count")).toContainText("Juste");
  await house.paper(4);
  await looks(page, "counted", { typed: ["désaccord"] });
  // The boxes in English; nothing is done when one is left.
  await page.keyboard.press("Alt+l");
  for (const key of ["1", "2", "3", "4", "5"]) await boxInEnglish(counter, hands, key);
  await page.keyboard.press("Alt+l");

  // Everything else, and its pages.
  await hands.press("Escape");
  await counter.mode("sale");
  await page.keyboard.press("Alt+p");
  await counter.mode("more");
  await looks(page, "more");
  await hands.press("3");
  await looks(page, "lost-ticket", { language: "" });
  await hands.press("Escape");
  await hands.press("2");
  await looks(page, "take-over", { language: "" });
  await hands.press("Escape");
  await page.keyboard.press("Alt+l");
  for (const key of ["1", "2", "3"]) await boxInEnglish(counter, hands, key);
  await page.keyboard.press("Alt+l");
  await hands.press("Escape");

  // Another person signs on at no locked screen: two end the session, and find the till open without
  // its count.
  await hands.press("F12");
  await counter.mode("locked");
  await hands.goesTo(page.locator("#relieve"));
  await hands.press("Enter");
  await expect(page.getByLabel("Insigne de la personne qui reste")).toBeFocused();
  await looks(page, "relief", { language: "" });
  await hands.answers(counter.box, OTHER_CLERK.badge, OTHER_CLERK.pin, ...second);
  await counter.mode("sale");
  await expect(page.locator("#who")).toContainText(OTHER_CLERK.badge);
  await expect(counter.strip).toContainText("Tiroir ouvert");

  // The count comes first, and then what was expected.
  await page.keyboard.press("Alt+c");
  await hands.press("4");
  await looks(page, "blind-count", { language: "" });
  // It is the till of who was relieved: two people close it.
  await expect(counter.box).toContainText(CLERK.badge);
  await hands.answers(counter.box, "236,00", "", "", "", "", ...second);
  await expect(page.locator("#count")).toContainText("Surplus");
  await house.paper(5);
  await expect(page.locator("#sheet")).toBeVisible();
  await looks(page, "sheet", { mayScroll: true });
  await hands.press("5");
  await looks(page, "sheet-again", { language: "" });
  await hands.press("Enter");
  expect(await house.paper(6)).toMatch(/Réimpression/i);
  await hands.press("6");
  await counter.mode("off");
  await looks(page, "off-duty");
});

test("by the keyboard alone: a terminal is left, taken back, and taken over", async ({ counter, house, page }) => {
  const hands = await new Hands(page).begin();
  await signsOn(counter, hands);
  await page.keyboard.press("Alt+p");
  await hands.press("1");
  await looks(page, "leave", { language: "" });
  await hands.goesTo(counter.box.getByRole("button", { name: "Oui, laisser ce terminal" }));
  await hands.press("Enter");
  await counter.mode("left");
  await expect(page.locator("#code-text")).toContainText("KH2");
  await looks(page, "left", { mayScroll: true });
  await hands.goesTo(page.locator("#take-back"));
  await hands.press("Enter");
  await counter.mode("sale");
  // The neighbour's terminal, with a slip in hand, comes here.
  await hands.press("F5", "3");
  await counter.costs("6,00\u00a0$");
  await hands.press("Enter");
  await counter.sold(1);
  await house.keno("sign-on");
  await hands.press("0", "7", "1", "8");
  await page.keyboard.press("Alt+p");
  await hands.press("1");
  await hands.goesTo(counter.box.getByRole("button", { name: "Oui, laisser ce terminal" }));
  await hands.press("Enter");
  await counter.mode("left");
  await house.keno("take-over", "2", "--reason", "écran noir", "--second", SUPERVISOR.badge);
  await counter.mode("handed_over");
  await looks(page, "handed-over", { mayScroll: true, central: "handed_over" });
  // The hands are judged too: a mouse would have been seen.
  const before = counter.complaints.length;
  await page.mouse.click(5, 700);
  await expect.poll(() => counter.complaints.slice(before).join()).toContain("a mouse was used");
  counter.complaints.splice(before);
});
