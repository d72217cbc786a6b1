// What the pages of this terminal's people share around what they show: the key of the language,
// the keys with Alt, and that a key which is held is pressed once.
// @ts-check
import { at } from "/dom.js";
import { dress, inForce, speak } from "/words.js";

/**
 * Frames a page: its own words, the button of the language, and what keys with Alt do besides.
 * @param {Record<string, () => void>} [keys] by the code of the key
 */
export const frame = (keys = {}) => {
  at("language").addEventListener("click", () => speak(inForce() === "fr" ? "en" : "fr"));
  /** @type {Record<string, () => void>} */
  const acts = { KeyL: () => at("language").click(), ...keys };
  addEventListener("keydown", (event) => {
    // Enter that is still held from before answers nothing that came under it meanwhile.
    if (event.repeat && event.key === "Enter") event.preventDefault();
    if (!event.altKey || event.ctrlKey) return;
    const act = acts[event.code];
    if (!act) return;
    event.preventDefault();
    if (!event.repeat) act();
  });
  dress(document);
};
