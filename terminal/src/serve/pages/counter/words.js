// The words of the screen in both languages, and how money, numbers of draws and times are written.
// @ts-check
import en from "/en.json" with { type: "json" };
import fr from "/fr.json" with { type: "json" };

/** @type {Record<string, Record<string, string>>} */
const CATALOGUES = { fr, en };
const NO_BREAK = "\u00a0";

let language = "fr";
/** @type {(() => void)[]} */
const listeners = [];

/** The language in force: `fr` or `en`. */
export const inForce = () => language;

/** @param {string} to */
export const speak = (to) => {
  language = to === "en" ? "en" : "fr";
  document.documentElement.lang = language === "fr" ? "fr-CA" : "en-CA";
  dress(document);
  for (const listener of listeners) listener();
};

/** @param {() => void} listener */
export const onLanguage = (listener) => listeners.push(listener);

/**
 * The words of a key, with values for `{name}`.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export const t = (key, values = {}) => {
  const text = CATALOGUES[language][key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
};

/**
 * The words of a key in French and in English, for a screen that shows both.
 * @param {string} key @param {(language: string) => Record<string, string | number>} [values]
 * @returns {[string, string]}
 */
export const both = (key, values = () => ({})) => {
  const now = language;
  const [first, second] = ["fr", "en"].map((one) => {
    language = one;
    return t(key, values(one));
  });
  language = now;
  return [first, second];
};

/** @param {(cents: number) => string} write @returns {(of: string, cents: number) => string} */
const inLanguage = (write) => (of, cents) => {
  const now = language;
  language = of;
  const text = write(cents);
  language = now;
  return text;
};

/** An amount in a language. */
export const moneyIn = inLanguage((cents) => money(cents));

/** A short amount in a language. */
export const shortMoneyIn = inLanguage((cents) => shortMoney(cents));

/** French whose signs stay with their words; the device says it on paper too, with plain spaces. @param {string} text */
const unbroken = (text) => text.replace(/ (?=[:;?!»])/g, NO_BREAK).replace(/« /g, `«${NO_BREAK}`);

/** A sentence that comes in both languages. @param {{fr: string, en: string}} sentence */
export const say = (sentence) => (language === "fr" ? unbroken(sentence.fr) : sentence.en);

/** The words of what stands in the page itself. @param {ParentNode} root */
export const dress = (root) => {
  for (const element of root.querySelectorAll("[data-t]")) {
    element.textContent = t(/** @type {HTMLElement} */ (element).dataset.t ?? "");
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
  }
};

/** @param {string} digits @param {string} between */
const byThousands = (digits, between) => digits.replace(/\B(?=(\d{3})+$)/g, between);

/** An amount: `1 234,50 $` or `$1,234.50`. @param {number} cents */
export const money = (cents) => {
  const sign = cents < 0 ? "-" : "";
  const size = Math.abs(cents);
  const whole = String(Math.trunc(size / 100));
  const part = String(size % 100).padStart(2, "0");
  return language === "fr"
    ? `${sign}${byThousands(whole, NO_BREAK)},${part}${NO_BREAK}$`
    : `${sign}$${byThousands(whole, ",")}.${part}`;
};

/** A short amount for keys: `2 $`, `2,50 $`. @param {number} cents */
export const shortMoney = (cents) => {
  if (cents % 100 !== 0) return money(cents);
  const whole = String(cents / 100);
  return language === "fr" ? `${byThousands(whole, NO_BREAK)}${NO_BREAK}$` : `$${byThousands(whole, ",")}`;
};

/** `048 214`. @param {number} number */
export const drawNumber = (number) => byThousands(String(number).padStart(6, "0"), NO_BREAK);

/** `07`. @param {number} number */
export const ball = (number) => String(number).padStart(2, "0");

/** Numbers in their order, of which three and more in a row are said by their ends. @param {number[]} numbers */
export const inRows = (numbers) => {
  /** @type {number[][]} */
  const rows = [];
  for (const number of numbers) {
    const row = rows.at(-1);
    if (row?.at(-1) === number - 1) row.push(number);
    else rows.push([number]);
  }
  return rows.flatMap((row) => (row.length > 2 ? [`${ball(row[0])}–${ball(row[row.length - 1])}`] : row.map(ball)));
};

/** The last four digits of a control number. @param {string} number */
export const endOf = (number) => `…${number.replace(/\D/g, "").slice(-4)}`;

/** The clock part of a local time. @param {string} local `yyyy-mm-dd HH:MM[:SS]` */
export const clock = (local) => local.slice(11);

/** The day part. @param {string} local */
export const day = (local) => local.slice(0, 10);

/** `1:42` of milliseconds. @param {number} ms */
export const minutes = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, left] = [Math.floor(seconds / 3600), seconds % 3600];
  const short = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return hours === 0 ? short : `${hours}${NO_BREAK}h${NO_BREAK}${String(Math.floor(left / 60)).padStart(2, "0")}`;
};

/** A letter for a selection, A first, and AA after Z as on the ticket. @param {number} index @returns {string} */
export const letter = (index) => (index < 26 ? "" : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** A ticket that nobody there holds: its leaf, the end of its number, where and when it was sold. @param {any} reference */
export const referenceWords = ({ ticket, number, terminal, sold_at_local }) => `#${ticket} · ${number} · ${terminal} · ${sold_at_local}`;
