// What is looked at in each state of a page, and hands that have a keyboard and no mouse. What is
// found wrong with a state is told at the end of the test: one run shows them all.
// @ts-check
import { readFileSync } from "node:fs";
import axe from "axe-core";
import { PACE_MS, picture } from "./counter.js";
import { expect } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

/** The counter's own screen. */
const SCREEN = { width: 1366, height: 768 };
/** At twice the size there is half the room. */
const HALF = { width: 683, height: 384 };

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** By the rules of WCAG 2.2 AA. @param {Page} page @param {string} state */
export const fits = async (page, state) => {
  // A page has axe once, and of what is well it says no more than the rule.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (rules) => {
    const { passes, violations } = await /** @type {typeof axe} */ (/** @type {any} */ (globalThis).axe).run(document, { runOnly: rules, resultTypes: ["violations"] });
    return { passes: passes.length, violations: violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`) };
  }, RULES);
  expect.soft(found.violations, `${state}, by axe`).toEqual([]);
  expect.soft(found.passes, `${state}: rules that were looked at`).toBeGreaterThan(10);
};

/** Nothing is cut off at the side of the screen. @param {Page} page @param {string} state */
export const hasNoSideways = async (page, state) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(wide, `${state}: pixels beyond the side`).toBeLessThanOrEqual(0);
};

/** A state as it stands, in one language and size. @param {Page} page @param {string} state */
export const fitsAsItIs = async (page, state) => {
  await fits(page, state);
  await hasNoSideways(page, state);
};

/**
 * Every word stands within its box and within all boxes around it. A list that scrolls may have
 * more below, never at its side.
 * @param {Page} page @param {string} state
 */
export const isWhole = async (page, state) => {
  const cut = await page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const boxOf = (/** @type {Range} */ range) => [...range.getClientRects()].filter((one) => one.width > 0);
    while (words.nextNode()) {
      const node = words.currentNode;
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || element instanceof SVGElement) continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      range.selectNodeContents(node);
      for (const text of boxOf(range)) {
        let isBelow = false;
        for (let around = /** @type {Element | null} */ (element); around && around !== document.documentElement; around = around.parentElement) {
          const { display, overflowX, overflowY, position } = getComputedStyle(around);
          if (["inline", "contents"].includes(display)) continue;
          const box = around.getBoundingClientRect();
          const isBeside = text.left < box.left - 1 || text.right > box.right + 1;
          const scrolls = ["auto", "scroll"].includes(overflowY);
          const isOver = !isBelow && !scrolls && (text.top < box.top - 3 || text.bottom > box.bottom + 3);
          if ((isBeside && overflowX !== "scroll") || isOver) {
            found.push(`“${node.textContent.trim()}” ${isBeside ? "beside" : "over"} <${around.tagName.toLowerCase()} id="${around.id}" class="${around.className}">`);
            break;
          }
          isBelow ||= scrolls;
          if (position === "fixed") break;
        }
      }
    }
    return [...new Set(found)];
  });
  expect.soft(cut, `${state}: words beyond their box`).toEqual([]);
};

/** The whole state is on the screen: nobody scrolls with a queue in front of them. @param {Page} page @param {string} state */
export const isOnTheScreen = async (page, state) => {
  const beyond = await page.evaluate(() => {
    // A long ticket and a long sheet scroll within themselves.
    const zones = ["html", "#work", "#total", "#strip", "#side", "main", "dialog"];
    return zones.flatMap((name) =>
      [...document.querySelectorAll(name)]
        .filter((one) => one.checkVisibility() && one.scrollHeight > one.clientHeight + 1)
        .map((one) => `${name} by ${one.scrollHeight - one.clientHeight} px`),
    );
  });
  expect.soft(beyond, `${state}: what does not fit the screen`).toEqual([]);
};

/** Twelve millimetres of a screen that is 1366 wide and as large as a counter's are. */
const FINGER = 44;

/** What a finger does not hit for sure. @param {import("@playwright/test").Page} page */
export const small = (page) =>
  page.locator("main button:visible, footer button:visible").evaluateAll((all, least) => {
    const sides = (/** @type {Element} */ one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height);
    return all.filter((one) => sides(one) < least).map((one) => `${one.textContent} ${sides(one)}`);
  }, FINGER);

/** @param {"fr" | "en"} language @returns {Record<string, string>} */
const catalogue = (language) => JSON.parse(readFileSync(new URL(`../../terminal/src/serve/pages/words/${language}.json`, import.meta.url), "utf8"));
/** What a catalogue says, without its values. @param {"fr" | "en"} language */
const sayings = (language) => Object.values(catalogue(language)).flatMap((text) => text.replace(/\s+/g, " ").split(/\{\w+\}/).map((one) => one.trim()));
const ALL = { fr: sayings("fr").join("\n"), en: sayings("en").join("\n") };
/** What one language says and the other does not. @param {"fr" | "en"} language @param {"fr" | "en"} other */
const own = (language, other) => [...new Set(sayings(language))].filter((one) => one.length > 3 && /\p{L}{3}/u.test(one) && !ALL[other].includes(one));
const OWN = { fr: own("fr", "en"), en: own("en", "fr") };
/** Small words, which are in every sentence that the device says. */
const SMALL = {
  fr: /(?<![\p{L}’'-])(les?|une?|est|sont|pas|cette|pour|avec|sur|dans|aux?|ou|du|et|mise|billet|caisse|tirages?|préposé|numéros|imprimante|ventes)(?![\p{L}’'-])/iu,
  en: /(?<![\p{L}’'-])(the|is|are|not|and|this|with|for|from|was|has|of|to|or|draws?|tickets?|wager|till|clerk|numbers|printer|sales)(?![\p{L}’'-])/iu,
};

/** Every word on a page, and those that are only read aloud. @param {Page} page @returns {Promise<string[]>} */
const wordsOf = (page) =>
  page.evaluate(() => {
    /** @type {string[]} */
    const said = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      // A language that is said to be another, a path, a code, and what people typed are as they are.
      if (!element || element.closest("[lang]:not(html), .hash, .code, script")) continue;
      if (element.checkVisibility({ visibilityProperty: true })) said.push(walker.currentNode.textContent?.replace(/\s+/g, " ").trim() ?? "");
    }
    for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
      for (const name of ["aria-label", "title", "placeholder"]) said.push(one.getAttribute(name) ?? "");
    }
    return said.filter((one) => one !== "");
  });

/**
 * No word of the other language stands on the page.
 * @param {Page} page @param {string} state @param {"fr" | "en"} language @param {string[]} [typed] what people typed, in whatever language
 */
export const speaks = async (page, state, language, typed = []) => {
  const other = language === "fr" ? "en" : "fr";
  const bad = [];
  for (const said of await wordsOf(page)) {
    let words = said;
    for (const one of typed) words = words.replaceAll(one, "");
    // What this language says itself is taken out; what is left comes from the device, or should not be there.
    const foreign = OWN[other].find((one) => words === one || (one.length >= 8 && words.includes(one)));
    const small = catalogueSays(language, words) ? null : SMALL[other].exec(words);
    if (foreign || small) bad.push(`${said} (${foreign ?? small?.[0]})`);
  }
  const name = { fr: "French", en: "English" };
  expect.soft(bad, `${state}: ${name[other]} on the ${name[language]} page`).toEqual([]);
};

/** @param {"fr" | "en"} language @param {string} words */
const catalogueSays = (language, words) => words.length > 3 && ALL[language].includes(words);

/**
 * Looks at a state: by axe, on one screen, in both languages, and at twice the size.
 * @param {Page} page @param {string} state
 * @param {object} [how]
 * @param {boolean} [how.mayScroll] it may be longer than the screen
 * @param {string} [how.language] the key that changes the language; a box keeps the one in which it was opened
 * @param {string[]} [how.typed] what people typed
 * @param {string} [how.central] how central stands to the counter; not asked when empty
 * @param {boolean} [how.axeInEnglish] axe looks at the English page too, whose names and widths are others
 */
export const looks = async (page, state, { mayScroll = false, language = "Alt+l", typed = [], central = "trusted", axeInEnglish = false } = {}) => {
  await picture(page, `state-${state}`);
  await fits(page, state);
  await isWhole(page, state);
  if (!mayScroll) await isOnTheScreen(page, state);
  await speaks(page, state, "fr", typed);
  if (language !== "") {
    await page.keyboard.press(language);
    await expect(page.locator("html")).toHaveAttribute("lang", /^en/);
    await speaks(page, state, "en", typed);
    await isWhole(page, `${state} in English`);
    if (axeInEnglish) await fits(page, `${state} in English`);
    if (!mayScroll) await isOnTheScreen(page, `${state} in English`);
    await page.keyboard.press(language);
    await expect(page.locator("html")).toHaveAttribute("lang", /^fr/);
  }
  await page.setViewportSize(HALF);
  await hasNoSideways(page, `${state} at 200 %`);
  await isWhole(page, `${state} at 200 %`);
  await picture(page, `state-${state}-200`);
  await page.setViewportSize(SCREEN);
  // A machine that is busy with all this may have kept the agent from hearing central.
  if (central !== "" && (await page.locator("body[data-central]").count()) > 0) await expect(page.locator("body")).toHaveAttribute("data-central", central);
};

/**
 * Looks at the player's screen, which says everything in both languages at once.
 * @param {Page} page @param {string} state
 */
export const looksAtPlayer = async (page, state) => {
  await picture(page, `player-${state}`);
  await fits(page, `${state}, the player’s screen`);
  await isWhole(page, `${state}, the player’s screen`);
  await isOnTheScreen(page, `${state}, the player’s screen`);
};

/** Hands that have a keyboard and no mouse: whoever uses one fails the test. */
export class Hands {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
  }

  /** Takes the mouse away, from this page and from those that it goes to. */
  async begin() {
    const watch = () => {
      for (const what of ["pointerdown", "mousedown", "touchstart"]) addEventListener(what, () => console.error("a mouse was used"), { capture: true });
    };
    await this.page.addInitScript(watch);
    await this.page.evaluate(watch);
    return this;
  }

  /** Presses keys as a person does. @param {...string} keys */
  async press(...keys) {
    for (const key of keys) {
      await expect(this.page.locator("body")).not.toHaveAttribute("data-keys", "held");
      await this.page.keyboard.press(key, { delay: PACE_MS });
    }
  }

  /** Types as a person does. @param {string} text */
  async type(text) {
    await this.page.keyboard.type(text, { delay: PACE_MS });
  }

  /** Goes to an element with Tab or an arrow, and sees that it shows where it is. @param {Locator} target @param {string} [key] */
  async goesTo(target, key = "Tab") {
    await expect(target).toBeVisible();
    for (let step = 0; step < 40; step += 1) {
      if (await target.evaluate((one) => one === document.activeElement)) {
        await this.seesWhereItIs(target);
        return;
      }
      await this.press(key);
    }
    const there = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    throw new Error(`${key} does not come to ${target}, but to ${there}`);
  }

  /** The focus can be seen, and nothing lies over it (2.4.7, 2.4.11). @param {Locator} target */
  async seesWhereItIs(target) {
    const seen = await target.evaluate((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return { isMarked: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2, isOnTop: top !== null && (one.contains(top) || top.contains(one)) };
    });
    expect(seen, `where the focus is: ${target}`).toEqual({ isMarked: true, isOnTop: true });
  }

  /** Fills the fields of the box that asks, one after the other, and says yes. @param {Locator} box @param {...string} values */
  async answers(box, ...values) {
    await this.fills(box, ...values);
    await this.press("Enter");
  }

  /** Answers once more what was refused: what was typed stands there, but for badges and PINs. @param {Locator} box @param {string} kept @param {...string} values */
  async answersAgain(box, kept, ...values) {
    const fields = box.locator("input, select");
    await expect(fields.first()).toHaveValue(kept);
    for (const [index, value] of values.entries()) {
      if (index > 0) await this.press("Tab");
      await expect(fields.nth(1 + index)).toBeFocused();
      await this.type(value);
    }
    await this.press("Enter");
  }

  /** As answers, without the last key. @param {Locator} box @param {...string} values */
  async fills(box, ...values) {
    const fields = box.locator("input, select");
    await expect(fields).toHaveCount(values.length);
    for (const [index, value] of values.entries()) {
      if (index > 0) await this.press("Tab");
      await expect(fields.nth(index)).toBeFocused();
      await this.type(value);
    }
  }
}
