// A test at the pages: a house for each, or one counter at work for many. Whatever a page complains of
// fails its test, and a run of planted faults wants each of them to be seen.
// @ts-check
import { rmSync } from "node:fs";
import { test as base, expect } from "@playwright/test";
import { COMPLAINTS, Counter, PACE_MS, counterOf } from "./counter.js";
import { CLERK, House } from "./house.js";
import { PLANTED, SEES, isSeenBy, plant, titles } from "./planted.js";
import { Printer } from "./printer.js";

export { expect };

/** The tag of tests in which central goes away: only there may a page be told so by its agent. */
export const AWAY = "@central-goes-away";

/**
 * `house` is not open yet, for tests that want other draws; `counter` is the page of T02 in a house
 * that is; `printer` is one that can go wrong.
 * @typedef {{ house: House, counter: Counter, printer: Printer }} Ours
 * @typedef {import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions} Given
 * @typedef {import("@playwright/test").PlaywrightWorkerArgs & import("@playwright/test").PlaywrightWorkerOptions} GivenOnce
 */

/** What begins the last failure of a test, which is no fault but what its pages say. */
export const STANDS_THERE = "what stood there when the test failed";

/** Where a test has failed on another machine, this is all there is to see of it. @param {import("@playwright/test").BrowserContext} context */
const saysWhatStandsThere = async (context) => {
  const said = context.pages().map(async (one) => `${one.url()}\n${await one.evaluate(() => document.body.innerText.replace(/\s*\n\s*/g, "\n")).catch(String)}`);
  expect.soft(false, `${STANDS_THERE}:\n${(await Promise.all(said)).join("\n\n")}\n`).toBe(true);
};

/** Every key is held as long as a finger holds it: six at a machine's pace are a scanner's. @param {import("@playwright/test").Page} page */
const pace = ({ keyboard }) => {
  const all = Object.getPrototypeOf(keyboard);
  if (all.isPaced) return;
  const { press } = all;
  /** @param {string} key @param {{delay?: number}} [options] */
  all.press = function (key, options) {
    return press.call(this, key, { delay: PACE_MS, ...options });
  };
  all.isPaced = true;
};

/**
 * Hears what a page complains of; other pages of the same browser are heard too.
 * @param {import("@playwright/test").BrowserContext} context @param {import("@playwright/test").Page} page @param {boolean} isAway
 */
const hears = async (context, page, isAway) => {
  /** @type {string[]} */
  const complaints = [];
  COMPLAINTS.set(page, complaints);
  pace(page);
  context.on("weberror", (fault) => complaints.push(`an error of the page: ${fault.error().stack ?? fault.error()}`));
  context.on("console", (message) => {
    // Central that was stopped is no fault of the page: its agent says so.
    if (isAway && message.text().includes("status of 503")) return;
    if (["error", "warning"].includes(message.type())) {
      complaints.push(`the console: ${message.text()} (${message.location().url})`);
    }
  });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`against the page's policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  await plant(page);
  return complaints;
};

/** @param {string[]} complaints @param {import("@playwright/test").BrowserContext} context @param {import("@playwright/test").TestInfo} info */
const wasWell = async (complaints, context, info) => {
  expect.soft(complaints, "what the page complained of").toEqual([]);
  if (info.errors.length > 0 && info.expectedStatus === "passed") await saysWhatStandsThere(context);
};

/** @type {import("@playwright/test").Fixtures<Ours, {}, Given>} */
const FIXTURES = {
  house: async ({}, use) => {
    const house = new House();
    try {
      await use(house);
    } finally {
      await house.close();
    }
  },
  // Whatever a page complains of fails the test.
  page: async ({ page, context }, use, info) => {
    const complaints = await hears(context, page, info.tags.includes(AWAY));
    await use(page);
    await wasWell(complaints, context, info);
  },
  counter: async ({ house, page }, use) => {
    await house.open();
    await use(await counterOf(house, page));
  },
  printer: async ({}, use) => {
    const printer = new Printer();
    await printer.plugIn();
    try {
      await use(printer);
    } finally {
      printer.unplug();
    }
  },
};

/** @typedef {import("@playwright/test").TestType<Given & Ours, GivenOnce>} Test */

/** Faults that are to be seen, by their names; none in a run that is to pass. */
const TO_SEE = (process.env.BOULIER_PROVE ?? "").split("\n").filter((name) => name !== "");

/** In a run of faults a test is run once for each of its own, and must fail each time. @param {Test} test @returns {Test} */
const forItsFaults = (test) => {
  const all = titles();
  const sees = (/** @type {string} */ title, /** @type {any[]} */ ...rest) => {
    const body = rest.pop();
    const own = all.find((one) => one.test === title);
    if (!own) throw new Error(`no title of a test is written so: ${title}`);
    for (const name of TO_SEE.filter((name) => isSeenBy(PLANTED[name], own))) {
      test.fail(`${title}: ${name}`, { ...rest[0], annotation: { type: SEES, description: name } }, body);
    }
  };
  const extend = (/** @type {any} */ fixtures) => forItsFaults(/** @type {any} */ (test.extend(fixtures)));
  return /** @type {Test} */ (Object.assign(sees, test, { extend }));
};

/** @type {Test} */
const plain = base.extend(/** @type {any} */ (FIXTURES));
export const test = TO_SEE.length > 0 ? forItsFaults(plain) : plain;

/** A counter at work: who is on duty there stays for the next test. @type {Counter | null} */
let atWork = null;

/** @param {Counter} counter */
const closes = async (counter) => {
  atWork = null;
  await counter.page.context().close();
  await counter.house.close();
};

/** Makes the counter ready for the next test, as a page that is opened anew; whether nothing was left open there. @param {Counter} counter */
const goesOn = async (counter) => {
  const { house, page, address } = counter;
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const other of page.context().pages()) if (other !== page) await other.close();
  const state = await (await fetch(`${address}/agent/state`)).json();
  if (state.badge !== CLERK.badge || state.locked || state.open.length > 0 || state.messages.length > 0) return false;
  await page.goto(`${address}/`);
  await counter.sells();
  house.countsFromHere();
  counter.complaints.splice(0);
  return true;
};

/** @param {import("@playwright/test").Browser} browser */
const opens = async (browser) => {
  const house = await new House().open();
  process.once("exit", () => rmSync(house.folder, { recursive: true, force: true }));
  const context = await browser.newContext();
  const page = await context.newPage();
  await hears(context, page, false);
  const counter = await counterOf(house, page);
  await counter.signOn();
  counter.isOnDuty = true;
  return counter;
};

/** @type {import("@playwright/test").Fixtures<Ours, {}, Given & Ours, GivenOnce>} */
const ON_DUTY = {
  page: async ({ browser }, use, info) => {
    if (atWork && (info.expectedStatus !== "passed" || !(await goesOn(atWork)))) await closes(atWork);
    const counter = (atWork ??= await opens(browser));
    await use(counter.page);
    await wasWell(counter.complaints, counter.page.context(), info);
    if (info.errors.length > 0) await closes(counter);
  },
  house: async ({ page }, use) => use(/** @type {Counter} */ (atWork && page && atWork).house),
  counter: async ({ page }, use) => use(/** @type {Counter} */ (atWork && page && atWork)),
};

/**
 * A test at a counter whose clerk is on duty already: house, page and clerk are those of the tests before
 * it in this process, if they left nothing open. Papers are counted from its beginning. It may change
 * nothing that stays in the page when it is opened anew, and waits for its papers.
 */
export const testOnDuty = test.extend(ON_DUTY);
