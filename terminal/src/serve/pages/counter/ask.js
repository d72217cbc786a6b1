// A box that asks for something before anything else: a second person, a reason, an amount.
// @ts-check
import { at, el } from "/dom.js";
import { t } from "/words.js";

/**
 * @typedef {object} Asked
 * @property {string} name
 * @property {string} words key of the label
 * @property {"text" | "password" | "amount"} [type]
 * @property {[string, string][]} [choices] value and key of its words
 * @property {string} [value]
 * @property {boolean} [optional]
 */

/** @returns {HTMLDialogElement} */
const box = () => /** @type {HTMLDialogElement} */ (at("ask"));

/** True while something is asked. */
export const isAsking = () => box().open;

/**
 * Asks; null when it was left.
 * @param {object} about
 * @param {string} about.title
 * @param {string} [about.text]
 * @param {Asked[]} about.fields
 * @param {string} about.yes what the key that goes on says
 * @returns {Promise<Record<string, string> | null>}
 */
export const ask = ({ title, text, fields, yes }) =>
  new Promise((answered) => {
    const dialog = box();
    const inputs = fields.map(({ name, words, type = "text", choices, value, optional }) => {
      const input = choices
        ? el("select", { name }, ...choices.map(([value, words]) => el("option", { value }, t(words))))
        : el("input", {
            name,
            type: type === "password" ? "password" : "text",
            inputmode: type === "amount" ? "decimal" : undefined,
            autocomplete: "off",
            spellcheck: "false",
            value,
            required: !optional,
          });
      return el("label", {}, t(words), input);
    });
    const done = (/** @type {Record<string, string> | null} */ values) => {
      dialog.close();
      // A PIN does not stay in the page.
      dialog.replaceChildren();
      answered(values);
    };
    const form = el(
      "form",
      {
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const values = new FormData(/** @type {HTMLFormElement} */ (event.target));
          done(Object.fromEntries([...values].map(([name, value]) => [name, String(value).trim()])));
        },
      },
      el("h2", { id: "ask-title" }, title),
      text ? el("p", {}, text) : null,
      ...inputs,
      el(
        "p",
        { class: "keys" },
        el("button", {}, el("kbd", {}, t("key.enter")), yes),
        el("button", { type: "button", class: "quiet", onclick: () => done(null) }, el("kbd", {}, t("key.escape")), t("ask.leave")),
      ),
    );
    dialog.setAttribute("aria-labelledby", "ask-title");
    dialog.replaceChildren(form);
    dialog.oncancel = (event) => {
      event.preventDefault();
      done(null);
    };
    dialog.showModal();
    form.querySelector("input, select")?.dispatchEvent(new Event("focus"));
    /** @type {HTMLElement | null} */ (form.querySelector("input, select"))?.focus();
  });

/** Badge and PIN of a second person. */
export const secondPerson = () => [
  /** @type {Asked} */ ({ name: "badge", words: "ask.second_badge" }),
  /** @type {Asked} */ ({ name: "pin", words: "ask.second_pin", type: "password" }),
];
