// What failed, as text in a file, for whoever sees only the end of a long run.
// @ts-check
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Of each failure so many lines, which hold its reason and what stood on its pages. */
const LINES = 40;

/** @typedef {import("@playwright/test/reporter").Reporter} Reporter */

/** @implements {Reporter} */
export default class Failures {
  /** @type {string[]} */
  #told = [];
  #file = "";

  /** @param {import("@playwright/test/reporter").FullConfig} config */
  onBegin(config) {
    this.#file = path.join(config.projects[0].outputDir, "failures.txt");
    rmSync(this.#file, { force: true });
  }

  /** @param {import("@playwright/test/reporter").TestCase} test @param {import("@playwright/test/reporter").TestResult} result */
  onTestEnd(test, result) {
    if (result.status === test.expectedStatus || result.status === "skipped") return;
    const reasons = result.errors.map((error) => {
      const text = `${error.message ?? error.value ?? ""}\n${error.location ? `at ${path.basename(error.location.file)}:${error.location.line}` : ""}`;
      return text.replace(/\u001b\[[0-9;]*m/g, "").split("\n").filter((line) => line.trim()).slice(0, LINES).join("\n");
    });
    this.#told.push(`--- ${test.location.file.split("/").at(-1)}:${test.location.line} ${test.title} (${result.status}, try ${result.retry + 1})\n${reasons.join("\n")}`);
  }

  onEnd() {
    if (this.#told.length === 0) return;
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, `${this.#told.join("\n\n")}\n`);
  }
}
