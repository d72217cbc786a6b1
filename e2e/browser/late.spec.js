// What comes late: an answer that another has overtaken, a key that was held back, a price that moved
// meanwhile. None of it acts on a screen that it is not for, or stands there. Questions of the page are
// held on their way, so that nothing here depends on the pace of the machine.
// @ts-check
import { createHash } from "node:crypto";
import { Agent } from "./agent.js";
import { between, holdsNext } from "./between.js";
import { counterOf, types } from "./counter.js";
import { CLERK, SUPERVISOR, codeOn } from "./house.js";
import { expect, test, testOnDuty } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */

const OTHER = { badge: "S008", pin: "753186" };

/** How a command ends. @param {string} exit @param {object} [more] */
const ended = (exit, more = {}) => ({ exit, said: [{ is_fact: false, fr: "Essai.", en: "Trial." }], fact: null, problem: null, ...more });

/** What the page was answered until now, it has heard. @param {Page} page */
const hasHeard = (page) => page.evaluate(async () => (await fetch("/agent/state", { cache: "no-store" })).text());

/** Keys that a scanner could have sent are held for a moment: here until they are let go. @param {Page} page */
const heldKeys = async (page) => {
  await page.addInitScript(() => {
    const own = setTimeout;
    /** @type {(() => void)[]} */
    const held = [];
    const hands = {
      holds: false,
      letGo: () => {
        hands.holds = false;
        for (const act of held.splice(0)) act();
      },
    };
    Object.assign(globalThis, { hands });
    Object.assign(globalThis, { setTimeout: (/** @type {() => void} */ act, /** @type {number} */ ms) => (hands.holds && ms >= 50 && ms <= 350 ? void held.push(act) : own(act, ms)) });
  });
  await page.reload();
  return {
    hold: () => page.evaluate(() => void (/** @type {any} */ (globalThis).hands.holds = true)),
    letGo: () => page.evaluate(() => /** @type {any} */ (globalThis).hands.letGo()),
  };
};

test("a key that was held back answers no question that came after it", async ({ counter, house, page }) => {
  const keys = await heldKeys(page);
  await counter.signOn();
  await counter.draft();
  const sale = await holdsNext(page, "sales");
  await counter.press("Enter");
  await sale.arrived;
  await keys.hold();
  await counter.press("1");
  await (await sale.arrived).fulfill({ json: ended("refused", { problem: { name: "draw_closed", next_draw: 2 } }) });
  await expect(page.locator("#late-next"), "the question that came after the key").toBeVisible();
  await keys.letGo();
  await counter.press("0");
  await expect(counter.told, "the answer to what was on the screen").toContainText("Rien n’a été vendu");
  expect(house.texts()).toHaveLength(0);
  await counter.sell(1);
});

test("a key that was held back is done before the next one, which is for what it led to", async ({ counter, page }) => {
  const keys = await heldKeys(page);
  await counter.signOn();
  await page.keyboard.press("Alt+c");
  await counter.mode("till");
  await keys.hold();
  await counter.press("1");
  await expect(counter.box, "nothing lets the key go but the next one").toBeHidden();
  await counter.type("160,00");
  await keys.letGo();
  await expect(counter.box.locator("input[name=amount]")).toHaveValue("160,00");
  await expect(counter.box.locator("input[name=amount]")).toBeFocused();
});

test("a question that a held key has left is asked again by the next key", async ({ counter, page }) => {
  const keys = await heldKeys(page);
  await counter.signOn();
  await counter.press("F8", "9");
  await counter.costs("45,00\u00a0$");
  await counter.press("Enter");
  const confirm = counter.total.locator(".confirm");
  await expect(confirm).toBeVisible();
  await keys.hold();
  await counter.press("0", "Enter");
  await hasHeard(page);
  await expect(confirm, "left by 0, and asked again by Enter").toBeVisible();
  await keys.letGo();
  await counter.press("0");
  await expect(confirm, "left").toHaveCount(0);
});

test("a total that moves under Enter is seen before it is sold", async ({ counter, house, page }) => {
  await counter.signOn();
  const office = new Agent(page, (await house.backOffice()).address);
  await office.signOn(SUPERVISOR);
  // One number: no key but its last has a price, so that this one is told and none is on its way.
  await counter.press("0", "7");
  await counter.costs("1,00\u00a0$");
  const price = await holdsNext(page, "draft");
  const recorded = await office.post("amendments", { base_version: 1, changes: { usual_wager_cents: 200 }, second: OTHER });
  expect(recorded.version).toBe(2);
  await price.arrived;
  await expect(counter.total.locator("output").first()).toHaveText("1,00\u00a0$");
  await counter.press("Enter");
  await (await price.arrived).continue();
  // The second of two is for the total before, too.
  await counter.press("Enter");
  await expect(counter.told).toContainText("La mise totale a changé, rien n’a été vendu");
  await counter.costs("2,00\u00a0$");
  expect(house.texts(), "sold for what nobody was told").toHaveLength(0);
  await expect(page.locator("#sell")).toBeEnabled();
  await counter.press("Enter");
  expect(await counter.sold(1)).toMatch(/^MISE TOTALE +2,00\s\$$/m);
});

testOnDuty("a price that the device did not tell is asked for again by Enter", async ({ counter, page }) => {
  await counter.signOn();
  // The house is not told again meanwhile: the slip would be priced again without a key.
  await between(page, "**/agent/house", () => {});
  let tells = false;
  await between(page, "**/agent/draft", (route) => (tells ? route.continue() : route.fulfill({ body: "" })));
  await counter.press("F5");
  await expect(page.locator('[data-field="count"]')).toContainText("7");
  await hasHeard(page);
  await expect(counter.total, "with a slip in hand").not.toContainText("Prêt pour le prochain joueur");
  let sales = 0;
  await between(page, "**/agent/sales", (route) => {
    sales += 1;
    return route.continue();
  });
  tells = true;
  await counter.press("Enter");
  await counter.costs("2,00\u00a0$");
  await hasHeard(page);
  expect(sales, "sold before it was seen").toBe(0);
  await counter.press("Enter");
  await counter.sold(1);
});

test("a counter says that no rules are known once its device has said so, and asks until they are", async ({ house, page }) => {
  await house.open();
  const { address } = await house.agent();
  await new Agent(page, address).signOn(CLERK, 20_000);
  await page.goto(`${address}/`);
  let asked = 0;
  let isKnown = false;
  let goOn = () => {};
  const held = new Promise((done) => (goOn = () => done(null)));
  await between(page, "**/agent/house", async (route) => {
    asked += 1;
    await held;
    await (isKnown ? route.continue() : route.fulfill({ json: { rules: null, later: [], draws: [] } }));
  });
  await page.reload();
  const total = page.locator("#total");
  const unknown = "ne sont pas connues de ce terminal";
  await expect.poll(() => asked, "what the house sells was asked for").toBeGreaterThan(0);
  await expect(page.locator("body")).toHaveAttribute("data-mode", "sale");
  await expect(total, "before the device has answered").not.toContainText(unknown);
  goOn();
  await expect(total).toContainText(unknown);
  isKnown = true;
  await expect(page.locator("#express button")).toHaveCount(8);
  await expect(total).not.toContainText(unknown);
});

testOnDuty("keys of one ticket do nothing with the next", async ({ counter, page }) => {
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  // A ticket is known, and the next cannot be looked up.
  await counter.scan(code);
  await expect(page.locator("#replay")).toBeVisible();
  await between(page, "**/agent/checks", (route) => route.fulfill({ json: ended("refused") }), { times: 1 });
  await counter.scan(code);
  await expect(counter.told).toContainText("Essai.");
  await counter.press("F10");
  await counter.mode("ticket");
  await counter.press("Escape");
  await counter.mode("sale");
  // A key that waits for one ticket is not for the one that was scanned meanwhile.
  const first = await holdsNext(page, "checks");
  await counter.scan(code);
  await first.arrived;
  await counter.press("F10");
  await counter.scan(code);
  await expect(page.locator("#replay")).toBeVisible();
  await (await first.arrived).fulfill({ json: ended("refused") });
  await hasHeard(page);
  await counter.mode("ticket");
  await counter.press("Escape");
  await counter.mode("sale");
  await expect(page.locator(".replay")).toHaveCount(0);
});

testOnDuty("two scans are shown in the order in which they were read", async ({ counter, page }) => {
  await counter.signOn();
  let scan = 0;
  let told = 0;
  await page.route("**/agent/state*", async (route) => {
    const response = await route.fetch().catch(() => null);
    // The test has ended.
    if (!response) return;
    await route.fulfill({ response, json: { ...(await response.json()), scan } });
    told = scan;
  });
  /** @type {string[]} */
  const looked = [];
  await between(page, "**/agent/checks", (route) => {
    looked.push(route.request().postDataJSON().code);
    return route.fulfill({ json: ended("refused") });
  });
  const take = (/** @type {import("@playwright/test").Route} */ route) => route.fulfill({ json: { text: `KT2TRIAL${route.request().postDataJSON().number}` } });
  await between(page, "**/agent/scans", take);
  const first = await holdsNext(page, "scans");
  scan = 1;
  await first.arrived;
  scan = 2;
  await expect.poll(() => told, "the second scan is told").toBe(2);
  await hasHeard(page);
  await take(await first.arrived);
  await expect.poll(() => looked, "tickets that were looked up").toEqual(["KT2TRIAL1", "KT2TRIAL2"]);
});

testOnDuty("the list of what was presented is never an older one", async ({ counter, page }) => {
  await counter.signOn();
  const one = { number_end: "1234", presented_at_local: "2026-01-15 12:00:00", claim_by: "2027-01-15", draws: [1], repeated: false };
  const first = await holdsNext(page, "presentations");
  await page.keyboard.press("Alt+p");
  await counter.press("4");
  await counter.mode("present");
  await first.arrived;
  await between(page, "**/agent/presentations", (route) => route.fulfill({ json: route.request().method() === "POST" ? ended("done") : { presented: [one], printed: false } }));
  await counter.scan("KT2TRIAL1");
  const rows = page.locator("#presented tbody tr");
  await expect(rows).toHaveCount(1);
  await (await first.arrived).fulfill({ json: { presented: [], printed: false } });
  await hasHeard(page);
  await expect(rows, "after an older answer").toHaveCount(1);
});

testOnDuty("a picture is recorded by the hash of the file that was chosen last", async ({ counter, page }) => {
  await counter.signOn();
  await page.evaluate(async () => {
    const { ask } = await import(/** @type {any} */ ("/ask.js"));
    const own = crypto.subtle.digest.bind(crypto.subtle);
    const trial = /** @type {any} */ ({ hashed: 0 });
    const held = new Promise((goOn) => (trial.goOn = goOn));
    crypto.subtle.digest = async (name, bytes) => {
      const isFirst = trial.hashed === 0;
      trial.hashed += 1;
      const hash = await own(name, bytes);
      if (isFirst) await held;
      return hash;
    };
    trial.given = ask({ title: "Essai", fields: [{ name: "picture", words: "damaged.picture", type: "picture" }], yes: "Oui" });
    Object.assign(globalThis, { trial });
  });
  const input = counter.box.locator("input[type=file]");
  const file = (/** @type {string} */ text) => ({ name: `${text}.png`, mimeType: "image/png", buffer: Buffer.from(text) });
  await input.setInputFiles(file("first"));
  await input.setInputFiles(file("last"));
  await expect(input).toHaveAttribute("data-hash", /^[0-9a-f]{64}$/);
  await page.evaluate(() => /** @type {any} */ (globalThis).trial.goOn());
  await counter.box.getByRole("button", { name: "Oui" }).click();
  const given = await page.evaluate(() => /** @type {any} */ (globalThis).trial.given);
  expect(given.picture).toBe(createHash("sha256").update("last").digest("hex"));
});

test("the wall shows what became of a question, and never again the question", async ({ house, page }) => {
  await house.open();
  const clerk = new Agent(page, (await house.agent()).address);
  await clerk.signOn(CLERK, 20_000);
  const { address } = await house.backOffice();
  await new Agent(page, address).signOn(SUPERVISOR);
  // The page waits for what is held here, however long.
  await page.addInitScript(() => (AbortSignal.timeout = () => new AbortController().signal));
  await page.goto(`${address}/wall`);
  const content = { what: "till_movement", kind: "fill", amount_cents: 10_000 };
  const { id } = await clerk.post("approvals", { content, reason: "monnaie" });
  const card = page.locator(`#approval-${id}`);
  await expect(card).toBeVisible();
  const old = await holdsNext(page, "wall");
  const response = await (await old.arrived).fetch();
  await card.click();
  await types(page, "1");
  await types(page, SUPERVISOR.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText("peut continuer");
  await expect(card, "a question that was answered").toHaveCount(0);
  await page.evaluate((name) => {
    const seen = { again: false };
    Object.assign(globalThis, { seen });
    new MutationObserver(() => (seen.again ||= document.getElementById(name) !== null)).observe(document, { subtree: true, childList: true });
  }, `approval-${id}`);
  await (await old.arrived).fulfill({ response });
  await hasHeard(page);
  await page.waitForResponse("**/agent/wall");
  expect(await page.evaluate(() => /** @type {any} */ (globalThis).seen.again), "the question came back").toBe(false);
});

test("a message that has just come is not read by the key of the one before", async ({ counter, house, page }) => {
  await counter.signOn();
  const supervisor = new Agent(page, (await house.backOffice()).address);
  await supervisor.signOn(SUPERVISOR);
  for (const fr of ["Le premier.", "Le second."]) await supervisor.post("messages", { fr });
  const message = page.locator(".message");
  await expect.poll(async () => (await new Agent(page, counter.address).get("state")).messages.length).toBe(2);
  await expect(message).toContainText("Le premier.");
  await expect(message.getByRole("button")).toBeEnabled();
  // Twice in a moment.
  await page.evaluate(() => {
    for (const _ of [1, 2]) dispatchEvent(new KeyboardEvent("keydown", { key: "m", code: "KeyM", altKey: true }));
  });
  await expect(message, "the message that nobody has read").toContainText("Le second.");
  await expect(message.getByRole("button")).toBeEnabled();
  await page.keyboard.press("Alt+m");
  await expect(message).toHaveCount(0);
});

test("an Enter that was meant for a message sells nothing", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.draft();
  const supervisor = new Agent(page, (await house.backOffice()).address);
  await supervisor.signOn(SUPERVISOR);
  for (const fr of ["Le premier.", "Le second."]) await supervisor.post("messages", { fr });
  const message = page.locator(".message");
  const read = message.getByRole("button");
  await expect.poll(async () => (await new Agent(page, counter.address).get("state")).messages.length).toBe(2);
  await expect(message).toContainText("Le premier.");
  await expect(read).toBeEnabled();
  let sales = 0;
  await between(page, "**/agent/sales", (route) => {
    sales += 1;
    return route.continue();
  });
  await read.focus();
  await counter.press("Enter");
  await expect(message).toContainText("Le second.");
  await counter.press("Enter");
  await hasHeard(page);
  expect(sales, "sold by an Enter that was meant for a message").toBe(0);
  await counter.press("Enter");
  await counter.sold(1);
});

test("what can be changed is that of the newest version, whatever is answered late", async ({ house, page }) => {
  await house.open();
  const { address } = await house.backOffice();
  await new Agent(page, address).signOn(SUPERVISOR);
  await page.goto(`${address}/limits`);
  const version = page.locator("#version");
  await expect(version).toContainText("Version 1");
  const says = (/** @type {string} */ name, /** @type {number} */ status) => ({ json: { name, status, title: { fr: `Essai de ${name}.`, en: `Trial of ${name}.` } } });
  // Central goes away while the page asks anew, and answers late.
  await between(page, "**/agent/amendments/preview", (route) => route.fulfill(says("rule_book_moved_on", 409)), { times: 1 });
  const late = await holdsNext(page, "amendments");
  await between(page, "**/agent/amendments", (route) => route.fulfill(says("central_away", 503)), { times: 1 });
  await page.locator("#counter_wager").fill("2,00");
  await page.keyboard.press("Enter");
  const old = await (await late.arrived).fetch();
  await page.keyboard.press("Enter");
  await expect(page.locator("#review-title")).toBeVisible();
  await page.keyboard.press("Enter");
  const box = page.locator("#ask");
  await box.getByLabel("Insigne de la deuxième personne").fill(OTHER.badge);
  await box.getByLabel("NIP de la deuxième personne").fill(OTHER.pin);
  await page.keyboard.press("Enter");
  await expect(page.locator("#done-title")).toBeVisible();
  await page.keyboard.press("1");
  await expect(version).toContainText("Version 2");
  await (await late.arrived).fulfill({ response: old });
  await hasHeard(page);
  // The page is drawn anew.
  for (const _ of [1, 2]) await page.keyboard.press("Alt+l");
  await expect(version).toContainText("Version 2");
});

test("what is typed at the office while an answer is on its way stays", async ({ house, page }) => {
  await house.open();
  const { address } = await house.backOffice();
  await page.goto(`${address}/`);
  await expect(page).toHaveURL(`${address}/office`);
  const badge = page.getByLabel("Insigne");
  const pin = page.getByLabel("NIP");
  await badge.fill("S0");
  await pin.fill(SUPERVISOR.pin);
  const answer = await holdsNext(page, "sign-on");
  await page.keyboard.press("Enter");
  await answer.arrived;
  await badge.fill(SUPERVISOR.badge);
  await pin.fill("13");
  await (await answer.arrived).fulfill({ json: ended("refused") });
  await expect(page.locator(".notes .told")).toHaveText("Essai.");
  await expect(badge, "what was typed meanwhile").toHaveValue(SUPERVISOR.badge);
  await expect(pin, "the PIN that was typed meanwhile").toHaveValue("13");
  await expect(pin).toBeFocused();
  // In another language, and while the device says nothing, it is the same form.
  await page.keyboard.press("Alt+l");
  await expect(page.locator("input[name=badge]"), "in another language").toHaveValue(SUPERVISOR.badge);
  await page.keyboard.press("Alt+l");
  await between(page, "**/agent/state*", (route) => route.fulfill({ body: "" }));
  await expect(page.locator("#alarm")).toBeVisible();
  await page.unroute("**/agent/state*");
  await expect(badge, "once the device answers again").toHaveValue(SUPERVISOR.badge);
});

test("a key at the office leads nowhere while its device is gone", async ({ house, page }) => {
  await house.open();
  const { address } = await house.backOffice();
  await new Agent(page, address).signOn(SUPERVISOR);
  await page.goto(`${address}/office`);
  await expect(page.locator("#limits")).toBeVisible();
  await between(page, "**/agent/state*", (route) => route.fulfill({ body: "" }));
  await expect(page.locator("#alarm")).toBeVisible();
  /** @type {string[]} */
  const gone = [];
  page.on("request", (request) => request.isNavigationRequest() && gone.push(request.url()));
  await page.keyboard.press("1");
  await page.evaluate(() => {});
  expect(gone, "where a page of a silent device leads").toEqual([]);
  await page.unroute("**/agent/state*");
  await expect(page.locator("#alarm")).toBeHidden();
  await page.keyboard.press("1");
  await expect(page).toHaveURL(`${address}/limits`);
});

test("a kiosk shows nobody what the patron before asked", async ({ house, page }) => {
  await house.open();
  const { address } = await house.screen("kiosk");
  await page.goto(`${address}/`);
  await expect(page.locator("#central")).toHaveAttribute("data-state", "trusted");
  const field = page.getByLabel("Numéro de contrôle");
  await field.fill("1234567890123456");
  const verdict = await holdsNext(page, "checks");
  await field.press("Enter");
  await verdict.arrived;
  await expect(field, "the code of who asks").toHaveValue("");
  // The second of two Enters asks nothing; the next patron does, and has an answer.
  await field.press("Enter");
  await field.pressSequentially("55");
  await field.press("Enter");
  const next = await holdsNext(page, "checks");
  await (await verdict.arrived).fulfill({ json: ended("done") });
  const asked = await next.arrived;
  expect(asked.request().postDataJSON(), "what the next one asks").toEqual({ code: "55" });
  await expect(page.locator("#said"), "what the patron before asked").toBeEmpty();
  await asked.fulfill({ json: ended("refused") });
  await expect(page.locator("#said")).not.toBeEmpty();
  await expect(field, "what was mistyped is there to be put right").toHaveValue("55");
});
