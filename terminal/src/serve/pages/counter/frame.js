// What the pages of this terminal's people share around what they show: the keyboard, in which a
// scanner is no person, the key of the language, and the keys with Alt.
// @ts-check
import { at } from "/dom.js";
import { hear } from "/keys.js";
import { dress, inForce, speak } from "/words.js";

/**
 * Frames a page: its own words, the button of the language, and what keys with Alt do besides.
 * @param {Record<string, () => void>} [keys] by the code of the key
 * @param {Parameters<typeof hear>[0]} [typing] what becomes of keys without Alt, where the page does not listen by itself
 */
export const frame = (keys = {}, typing = {}) => {
  hear(typing);
  at("language").addEventListener("click", () => speak(inForce() === "fr" ? "en" : "fr"));
  /** @type {Record<string, () => void>} */
  const acts = { KeyL: () => at("language").click(), ...keys };
  addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey) return;
    const act = acts[event.code];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act();
  });
  dress(document);
};
