// One of a few reasons by its digit, and then the key that goes on: never Enter alone.
// @ts-check
import { button, el } from "/dom.js";
import { t } from "/words.js";

/** Why a ticket is cancelled, as central names it. */
export const CANCEL_REASONS = ["changed_mind", "keyed_wrong", "printed_badly", "not_paid", "other"];

/**
 * @param {object} about
 * @param {string} about.why the question
 * @param {string[]} about.reasons in the order of their digits
 * @param {number | null} about.chosen
 * @param {string | Node} [about.note] what has to be known beside it
 * @param {string} about.yes what the key that goes on says
 * @param {string} about.id of that key
 * @param {(key: string) => void} about.key what one key does
 */
export const reasonsPanel = ({ why, reasons, chosen, note, yes, id, key }) =>
  el(
    "div",
    { class: "confirm" },
    // What is chosen then is no alert.
    el("p", { role: "alert" }, why),
    el(
      "p",
      { class: "keys reasons" },
      ...reasons.map((words, index) => button(words, String(index + 1), () => key(String(index + 1)), { "aria-pressed": chosen === index ? "true" : "false", class: "quiet" })),
    ),
    note ? el("p", {}, note) : null,
    el(
      "p",
      { class: "keys" },
      button(yes, t("key.enter"), () => key("Enter"), { id, disabled: chosen === null }),
      button(t("ticket.back"), t("key.escape"), () => key("Escape"), { class: "quiet" }),
    ),
  );
