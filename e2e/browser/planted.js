// Faults of the pages that the tests must see: rows of the tables in `planted/`, whose form stands in
// `planted/README.md`. `npm run prove` plants them, each on the way between agent and browser of the
// test that must see it.
// @ts-check
import { readFileSync, readdirSync } from "node:fs";
import { test } from "@playwright/test";

/**
 * @typedef {object} Planted
 * @property {string} file of the pages, from their folder on
 * @property {string} test which test must see it, or which step of one
 * @property {RegExp} seen how it must be seen: in what the failure says of itself, not in the lines around it
 * @property {string} from what stands in that file, exactly once
 * @property {string} to what stands there instead
 * @property {string} more what stands at the end of the file
 * @property {string} before a script before all others, instead: a file that is looked into is never kept by the browser
 * @property {string} answer a status, and the address whose answers end so, instead
 * @property {string} table the table in which it stands
 */

const TABLES = new URL("planted/", import.meta.url);
const PAGES = new URL("../../terminal/src/serve/pages/", import.meta.url);
const TESTS = new URL("./", import.meta.url);

/** What the first sign of a line says of the rest. */
const MARKS = /** @type {const} */ ({ "-": "from", "+": "to", ">": "more", "<": "before", "=": "answer" });

/** A row of a table: a name, a line of three cells, and what is changed. @param {string} table @param {string} row @returns {[string, Planted]} */
const read = (table, row) => {
  const [name, where = "", ...lines] = row.split("\n");
  const wrong = (/** @type {string} */ why) => new Error(`${table}, “${name}”: ${why}`);
  const cells = /^(\S+) \| (.+?) \| (.+)$/.exec(where);
  if (!cells) throw wrong("no file, test and failure, with “ | ” between them");
  const [, file, test, seen] = cells;
  /** @type {Record<string, string[]>} */
  const parts = {};
  for (const line of lines) {
    const part = MARKS[/** @type {keyof typeof MARKS} */ (line[0])];
    if (!part || !["", " "].includes(line.slice(1, 2))) throw wrong(`no mark begins this line: ${line}`);
    (parts[part] ??= []).push(line.slice(2));
  }
  const { from, to, more, before, answer } = Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, text.join("\n")]));
  if ([from, before, answer].filter(Boolean).length !== 1) throw wrong("one of “-”, “<” and “=”, and no other");
  if (!from && (to || more)) throw wrong("“+” and “>” stand beside “-” alone");
  return [name, { file, test, seen: new RegExp(seen), from: from ?? "", to: to ?? "", more: more ?? "", before: before ?? "", answer: answer ?? "", table }];
};

/** The rows of a table. @param {string} table its name @param {string} text */
export const rowsOf = (table, text) =>
  text
    .replace(/^#.*\n/gm, "")
    .split(/\n{2,}/)
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .map((row) => read(table, row));

/** Faults by their names; of two with one name the second would hide the first. @param {[string, Planted][]} rows */
export const byName = (rows) => {
  const names = rows.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`two faults have the name “${twice}”`);
  return Object.fromEntries(rows);
};

/** Every fault, by its name. */
export const PLANTED = byName(
  readdirSync(TABLES)
    .filter((table) => table.endsWith(".txt"))
    .flatMap((table) => rowsOf(table, readFileSync(new URL(table, TABLES), "utf8"))),
);

/** The text of a file of the pages. @param {string} file */
export const textOf = (file) => readFileSync(new URL(file, PAGES), "utf8");

/** Where the agent has a file of the pages. @param {string} file */
const addressOf = (file) => (file === "counter.html" ? "/" : `/${file.replace(/^.*\/|\.html$/g, "")}`);

/** What a browser test is called, and its steps. @typedef {{ spec: string, test: string, steps: string[] }} Title */

/** The titles of all tests, each with those of its steps. @returns {Title[]} */
export const titles = () =>
  readdirSync(TESTS)
    .filter((spec) => spec.endsWith(".spec.js"))
    .flatMap((spec) => {
      /** @type {Title[]} */
      const tests = [];
      for (const [, step, title] of readFileSync(new URL(spec, TESTS), "utf8").matchAll(/^(?:test|testOnDuty| +await (test\.step))\("((?:[^"\\]|\\.)*)"/gm)) {
        if (step) tests.at(-1)?.steps.push(title);
        else tests.push({ spec, test: title, steps: [] });
      }
      return tests;
    });

/** Whether a fault is to be seen by a test, or by a step of it. @param {Planted} planted @param {Title} title */
export const isSeenBy = ({ test }, title) => [title.test, ...title.steps].some((one) => one.includes(test));

/** What a test says of itself that is run to see a fault: its name. */
export const SEES = "planted";

/** The fault that the test is to see, if it is run for one. */
const toBeSeen = () => PLANTED[test.info().annotations.find((one) => one.type === SEES)?.description ?? ""];

/** A file of the pages with the fault that the test is to see, for one that runs it by itself. @param {string} file */
export const plantedTextOf = (file) => {
  const planted = toBeSeen();
  return planted?.file === file ? textOf(file).replace(planted.from, () => planted.to) : textOf(file);
};

/** Plants in a page the fault that its test is to see, if it is run for one. @param {import("@playwright/test").Page} page */
export const plant = async (page) => {
  const planted = toBeSeen();
  if (!planted) return;
  const { file, from, to, more, before, answer } = planted;
  if (before) {
    await page.addInitScript(before);
    return;
  }
  const [status, address] = answer ? answer.split(" ") : ["", addressOf(file)];
  await page.route(
    (url) => url.pathname === address,
    async (route) => {
      const response = await route.fetch();
      if (status) {
        await route.fulfill({ response, status: Number(status) });
        return;
      }
      const parts = (await response.text()).split(from);
      // The test must not pass because the page has changed.
      if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
      await route.fulfill({ response, body: parts.join(to) + more });
    },
  );
};
