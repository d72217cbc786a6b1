// A ticket that was looked up: its verdict, what can be done with it, and what came of that. A
// scan moves nothing.
// @ts-check
import { ask, secondOf, secondPerson } from "/ask.js";
import { openFile, readPaper } from "/damaged.js";
import { isAway, post, toldBy } from "/device.js";
import { button, el, toldParts } from "/dom.js";
import { CANCEL_REASONS, reasonsPanel } from "/reasons.js";
import { Refusal } from "/refusal.js";
import { signOf, toneOf } from "/verdict.js";
import { ball, clock, day, drawNumber, endOf, letter, money, referenceWords, say, t } from "/words.js";

/** The reason where two people cancel a ticket with the pieces of its paper. */
const TORN = "printed_badly";

/** Nothing is known of a ticket: what was said of the one before is not its. */
const NONE = { check: null, again: null, new_pick: null };

export class Ticket {
  /** The code that was scanned or typed. */
  code = "";
  /** What central says of it. @type {any} */
  check = null;
  /** @type {any} */
  again = null;
  /** @type {any} */
  newPick = null;
  /** `view`, `cancel` (a reason is chosen), `wait_cancel` (a ticket is to be scanned), `refuse` (why its holder is not paid), `busy`. */
  phase = "none";
  /** The reason of a cancellation. @type {number | null} */
  reason = null;
  /** What was done with it. @type {any} */
  done = null;
  /** @type {import("./device.js").Told[]} */
  told = [];
  /** Which look at a ticket is the newest: the same paper may be read twice. */
  #look = 0;
  /** @type {Promise<any>} */
  #checking = Promise.resolve();
  /** Asks again, while central was not there. @type {(() => void) | null} */
  #askAgain = null;
  /** A command is at work: no other ticket takes its place before it has ended. */
  isAtWork = false;

  /** @param {() => void} changed @param {import("./sale.js").Sale} sale */
  constructor(changed, sale) {
    this.changed = changed;
    this.sale = sale;
    this.refusal = new Refusal(this);
  }

  /** True while the left zone is its. */
  get isShown() {
    return this.phase !== "none";
  }

  /** @param {string} code @param {import("./device.js").Told[]} [done] what has just been done with it, which is told from now on */
  async scan(code, done = []) {
    const wasCancelling = this.phase === "wait_cancel";
    this.code = code;
    this.#take(NONE);
    this.done = null;
    this.told = done;
    this.phase = "busy";
    this.changed();
    this.#look += 1;
    const look = this.#look;
    this.#checking = this.#inquire(code, look, done);
    // The one that waited for central is asked about no more.
    this.centralIsThere();
    const reply = await this.#checking;
    // Another ticket was scanned meanwhile, or the same again.
    if (look !== this.#look) return;
    this.phase = "view";
    this.told = done;
    if (reply.fact?.what === "check") {
      this.#take(reply.fact);
      if (wasCancelling) this.#toCancel();
    } else this.told = [...done, ...toldBy(reply)];
    this.changed();
  }

  /**
   * Asks what a ticket is worth. Nothing moves, so a central that was not there is asked again as
   * soon as it is, as long as this look is the newest.
   * @param {string} code @param {number} look @param {import("./device.js").Told[]} done
   */
  async #inquire(code, look, done) {
    for (;;) {
      const reply = await post("checks", { code });
      if (!isAway(reply) || look !== this.#look) return reply;
      this.told = [...done, ...toldBy(reply)];
      this.changed();
      await new Promise((again) => (this.#askAgain = () => again(null)));
      if (look !== this.#look) return reply;
      this.told = done;
    }
  }

  /** Whether a number was typed without the code of its paper: it tells a verdict and no more. */
  get isNumberAlone() {
    return Boolean(this.check?.code_needed) && !this.done;
  }

  /** Central answers, as far as the device knows. */
  centralIsThere() {
    this.#askAgain?.();
    this.#askAgain = null;
  }

  /** @param {any} fact */
  #take(fact) {
    this.check = fact.check;
    this.again = fact.again;
    this.newPick = fact.new_pick;
  }

  /** @param {any} reply */
  #tellSaid(reply) {
    this.told = toldBy(reply);
  }

  /**
   * A recorded sale without paper, by its reference: two people decide, and nobody needs its number.
   * @param {any} reference @param {string | null} money what was said of its money when it was put aside
   */
  decide(reference, money) {
    if (this.isAtWork) return;
    if (this.sale.slipInHand() !== null) {
      this.sale.tell("bad", () => t("sale.finish_first"));
      return;
    }
    this.leave();
    this.code = `#${reference.ticket}`;
    this.check = { reference, money, state: "sold", draws: [] };
    this.phase = "view";
    this.changed();
  }

  /** The next patron. */
  leave() {
    this.phase = "none";
    this.code = "";
    this.#look += 1;
    this.#checking = Promise.resolve();
    this.centralIsThere();
    this.#take(NONE);
    this.done = null;
    this.told = [];
    this.reason = null;
    // The patron sees the slip in hand again, if there is one.
    this.sale.reprice(true);
    this.changed();
  }

  get canPay() {
    return this.phase === "view" && !this.done && (this.check?.payable_cents ?? 0) > 0 && !this.check?.till_short && !this.check?.for_the_cage;
  }

  get canCancel() {
    const draws = this.check?.draws ?? [];
    return this.phase === "view" && !this.done && this.check?.state === "sold" && draws.length > 0 && draws.every((/** @type {any} */ draw) => draw.state === "to_come");
  }

  get canReplay() {
    return this.phase === "view" && this.again !== null;
  }

  /** Waits for the ticket that is to be cancelled. */
  waitToCancel() {
    this.#take(NONE);
    this.done = null;
    this.told = [];
    this.phase = "wait_cancel";
    this.changed();
  }

  #toCancel() {
    if (!this.canCancel) {
      this.told = [{ tone: "bad", words: () => t("cancel.not_now") }];
      return;
    }
    this.reason = null;
    this.phase = "cancel";
  }

  /** What one key does. @param {string} key */
  async key(key) {
    if (this.phase === "busy") {
      // A quick hand is waited for; but nobody pays an amount that was not seen.
      if (!["F10", "F11", "Escape"].includes(key)) return;
      if (key === "Escape" && this.#askAgain) return this.leave();
      const look = this.#look;
      await this.#checking;
      // The key was for the ticket that was on its way then.
      if (this.phase === "busy" || look !== this.#look) return;
    }
    // About a ticket that nobody holds two people decide, and nothing else is done.
    if (this.check?.reference && key !== "Escape") return;
    if (this.phase === "cancel") return this.#cancelKey(key);
    if (this.phase === "refuse") return this.refusal.key(key);
    switch (key) {
      case "Escape":
        return this.leave();
      case "F9":
        return this.pay();
      case "F10":
        return this.replay(false);
      case "F11":
        if (this.check) {
          this.#toCancel();
          this.changed();
        } else this.waitToCancel();
        return;
      case "*":
        if (this.newPick) return this.replay(true);
        return;
      case "/":
        return this.discrepancy();
      case "-":
        return this.refusal.open();
    }
  }

  /** @param {string} key */
  async #cancelKey(key) {
    if (key === "Escape") {
      this.phase = "view";
      this.changed();
    } else if (/^[1-5]$/.test(key)) {
      this.reason = Number(key) - 1;
      this.changed();
    } else if (key === "Enter" && this.reason !== null) await this.#cancel(CANCEL_REASONS[this.reason]);
  }

  /** @param {string} path @param {unknown} body */
  async #command(path, body) {
    this.phase = "busy";
    this.isAtWork = true;
    this.told = [];
    this.changed();
    const reply = await post(path, body);
    this.isAtWork = false;
    this.phase = "view";
    this.#tellSaid(reply);
    return reply;
  }

  /** What a cancellation hands back: a coupon and a chip whole. */
  #givenBack() {
    const ticket = this.check.ticket;
    return money((ticket?.tender === "cash" ? ticket.total_cents : ticket?.received_cents) ?? 0);
  }

  /** @param {string} reason */
  async #cancel(reason) {
    let second = null;
    if (this.check.cancel_by_two) {
      const amount = this.#givenBack();
      const given = await ask({
        title: t("cancel.second_title", { amount }),
        text: t("cancel.second_text"),
        fields: secondPerson(),
        yes: t("cancel.key", { amount }),
        wall: () => ({ what: "cancellation", code: this.code, reason }),
      });
      if (given === null) return;
      second = secondOf(given);
    }
    const reply = await this.#command("cancellations", { code: this.code, reason, ...(second ? { second } : {}) });
    if (reply.fact?.what === "cancellation") this.done = reply.fact;
    this.changed();
  }

  /** Pays the amount that is shown, or nothing. */
  async pay() {
    if (!this.canPay) {
      if (this.check?.till_short && !this.done) this.told = [{ tone: "bad", words: () => t("pay.till_short") }];
      this.changed();
      return;
    }
    let second = null;
    if (this.check.second_person) {
      const given = await ask({
        title: t("pay.second_title", { amount: money(this.check.payable_cents) }),
        text: t(this.check.patron_refused ? "refused.second_text" : "pay.second_text"),
        fields: secondPerson(),
        yes: t("pay.key", { amount: money(this.check.payable_cents) }),
        wall: () => ({ what: "payment", code: this.code, items: this.check.payable }),
      });
      if (given === null) return;
      second = secondOf(given);
    }
    const reply = await this.#command("payments", {
      code: this.code,
      total_cents: this.check.payable_cents,
      ...(second ? { second } : {}),
    });
    if (reply.fact?.what === "payment") {
      this.done = reply.fact;
      // What central said before it was paid stands no more.
      const paid = reply.fact.items.map((/** @type {any} */ item) => item.draw);
      for (const one of this.check.draws ?? []) if (paid.includes(one.draw.draw)) one.payment = "paid";
    }
    else if (reply.fact?.what === "check") this.#take(reply.fact);
    this.changed();
  }

  /** The slip of this ticket beside a new one. @param {boolean} isNewPick */
  replay(isNewPick) {
    if (!this.canReplay) return;
    if (this.sale.slipInHand() !== null) {
      this.told = [{ tone: "bad", words: () => t("sale.finish_first") }];
      this.changed();
      return;
    }
    const ticket = this.check.ticket;
    const slip = isNewPick && this.newPick ? this.newPick : this.again;
    this.leave();
    this.sale.load(slip, { intake: "replay", replayOf: ticket.ticket }, { ticket });
  }

  /** Paper and record differ: the record prevails, and the audit office hears of it. */
  async discrepancy() {
    if (!this.check) return;
    const given = await ask({
      title: t("discrepancy.title"),
      text: t("discrepancy.text"),
      fields: [
        { name: "fact", words: "discrepancy.which", choices: [1, 2, 3, 4, 5, 6].map((fact) => [String(fact), `fact.${fact}`]) },
        { name: "note", words: "discrepancy.note" },
      ],
      yes: t("discrepancy.key"),
    });
    if (given === null) return;
    const reply = await this.#command("discrepancies", { code: this.code, facts: [Number(given.fact)], note: given.note });
    if (reply.exit === "done") this.told = [{ tone: "note", words: () => t("discrepancy.done") }];
    this.changed();
  }

  /** A paper that a duplicate replaced is kept, and the ticket held: one of the two is in the wrong hands. */
  async keepReplaced() {
    const reply = await this.#command("discrepancies", { code: this.code, facts: [4], note: t("replaced.note") });
    if (reply.exit === "done") this.told = [{ tone: "note", words: () => t("replaced.done") }];
    this.changed();
  }

  /** The code cannot be read: two people read the rest, and the ticket is looked at on that. */
  async readDamaged() {
    this.#took(await readPaper(this.code));
  }

  /** The paper is kept, and others decide. */
  async openFile() {
    this.#took(await openFile(this.code));
  }

  /** What came of a damaged paper. @param {any} reply */
  async #took(reply) {
    if (reply === null) return;
    if (reply.fact?.what === "paper_read") return this.scan(reply.fact.code, toldBy(reply, true));
    this.told = toldBy(reply, true);
    this.changed();
  }

  /** The holder is not paid; what central then says of the ticket is shown. @param {string} reason */
  async refuse(reason) {
    const reply = await this.#command("patron-refusals", { code: this.code, reason });
    if (reply.fact?.what === "patron_refused") await this.scan(this.code, [{ tone: "note", words: () => t("refused.done") }]);
    this.changed();
  }

  /** What two people do: cancellation with the pieces, unpaid wager, duplicate, release. @param {"cancellations" | "unpaid" | "duplicates" | "releases"} path */
  async byTwo(path) {
    if (!this.check) return;
    const needsNone = path === "unpaid" || path === "cancellations";
    const reason = needsNone ? [] : [/** @type {const} */ ({ name: "reason", words: path === "releases" ? "two.evidence" : "two.reason" })];
    const given = await ask({
      title: t(`two.${path}`),
      text: t(`two.${path}_text`),
      fields: [...reason, ...secondPerson()],
      yes: t(`two.${path}_key`),
      wall: (given) => {
        if (path === "cancellations") return { what: "cancellation", code: this.code, reason: TORN };
        if (path === "unpaid") return { what: "unpaid", code: this.code };
        if (path === "duplicates") return { what: "duplicate", code: this.code, reason: given.reason };
        return { what: "release", code: this.code, evidence: given.reason };
      },
    });
    if (given === null) return;
    const why = path === "cancellations" ? { reason: TORN } : path === "unpaid" ? {} : path === "releases" ? { evidence: given.reason } : { reason: given.reason };
    const reply = await this.#command(path, { code: this.code, ...why, second: secondOf(given) });
    if (reply.exit === "done") {
      const said = toldBy(reply, true);
      // What the ticket is now, and not what it was; a duplicate is another paper.
      if (this.check?.reference) {
        this.check.state = "decided";
        this.told = said;
      } else if (path === "duplicates") this.told = said;
      else await this.scan(this.code, said);
    }
    this.changed();
  }

  /** Undoes a payment that was just made here and not handed over. */
  async reverse() {
    const payment = this.done?.payment;
    const given = await ask({
      title: t("reverse.title", { amount: money(this.done.cash_cents) }),
      text: t("reverse.text"),
      fields: [{ name: "reason", words: "two.reason" }, ...secondPerson()],
      yes: t("reverse.key"),
      wall: (given) => ({ what: "reversal", payment, reason: given.reason }),
    });
    if (given === null) return;
    const reply = await this.#command("reversals", { payment, reason: given.reason, second: secondOf(given) });
    if (reply.exit === "done") await this.scan(this.code, [{ tone: "note", words: () => t("reverse.done") }]);
    this.changed();
  }

  // --- what is seen ---------------------------------------------------------------------------

  /** The amount that both sides look at. @returns {(Node | null)[]} */
  total() {
    const amount = (/** @type {string} */ words, /** @type {number} */ cents, /** @type {string} */ kind) =>
      el("p", { class: `total ${kind}` }, el("span", {}, t(words)), el("output", {}, money(cents)));
    if (this.done) {
      return [
        el("p", { class: "big" }, t("ticket.title", { number: endOf(this.done.control_number) })),
        this.done.what === "payment" ? amount("pay.hand_over", this.done.cash_cents, "give") : amount(`cancel.give_back.${this.done.tender}`, this.done.refund_cents + this.done.above_cents, "give"),
        this.done.change_cents ? amount("cancel.take_change", this.done.change_cents, "take") : null,
        el("p", { class: "big" }, this.done.what === "payment" ? (this.done.draws_left > 0 ? t("pay.give_ticket_back") : t("pay.nothing_left")) : t("cancel.keep_paper")),
      ];
    }
    if (this.phase === "busy" || !this.check) return [];
    if ((this.check.payable_cents ?? 0) === 0) return [];
    // The till is looked at first: it is filled, or the cage pays; never a part.
    const short = this.check.till_short ? [el("p", { class: "told bad", role: "status" }, t("pay.till_short"))] : [];
    if (this.check.for_the_cage) return [amount("ticket.at_cage", this.check.payable_cents, ""), el("p", { class: "big" }, t("pay.at_cage"))];
    return [amount("ticket.to_pay", this.check.payable_cents, ""), ...short];
  }

  work() {
    if (this.phase === "wait_cancel") {
      return [el("h2", {}, t("cancel.scan")), el("p", { class: "keys" }, button(t("ticket.leave"), t("key.escape"), () => this.leave(), { class: "quiet" })), ...toldParts(this.told)];
    }
    if (!this.check) {
      return [
        el("h2", {}, this.phase === "busy" ? t("ticket.asking") : t("ticket.title", { number: "" })),
        ...toldParts(this.told),
        this.phase === "busy" ? null : el("p", { class: "keys" }, button(t("ticket.leave"), t("key.escape"), () => this.leave(), { class: "quiet" })),
      ].filter((one) => one !== null);
    }
    const { check } = this;
    if (check.reference) return this.#referred(check);
    const ticket = check.ticket;
    // What was done here a moment ago says more than what central said before it.
    const code = this.done ? (this.done.what === "payment" ? "already_paid" : "cancelled") : check.verdict.code;
    const words = this.done ? t(this.done.what === "payment" ? "pay.done" : "cancel.done") : say(check.verdict.sentence);
    return [
      el(
        "div",
        { class: `verdict ${toneOf(code)}` },
        el("span", { class: "sign", "aria-hidden": "true" }, signOf(code)),
        el("p", { id: "verdict" }, words),
      ),
      ticket ? el("h2", {}, t("ticket.title", { number: ticket.control_number.replace(/(\d{4})(?=\d)/g, "$1\u00a0") })) : null,
      ticket ? this.#facts(ticket) : null,
      // A number alone tells nothing of its draws.
      (check.draws ?? []).length > 0 ? this.#draws(check) : null,
      check.code_needed && !this.done ? el("p", { class: "told bad", id: "code-needed", role: "status" }, t("ticket.code_needed")) : null,
      this.refusal.notice(),
      this.phase === "cancel" ? this.#reasons() : null,
      this.phase === "refuse" ? this.refusal.panel() : null,
      ...toldParts(this.told),
      ["cancel", "refuse"].includes(this.phase) ? null : this.#keys(),
    ].filter((one) => one !== null);
  }

  /** @param {any} check */
  #referred(check) {
    const isOpen = check.state === "sold";
    // Nobody chooses afterwards: what was said of the money leaves one of the three.
    const may = (/** @type {string} */ path) => !check.money || path === { kept: "duplicates", given_back: "unpaid" }[/** @type {"kept" | "given_back"} */ (check.money)];
    const by = (/** @type {"cancellations" | "unpaid" | "duplicates" | "releases"} */ path, /** @type {string} */ id) => !may(path) ? null : button(t(`two.${path}_open`), "", () => this.byTwo(path), { id, class: "quiet", disabled: this.isAtWork });
    return [
      el("h2", {}, t("referred.title")),
      el("p", { id: "reference", class: "big" }, referenceWords(check.reference)),
      isOpen ? el("p", {}, t(check.money ? `referred.text_${check.money}` : "referred.text")) : null,
      ...toldParts(this.told),
      el("p", { class: "keys" }, ...(isOpen ? [by("cancellations", "cancel-pieces"), by("duplicates", "duplicate"), by("unpaid", "unpaid"), by("releases", "release")] : []), button(t("ticket.leave"), t("key.escape"), () => this.leave(), { id: "leave-ticket", class: "quiet" })),
    ].filter((one) => one !== null);
  }

  /** @param {any} ticket */
  #facts(ticket) {
    return el(
      "ul",
      { class: "facts" },
      ...ticket.selections.map((/** @type {any} */ one, /** @type {number} */ index) =>
        el(
          "li",
          {},
          `${letter(index)} ${one.type === "set" ? say(one.game_name) : t(`type.${one.type}`)} ${one.quick_pick ? `(${t("sale.quick_pick")}) ` : ""}`,
          el("b", {}, [...(one.kings ?? []).map((/** @type {number} */ king) => [king]), ...one.groups].map((/** @type {number[]} */ group) => group.map(ball).join(" ")).join(" / ")),
          ` ${money(one.per_draw_cents)} × ${ticket.draws}`,
        ),
      ),
      el("li", {}, t("ticket.sold", { at: ticket.sold_at_local, terminal: ticket.terminal, total: money(ticket.total_cents) })),
      el("li", {}, t("ticket.claim_by", { day: ticket.claim_by })),
    );
  }

  /** @param {any} check */
  #draws(check) {
    const rows = (check.draws ?? []).map((/** @type {any} */ one) => {
      const balls = one.balls ?? [];
      const caught = one.caught ? one.caught.map((/** @type {number} */ count, /** @type {number} */ index) => `${letter(index)} ${count}`).join(" ") : "";
      const isReduced = one.kind === "prize" && one.computed_cents !== one.payable_cents;
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, drawNumber(one.draw.draw)),
        el("td", {}, `${day(one.draw.local)} ${clock(one.draw.local)}`),
        el("td", { class: "balls" }, balls.length > 0 ? balls.map(ball).join(" ") : t(`draw.${one.state}`)),
        el("td", {}, caught),
        el("td", { class: "amount" }, one.payable_cents > 0 ? money(one.payable_cents) : "–", isReduced ? el("span", {}, ` (${t("ticket.reduced", { from: money(one.computed_cents) })})`) : null),
        el("td", {}, t(`payment.${one.payment}`)),
      );
    });
    return el(
      "div",
      { class: "draws", tabindex: 0, role: "region", "aria-label": t("ticket.draws") },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...["draw", "time", "balls", "caught", "prize", "payment"].map((name) => el("th", { scope: "col" }, t(`column.${name}`))))),
        el("tbody", {}, ...rows),
      ),
    );
  }

  #reasons() {
    return reasonsPanel({
      why: t("cancel.reason"),
      reasons: CANCEL_REASONS.map((reason) => t(`reason.${reason}`)),
      chosen: this.reason,
      yes: t("cancel.key", { amount: this.#givenBack() }),
      id: "cancel-yes",
      key: (key) => this.key(key),
    });
  }

  #keys() {
    const { check } = this;
    const isWinner = (check.payable_cents ?? 0) > 0 && !check.for_the_cage;
    return el(
      "p",
      { class: "keys" },
      this.done?.what === "payment" ? button(t("reverse.open"), "", () => this.reverse(), { id: "reverse", class: "quiet" }) : null,
      isWinner && !this.done ? button(t("pay.key", { amount: money(check.payable_cents) }), "F9", () => this.pay(), { id: "pay", disabled: !this.canPay }) : null,
      this.canReplay ? button(t("replay.key"), "F10", () => this.replay(false), { id: "replay", class: "quiet" }) : null,
      this.canReplay && this.newPick ? button(t("replay.new_pick"), "*", () => this.replay(true), { id: "replay-new", class: "quiet" }) : null,
      this.canCancel ? button(t("cancel.open"), "F11", () => this.key("F11"), { id: "cancel", class: "quiet" }) : null,
      this.canCancel || (this.isNumberAlone && check.state === "sold") ? button(t("two.unpaid_open"), "", () => this.byTwo("unpaid"), { id: "unpaid", class: "quiet" }) : null,
      check.state === "sold" && !this.done ? button(t("two.duplicates_open"), "", () => this.byTwo("duplicates"), { id: "duplicate", class: "quiet" }) : null,
      this.isNumberAlone && check.state === "sold" ? button(t("damaged.read_open"), "", () => this.readDamaged(), { id: "read-damaged", class: "quiet" }) : null,
      this.isNumberAlone && check.state === "sold" ? button(t("damaged.file_open"), "", () => this.openFile(), { id: "open-file", class: "quiet" }) : null,
      ["in_doubt", "win_held"].includes(check.verdict.code) ? button(t("two.releases_open"), "", () => this.byTwo("releases"), { id: "release", class: "quiet" }) : null,
      check.verdict.code === "replaced" ? button(t("replaced.key"), "", () => this.keepReplaced(), { id: "keep-replaced" }) : null,
      this.refusal.opener(),
      button(t("discrepancy.open"), "/", () => this.discrepancy(), { id: "discrepancy", class: "quiet" }),
      button(t("ticket.leave"), t("key.escape"), () => this.leave(), { id: "leave-ticket", class: "quiet" }),
    );
  }
}
