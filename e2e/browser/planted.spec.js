// The planted faults have their places: a page that has changed does not leave one behind that
// nothing could see. Their tables are read as they are written, or not at all.
// @ts-check
import { expect, test } from "@playwright/test";
import { PLANTED, byName, isSeenBy, rowsOf, textOf, titles } from "./planted.js";

/** How many faults the tables have. */
const COUNT = 287;

test("every planted fault stands at one place, and one test is to see it", () => {
  const all = titles().flatMap(({ spec, test, steps }) => [test, ...steps].map((one) => ({ spec, test: one, steps: [] })));
  const wrong = Object.entries(PLANTED).flatMap(([name, planted]) => {
    const tests = all.filter((title) => isSeenBy(planted, title)).length;
    // One of an answer, or of a script of its own, has no place in a page.
    const places = planted.from ? textOf(planted.file).split(planted.from).length - 1 : 1;
    return tests === 1 && places === 1 ? [] : [`${name}: ${places} places, ${tests} tests`];
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(PLANTED)).toHaveLength(COUNT);
});

test("a table of faults is read whole, and a row that is written otherwise is refused", () => {
  const row = "a fault\nsale.js | a test | Expected: a | b";
  expect(rowsOf("t", `# Faults.\n\n${row}\n- one\n-   two\n+ other\n\nan answer\n${row.slice(8)}\n= 503 /agent/here\n`)).toMatchObject([
    ["a fault", { file: "sale.js", test: "a test", seen: /Expected: a | b/, from: "one\n  two", to: "other", more: "" }],
    ["an answer", { from: "", answer: "503 /agent/here" }],
  ]);
  for (const [bad, why] of [
    ["a fault", "no file, test and failure"],
    ["a fault\nsale.js | a test\n- one", "no file, test and failure"],
    [row, "one of"],
    [`${row}\n- one\n< two`, "one of"],
    [`${row}\n< one\n+ two`, "stand beside"],
    [`${row}\n- one\ntwo`, "no mark"],
    [`${row}\n-one`, "no mark"],
  ]) {
    expect(() => rowsOf("t", bad), bad).toThrow(why);
  }
  const twice = rowsOf("t", `${row}\n- one\n\n${row}\n- two`);
  expect(() => byName(twice)).toThrow("two faults have the name “a fault”");
});
