// Elements of a page.
// @ts-check

/** @param {string} id */
export const at = (id) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
};

/** What an element says; the same again is not said again. @param {Element} element @param {string} words */
export const setWords = (element, words) => {
  if (element.textContent !== words) element.textContent = words;
};

/** What is wrong, in red above the page; nothing where nothing is. @param {string} words */
export const showTrouble = (words) => {
  const alarm = at("alarm");
  alarm.hidden = words === "";
  alarm.dataset.tone = "bad";
  setWords(alarm, words);
};

/**
 * An element.
 * @param {string} tag
 * @param {Record<string, any>} [properties] `on…` listens, all else are attributes
 * @param {...(Node | string | null | undefined | false)} children
 */
export const el = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) /** @type {any} */ (element)[name] = value;
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") element.append(/** @type {Node | string} */ (child));
  return element;
};

/** What a person is told, as it stands on the screen. @param {import("./device.js").Told[]} told */
export const toldParts = (told) => told.map((one) => el("p", { class: `told ${one.tone}`, role: "status" }, one.words()));

/** A key of the screen: what it is called, and the key that does the same. @param {string} words @param {string} key @param {() => void} act @param {Record<string, any>} [more] */
export const button = (words, key, act, more = {}) =>
  el("button", { type: "button", ...more, onclick: act }, key === "" ? null : el("kbd", {}, key), words);
