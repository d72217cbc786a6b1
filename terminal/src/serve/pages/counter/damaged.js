// A paper whose code cannot be read (s. 83): what stands on it is typed and a second person looks, or
// the paper is kept and others decide about its file.
// @ts-check
import { ask, secondOf, secondPerson, shown } from "/ask.js";
import { post } from "/device.js";
import { centsTyped } from "/draft.js";
import { el } from "/dom.js";
import { t } from "/words.js";

/** What stands on a paper beside its number. @param {boolean} optional @returns {import("/ask.js").Asked[]} */
const facts = (optional) => [
  { name: "first_draw", words: "damaged.first_draw", optional },
  { name: "last_draw", words: "damaged.last_draw", optional },
  { name: "total", words: "damaged.total", type: "amount", optional },
  { name: "terminal", words: "damaged.terminal", optional },
  { name: "numbers", words: "damaged.numbers", optional },
];

/** A whole number as it was typed, blanks aside; absent where it is none. @param {string} text */
const whole = (text) => {
  const digits = (text ?? "").replace(/\s/g, "");
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
};

/** What was typed, as a command carries it. @param {Record<string, string>} given */
const readingOf = (given) => {
  const total = given.total ? centsTyped(given.total) : null;
  const numbers = (given.numbers ?? "").split(/[^\d]+/).filter(Boolean).map(Number);
  return {
    ...(whole(given.first_draw) === undefined ? {} : { first_draw: whole(given.first_draw) }),
    ...(whole(given.last_draw) === undefined ? {} : { last_draw: whole(given.last_draw) }),
    ...(total === null ? {} : { total_cents: total }),
    ...(given.terminal ? { terminal: given.terminal } : {}),
    numbers: numbers.filter((number) => number <= 255),
  };
};

/**
 * Types a paper with a second person; the answer of the device, or null when it was left.
 * @param {string} number
 */
export const readPaper = async (number) => {
  const given = await ask({
    title: t("damaged.read_title"),
    text: t("damaged.read_text"),
    fields: [{ name: "number", words: "number.label", value: number }, ...facts(false), ...secondPerson()],
    yes: t("damaged.read_key"),
  });
  if (given === null) return null;
  return post("damaged/readings", { number: given.number.replace(/\s/g, ""), reading: readingOf(given), second: secondOf(given) });
};

/**
 * Keeps a paper and opens its file; the answer of the device, or null when it was left.
 * @param {string} [number]
 */
export const openFile = async (number = "") => {
  const given = await ask({
    title: t("damaged.file_title"),
    text: t("damaged.file_text"),
    fields: [
      { name: "number", words: "damaged.legible", value: number },
      ...facts(true),
      { name: "presented_by", words: "damaged.presented_by" },
      { name: "note", words: "damaged.note" },
    ],
    yes: t("damaged.file_key"),
  });
  if (given === null) return null;
  return post("damaged/files", {
    number: given.number.replace(/\s/g, ""),
    reading: readingOf(given),
    presented_by: given.presented_by,
    note: given.note,
  });
};

/** Why nothing is paid. */
const REASONS = ["not_one_ticket", "not_genuine", "no_prize", "withdrawn_or_paid", "late", "other"];

/** What stands on the paper of a file, line by line. @param {any} file */
export const fileParts = (file) => {
  const { reading } = file;
  const lines = [
    t("damaged.by", { by: file.presented_by, at: file.opened_at_local, terminal: file.terminal, badge: file.badge }),
    t("damaged.digits", { digits: file.digits }),
    reading.first_draw === undefined ? "" : t("damaged.draws", { first: reading.first_draw, last: reading.last_draw ?? "?" }),
    reading.terminal ? t("damaged.sold_at", { terminal: reading.terminal }) : "",
    reading.numbers?.length ? t("damaged.played", { numbers: reading.numbers.join(" ") }) : "",
    file.note,
  ];
  return lines.filter(Boolean).map((words) => el("p", {}, words));
};

/** Decides about a file; the answer of the device, or null when it was left. @param {any} file */
export const judgeFile = async (file) => {
  const given = await ask({
    title: t("damaged.judge_title", { file: file.code }),
    text: t("damaged.judge_text"),
    parts: fileParts(file),
    fields: [
      { name: "decision", words: "damaged.decision", choices: [["paid", "damaged.paid"], ...REASONS.map((reason) => /** @type {[string, string]} */ ([reason, `damaged.reason_${reason}`]))] },
      { name: "picture", words: "damaged.picture", type: "picture" },
      { name: "note", words: "damaged.seen" },
      ...secondPerson(),
      { name: "third_badge", words: "damaged.third_badge", optional: true },
      { name: "third_pin", words: "damaged.third_pin", type: "password", optional: true },
    ],
    yes: t("damaged.judge_key"),
  });
  if (given === null) return null;
  return post(`damaged/files/${file.number}/judgement`, {
    ...(given.decision === "paid" ? {} : { refused: given.decision }),
    picture: given.picture,
    note: given.note,
    second: secondOf(given),
    ...(given.third_badge ? { third: shown(given.third_badge, given.third_pin, given.third_card) } : {}),
  });
};
