// Says of each planted fault whether its test failed as it must.
// @ts-check
import { PLANTED, SEES } from "./planted.js";
import { STANDS_THERE } from "./test.js";

/** @typedef {import("@playwright/test/reporter").Reporter} Reporter */
/** @typedef {import("@playwright/test/reporter").TestResult} Result */

/** What a failure says of itself: not what stood on its pages, which has in it what other steps look for. @param {Result} result */
const failureOf = (result) =>
  result.errors
    .map((error) => (error.message ?? error.value ?? "").replace(/\u001b\[[0-9;]*m/g, ""))
    .filter((said) => !said.includes(STANDS_THERE))
    .flatMap((said) => said.split("\n").map((line) => line.trim()))
    .filter((line) => line !== "")
    .join("\n");

/** @implements {Reporter} */
export default class Seen {
  /** Faults that are to be seen yet. @type {Set<string>} */
  #left = new Set();
  #seen = 0;

  /** @param {import("@playwright/test/reporter").FullConfig} _ @param {import("@playwright/test/reporter").Suite} suite */
  onBegin(_, suite) {
    this.#left = new Set((process.env.BOULIER_PROVE ?? "").split("\n"));
    console.log(`${this.#left.size} faults, ${suite.allTests().length} tests`);
  }

  /** @param {import("@playwright/test/reporter").TestCase} test @param {Result} result */
  onTestEnd(test, result) {
    const name = test.annotations.find((one) => one.type === SEES)?.description;
    if (!name) return;
    const said = failureOf(result);
    const found = result.status === "passed" ? null : PLANTED[name].seen.exec(said);
    const seconds = `${Math.round(result.duration / 1000)} s`;
    if (found) {
      this.#left.delete(name);
      this.#seen += 1;
      console.log(`seen   ${name}: ${found[0].replaceAll("\n", " ")} (${seconds})`);
    } else {
      console.log(`MISSED ${name} (${result.status}, ${seconds}):\n${said.slice(0, 3000)}`);
    }
  }

  /** @param {import("@playwright/test/reporter").TestError} error */
  onError(error) {
    console.log(error.message ?? error.value);
  }

  /** @returns {Promise<{ status: "passed" | "failed" }>} */
  async onEnd() {
    console.log(`${this.#seen} seen, ${this.#left.size} not: ${[...this.#left].join("; ")}`);
    return { status: this.#left.size === 0 ? "passed" : "failed" };
  }
}
