// Keys of the keyboard, as the screen calls them, and the scanner that types like one.
// @ts-check
import { here } from "/device.js";
import { Wedge } from "/wedge.js";

/** Keys of the screen that Chromium would take for itself. */
const OURS = new Set(["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "Tab", "Escape", "Enter", "PageUp", "PageDown", "ArrowUp", "ArrowDown", "Backspace", "*", "/", "+", "-", ".", ","]);

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

/** @param {EventTarget | null} target */
const isField = (target) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/**
 * Hears the keyboard before anything else does. Keys that a scanner could have sent are held until
 * it is known that it did not; one that was held is for what was on the screen when it was pressed, after
 * the keys before it, and for nothing that came meanwhile.
 * @param {object} by
 * @param {(key: string) => void} by.key a key of a person, outside of a field
 * @param {(text: string) => void} by.scan what a scanner read, wherever the focus was
 * @param {(event: KeyboardEvent) => boolean} by.isFree the page itself has this key: a field, a box, a focused button
 * @param {() => string} by.asked what on the screen a key would be for
 */
export const hear = ({ key, scan, isFree, asked }) => {
  const wedge = new Wedge({
    typed: (name, event) => {
      if (isField(event.target)) write(event.target, name);
      else if (event.asked !== asked()) return;
      else if (name === "Enter" && event.target instanceof HTMLSelectElement) event.target.form?.requestSubmit();
      else if (name === "Enter" && event.isOnButton) event.target.click();
      else key(name);
    },
    scanned: scan,
  });
  /** A key goes where the one before it has led, however late the machine was with that one. @param {string} name */
  const aimOf = (name) => {
    const target = document.activeElement;
    const isOnButton = name === "Enter" && target instanceof HTMLElement && target.matches("button, a, summary, select") && target.matches(":focus-visible");
    return { target, isOnButton, asked: asked() };
  };
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      const name = nameOf(event);
      // A scanner presses Shift before each capital: it is part of the key that follows.
      if (["Shift", "CapsLock", "NumLock", "AltGraph"].includes(name)) return;
      if (Wedge.isOfScanner(name)) {
        event.preventDefault();
        // A key that is held down is no second answer, and no longer number.
        if (event.repeat && !isField(event.target)) return;
        wedge.take(name, () => aimOf(name), event.timeStamp);
        return;
      }
      // What came before it comes first.
      wedge.flush();
      if (isField(event.target)) {
        if (name === event.key || name !== ".") return;
        event.preventDefault();
        write(event.target, name);
        return;
      }
      if (isFree(event)) return;
      if (!OURS.has(name)) return;
      event.preventDefault();
      if (event.repeat && !["Backspace", "-", "ArrowUp", "ArrowDown", "Tab"].includes(name)) return;
      key(name);
    },
    { capture: true },
  );
};

/**
 * The next empty field, to which Enter goes in a form that is walked through: a float that is typed
 * after the PIN is never a slip.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
const emptyAfter = (field) => {
  const fields = [.../** @type {HTMLFormElement} */ (field.form).querySelectorAll("input")];
  return fields.slice(fields.findIndex((one) => one === field) + 1).find((one) => one.value === "");
};

/** Types a key of a person into a field, as if it had not been held. @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} name */
const write = (field, name) => {
  here();
  if (field.readOnly) return;
  if (name === "Enter") {
    const next = field.form?.dataset.walked ? emptyAfter(field) : null;
    if (next) next.focus();
    else field.form?.requestSubmit();
    return;
  }
  const [from, to] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
  field.setRangeText(name, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
