// A supervisor's message at the counter: it stands there until the clerk has read it.
// @ts-check
import { post } from "/device.js";
import { button, el } from "/dom.js";
import { clock, inForce, t } from "/words.js";

/** Read here, while the device has not said so yet. @type {Set<number>} */
const read = new Set();

/**
 * The oldest message that waits, with its key; null when none does.
 * @param {any} state @param {() => void} changed
 */
export const message = (state, changed) => {
  const one = (state?.messages ?? []).find((/** @type {any} */ one) => !read.has(one.id));
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
    button(t("message.read"), "Alt+M", done),
  );
};

addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.code !== "KeyM" || event.repeat) return;
  const read = document.querySelector(".message button");
  if (!(read instanceof HTMLElement)) return;
  event.preventDefault();
  read.click();
});
