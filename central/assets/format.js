// Numbers and money as each language writes them, like the pages that the server renders.
const NBSP = "\u00a0";

/** @param {string} digits @param {string} separator */
const grouped = (digits, separator) => digits.replace(/\B(?=(\d{3})+$)/g, separator);

/** An amount in integer cents. @param {number} cents @param {"fr"|"en"} lang */
export function money(cents, lang) {
  const sign = cents < 0 ? "\u2212" : "";
  const size = Math.abs(cents);
  const whole = grouped(String(Math.trunc(size / 100)), lang === "fr" ? NBSP : ",");
  const part = String(size % 100).padStart(2, "0");
  return lang === "fr" ? `${sign}${whole},${part}${NBSP}$` : `${sign}$${whole}.${part}`;
}

/** A draw number by threes, six digits at least. @param {number} draw */
export const drawNumber = (draw) => grouped(String(draw).padStart(6, "0"), NBSP);

/** @param {number} number */
export const two = (number) => String(number).padStart(2, "0");

/** `HH:MM` of a local `yyyy-mm-dd HH:MM`. @param {string} local */
export const hour = (local) => local.slice(11, 16);

/** A countdown that never promises time that is not there. @param {number} leftMs */
export function countdown(leftMs) {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`;
}

const MONTHS = {
  fr: ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
  en: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
};

/** A day given as `yyyy-mm-dd`. @param {string} day @param {"fr"|"en"} lang */
export function date(day, lang) {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  const month = parts && MONTHS[lang][Number(parts[2]) - 1];
  if (!month) return day;
  const number = Number(parts[3]);
  return lang === "fr"
    ? `${number}${number === 1 ? "er" : ""}${NBSP}${month}${NBSP}${parts[1]}`
    : `${month}${NBSP}${number}, ${parts[1]}`;
}

/** A control number with all but its last four digits covered. @param {string} digits */
export const masked = (digits) => `••••${NBSP}••••${NBSP}••••${NBSP}${digits.slice(12)}`;

/** Puts values into the `{name}` places of a sentence. */
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
