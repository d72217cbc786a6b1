// Plants each fault in the pages and sees whether its test fails as it must.
//
//   npm run prove            all of them: some minutes
//   npm run prove -- draw    those with this word in their name
// @ts-check
import { spawnSync } from "node:child_process";
import { PLANTED } from "./planted.js";

const word = process.argv[2] ?? "";
let missed = 0;
for (const [name, { test, seen }] of Object.entries(PLANTED)) {
  if (!name.includes(word)) continue;
  const run = spawnSync("npx", ["playwright", "test", "--grep", test], {
    encoding: "utf8",
    env: { BOULIER_PATIENCE_MS: "15000", ...process.env, BOULIER_PLANTED: name, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const told = run.stdout.slice(run.stdout.indexOf("  1) "));
  const line = told.split("\n").find((one) => seen.test(one));
  const isSeen = run.status === 1 && line !== undefined;
  console.log(`${isSeen ? "seen  " : "MISSED"} ${name}: ${line?.trim() ?? ""}`);
  if (!isSeen) {
    missed += 1;
    console.log(run.stdout.slice(-3000));
  }
}
process.exitCode = missed === 0 ? 0 : 1;
