// A supervisor's message at the counter: it stands there until the clerk has read it.
// @ts-check
import { Arming } from "/arming.js";
import { post } from "/device.js";
import { button, el } from "/dom.js";
import { clock, inForce, t } from "/words.js";

/** Read here, while the device has not said so yet. @type {Set<number>} */
const read = new Set();

/** The message that is on the screen. @type {number | null} */
let shown = null;
let again = () => {};
/** One that has just come is not read by a key that was meant for the one before. */
const arming = new Arming(() => again());

/**
 * The oldest message that waits, with its key; null when none does.
 * @param {any} state @param {() => void} changed
 */
export const message = (state, changed) => {
  const one = (state?.messages ?? []).find((/** @type {any} */ one) => !read.has(one.id));
  if (one && one.id !== shown) arming.disarm();
  shown = one?.id ?? null;
  again = changed;
  if (!one) return null;
  const done = async () => {
    read.add(one.id);
    changed();
    const reply = await post(`messages/${one.id}/acknowledge`);
    // What was not noted waits again.
    if (reply.exit) read.delete(one.id);
    changed();
  };
  return el(
    "div",
    { class: "told note message", role: "alert", "data-id": one.id },
    el("p", {}, t("message.from", { badge: one.by, at: clock(one.local) })),
    el("p", { class: "big" }, inForce() === "fr" ? one.fr : one.en),
    button(t("message.read"), "Alt+M", done, { disabled: !arming.isArmed }),
  );
};

addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.code !== "KeyM" || event.repeat) return;
  const read = document.querySelector(".message button");
  if (!(read instanceof HTMLElement)) return;
  event.preventDefault();
  read.click();
});
