// A holder who is not paid: a minor, or somebody excluded. Nobody is asked for a name, and there is
// no place to type one; a supervisor decides about the prize.
// @ts-check
import { button, el } from "/dom.js";
import { reasonsPanel } from "/reasons.js";
import { t } from "/words.js";

/** Why a holder is not paid, by its digit. */
const REASONS = ["minor", "excluded", "other"];

/** Verdicts of tickets that nobody is paid for, now or later. */
const OVER = ["not_winner", "already_paid", "claim_expired", "replaced"];

export class Refusal {
  /** Which reason was chosen. @type {number | null} */
  #reason = null;

  /** @param {import("./ticket.js").Ticket} ticket */
  constructor(ticket) {
    this.ticket = ticket;
  }

  get isOffered() {
    const { check, phase, done } = this.ticket;
    return phase === "view" && !done && check?.state === "sold" && !OVER.includes(check.verdict.code);
  }

  /** Asks why. */
  open() {
    if (!this.isOffered) return;
    this.#reason = null;
    this.ticket.told = [];
    this.ticket.phase = "refuse";
    this.ticket.changed();
  }

  /** What one key does while it is asked why. @param {string} key */
  async key(key) {
    const { ticket } = this;
    if (key === "Escape") ticket.phase = "view";
    else if (/^[1-3]$/.test(key)) this.#reason = Number(key) - 1;
    else if (key === "Enter" && this.#reason !== null) return ticket.refuse(REASONS[this.#reason]);
    else return;
    ticket.changed();
  }

  /** The reasons, while it is asked why. */
  panel() {
    return reasonsPanel({
      why: t("refused.why"),
      reasons: REASONS.map((reason) => t(`refused.reason_${reason}`)),
      chosen: this.#reason,
      note: t("refused.no_name"),
      yes: t("refused.key"),
      id: "refuse-yes",
      key: (key) => this.key(key),
    });
  }

  /** What stands on a ticket of which a holder was not paid. */
  notice() {
    const reason = this.ticket.check?.patron_refused;
    if (!reason || this.ticket.done) return null;
    return el("p", { id: "refused", class: "told bad", role: "status" }, t("refused.stands", { reason: t(`refused.reason_${reason}`) }));
  }

  /** The key that opens it. */
  opener() {
    return this.isOffered ? button(t("refused.open"), "-", () => this.open(), { id: "refuse", class: "quiet" }) : null;
  }
}
