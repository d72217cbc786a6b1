// Tickets presented one after the other without being paid: on the last day of a claim period there
// is no time to pay everybody. Each is stamped at central as it is scanned; then their receipt.
// @ts-check
import { ask, leaveBox, secondOf, secondPerson } from "/ask.js";
import { asking, isAway, isUnanswered, post, toldBy } from "/device.js";
import { button, el, toldParts } from "/dom.js";
import { clock, endOf, t } from "/words.js";

/** The key of a receipt that is printed once more. */
const AGAIN = "+";
/** The key of tickets that were presented while central was away. */
const AFTER = "*";

export class Presentation {
  isOpen = false;
  isAtWork = false;
  /** What this clerk has presented for the patron. @type {{presented: any[], printed: boolean}} */
  batch = { presented: [], printed: false };
  /** What was not presented, since the last receipt. @type {import("./device.js").Told[]} */
  refused = [];
  /** @type {import("./device.js").Told[]} */
  told = [];
  /** Codes that were scanned while another was on its way. @type {{code: string, visit: number}[]} */
  #waiting = [];
  /** The visit in which the one was scanned that is on its way to central. @type {number | null} */
  #onItsWay = null;
  /** Which visit to this screen it is: what comes late of an earlier one is not the next patron's. */
  #visit = 0;
  /** Whether to leave is asked. */
  #isLeaving = false;
  /** Codes of tickets that were presented while central was away; null unless those are scanned. @type {string[] | null} */
  after = null;
  /** The hour that was typed last: the next paper may say the same. */
  #hour = "";
  /** The receipt was asked for while a ticket was on its way: it comes after the last. */
  #wantsReceipt = false;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  async open() {
    this.#begin();
    this.isOpen = true;
    await this.#look();
  }

  /** The presentations stand; only the screen is left. */
  leave() {
    this.#begin();
    this.isOpen = false;
    this.changed();
  }

  #begin() {
    this.#visit += 1;
    this.told = [];
    this.refused = [];
    this.#waiting = [];
    this.#wantsReceipt = false;
    this.after = null;
    this.#hour = "";
  }

  /** Tickets that the patron was told would be presented, and that are not yet. */
  get #left() {
    return this.#waiting.length + (this.#onItsWay === this.#visit ? 1 : 0);
  }

  /** Leaves; what still waits is not dropped before somebody has said so. */
  async #askToLeave() {
    if (this.#left > 0) {
      this.#isLeaving = true;
      const given = await ask({ title: t("present.leave_title", { count: this.#left }), text: t("present.leave_text"), fields: [], yes: t("present.leave_yes") });
      this.#isLeaving = false;
      if (given === null) return;
    }
    this.leave();
  }

  #look = asking("presentations", {
    answered: (batch) => {
      if (batch.presented) this.batch = batch;
      this.changed();
    },
    // The list is asked for again with the next ticket; the alarm says that the device is silent.
    silent: () => this.changed(),
  });

  /** A ticket: it is presented, or it waits for those before it. @param {string} code */
  async scan(code) {
    if (this.after) {
      if (!this.after.includes(code)) this.after.push(code);
      this.changed();
      return;
    }
    this.#waiting.push({ code, visit: this.#visit });
    await this.#goOn();
  }

  /** Central answers, as far as the device knows. */
  centralIsThere() {
    if (this.isOpen && this.#waiting.length > 0) this.#goOn();
  }

  async #goOn() {
    if (this.isAtWork) return;
    this.isAtWork = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        if (await this.#present(next)) continue;
        // Not presented, and not forgotten; but it is not the next patron's.
        if (next.visit !== this.#visit) continue;
        this.#waiting.unshift(next);
        break;
      }
    } finally {
      this.isAtWork = false;
    }
    // Nothing is left to be asked about.
    if (this.#isLeaving && this.#left === 0) leaveBox();
    this.changed();
    const wantsReceipt = this.#wantsReceipt;
    this.#wantsReceipt = false;
    if (wantsReceipt && this.#left === 0 && !this.batch.printed) await this.print();
  }

  /** False when it is not known to be presented. @param {{code: string, visit: number}} one */
  async #present({ code, visit }) {
    if (this.batch.printed) this.refused = [];
    this.told = [];
    this.#onItsWay = visit;
    this.changed();
    const reply = await post("presentations", { code });
    this.#onItsWay = null;
    // An answer that was lost is asked for again: the first time that a ticket is presented counts.
    if (isAway(reply) || isUnanswered(reply)) {
      if (visit === this.#visit) this.told = isAway(reply) ? toldBy(reply) : [];
      this.changed();
      return false;
    }
    if (visit === this.#visit) this.#tell(code, reply);
    await this.#look();
    return true;
  }

  /** @param {string} code @param {import("./device.js").Ended} reply */
  #tell(code, reply) {
    if (reply.exit === "done") {
      this.told = toldBy(reply, true);
      return;
    }
    // Not for the next scan to wipe out: this patron holds a ticket that is not presented.
    const digits = /^(?:KT\d)?(\d{16})/.exec(code)?.[1];
    const end = digits ? `${endOf(digits)} ` : "";
    this.refused.push(...toldBy(reply).map((one) => ({ tone: "bad", words: () => `${end}${one.words()}` })));
  }

  /** Tickets are scanned that were presented while central was away: two people enter them, with their
   * hour. Not beside those of a visit: their receipt comes first. */
  #openAfter() {
    if (this.isAtWork || this.#left > 0 || this.batch.presented.length > 0) return;
    this.told = [];
    this.refused = [];
    this.after = [];
    this.changed();
  }

  #leaveAfter() {
    this.after = null;
    this.changed();
  }

  /** One question for all that were scanned: the hour on the paper, and the second person. */
  async #enterAfter() {
    const codes = this.after ?? [];
    if (this.isAtWork || codes.length === 0) return;
    const given = await ask({
      title: t("present.after_title", { count: codes.length }),
      text: t("present.after_text"),
      fields: [{ name: "at", words: "present.after_at", value: this.#hour }, ...secondPerson()],
      yes: t("present.after_yes"),
    });
    if (given === null) return;
    this.#hour = given.at;
    this.isAtWork = true;
    this.changed();
    const reply = await post("presentations-afterwards", { codes, at: given.at, second: secondOf(given) });
    this.isAtWork = false;
    // What is recorded changes nothing when it is entered once more: all of them stay to be entered
    // until all are.
    if (reply.exit === "done") this.after = null;
    this.told = toldBy(reply, true);
    await this.#look();
  }

  async print() {
    if (this.isAtWork) {
      this.#wantsReceipt = this.#left > 0;
      return;
    }
    if (this.batch.presented.length === 0) return;
    this.isAtWork = true;
    this.changed();
    const reply = await post("presentation-receipts");
    this.isAtWork = false;
    this.told = reply.exit === "done" ? [{ tone: "note", words: () => t("present.hand_over") }] : toldBy(reply);
    await this.#look();
    // What was scanned meanwhile.
    await this.#goOn();
  }

  /** @param {string} key */
  key(key) {
    if (this.after) {
      if (key === "Escape") this.#leaveAfter();
      else if (key === "Enter") this.#enterAfter();
      return;
    }
    if (key === "Escape") this.#askToLeave();
    else if (key === AFTER) this.#openAfter();
    // A key that is pressed once more is no other receipt: that has a key of its own.
    else if (key === (this.batch.printed && !this.isAtWork ? AGAIN : "Enter")) this.print();
  }

  work() {
    if (this.after) return this.#afterWork(this.after);
    const { presented, printed } = this.batch;
    const count = presented.length;
    return el(
      "div",
      { class: "presentation" },
      el("h2", {}, t("present.title")),
      el("p", {}, t("present.text")),
      el("p", {}, t("present.no_code")),
      el("p", { class: "big", id: "presented-count", role: "status" }, t(count === 1 ? "present.count_one" : "present.count", { count })),
      ...toldParts(this.told),
      this.#waiting.length === 0 || this.isAtWork ? null : el("p", { class: "told note", id: "not-yet-presented", role: "status" }, t("present.waiting", { count: this.#waiting.length })),
      this.refused.length === 0
        ? null
        : el(
            "div",
            { class: "told bad", id: "not-presented", role: "alert" },
            el("strong", {}, t("present.refused", { count: this.refused.length })),
            el("ul", {}, ...this.refused.map((one) => el("li", {}, one.words()))),
          ),
      count === 0 ? null : this.#list(presented),
      el(
        "p",
        { class: "keys" },
        count === 0 ? null : button(t(printed ? "present.print_again" : "present.print", { count }), printed ? AGAIN : t("key.enter"), () => this.print(), { id: printed ? "present-again" : "present-print", class: printed ? "quiet" : undefined }),
        count > 0 ? null : button(t("present.after_open"), AFTER, () => this.#openAfter(), { id: "present-after", class: "quiet", disabled: this.isAtWork || this.#left > 0 }),
        button(t("ticket.back"), t("key.escape"), () => this.#askToLeave(), { class: "quiet" }),
      ),
    );
  }

  /** @param {string[]} codes */
  #afterWork(codes) {
    const count = codes.length;
    return el(
      "div",
      { class: "presentation" },
      el("h2", {}, t("present.after_open")),
      el("p", {}, t("present.after_words")),
      el("p", { class: "big", id: "after-count", role: "status" }, t("present.after_count", { count })),
      ...toldParts(this.told),
      el(
        "p",
        { class: "keys" },
        count === 0 ? null : button(t("present.after_enter"), t("key.enter"), () => this.#enterAfter(), { id: "after-enter", disabled: this.isAtWork }),
        button(t("ticket.back"), t("key.escape"), () => this.#leaveAfter(), { class: "quiet" }),
      ),
    );
  }

  /** @param {any[]} presented */
  #list(presented) {
    return el(
      "div",
      { class: "sheet", id: "presented", tabindex: 0, role: "region", "aria-label": t("present.list") },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...["ticket", "at", "claim_by", "standing"].map((name) => el("th", { scope: "col" }, t(`present.${name}`))))),
        el(
          "tbody",
          {},
          // The newest is what the clerk looks at.
          ...presented.toReversed().map((one) =>
            el(
              "tr",
              { class: "good" },
              el("th", { scope: "row" }, `…${one.number_end}`),
              el("td", {}, clock(one.presented_at_local)),
              el("td", {}, one.claim_by),
              el("td", {}, `● ${t("present.in_time")} (${one.draws.join(", ")})${one.repeated ? ` ${t("present.again")}` : ""}`),
            ),
          ),
        ),
      ),
    );
  }
}
