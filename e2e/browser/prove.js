// Plants each fault in the pages and sees whether its test fails as it must.
//
//   npm run prove                              all of them
//   npm run prove -- draw                      those with this word in their name
//   npm run prove -- counter/sale.js late.txt  those of this file of the pages, those of this table;
//                                              of a file of tests, those that it must see
//   npm run prove -- --list draw               what would be planted: file, table, tests, name
//
// A word that ends as a file does is one, and may be written from any folder on.
// @ts-check
import { spawnSync } from "node:child_process";
import { PLANTED, isSeenBy, titles } from "./planted.js";

const words = process.argv.slice(2).filter((word) => word !== "--list");
const tests = titles();

const faults = Object.entries(PLANTED).map(([name, planted]) => {
  const { spec } = tests.find((one) => isSeenBy(planted, one)) ?? { spec: "" };
  return { name, files: [`terminal/src/serve/pages/${planted.file}`, `e2e/browser/planted/${planted.table}`, `e2e/browser/${spec}`], spec };
});

/** @param {string} word @param {{name: string, files: string[]}} fault */
const means = (word, { name, files }) => (/\.(?:js|css|html|json|txt)$/.test(word) ? files.some((file) => `/${file}`.endsWith(`/${word}`)) : name.includes(word));

const meaningless = words.filter((word) => !faults.some((fault) => means(word, fault)));
const asked = faults.filter((fault) => words.length === 0 || words.some((word) => means(word, fault)));
if (meaningless.length > 0) {
  console.error(`prove: no fault is planted there: ${meaningless.join(", ")}`);
  process.exitCode = 1;
} else if (process.argv.includes("--list")) {
  for (const { name, files } of asked) console.log([...files, name].join("\t"));
} else {
  const { status } = spawnSync("npx", ["playwright", "test", "--reporter", "./browser/seen.js", ...new Set(asked.map(({ spec }) => `browser/${spec}`))], {
    stdio: "inherit",
    env: { BOULIER_PATIENCE_MS: "15000", BOULIER_RETRIES: "0", ...process.env, BOULIER_PROVE: asked.map(({ name }) => name).join("\n") },
  });
  process.exitCode = status ?? 1;
}
