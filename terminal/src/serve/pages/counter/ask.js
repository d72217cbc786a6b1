// A box that asks for something before anything else: a second person, a reason, an amount.
// @ts-check
import { get, onDone, post, toldBy } from "/device.js";
import { at, el } from "/dom.js";
import { t } from "/words.js";

/**
 * @typedef {object} Asked
 * @property {string} name
 * @property {string} words key of the label
 * @property {"text" | "password" | "amount" | "picture" | "several"} [type] a picture gives its SHA-256, and stays here; several choices come with spaces between them
 * @property {[string, string][]} [choices] value and key of its words
 * @property {string} [value] what is filled in
 * @property {boolean} [optional]
 * @property {string} [pattern] what may be typed
 */

/** @returns {HTMLDialogElement} */
const box = () => /** @type {HTMLDialogElement} */ (at("ask"));

/** True while something is asked. */
export const isAsking = () => box().open;

/** @type {(() => void) | null} */
let leave = null;

/** Leaves what is asked: whoever was asked is not there any more. */
export const leaveBox = () => leave?.();

/** What was typed into a box that asks for a person, but for whom and their secrets: where it was refused it is not typed again. @type {{title: string, values: Record<string, string>} | null} */
let kept = null;
onDone(() => (kept = null));

/** @param {Asked} field */
const isSecret = ({ name, type }) => type === "password" || type === "picture" || name.endsWith("badge");

/** How often the wall is asked for its answer. */
const WALL_MS = 500;

/**
 * Asks; null when it was left.
 * @param {object} about
 * @param {string} about.title
 * @param {string} [about.text]
 * @param {Node[]} [about.parts] what is to be seen before it is answered
 * @param {Asked[]} about.fields
 * @param {string} about.yes what the key that goes on says
 * @param {(values: Record<string, string>) => any} [about.wall] what the wall is asked to approve, as the command will carry it; null while it cannot be
 * @param {boolean} [about.walks] Enter goes from one field to the next, and answers after the last: each is looked at
 * @param {boolean} [about.isShown] nothing is asked: what is shown stays until somebody has noted it
 * @returns {Promise<Record<string, string> | null>}
 */
export const ask = ({ title, text, parts = [], fields, yes, wall, walks = false, isShown = false }) =>
  new Promise((answered) => {
    const dialog = box();
    let isOpen = true;
    const done = (/** @type {Record<string, string> | null} */ values) => {
      if (!isOpen) return;
      isOpen = false;
      leave = null;
      if (values && fields.some(isSecret)) kept = { title, values: Object.fromEntries(fields.filter((field) => !isSecret(field)).map(({ name }) => [name, values[name] ?? ""])) };
      dialog.close();
      // A PIN does not stay in the page.
      dialog.replaceChildren();
      answered(values);
    };
    const refused = kept?.title === title ? kept.values : {};
    kept = null;
    const inputs = fields.map((asked) => ({ ...asked, value: refused[asked.name] ?? asked.value })).map((field) => (field.type === "several" ? severalOf(field) : el("label", {}, t(field.words), inputOf(field))));
    /** @type {HTMLFormElement} */
    const form = /** @type {HTMLFormElement} */ (
      el(
        "form",
        {
          // What would not fit below one another stands in two columns.
          class: fields.length > 5 ? "many" : undefined,
          "data-shown": isShown ? "true" : undefined,
          "data-walked": walks ? "each" : undefined,
          onchange: (/** @type {Event} */ event) => readCard(event.target),
          onkeydown: (/** @type {KeyboardEvent} */ event) => {
            // A scanner that types ends with Enter: that is the end of the card, and no answer.
            if (event.key === "Enter" && readCard(event.target)) event.preventDefault();
          },
          onsubmit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            if (!isHashed(form)) return;
            done(valuesOf(form));
          },
        },
        el("h2", { id: "ask-title" }, title),
        text ? el("p", {}, text) : null,
        parts.length > 0 ? el("div", { class: "seen", role: "group", "aria-labelledby": "ask-title", tabindex: "0" }, ...parts) : null,
        ...inputs,
        el(
          "p",
          { class: "keys" },
          el("button", {}, el("kbd", {}, t("key.enter")), yes),
          wall ? el("button", { type: "button", id: "ask-wall", class: "quiet", onclick: () => askWall() }, t("ask.wall")) : null,
          // What is only shown is taken note of: there is nothing to leave, and no key loses it.
          isShown ? null : el("button", { type: "button", class: "quiet", onclick: () => done(null) }, el("kbd", {}, t("key.escape")), t("ask.leave")),
        ),
      )
    );
    const askWall = async () => {
      const own = [...form.elements].filter((one) => one instanceof HTMLInputElement && !["badge", "pin"].includes(one.name));
      if (!own.every((one) => /** @type {HTMLInputElement} */ (one).reportValidity())) return;
      const values = valuesOf(form);
      const content = wall?.(values);
      if (!content) return;
      // The second person gives it at the wall: what was typed of another is not kept.
      delete values.badge;
      delete values.pin;
      delete values.card;
      const said = el("p", { class: "big", role: "status" }, t("ask.wall_waits"));
      form.replaceChildren(
        el("h2", { id: "ask-title" }, title),
        said,
        el("p", { class: "keys" }, el("button", { type: "button", class: "quiet", onclick: () => done(null) }, el("kbd", {}, t("key.escape")), t("ask.leave"))),
      );
      form.querySelector("button")?.focus();
      const asked = await post("approvals", { content, reason: values.reason ?? "" });
      if (!asked.id) {
        said.textContent = toldBy(asked).map((one) => one.words()).join(" ");
        return;
      }
      while (isOpen) {
        const now = await get(`approvals/${asked.id}`).catch(() => null);
        if (now?.state === "granted") {
          done({ ...values, approval: String(asked.id) });
          return;
        }
        if (now?.state && now.state !== "waiting") {
          said.textContent = now.state === "refused" ? t("ask.wall_refused", { badge: now.answered_by ?? "", why: now.refusal ?? "" }) : t("ask.wall_expired");
          return;
        }
        await new Promise((on) => setTimeout(on, WALL_MS));
      }
    };
    dialog.setAttribute("aria-labelledby", "ask-title");
    dialog.replaceChildren(form);
    dialog.oncancel = (event) => {
      event.preventDefault();
      if (!isShown) done(null);
    };
    leave = () => done(null);
    dialog.showModal();
    // What is filled in already is passed over.
    const waiting = [...form.elements].find((one) => one instanceof HTMLSelectElement || (one instanceof HTMLInputElement && one.value === ""));
    // What is shown once is not sent away by a key that was meant for what came before.
    const first = isShown ? form.querySelector(".seen") : waiting;
    /** @type {HTMLElement | null | undefined} */ (first)?.focus();
  });

/** True while something is shown that is shown once. */
export const isShowing = () => box().open && box().querySelector("form")?.dataset.shown === "true";

/** The code on the card of a badge: a secret of sixteen signs, and the badge. */
const CARD = /^KB1([0-9A-HJKMNP-TV-Z]{16})([0-9A-Za-z-]+)$/;

/** A card that was typed by its scanner where a badge is asked for: its secret does not stand there. @param {EventTarget | null} target */
const readCard = (target) => target instanceof HTMLInputElement && target.name.endsWith("badge") && CARD.test(target.value.trim()) && takeCard(target.value, target);

/** @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
const badgesOf = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[name$=badge]"))];

/**
 * A card that was scanned while something is asked: its badge is shown, its secret is not.
 * @param {string} text
 * @param {HTMLInputElement} [typedIn] where its scanner typed it, if it did
 * @returns {boolean} false when it is no card
 */
export const takeCard = (text, typedIn) => {
  const read = CARD.exec(text.trim());
  const form = box().querySelector("form");
  if (!read || !form) return false;
  const [, secret, badge] = read;
  const badges = badgesOf(form);
  const free = typedIn ?? badges.find((one) => one === document.activeElement) ?? badges.find((one) => one.value === "") ?? badges[0];
  /** @type {HTMLElement} */ (free ?? form).dataset.card = secret;
  /** @type {HTMLElement} */ (free ?? form).dataset.badge = badge;
  if (free) free.value = badge;
  const inputs = [...form.querySelectorAll("input")];
  inputs
    .slice(free ? inputs.indexOf(free) + 1 : 0)
    .find((one) => one.value === "")
    ?.focus();
  return true;
};

/** The secrets of the cards that were scanned for the badges that stand there. @param {HTMLFormElement} form @returns {[string, string][]} */
const cardsOf = (form) => [
  ...badgesOf(form)
    .filter((one) => one.dataset.card && one.value.trim() === one.dataset.badge)
    .map((one) => /** @type {[string, string]} */ ([one.name.replace(/badge$/, "card"), one.dataset.card ?? ""])),
  ...(form.dataset.card ? [/** @type {[string, string]} */ (["card", form.dataset.card])] : []),
];

/** The SHA-256 of a file that was chosen, as hexadecimal digits. @param {File} file */
const hashOf = async (file) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A picture: what goes out is its hash. @param {string} name @param {boolean | undefined} optional */
const pictureInput = (name, optional) => {
  const input = /** @type {HTMLInputElement} */ (
    el("input", {
      name,
      type: "file",
      accept: "image/*",
      required: !optional,
      onchange: async () => {
        delete input.dataset.hash;
        const file = input.files?.[0];
        const hash = file && (await hashOf(file));
        // Of the file that was chosen last, however long another one took.
        if (hash && file === input.files?.[0]) input.dataset.hash = hash;
      },
    })
  );
  return input;
};

/** @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
const picturesOf = (form) => [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[type=file]"))];

/** True once each picture that was chosen has its hash. @param {HTMLFormElement} form */
const isHashed = (form) => picturesOf(form).every((input) => !input.files?.length || input.dataset.hash);

/** Choices of which several may be made. @param {Asked} field */
const severalOf = ({ name, words, choices = [], value = "" }) =>
  el(
    "fieldset",
    { name, class: "several" },
    el("legend", {}, t(words)),
    ...choices.map(([one, words]) => el("label", {}, el("input", { type: "checkbox", value: one, checked: value.split(" ").includes(one) }), t(words))),
  );

/** What was chosen of each. @param {HTMLFormElement} form @returns {[string, string][]} */
const chosenOf = (form) =>
  [.../** @type {NodeListOf<HTMLFieldSetElement>} */ (form.querySelectorAll("fieldset.several"))].map((group) => [
    group.name,
    [.../** @type {NodeListOf<HTMLInputElement>} */ (group.querySelectorAll("input:checked"))].map((one) => one.value).join(" "),
  ]);

/** @param {Asked} field */
const inputOf = ({ name, type = "text", choices, value, optional, pattern }) =>
  type === "picture"
    ? pictureInput(name, optional)
    : choices
    ? el("select", { name }, ...choices.map(([value, words]) => el("option", { value }, t(words))))
    : el("input", {
        name,
        type: type === "password" ? "password" : "text",
        inputmode: type === "amount" ? "decimal" : pattern ? "numeric" : undefined,
        pattern,
        autocomplete: "off",
        spellcheck: "false",
        value,
        required: !optional,
      });

/** @param {HTMLFormElement} form */
const valuesOf = (form) => ({
  ...Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()])),
  ...Object.fromEntries(picturesOf(form).map((input) => [input.name, input.dataset.hash ?? ""])),
  ...Object.fromEntries(chosenOf(form)),
  ...Object.fromEntries(cardsOf(form)),
});

/** Somebody with a badge, a PIN and perhaps a card, which a scanner that types gives as the badge. @param {string} given @param {string} pin @param {string} [card] */
export const shown = (given, pin, card) => {
  const [, secret, badge] = CARD.exec(given) ?? [];
  return secret ? { badge, pin, card: secret } : { badge: given, pin, card };
};

/** The second person as a command carries them: by an approval of the wall, or by badge and PIN. @param {Record<string, string>} given */
export const secondOf = (given) => (given.approval ? { approval: Number(given.approval) } : shown(given.badge, given.pin, given.card));

/** Badge and PIN of a second person. */
export const secondPerson = () => [
  /** @type {Asked} */ ({ name: "badge", words: "ask.second_badge" }),
  /** @type {Asked} */ ({ name: "pin", words: "ask.second_pin", type: "password" }),
];
