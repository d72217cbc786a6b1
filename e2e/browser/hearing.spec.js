// A scanner's keys are not a person's will: what scanners type changes nothing and sells nothing, and
// what people type does what it says.
// @ts-check
import { Page, STATES, afterBurst, burstOf, isAsTyped, keyOf, load, personOf, randomOf, ratesOf } from "./bursts.js";
import { PACE_MS } from "./counter.js";
import { START_SIGN } from "./house.js";
import { plantedTextOf } from "./planted.js";
import { expect, test, testOnDuty } from "./test.js";

/** Bursts that Chromium hears: the long form has 200. */
const IN_CHROMIUM = Number(process.env.BOULIER_BURSTS ?? 24);

/** Keys that type nothing act at once: the first three of a burst do. */
const KEYS_OF_THE_PAGE = "keys of the page";

/** Keys one after the other, so many milliseconds apart. @param {string} text @param {number} gap @param {string} [end] */
const keysOf = (text, gap, end = "Enter") => [...text, ...(end === "" ? [] : [end])].map((sign, index) => keyOf(sign, "US", 1000 + gap * index));

/** @param {ReturnType<typeof keysOf>} keys @param {string} state @param {string} [start] */
const after = (keys, state, start = "") => afterBurst({ kind: "", text: "", keys, pace: 0, isEven: true }, state, start);

test.beforeEach(() => load(plantedTextOf));

test("what a scanner without a sign types changes nothing", () => {
  const bars = "0731552890146663";
  // Each of these sold, or made another slip of the one in hand.
  for (const [text, gap] of /** @type {[string, number][]} */ ([
    [bars, 45],
    ["0718334271455506", 50],
    ["07-1833-42", 2],
    ["4711", 10],
    ["471", 10],
    ["CC-1204-77", 12],
    ["CC-1204-77", 120],
    [`]Q1KT2${bars}01MPJTB`, 90],
    [`KT2${bars}01MPJTB`, 35],
    [`KT2${bars}01MPJTB`, 60],
    [`kt2${bars}01mpjtb`, 145],
  ])) {
    for (const state of STATES.filter((one) => one !== "text" || gap <= 50)) {
      const { page, isChanged } = after(keysOf(text, gap), state);
      expect(isChanged, `${text} at ${gap} ms, ${state}`).toBe(false);
      expect(page.heard, `${text} at ${gap} ms is said, ${state}`).toBe(1);
    }
  }
  // Its end comes late, or the machine brings it late.
  const late = [...keysOf("4711", 5, ""), keyOf("Enter", "US", 1200)];
  expect(after(late, "in hand").isChanged, "its end is late").toBe(false);
  expect(after(keysOf(bars, 20, ""), "empty").isChanged, "without an end").toBe(false);
  const held = new Page("empty");
  keysOf(bars, 5).forEach((key, index) => {
    held.until(index < 3 ? 1100 : index < 10 ? 1190 : 1290);
    held.take(key);
  });
  held.until(5000);
  expect([held.heard, held.draft.selections[0].numbers], "the machine is late").toEqual([1, []]);
  // A page of numbers is one sale at most, and keys of the page cut no burst into pieces.
  expect(after(keysOf("12", 5).concat(keysOf("3456", 5).map((key) => ({ ...key, at: key.at + 15 }))), "empty").page.sold).toBe(1);
  const cut = [..."07182", "ArrowDown", "3", "Enter"].map((sign, index) => keyOf(sign, "US", 1000 + 5 * index));
  expect(after(cut, "empty").isChanged, "an arrow within a burst").toBe(false);
  // A figure that is rolled with a letter is lost, and that is said.
  const rolled = after([keyOf("4", "US", 1000), keyOf("r", "US", 1020)], "empty");
  expect([rolled.isChanged, rolled.page.heard]).toEqual([false, 1]);
  // One stray letter is none, and the next number is typed.
  const stray = after([keyOf("k", "US", 1000), ...keysOf("07", 100, "").map((key) => ({ ...key, at: key.at + 400 }))], "empty");
  expect(stray.page.heard, "a stray letter").toBe(0);
  expect(stray.page.draft.selections[0].numbers).toEqual([7]);
});

test("a quick clerk is no scanner, and nothing waits after Enter", () => {
  // Five draws and Enter, as fast as a hand can: sold with Enter, and not later.
  const page = new Page("draws");
  for (const key of keysOf("5", 20)) page.press(key);
  expect(page.sold).toBe(1);
  expect(page.soldDraft.draws).toBe(5);
  // Three keys that are rolled, and Enter: length alone is no scan, and neither is pace.
  for (const gap of [5, 20, 60, 400]) expect(after(keysOf("07", gap), "empty").page.sold, `${gap} ms`).toBe(1);
  const long = after(keysOf("071833427145550612", 60), "empty");
  expect(long.page.sold).toBe(1);
  expect(long.page.heard).toBe(0);
  // A key is told when no scanner's next one can come any more, or with the next one.
  const waits = new Page("empty");
  waits.press(keyOf("7", "US", 1000));
  waits.until(1059);
  expect(waits.draft.typed).toBe("");
  waits.until(1060);
  expect(waits.draft.typed).toBe("7");
});

test("a point ends a number of one figure, goes to the next field, or is a decimal point", () => {
  /** @param {string} text */
  const typed = (text) => after(keysOf(text, 90, ""), "empty").page.draft;
  // Behind a number that ended by itself it is the next field, and nothing is a sixth number.
  const slip = typed("0718334271.20");
  expect([slip.selections[0].numbers, slip.selections[0].wager_cents]).toEqual([[7, 18, 33, 42, 71], 2000]);
  expect(typed("7.18.").selections[0].numbers).toEqual([7, 18]);
  expect(typed("7.18.").field, "behind 18, and not among the numbers").toBe("wager");
  const point = typed("07.2.50.3");
  expect([point.selections[0].wager_cents, point.draws]).toEqual([250, 3]);
});

test("bursts of scanners and sequences of people, from seeds", () => {
  const random = randomOf(20261201);
  const signed = ratesOf(random, "start sign", 4000);
  expect(signed.bands.map(({ changed, inText, sold }) => [changed, inText, sold]), "with its sign").toEqual(signed.bands.map(() => [0, 0, 0]));
  expect(signed.unread, "scans that were not told whole").toBe(0);
  // By its pace alone: one line of a code, with an end, no gap above a twentieth of a second.
  const wrong = [];
  for (let done = 0; done < 4000; done += 1) {
    const burst = burstOf(random, { paces: [1, 26] });
    const signs = burst.keys.map(({ name }) => name);
    if (burst.text.includes("\n") || burst.kind === KEYS_OF_THE_PAGE || !["Enter", "Tab"].includes(signs[signs.length - 1])) continue;
    const state = random.pick(STATES);
    const { page, isChanged } = afterBurst(burst, state);
    if (isChanged || page.heard !== 1) wrong.push(`${burst.text} in ${state}: ${signs.join(" ")}`);
  }
  expect(wrong, "one line of a scanner without a sign").toEqual([]);
  for (let done = 0; done < 4000; done += 1) {
    const keys = personOf(random);
    if (!isAsTyped(keys)) wrong.push(keys.map(({ name, at }) => `${name}@${at}`).join(" "));
  }
  expect(wrong, "slips of people").toEqual([]);
});

/** A person's key once the scanner has made its pause: until then it is swallowed. @param {import("@playwright/test").Page} page @param {string} key */
const once = async (page, key) => {
  await page.evaluate(() => {
    const all = /** @type {any} */ (globalThis);
    all.passed = 0;
    if (!all.counts) addEventListener("keydown", () => (all.passed += 1));
    all.counts = true;
  });
  const isThrough = async () => {
    await page.keyboard.press(key);
    expect(await page.evaluate(() => /** @type {any} */ (globalThis).passed)).toBe(1);
  };
  await expect(isThrough).toPass({ intervals: [400] });
};

testOnDuty("bursts at the counter change nothing, and its own scanner is read", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.press("0", "7", "1", "8");
  const numbers = page.locator('[data-field="numbers"] .value');
  await expect(numbers).toHaveText("0718");
  const heard = page.locator("#heard");
  let [reads, read, strangers] = [0, 0, 0];
  page.on("request", (request) => (reads += request.url().endsWith("/agent/scans/read") ? 1 : 0));
  const random = randomOf(7);
  for (let done = 0; done < IN_CHROMIUM; done += 1) {
    const isSigned = done % 2 === 0;
    // A stranger's at a scanner's pace; one with its sign at any.
    const burst = burstOf(random, { at: 0, hosts: ["US"], paces: isSigned ? [1, 40] : [1, 26], start: isSigned ? START_SIGN : "" });
    const lines = burst.text.split("\n");
    if (!isSigned && (lines.length > 1 || burst.kind === KEYS_OF_THE_PAGE || burst.keys.at(-1)?.name.length === 1)) continue;
    await counter.strike(burst.keys);
    if (isSigned) {
      read += 1;
      await expect.poll(() => reads, burst.text).toBe(read);
      await expect(heard, burst.text).toHaveCount(0);
      if ((await page.locator("body").getAttribute("data-mode")) === "ticket" || !/^(]\w\w)?k[bs]1/i.test(burst.text)) await counter.mode("ticket");
      await once(page, "Escape");
      await counter.mode("sale");
    } else {
      await expect(heard, burst.text).toBeVisible();
      if (strangers === 0) await counter.picture("scanner-heard");
      strangers += 1;
      await once(page, "ArrowUp");
      await expect(heard).toHaveCount(0);
    }
    await expect(numbers, burst.text).toHaveText("0718");
  }
  expect(strangers, "bursts of a stranger's scanner").toBeGreaterThan(0);
  expect(house.texts()).toHaveLength(0);
  await counter.press("Enter");
  expect(await counter.sold(1)).toMatch(/^\s+07\s+18$/m);
});

test("a scanner at an office types into no box and answers none", async ({ counter, house, page }) => {
  await counter.mode("off");
  const { address } = await house.backOffice();
  await page.goto(`${address}/office`);
  await page.getByLabel("Insigne").focus();
  await counter.strike(keysOf("4711", 4).map((key) => ({ ...key, at: key.at - 1000 })));
  await expect(page.locator("#heard")).toContainText("Un lecteur a été entendu");
  await expect(page.getByLabel("Insigne")).toHaveValue("");
  await once(page, "Home");
  await page.keyboard.type("S101", { delay: PACE_MS });
  await expect(page.getByLabel("Insigne")).toHaveValue("S101");
});

testOnDuty("keys wait while a device is plugged in", async ({ counter, page }) => {
  await counter.signOn();
  await page.route("**/agent/state*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), keys_held: true } });
  });
  const numbers = page.locator('[data-field="numbers"] .value');
  await expect(async () => {
    await page.keyboard.press("0", { delay: PACE_MS });
    await expect(page.locator("#heard")).toContainText("vient d’être branché", { timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  const before = await numbers.innerText();
  await counter.type("0718");
  await expect(numbers, "nothing was typed").toHaveText(before);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
