// The first screen of the back office, and of the desk of the draws: who is there, and what they came for.
// @ts-check
import { ask, isAsking, leaveBox } from "/ask.js";
import { here, nameOf, post, toldBy, watch } from "/device.js";
import { at, button, el, setWords, showTrouble, toldParts } from "/dom.js";
import { frame } from "/frame.js";
import { onLanguage, say, t } from "/words.js";

/** A PIN that somebody else set. */
const PIN_MUST_CHANGE = "pin_must_change";

/** What the device last said of itself. @type {any} */
let state = null;
let isGone = false;
/** @type {import("/device.js").Told[]} */
let told = [];
let isBusy = false;
/** What is drawn: a form that somebody types into is not drawn again. */
let drawn = "";

/** `silent` before the device has said anything, `locked`, `off` or `on`. */
const mode = () => (state === null ? "silent" : state.locked ? "locked" : state.badge ? "on" : "off");

/** The desk of the draws, and not the back office. */
const isDesk = () => state?.role === "desk";

/** One thing at a time. @param {() => Promise<any>} act */
const alone = async (act) => {
  if (isBusy) return;
  isBusy = true;
  try {
    const reply = await act();
    if (reply) told = reply.said && reply.exit !== "done" ? toldBy(reply) : [];
  } finally {
    isBusy = false;
  }
  show();
};

/** @param {string} badge @param {string} pin */
const chosenPin = async (badge, pin) => {
  const given = await ask({
    title: t("pin.title"),
    text: t("pin.text"),
    fields: [{ name: "new_pin", words: "pin.new", type: "password" }, { name: "again", words: "pin.again", type: "password" }],
    yes: t("pin.choose"),
  });
  if (given === null) return null;
  if (given.new_pin !== given.again) {
    told = [{ tone: "bad", words: () => t("pin.differ") }];
    return null;
  }
  const reply = await post("pin", { badge, pin, new_pin: given.new_pin, card: given.card });
  told = toldBy(reply);
  return reply.exit === "done" ? given.new_pin : null;
};

/** Badge and PIN that were typed; a PIN does not stay in the page. @param {SubmitEvent} event */
const typedIn = (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const fields = new FormData(form);
  const pin = /** @type {HTMLInputElement} */ (form.elements.namedItem("pin"));
  pin.value = "";
  return { badge: String(fields.get("badge") ?? "").trim(), pin: String(fields.get("pin") ?? "") };
};

/** @param {SubmitEvent} event */
const signOn = (event) => {
  const { badge, pin } = typedIn(event);
  alone(async () => {
    const reply = await post("sign-on", { badge, pin });
    if (nameOf(reply) !== PIN_MUST_CHANGE) return reply;
    const chosen = await chosenPin(badge, pin);
    return chosen === null ? null : post("sign-on", { badge, pin: chosen });
  });
};

/** @param {SubmitEvent} event */
const unlock = (event) => {
  const { pin } = typedIn(event);
  alone(() => post("unlock", { badge: state.locked_by, pin }));
};

/** Somebody else signs on at a locked screen: there is no till, and the session of who left ends. */
let isOther = false;

/** @param {boolean} wanted */
const other = (wanted) => () => {
  isOther = wanted;
  told = [];
  show();
};

const pinField = () => el("label", {}, t("sign_on.pin"), el("input", { name: "pin", type: "password", autocomplete: "off", inputmode: "numeric", required: true }));
/** @param {string} words */
const enter = (words) => el("p", { class: "keys" }, el("button", {}, el("kbd", {}, t("key.enter")), words));
const notes = () => el("div", { class: "notes" }, ...toldParts(told));

const signOnForm = () =>
  el(
    "form",
    { class: "person", id: "sign-on", onsubmit: signOn },
    el("h2", {}, t("sign_on.title")),
    el("label", {}, t("sign_on.badge"), el("input", { name: "badge", autocomplete: "off", spellcheck: "false", required: true })),
    pinField(),
    enter(t("sign_on.yes")),
    notes(),
    mode() === "locked" ? el("p", {}, t("office.other_text", { badge: state.locked_by })) : null,
    mode() === "locked" ? el("p", { class: "keys" }, button(t("office.back", { badge: state.locked_by }), "", other(false), { id: "back", class: "quiet" })) : null,
  );

const lockForm = () =>
  el(
    "form",
    { class: "person", id: "unlock", onsubmit: unlock },
    el("h2", {}, t("lock.title")),
    el("p", { class: "big" }, t("lock.who", { badge: state.locked_by })),
    pinField(),
    enter(t("lock.yes")),
    notes(),
    el("p", { class: "keys" }, button(t("office.other", { badge: state.locked_by }), "", other(true), { id: "other", class: "quiet" })),
  );

/** Nowhere, while the device that has the page is gone. @param {string} path */
const go = (path) => () => {
  if (!isGone) location.assign(path);
};

/** What can be done by whoever is there. @returns {{key: string, words: string, id: string, act: () => void}[]} */
const actions = () =>
  mode() === "on"
    ? [
        ...(isDesk()
          ? [
              { key: "1", words: t("office.desk"), id: "desk", act: go("/desk") },
              { key: "2", words: t("office.room"), id: "room", act: go("/room") },
            ]
          : [
              { key: "1", words: t("office.limits"), id: "limits", act: go("/limits") },
              { key: "2", words: t("office.staff"), id: "staff", act: go("/staff") },
            ]),
        { key: "3", words: t("office.wall"), id: "wall", act: go("/wall") },
        { key: "4", words: t("office.draws"), id: "draws", act: go("/draws") },
        { key: "5", words: t("office.prizes"), id: "prizes", act: go("/prizes") },
        { key: "8", words: t("office.lock"), id: "lock", act: () => alone(() => post("lock")) },
        { key: "9", words: t("sign_off.key"), id: "sign-off", act: () => alone(() => post("sign-off")) },
      ]
    : [];

/** What is to be done where somebody is there. */
const choices = () => el("div", { class: "shift" }, el("h2", {}, t("office.what")), el("p", { class: "keys column" }, ...actions().map(({ key, words, id, act }) => button(words, key, act, { id }))), notes());

const show = () => {
  const title = t(isDesk() ? "desk.title" : "office.title");
  document.title = title;
  setWords(at("title"), title);
  const now = mode();
  if (now !== "locked") isOther = false;
  setWords(at("who"), state?.badge ?? "");
  const trouble = state === null || isGone ? t("alarm.gone") : state.central.state === "trusted" ? "" : say(state.central.sentence);
  showTrouble(trouble);
  const subject = `${now} ${isOther} ${state?.badge ?? ""} ${state?.locked_by ?? ""}`;
  const wanted = `${subject} ${document.documentElement.lang}`;
  if (wanted === drawn) {
    // A form that is being filled in is left alone; only what was told is news.
    const [old, news] = [at("work").querySelector(".notes"), notes()];
    if (old && !old.isEqualNode(news)) old.replaceWith(news);
    return;
  }
  // In another language it is the same form; a PIN is typed again.
  const badge = drawn.startsWith(`${subject} `) ? at("work").querySelector("input[name=badge]") : null;
  drawn = wanted;
  const view = now === "off" || (now === "locked" && isOther) ? signOnForm() : now === "locked" ? lockForm() : now === "on" ? choices() : null;
  at("work").replaceChildren(...(view ? [view] : []));
  if (badge instanceof HTMLInputElement) /** @type {HTMLInputElement} */ (at("work").querySelector("input[name=badge]")).value = badge.value;
  if (!isAsking()) /** @type {HTMLElement | null} */ (at("work").querySelector("input, button"))?.focus();
};

addEventListener("pointerdown", here, { capture: true });

addEventListener("keydown", (event) => {
  here();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isAsking()) return;
  const act = actions().find(({ key }) => key === event.key)?.act;
  if (!act) return;
  event.preventDefault();
  act();
});

watch(
  (now) => {
    const left = state?.badge && (now.locked || !now.badge);
    state = now;
    isGone = false;
    if (left) {
      leaveBox();
      told = [];
    }
    show();
  },
  () => {
    isGone = true;
    show();
  },
);

onLanguage(show);
frame();
show();
