// The rules of the demonstration, and another version of them in their place.
// @ts-check
import { readFileSync } from "node:fs";
import { ADMINISTRATOR, SUPERVISOR } from "./house.js";
import { expect } from "./test.js";

/** The text of the first version. */
export const RULES = readFileSync(new URL("../../samples/rules/demonstration.toml", import.meta.url), "utf8");

/** Publishes rules from a draw on, as two people do at the back office. @param {import("./house.js").House} house @param {string} text @param {number} from */
export const publish = async (house, text, from) => {
  const central = async (/** @type {string} */ path, /** @type {Record<string, string>} */ headers, /** @type {unknown} */ body) => {
    const answer = await fetch(`http://${house.address}/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Boulier-Device": `6.${house.keyOf(6)}`, ...headers },
      body: JSON.stringify(body),
    });
    expect(answer.status, path).toBe(200);
    return answer.json();
  };
  const { session, token } = await central("sessions", {}, ADMINISTRATOR);
  await central("rules", { "Boulier-Session": `${session}.${token}` }, { text, effective_from: from, second: SUPERVISOR });
};
