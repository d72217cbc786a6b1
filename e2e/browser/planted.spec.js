// The planted faults have their places: a page that has changed does not leave one behind that
// nothing could see.
// @ts-check
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { COUNT, PLANTED } from "./planted.js";

const PAGES = fileURLToPath(new URL("../../terminal/src/serve/pages/", import.meta.url));
const TESTS = fileURLToPath(new URL("./", import.meta.url));

/** The file behind an address of the pages. @param {string} path */
const fileOf = (path) => {
  const name = path === "/" ? "counter.html" : path.slice(1);
  const found = ["counter/", "words/", ""].flatMap((folder) => [name, `${name}.html`].map((file) => PAGES + folder + file)).find((file) => existsSync(file));
  if (!found) throw new Error(`no page ${path}`);
  return readFileSync(found, "utf8");
};

test("every planted fault stands at one place, and one test is to see it", () => {
  const titles = readdirSync(TESTS)
    .filter((name) => name.endsWith(".spec.js"))
    .flatMap((name) => [...readFileSync(TESTS + name, "utf8").matchAll(/^test\("((?:[^"\\]|\\.)*)"/gm)].map(([, title]) => title));
  const wrong = Object.entries(PLANTED).flatMap(([name, planted]) => {
    const tests = titles.filter((title) => title.includes(planted.test)).length;
    // One of an answer, or of a script of its own, has no place in a page.
    const places = planted.before || planted.status ? 1 : fileOf(planted.path).split(planted.from).length - 1;
    return tests === 1 && places === 1 ? [] : [`${name}: ${places} places, ${tests} tests`];
  });
  expect(Object.keys(PLANTED).length, "two faults of one name").toBe(COUNT);
  expect(COUNT).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
