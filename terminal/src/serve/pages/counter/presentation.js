// Tickets presented one after the other without being paid: on the last day of a claim period there
// is no time to pay everybody. Each is stamped at central as it is scanned; then their receipt.
// @ts-check
import { get, isAway, post, toldBy } from "/device.js";
import { button, el } from "/dom.js";
import { clock, endOf, t } from "/words.js";

export class Presentation {
  isOpen = false;
  isAtWork = false;
  /** What this clerk has presented for the patron. @type {{presented: any[], printed: boolean}} */
  batch = { presented: [], printed: false };
  /** What was not presented, since the last receipt. @type {{tone: string, words: () => string}[]} */
  refused = [];
  /** @type {{tone: string, words: () => string}[]} */
  told = [];
  /** Codes that were scanned while another was on its way. @type {string[]} */
  #waiting = [];

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  async open() {
    this.isOpen = true;
    this.told = [];
    this.refused = [];
    await this.#look();
  }

  /** The presentations stand; only the screen is left. */
  leave() {
    this.isOpen = false;
    this.told = [];
    this.refused = [];
    this.#waiting = [];
    this.changed();
  }

  async #look() {
    const batch = await get("presentations");
    if (batch.presented) this.batch = batch;
    this.changed();
  }

  /** A ticket: it is presented, or it waits for those before it. @param {string} code */
  async scan(code) {
    this.#waiting.push(code);
    await this.#goOn();
  }

  /** Central answers, as far as the device knows. */
  centralIsThere() {
    if (this.isOpen && this.#waiting.length > 0) this.#goOn();
  }

  async #goOn() {
    if (this.isAtWork) return;
    this.isAtWork = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (await this.#present(next)) continue;
      // Not presented, and not forgotten.
      this.#waiting.unshift(next);
      break;
    }
    this.isAtWork = false;
    this.changed();
  }

  /** False when central was not there. @param {string} code */
  async #present(code) {
    if (this.batch.printed) this.refused = [];
    this.told = [];
    this.changed();
    const reply = await post("presentations", { code });
    if (isAway(reply)) {
      this.told = toldBy(reply);
      this.changed();
      return false;
    }
    if (reply.exit === "done") {
      this.told = toldBy(reply, true);
      if (reply.fact?.in_time === false) this.told = this.told.map((one) => ({ ...one, tone: "bad" }));
    } else {
      // Not for the next scan to wipe out: this patron holds a ticket that is not presented.
      const digits = /^(?:KT1)?(\d{16})/.exec(code)?.[1];
      const end = digits ? `${endOf(digits)} ` : "";
      this.refused.push(...toldBy(reply).map((one) => ({ tone: "bad", words: () => `${end}${one.words()}` })));
    }
    await this.#look();
    return true;
  }

  async print() {
    if (this.isAtWork || this.batch.presented.length === 0) return;
    this.isAtWork = true;
    this.changed();
    const reply = await post("presentation-receipts");
    this.isAtWork = false;
    this.told = reply.exit === "done" ? [{ tone: "note", words: () => t("present.hand_over") }] : toldBy(reply);
    await this.#look();
  }

  /** @param {string} key */
  key(key) {
    if (key === "Escape") this.leave();
    else if (key === "Enter") this.print();
  }

  work() {
    const { presented, printed } = this.batch;
    const count = presented.length;
    return el(
      "div",
      { class: "presentation" },
      el("h2", {}, t("present.title")),
      el("p", {}, t("present.text")),
      el("p", { class: "big", id: "presented-count", role: "status" }, t(count === 1 ? "present.count_one" : "present.count", { count })),
      ...this.told.map((one) => el("p", { class: `told ${one.tone}`, role: "status" }, one.words())),
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
        count === 0 ? null : button(t(printed ? "present.print_again" : "present.print", { count }), t("key.enter"), () => this.print(), { id: "present-print" }),
        button(t("ticket.back"), t("key.escape"), () => this.leave(), { class: "quiet" }),
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
              { class: one.in_time ? "good" : "bad" },
              el("th", { scope: "row" }, `…${one.number_end}`),
              el("td", {}, clock(one.presented_at_local)),
              el("td", {}, one.claim_by),
              el("td", {}, `${one.in_time ? "●" : "■"} ${t(one.in_time ? "present.in_time" : "present.late")}${one.repeated ? ` ${t("present.again")}` : ""}`),
            ),
          ),
        ),
      ),
    );
  }
}
