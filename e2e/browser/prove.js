// Plants each fault in the pages and sees whether its test fails as it must.
//
//   npm run prove            all of them: some minutes
//   npm run prove -- draw    those with this word in their name
// @ts-check
import { spawnSync } from "node:child_process";
import { STANDS_THERE } from "./house.js";
import { PLANTED } from "./planted.js";

/**
 * What the first failure says of itself, line by line: not the title of its test, nor the lines around
 * the one that failed, which have in them what other steps look for.
 * @param {string} stdout
 */
const failureOf = (stdout) => {
  const [, first = ""] = stdout.split("\n  1) ");
  const [own] = first.split(new RegExp(`\\n {2}2\\) |\\n {4}(?:Error Context|attachment #1)|${STANDS_THERE}`));
  const lines = own.split("\n").slice(1).map((line) => line.trim());
  return lines.filter((line) => line !== "" && !/^(?:\d+ )?\|/.test(line)).join("\n");
};

const word = process.argv[2] ?? "";
let missed = 0;
for (const [name, { test, seen }] of Object.entries(PLANTED)) {
  if (!name.includes(word)) continue;
  const run = spawnSync("npx", ["playwright", "test", "--grep", test], {
    encoding: "utf8",
    env: { BOULIER_PATIENCE_MS: "15000", ...process.env, BOULIER_PLANTED: name, BOULIER_RETRIES: "0", NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const found = seen.exec(failureOf(run.stdout));
  const isSeen = run.status === 1 && found !== null;
  console.log(`${isSeen ? "seen  " : "MISSED"} ${name}: ${found?.[0].replaceAll("\n", " ") ?? ""}`);
  if (!isSeen) {
    missed += 1;
    console.log(run.stdout.slice(-3000));
  }
}
process.exitCode = missed === 0 ? 0 : 1;
