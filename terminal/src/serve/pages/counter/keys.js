// The keyboard before the page has it: what a scanner typed is taken out of it, and what a person
// typed goes on to where it was meant.
// @ts-check
import { here, onState, post } from "/device.js";
import { el } from "/dom.js";
import { Hearing, PAUSE_MS } from "/hearing.js";
import { t } from "/words.js";

/** @typedef {import("./hearing.js").Key} Key */

/** Keys that change others and type nothing. */
const SILENT = ["Shift", "CapsLock", "NumLock", "ScrollLock", "AltGraph", "Control", "Alt", "Meta"];
/** Keys that go on while they are held down. */
const REPEATED = ["Backspace", "-", "ArrowUp", "ArrowDown", "Tab"];
/** Signs of which numbers and amounts are made, or that are keys where they are typed. */
const OF_NUMBERS = /^[\d.,\-/*+ ]$/;

/**
 * What a key means. The keypad types digits whatever its lock says: a clerk looks at the keys, not
 * at a lamp. Tab with Shift is the field before.
 * @param {KeyboardEvent} event
 */
const nameOf = (event) => {
  const digit = /^Numpad(\d)$/.exec(event.code);
  if (digit) return digit[1];
  if (event.code === "NumpadDecimal" && event.key === "Delete") return ".";
  return event.key === "Tab" && event.shiftKey ? "ArrowUp" : event.key;
};

/** @param {EventTarget | null} target @returns {target is HTMLInputElement | HTMLTextAreaElement} */
const isField = (target) => (target instanceof HTMLInputElement && !["checkbox", "radio", "file"].includes(target.type)) || target instanceof HTMLTextAreaElement;

/** Only signs of numbers belong there. @param {EventTarget | null} target */
const isOfNumbers = (target) => !isField(target) || ["decimal", "numeric"].includes(target.inputMode);

/** A key that stands for a letter which is not typed yet, or that nobody knows. @param {string} name */
const isUnknown = (name) => ["Dead", "Process", "Unidentified"].includes(name);

/** @param {string} name */
const isSign = (name) => [...name].length === 1 || isUnknown(name);

/** Keys that are told to the page after they were held. @type {WeakSet<Event>} */
const told = new WeakSet();

/**
 * Hears the keyboard before anything else does. Keys that a scanner could have sent are held until
 * it is known that it did not; one that was held is for what was on the screen when it was pressed,
 * after the keys before it, and for nothing that came meanwhile.
 * @param {object} [by]
 * @param {(key: string) => void} [by.key] a key of a person that neither a field nor a focused button has
 * @param {string[]} [by.keys] those of them that Chromium would take for itself
 * @param {(text: string) => void} [by.scan] what a scanner read, wherever the focus was
 * @param {(event: KeyboardEvent) => boolean} [by.isFree] Chromium has this key after all
 * @param {() => string} [by.asked] what on the screen a key would be for
 */
export const hear = ({ key, keys = [], scan = readInField, isFree = () => false, asked = () => "" } = {}) => {
  /** Scans are taken one after the other: the last one is the one that is shown. */
  let reads = Promise.resolve();
  /** @param {() => Promise<string | null | undefined>} read */
  const goOn = (read) => {
    reads = reads
      .then(async () => {
        const text = await read();
        if (text) scan(text);
      })
      .catch(reportError);
  };
  const hearing = new Hearing({
    typed: (pressed, aim) => tell(pressed, aim),
    scanned: (read) => goOn(async () => (await post("scans/read", { read })).text),
    heard: () => showHeard("scanner.heard"),
  });
  /** A key goes where the one before it has led, however late the machine was with that one. @param {string} name */
  const aimOf = (name) => {
    const target = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
    const does = { Enter: "button, a, summary, input[type=file]", " ": "button, summary, input" }[name];
    // A button that was touched has the focus, and no key of the counter.
    const isOnButton = does !== undefined && !isField(target) && target.matches(does) && (!key || target.matches(":focus-visible"));
    const isForeign = isSign(name) && isOfNumbers(target) && !OF_NUMBERS.test(name);
    return { target, isOnButton, asked: asked(), isForeign };
  };
  /** @param {Key} pressed @param {ReturnType<typeof aimOf>} aim */
  const tell = ({ name, code, shift }, { target, isOnButton, asked: was }) => {
    if (isUnknown(name)) return false;
    if (!isField(target) && was !== asked()) return false;
    hideHeard();
    const focus = document.activeElement;
    press(name, code, shift, target, isOnButton);
    return focus !== document.activeElement || was !== asked();
  };
  /** @param {string} name @param {string} code @param {boolean} shift @param {HTMLElement} target @param {boolean} isOnButton */
  const press = (name, code, shift, target, isOnButton) => {
    const event = new KeyboardEvent("keydown", { key: name, code, shiftKey: shift, bubbles: true, cancelable: true });
    told.add(event);
    if (!target.dispatchEvent(event)) return;
    if (isField(target)) write(target, name);
    else if (isOnButton) target.click();
    else if (target instanceof HTMLSelectElement && name === " ") target.showPicker();
    else if (name === "Enter" && (target instanceof HTMLSelectElement || target instanceof HTMLInputElement)) submit(target.form);
    else key?.(name);
  };
  /** The last scan of a scanner that is a device of its own; none before the first state. @type {number | null} */
  let scanned = null;
  /** A device that types was plugged in, and nobody knows yet whose the keys are. */
  let isWaiting = false;
  onState((state) => {
    isWaiting = state.keys_held;
    hearing.start = state.scanner_start;
    const number = state.scan;
    if (scanned !== null && number > scanned) goOn(async () => (await post("scans", { number })).text);
    scanned = number;
  });
  // What was typed before a touch is done before it.
  addEventListener("pointerdown", () => hearing.flush(), { capture: true });
  addEventListener(
    "keydown",
    (event) => {
      // A scanner presses Shift before each capital: it is part of the key that follows.
      if (told.has(event) || SILENT.includes(event.key)) return;
      if (isWaiting) {
        swallow(event);
        showHeard("scanner.held");
        return;
      }
      const name = nameOf(event);
      const isOfOthers = event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
      const text = isSign(name) && !isUnknown(name) && !isOfOthers ? name : "";
      const pressed = { name, text, code: event.code, shift: event.shiftKey, at: event.timeStamp };
      if (hearing.isBusyAt(event.timeStamp)) {
        swallow(event);
        hearing.take(pressed, () => aimOf(name));
        showBusy();
        return;
      }
      // What came before it comes first. Nobody but Chromium moves the focus, or makes an ê of ^ and e.
      const isHeld = (isSign(name) && !(isUnknown(name) && !isOfNumbers(event.target))) || name === "Enter";
      if (event.repeat || isOfOthers) hearing.flush();
      else {
        hearing.take(pressed, () => aimOf(name), !isHeld);
        if (hearing.isBusyAt(event.timeStamp)) showBusy();
        if (isHeld || hearing.isBusyAt(event.timeStamp)) {
          swallow(event);
          return;
        }
      }
      hideHeard();
      if (isOfOthers) return;
      // One that is held down is no second answer, and no longer number; in a field it is typed on.
      const isOnce = name === "Enter" || (!isField(event.target) && !REPEATED.includes(name) && (isSign(name) || keys.includes(name)));
      if (event.repeat && isOnce) {
        swallow(event);
        return;
      }
      if (isField(event.target)) return;
      if (!keys.includes(name) || isFree(event)) return;
      event.preventDefault();
      key?.(name);
    },
    { capture: true },
  );
};

/** @param {Event} event */
const swallow = (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

/** @type {any} */
let busyTimer = null;

/** A scanner types: no key is a person's until it has made its pause. */
const showBusy = () => {
  document.body.dataset.scanner = "busy";
  clearTimeout(busyTimer);
  busyTimer = setTimeout(() => delete document.body.dataset.scanner, PAUSE_MS);
};

/** So long it stands on the screen that a scanner was heard, unless a person goes on. */
const HEARD_MS = 10_000;
/** @type {any} */
let heardTimer = null;

const hideHeard = () => document.getElementById("heard")?.remove();

/** Nothing came of what was typed: it is said, or the clerk would do it once more. @param {string} words */
const showHeard = (words) => {
  hideHeard();
  const heard = el("p", { id: "heard", role: "alert", popover: "manual" }, t(words));
  document.body.append(heard);
  // Before a box that asks, too.
  heard.showPopover();
  clearTimeout(heardTimer);
  heardTimer = setTimeout(hideHeard, HEARD_MS);
};

/** What a scanner read, where a page has no place of its own for it. @param {string} text */
const readInField = (text) => {
  const target = document.activeElement;
  if (!isField(target) || isOfNumbers(target) || target.type === "password" || target.readOnly) return;
  target.value = text;
  for (const name of ["input", "change"]) target.dispatchEvent(new Event(name, { bubbles: true }));
};

/**
 * The next field, to which Enter goes in a form that is walked through: of a sign-on the next empty
 * one, so that a float that is typed after the PIN is never a slip; of a count each.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
const fieldAfter = (field) => {
  const walked = field.form?.dataset.walked;
  if (!walked) return null;
  const fields = [.../** @type {HTMLFormElement} */ (field.form).querySelectorAll("input")];
  return fields.slice(fields.findIndex((one) => one === field) + 1).find((one) => walked === "each" || one.value === "");
};

/** As Enter does: not where its button rests. @param {HTMLFormElement | null} form */
const submit = (form) => {
  if (!form?.querySelector("button:not([type=button]):disabled")) form?.requestSubmit();
};

/** Types a key of a person into a field, as if it had not been held. @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} name */
const write = (field, name) => {
  here();
  if (field.readOnly) return;
  if (name === "Enter" && field instanceof HTMLInputElement) {
    const next = fieldAfter(field);
    // What stands there is written over.
    if (next) {
      next.focus();
      next.select();
    } else submit(field.form);
    return;
  }
  const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  field.setRangeText(name === "Enter" ? "\n" : name, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
