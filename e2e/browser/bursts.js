// What scanners type and what people type, and what the keyboard of the page makes of it, in a time of
// its own. The rules of keys are the page's own modules; the page around them is a small one, with the
// states that a key can meet.
//
//   node browser/bursts.js --bursts 1000000 --people 100000 --seed 20261201
//
// says how many bursts had an effect, by class and pace, and how many sequences of people did not do
// what they say.
// @ts-check
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of the page, as it is served. @param {string} file */
const served = (file) => readFileSync(fileURLToPath(new URL(`../../terminal/src/serve/pages/${file}`, import.meta.url)), "utf8");

/** @type {any} */
let Hearing;
/** @type {Record<string, string>} */
let US;
/** @type {any} */
let draft;

/** Takes the rules of keys from the page's modules. @param {(file: string) => string} [textOf] */
export const load = async (textOf = served) => {
  /** @param {string} file @param {string} [more] what the page itself does not need */
  const module = (file, more = "") => import(`data:text/javascript,${encodeURIComponent(textOf(file) + more)}`);
  ({ Hearing, US } = await module("counter/hearing.js", "export { US };"));
  draft = await module("counter/draft.js");
};

/** Numbers from a seed (mulberry32). @param {number} seed */
export const randomOf = (seed) => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    /** @param {number} from @param {number} to one beyond the last */
    between: (from, to) => from + Math.floor(next() * (to - from)),
    /** @template T @param {readonly T[]} some @returns {T} */
    pick: (some) => some[Math.floor(next() * some.length)],
  };
};

/** @typedef {ReturnType<typeof randomOf>} Random */
/** @typedef {import("../../terminal/src/serve/pages/counter/hearing.js").Key} Key */

const RULES = {
  pool: 80,
  selections_max: 4,
  draws_max: 20,
  wager_cents: 100,
  games: [{ code: "keno", straight: { min: 1, max: 20 }, way: {}, king: {} }],
  express: [
    { game: "keno", spots: 5, wager_cents: 100 },
    { game: "keno", spots: 10, wager_cents: 100 },
  ],
  tenders: ["cash", "coupon", "chip"],
};

/** The states of a page that a key can meet. */
export const STATES = ["empty", "in hand", "draws", "question", "amount", "text"];

const DIGITS = /^[\d.,\-/*+ ]$/;
const ENDS = ["Enter", "Tab"];

/** A page in one of its states. */
export class Page {
  #clock = 0;
  /** @type {Map<number, {act: () => void, at: number}>} */
  #timers = new Map();
  #count = 0;
  sold = 0;
  /** @type {any} */
  soldDraft = null;
  heard = 0;
  /** @type {string[][]} */
  scans = [];
  /** What stands in its field, and what its question was answered. */
  field = "";
  answers = "";
  /** The slip in hand. @type {any} */
  draft;

  /** @param {string} state @param {string} [start] the sign with which the scanner begins @param {boolean} [isHeard] whether scanners are told from people */
  constructor(state, start = "", isHeard = true) {
    this.state = state;
    this.isHeard = isHeard;
    this.draft = draft.emptyDraft(RULES);
    if (state === "in hand") for (const key of "0718") this.draft = draft.press(this.draft, key, RULES);
    if (state === "draws") this.draft = draft.express(this.draft, RULES.express[0]);
    this.hearing = new Hearing({
      typed: (/** @type {Key} */ key) => {
        this.#typed(key.name);
        return false;
      },
      scanned: (/** @type {string[]} */ read) => this.scans.push(read),
      heard: () => (this.heard += 1),
      later: (/** @type {() => void} */ act, /** @type {number} */ ms) => {
        this.#count += 1;
        this.#timers.set(this.#count, { act, at: this.#clock + ms });
        return this.#count;
      },
      never: (/** @type {number} */ timer) => this.#timers.delete(timer),
      now: () => this.#clock,
    });
    this.hearing.start = start;
  }

  /** What a burst may not change. */
  get standing() {
    return JSON.stringify([this.draft, this.field, this.answers]);
  }

  /** Its time goes on to that moment. @param {number} at */
  until(at) {
    for (;;) {
      const [first] = [...this.#timers].filter(([, timer]) => timer.at <= at).sort(([, one], [, other]) => one.at - other.at);
      if (!first) break;
      this.#timers.delete(first[0]);
      this.#clock = first[1].at;
      first[1].act();
    }
    this.#clock = at;
  }

  /** A key comes at once. @param {Key} key */
  press(key) {
    this.until(key.at);
    this.take(key);
  }

  /** A key comes, perhaps later than it was pressed. @param {Key} key */
  take(key) {
    if (!this.isHeard) {
      this.#typed(key.name);
      return;
    }
    const isSign = key.name.length === 1 || key.name === "Dead";
    const isOfPage = !isSign && key.name !== "Enter";
    const isBusy = this.hearing.isBusyAt(key.at);
    this.hearing.take(key, () => ({ isForeign: this.state !== "text" && isSign && !DIGITS.test(key.name) }), isOfPage);
    if (isOfPage && !isBusy && !this.hearing.isBusyAt(key.at)) this.#typed(key.name);
  }

  /** @param {string} name */
  #typed(name) {
    if (this.state === "amount" || this.state === "text") {
      if (name.length === 1) this.field += name;
      else if (name === "Enter" && this.field !== "") this.answers += `${this.field};`;
    } else if (this.state === "question") {
      if (["0", "1", "Enter"].includes(name)) this.answers += name;
    } else if (/^F[1-8]$/.test(name)) {
      const pick = RULES.express[Number(name.slice(1)) - 1];
      if (pick) this.draft = draft.express(this.draft, pick);
    } else if (name === "Enter") this.#enter();
    else this.draft = draft.press(this.draft, name, RULES);
  }

  /** As the counter's Enter: what is half typed ends, and a slip with a price is sold. */
  #enter() {
    const one = this.draft;
    const isHalf = one.typed !== "" && ["numbers", "written"].includes(one.field);
    const isGroup = one.field === "numbers" && draft.hasWays(one.selections[one.current]);
    if (isHalf || isGroup) this.draft = draft.press(one, "Enter", RULES);
    else if (draft.isEmpty(one)) return;
    else if (one.note) this.draft = draft.change(one, {});
    else {
      this.sold += 1;
      this.soldDraft = one;
      this.draft = draft.emptyDraft(RULES);
    }
  }
}

const BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TEN = "0123456789";
/** @param {Random} random @param {number} count @param {string} signs */
const some = (random, count, signs) => Array.from({ length: count }, () => random.pick([...signs])).join("");

/** Keys that type nothing, as they stand in a text here. @type {Record<string, string>} */
const CONTROLS = { "\uE001": "F1", "\uE002": "F2", "\uE003": "ArrowDown", "\uE004": "Escape", "\uE005": "Backspace" };

/** What scanners read, by kind. @type {Record<string, (random: Random) => string>} */
export const CODES = {
  "claim code": (random) => `KT2${some(random, 29, TEN)}${some(random, 88, BASE_32)}`,
  "slip code": (random) => `KS1${some(random, random.between(12, 60), BASE_32)}`,
  card: (random) => `KB1${some(random, 16, BASE_32)}C143`,
  bars: (random) => some(random, 16, TEN),
  "bars of low numbers": (random) => Array.from({ length: 8 }, () => String(random.between(1, 81)).padStart(2, "0")).join(""),
  "bars, read short": (random) => some(random, random.between(4, 15), TEN),
  EAN: (random) => some(random, random.pick([8, 12, 13]), TEN),
  "loyalty card": (random) => `${some(random, 2, TEN)}-${some(random, 4, TEN)}-${some(random, 2, TEN)}`,
  "club card": (random) => `${some(random, 2, "ABCX")}-${some(random, 4, TEN)}-${some(random, 2, TEN)}`,
  "short number": (random) => some(random, 4, TEN),
  "web address": (random) => `https://exemple.invalid/b?${some(random, 12, BASE_32)}`,
  licence: (random) => `@\nANSI 6360${some(random, 6, TEN)}DL\nDAQ${some(random, 9, TEN)}\nDBB${some(random, 8, TEN)}\nDCS${some(random, 7, BASE_32)}\n`,
  // As some scanners type signs that control.
  "keys of the page": (random) => Array.from({ length: random.between(4, 12) }, () => random.pick([...Object.keys(CONTROLS), ...TEN])).join(""),
  text: (random) => Array.from({ length: 12 }, () => random.pick(["12 ", "billet ", "34\n", "le ", "07.", "1\n", "+5 "])).join(""),
};

/** What ends a scan. */
const END = /** @type {Record<string, string[]>} */ ({ none: [], CR: ["Enter"], LF: ["Enter"], "CR LF": ["Enter", "Enter"], TAB: ["Tab"], doubled: ["Enter", "Enter"] });
const BEFORE = ["", "", "", "]Q1", "]C1", "]I0", "QR:", "99", "#"];

/** What the digits of the upper row type on AZERTY, without Shift. */
const AZERTY_DIGITS = "à&é\"'(-è_ç";
/** Letters that stand elsewhere there. @type {Record<string, string>} */
const AZERTY_LETTERS = { a: "q", q: "a", z: "w", w: "z", m: ",", A: "Q", Q: "A", Z: "W", W: "Z", M: "?" };
/** Signs of a US scanner on other keyboards, where they differ. @type {Record<string, Record<string, string>>} */
const HOSTS = {
  US: {},
  "Canadian French": { "~": "|", "`": "#", "]": "ç", "@": '"', "#": "/", "^": "?", "/": "é", "?": "É", "\\": "<", "|": ">", "'": "è", '"': "È", "[": "^", "{": "^", "}": "Ç" },
  CSA: { "~": "\\", "`": "/", "]": "ç", "/": "é", "?": "É", "'": "è", "\\": "à", "[": "^", "}": "Ç" },
  AZERTY: { ...Object.fromEntries([...AZERTY_DIGITS].map((sign, digit) => [String(digit), sign])), ...AZERTY_LETTERS, "~": "Dead", "-": ")", ".": ":", ":": "/", "/": "!", "]": "$", "?": "§", "=": "=", "#": "3", "@": "2" },
};

/** The key of a sign on the keyboard that scanners are set to. @param {string} sign */
const placeOf = (sign) => {
  const [code, signs] = Object.entries(US).find(([code, signs]) => signs.includes(sign) && !code.startsWith("Numpad")) ?? ["Unidentified", sign];
  return { code, shift: signs[0] !== sign };
};

/** A sign as the page hears it. @param {string} sign @param {string} host @param {number} at @returns {Key} */
export const keyOf = (sign, host, at) => {
  if (sign.length > 1) return { name: sign, text: "", code: sign, shift: false, at };
  const heard = HOSTS[host][sign] ?? sign;
  return { name: heard, text: heard.length === 1 ? heard : "", ...placeOf(sign), at };
};

/** @typedef {{kind: string, text: string, keys: Key[], pace: number, isEven: boolean}} Burst */

/** A burst of a scanner. @param {Random} random @param {{start?: string, at?: number, paces?: [number, number], hosts?: string[]}} [about] @returns {Burst} */
export const burstOf = (random, { start = "", at = 1000, paces = [1, 151], hosts = Object.keys(HOSTS) } = {}) => {
  const kind = random.pick(Object.keys(CODES));
  const before = random.pick(BEFORE);
  const code = CODES[kind](random);
  const text = before + (random.next() < 0.3 ? code.toLowerCase() : code);
  const host = random.pick(hosts);
  const pace = random.between(...paces);
  const isEven = random.next() < 0.5;
  const signs = [...start, ...[...text].map((sign) => (sign === "\n" ? "Enter" : (CONTROLS[sign] ?? sign))), ...END[random.pick(Object.keys(END))]];
  const keys = signs.map((sign) => {
    at += isEven ? pace : random.between(1, 2 * pace);
    return keyOf(sign, host, at);
  });
  return { kind, text, keys, pace, isEven };
};

/** A page in a state, after a burst. @param {Burst} burst @param {string} state @param {string} [start] */
export const afterBurst = (burst, state, start = "") => {
  const page = new Page(state, start);
  const before = page.standing;
  for (const key of burst.keys) page.press(key);
  page.until((burst.keys.at(-1)?.at ?? 0) + 3000);
  return { page, isChanged: page.standing !== before || page.sold > 0 };
};

/** What a person does at the slip, key by key. @param {Random} random */
const slipOf = (random) => {
  const way = random.next();
  if (way < 0.15) return ["F1", ...(random.next() < 0.5 ? ["5"] : []), "Enter"];
  if (way < 0.25) return ["F2", "5", "Enter"];
  if (way < 0.35) return ["*", String(random.between(1, 10)), "Enter"];
  const numbers = new Set();
  const count = random.pick([1, 2, 5, 5, 8, 10, 15]);
  while (numbers.size < count) numbers.add(random.between(1, 81));
  const keys = [...numbers].flatMap((number) => {
    // A number that was typed wrong is taken back.
    const wrong = random.next() < 0.05 ? [...String(random.between(10, 81)), "-"] : [];
    const digits = number < 10 && random.next() < 0.5 ? [String(number), "."] : [...String(number).padStart(2, "0")];
    return [...wrong, ...digits];
  });
  const more = random.next() < 0.2 ? ["Tab", "2"] : [];
  return [...keys, ...more, "Enter"];
};

/** A person at a slip: 60 to 400 ms a key, now and then two rolled. @param {Random} random @returns {Key[]} */
export const personOf = (random) => {
  let at = 1000;
  let wasRolled = false;
  return slipOf(random).map((name) => {
    const isRolled = !wasRolled && random.next() < 0.1;
    at += isRolled ? random.between(5, 50) : random.between(60, 401);
    wasRolled = isRolled;
    return { name, text: name.length === 1 ? name : "", code: "", shift: false, at };
  });
};

/** Whether a person's keys did what they say. @param {Key[]} keys */
export const isAsTyped = (keys) => {
  const [page, plain] = [new Page("empty"), new Page("empty", "", false)];
  for (const key of keys) {
    page.press(key);
    plain.press(key);
  }
  page.until((keys.at(-1)?.at ?? 0) + 3000);
  return page.heard === 0 && page.standing === plain.standing && page.sold === plain.sold && JSON.stringify(page.soldDraft) === JSON.stringify(plain.soldDraft);
};

const START = "~";
/** Milliseconds of the longest gap. */
const BANDS = [50, 100, 150, 300];

/** The longest gap of a burst. @param {Burst} burst */
const gapOf = ({ keys }) => Math.max(...keys.slice(1).map(({ at }, before) => at - keys[before].at));

/** So many bursts of a class: how many had an effect, by pace. @param {Random} random @param {"start sign" | "stranger"} of @param {number} count */
export const ratesOf = (random, of, count) => {
  const start = of === "start sign" ? START : "";
  const bands = BANDS.map((to) => ({ to, bursts: 0, sold: 0, changed: 0, inText: 0, kinds: /** @type {Record<string, number>} */ ({}) }));
  let unread = 0;
  for (let done = 0; done < count; done += 1) {
    const burst = burstOf(random, { start });
    const state = random.pick(STATES);
    const { page, isChanged } = afterBurst(burst, state, start);
    const band = /** @type {typeof bands[0]} */ (bands.find(({ to }) => gapOf(burst) <= to));
    band.bursts += 1;
    if (page.sold > 0) band.sold += 1;
    if (isChanged) {
      if (state === "text") band.inText += 1;
      else band.changed += 1;
      band.kinds[`${burst.kind}, ${state}`] = (band.kinds[`${burst.kind}, ${state}`] ?? 0) + 1;
    }
    // What a scanner with a sign reads up to its first end is told, by its own layout at least.
    if (start !== "" && !page.scans.some((read) => read.includes(burst.text.split("\n")[0].replace(/[\uE000-\uE0FF]/g, "")))) unread += 1;
  }
  return { bands, unread };
};

/** @param {string} name @param {number} fallback */
const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};

const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;

const main = () => {
  const random = randomOf(argument("seed", 20261201));
  const [bursts, people] = [argument("bursts", 1_000_000), argument("people", 100_000)];
  let isWell = true;
  for (const of of /** @type {const} */ (["start sign", "stranger"])) {
    const { bands, unread } = ratesOf(random, of, Math.ceil(bursts / 2));
    console.log(`class ${of === "stranger" ? "C" : "B"}: longest gap in milliseconds: bursts, sold, changed a slip, a question or an amount, typed into a field of text`);
    for (const { to, bursts, sold, changed, inText, kinds } of bands) {
      console.log(`  up to ${to}: ${bursts}, ${percent(sold, bursts)}, ${percent(changed, bursts)}, ${percent(inText, bursts)}`);
      for (const [kind, count] of Object.entries(kinds).sort(([, one], [, other]) => other - one).slice(0, 5)) console.log(`    ${kind}: ${count}`);
    }
    const changed = bands.reduce((sum, band) => sum + band.changed + band.inText, 0);
    console.log(`  all: ${percent(bands.reduce((sum, band) => sum + band.sold, 0), bursts / 2)} sold, ${percent(changed, bursts / 2)} changed`);
    if (of === "start sign") {
      console.log(`  not read whole: ${unread}`);
      isWell &&= changed === 0 && unread === 0;
    }
  }
  let wrong = 0;
  for (let done = 0; done < people; done += 1) if (!isAsTyped(personOf(random))) wrong += 1;
  console.log(`people: ${people} slips, ${wrong} of them not as typed`);
  process.exitCode = isWell && wrong === 0 ? 0 : 1;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await load();
  main();
}
