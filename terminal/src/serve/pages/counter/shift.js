// The person and the till: signing on and off, the lock, fills and drops, the count, and a terminal
// that is left or taken over.
// @ts-check
import { ask, secondOf, secondPerson } from "/ask.js";
import { openFile } from "/damaged.js";
import { commandName, nameOf, post, toldBy } from "/device.js";
import { button, el, toldParts } from "/dom.js";
import { centsTyped } from "/draft.js";
import { money, say, t } from "/words.js";

/** The refusal of a PIN that somebody else set. */
const PIN_MUST_CHANGE = "pin_must_change";

/** How many coupons or chips there are, and what they come to. @param {string} name @returns {import("/ask.js").Asked[]} */
const piecesAsked = (name) => [
  { name, words: `till.${name}`, value: "0", pattern: "[0-9]{1,6}" },
  { name: `${name}_total`, words: `till.${name}_total`, type: "amount", value: "0" },
];

export class Shift {
  /** @type {any} */
  state = null;
  /** `none`, `till` or `more`: what is open instead of the sale. */
  open = "none";
  /** A count that was just made. @type {any} */
  counted = null;
  /** The sheet of a shift. @type {any} */
  sheet = null;
  /** @type {import("./device.js").Told[]} */
  told = [];
  /** What was asked for in a session that central had ended: its screen is gone. @type {import("./device.js").Told[]} */
  ended = [];
  isBusy = false;
  /** Two people are asked for who end the session of whoever locked this screen. */
  isRelieving = false;
  /** Whoever signs on is asked for a PIN of their own. */
  isChoosing = false;
  /** The code of a terminal that is left. @type {{code: string, svg: string} | null} */
  left = null;
  #asksForCode = false;
  /** Commands are done one after the other: one that is given meanwhile waits. */
  #turn = Promise.resolve();
  /** The shift that was open here last. */
  #shift = "";

  /** @param {() => void} changed @param {import("./sale.js").Sale} sale @param {import("./presentation.js").Presentation} presentation */
  constructor(changed, sale, presentation) {
    this.changed = changed;
    this.sale = sale;
    this.presentation = presentation;
  }

  /** @param {any} state */
  setState(state) {
    this.state = state;
    if (state.sale?.shift) this.#shift = String(state.sale.shift);
    if (!state.handed_out) this.left = null;
    else if (!this.left && !this.#asksForCode) this.#showCode(null);
  }

  /** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  #do(path, body) {
    const done = this.#turn.then(() => this.#ask(path, body));
    this.#turn = done.then(() => {}, () => {});
    return done;
  }

  /** @param {string} path @param {unknown} body */
  async #ask(path, body) {
    this.isBusy = true;
    this.told = [];
    this.changed();
    const reply = await post(path, body);
    this.isBusy = false;
    this.told = toldBy(reply, true);
    this.changed();
    return reply;
  }

  /** As #do. What it came to is laid out, and not told in words beside that. @param {string} path @param {unknown} body @param {string} what @param {(fact: any) => void} show */
  async #doAndShow(path, body, what, show) {
    const reply = await this.#do(path, body);
    if (reply?.fact?.what !== what) return;
    show(reply.fact);
    this.told = toldBy(reply);
    this.changed();
  }

  /** @param {SubmitEvent} event */
  async #signOn(event) {
    event.preventDefault();
    if (this.isBusy) return;
    const form = /** @type {HTMLFormElement} */ (event.target);
    const fields = new FormData(form);
    const badge = String(fields.get("badge") ?? "").trim();
    const pin = String(fields.get("pin") ?? "");
    const float = String(fields.get("float") ?? "").trim();
    // A PIN does not stay in the page.
    const pinField = /** @type {HTMLInputElement} */ (form.elements.namedItem("pin"));
    pinField.value = "";
    const float_cents = float === "" ? null : centsTyped(float);
    if (float !== "" && float_cents === null) {
      this.told = [{ tone: "bad", words: () => t("note.amount_unknown") }];
      this.changed();
      return;
    }
    let reply = await this.#do("sign-on", { badge, pin, float_cents });
    if (reply && nameOf(reply) === PIN_MUST_CHANGE) {
      const new_pin = await this.#chosenPin(badge, pin);
      if (new_pin !== null) reply = await this.#do("sign-on", { badge, pin: new_pin, float_cents });
    }
    if (reply?.exit === "done") this.told = this.ended = [];
    else pinField.focus();
    this.changed();
  }

  /** A PIN that somebody else set is good for nothing but to choose another. @param {string} badge @param {string} pin */
  async #chosenPin(badge, pin) {
    this.isChoosing = true;
    const given = await ask({
      title: t("pin.title"),
      text: t("pin.text"),
      fields: [{ name: "new_pin", words: "pin.new", type: "password" }, { name: "again", words: "pin.again", type: "password" }],
      yes: t("pin.choose"),
    });
    this.isChoosing = false;
    if (given === null) return null;
    if (given.new_pin !== given.again) {
      this.told = [{ tone: "bad", words: () => t("pin.differ") }];
      this.changed();
      return null;
    }
    const reply = await this.#do("pin", { badge, pin, new_pin: given.new_pin, card: given.card });
    return reply?.exit === "done" ? given.new_pin : null;
  }

  /** Opens a till for whoever is signed on without one. */
  async openTill() {
    const given = await ask({
      title: t("till.open_title"),
      text: t("till.open_text", { badge: this.state.badge }),
      fields: [{ name: "amount", words: "till.float", type: "amount" }, { name: "pin", words: "sign_on.pin", type: "password" }],
      yes: t("till.open"),
    });
    if (given === null) return;
    const float_cents = this.#amount(given.amount);
    if (float_cents === null) return;
    await this.#do("sign-on", { badge: this.state.badge, pin: given.pin, float_cents });
  }

  /** @param {SubmitEvent} event */
  async #unlock(event) {
    event.preventDefault();
    if (this.isBusy) return;
    const form = /** @type {HTMLFormElement} */ (event.target);
    const pinField = /** @type {HTMLInputElement} */ (form.elements.namedItem("pin"));
    const pin = pinField.value;
    pinField.value = "";
    const reply = await this.#do("unlock", { badge: this.state.locked_by, pin });
    if (reply?.exit === "done") this.told = this.ended = [];
    else pinField.focus();
    this.changed();
  }

  /** Locks the screen; the draft stays. */
  async lock() {
    await post("lock");
  }

  /** Cents of an amount that was typed; null when it is none, which is told. @param {string} text */
  #amount(text) {
    const amount = centsTyped(text);
    if (amount === null) {
      this.told = [{ tone: "bad", words: () => t("note.amount_unknown") }];
      this.changed();
    }
    return amount;
  }

  /** @param {"fill" | "drop"} kind */
  async move(kind) {
    const given = await ask({
      title: t(`till.${kind}_title`),
      text: t("till.two_people"),
      fields: [{ name: "amount", words: "till.amount", type: "amount" }, ...secondPerson()],
      yes: t(`till.${kind}`),
      wall: (given) => {
        const amount_cents = centsTyped(given.amount);
        return amount_cents === null ? null : { what: "till_movement", kind, amount_cents };
      },
    });
    if (given === null) return;
    const amount_cents = this.#amount(given.amount);
    if (amount_cents === null) return;
    await this.#do("till-movements", { kind, amount_cents, second: secondOf(given) });
  }

  /** The count comes first; what was expected is told only by the answer. Another person's till is closed by two, one of them a supervisor. */
  async close() {
    const holder = this.state.sale?.shift_badge;
    const isAnothers = Boolean(holder) && holder !== this.state.badge;
    // What the rules take beside cash is counted too, in the till's own kinds.
    const accepted = this.sale.rules?.tenders ?? [];
    const pieces = ["coupon", "chip"].filter((one) => accepted.includes(one)).map((one) => `${one}s`);
    const given = await ask({
      title: t("till.close_title"),
      text: isAnothers ? t("till.close_anothers", { badge: holder ?? "" }) : t("till.close_text"),
      fields: [{ name: "amount", words: "till.counted", type: "amount" }, ...pieces.flatMap(piecesAsked), ...(isAnothers ? secondPerson() : [])],
      yes: t("till.close"),
      // A pile of chips is forgotten by nobody who has to pass its field.
      walks: true,
    });
    if (given === null) return;
    const counted_cents = this.#amount(given.amount);
    if (counted_cents === null) return;
    /** @type {Record<string, {pieces: number, total_cents: number}>} */
    const counted = {};
    for (const one of pieces) {
      const total_cents = this.#amount(given[`${one}_total`]);
      if (total_cents === null) return;
      counted[one] = { pieces: Number(given[one]), total_cents };
    }
    await this.#doAndShow("till-close", { counted_cents, ...counted, ...(isAnothers ? { second: secondOf(given) } : {}) }, "till_closed", (fact) => {
      this.counted = fact.closed;
      this.sheet = fact.sheet;
    });
  }

  /** Two people count in the middle of a shift; the till stays open. */
  async count() {
    const given = await ask({
      title: t("till.count_title"),
      text: t("till.close_text"),
      fields: [{ name: "amount", words: "till.counted", type: "amount" }, { name: "reason", words: "two.reason" }, ...secondPerson()],
      yes: t("till.count"),
      wall: (given) => {
        const counted_cents = centsTyped(given.amount);
        return counted_cents === null ? null : { what: "till_count", counted_cents, reason: given.reason };
      },
    });
    if (given === null) return;
    const counted_cents = this.#amount(given.amount);
    if (counted_cents === null) return;
    await this.#doAndShow("till-counts", { counted_cents, reason: given.reason, second: secondOf(given) }, "till_counted", (fact) => {
      this.counted = fact;
    });
  }

  /** Prints the sheet of a shift again, and shows it. */
  async printSheet() {
    const given = await ask({
      title: t("sheet.again"),
      fields: [{ name: "shift", words: "sheet.number", value: this.sheet ? String(this.sheet.shift) : this.#shift }],
      yes: t("sheet.print"),
    });
    if (given === null) return;
    await this.#doAndShow("shift-sheets", { shift: Number(given.shift) || 0 }, "shift_sheet", (fact) => {
      this.sheet = fact.sheet;
    });
  }

  async signOff() {
    const reply = await this.#do("sign-off");
    if (reply?.exit === "done") {
      this.open = "none";
      this.forget();
    }
  }

  /** What one person saw is not the next one's. */
  forget() {
    this.counted = null;
    this.sheet = null;
    this.told = [];
  }

  /** @param {any} slip */
  async #showCode(slip) {
    this.#asksForCode = true;
    const answer = await post("hand-out", { draft: slip });
    this.#asksForCode = false;
    if (answer.code) this.left = answer;
    else this.told = toldBy(answer, true);
    this.changed();
  }

  async leaveTerminal() {
    const given = await ask({ title: t("leave.title"), text: t("leave.text"), fields: [], yes: t("leave.yes") });
    if (given === null) return;
    this.open = "none";
    await this.#showCode(this.sale.slipInHand());
  }

  async takeOver() {
    const given = await ask({
      title: t("take_over.title"),
      text: t("take_over.text"),
      fields: [{ name: "device", words: "take_over.device" }, { name: "reason", words: "two.reason" }, { name: "code", words: "take_over.code", optional: true }, ...secondPerson()],
      yes: t("take_over.yes"),
    });
    if (given === null) return;
    const device = Number(given.device);
    if (!Number.isInteger(device) || device < 1) {
      this.told = [{ tone: "bad", words: () => t("take_over.device_unknown") }];
      this.changed();
      return;
    }
    await this.#do("take-over", {
      device,
      reason: given.reason,
      code: given.code ? given.code.replace(/\s/g, "") : null,
      second: secondOf(given),
    });
  }

  async refundLost() {
    const given = await ask({
      title: t("lost.title"),
      text: t("lost.text"),
      fields: [
        { name: "code", words: "lost.code" },
        { name: "amount", words: "lost.amount", type: "amount" },
        { name: "tender", words: "field.tender", choices: [["cash", "tender.cash"], ["coupon", "tender.coupon"], ["chip", "tender.chip"]] },
        { name: "reason", words: "two.reason" },
        ...secondPerson(),
      ],
      yes: t("lost.yes"),
    });
    if (given === null) return;
    const amount_cents = this.#amount(given.amount);
    if (amount_cents === null) return;
    await this.#do("lost-refunds", { code: given.code, amount_cents, tender: given.tender, reason: given.reason, second: secondOf(given) });
  }

  /** A damaged paper is kept, and others decide about it. */
  async openFile() {
    const reply = await openFile();
    if (reply === null) return;
    this.told = toldBy(reply, true);
    this.changed();
  }

  /** Tickets are presented one after the other. */
  #present() {
    this.open = "none";
    this.presentation.open();
  }

  // --- what is seen ---------------------------------------------------------------------------

  /** The PIN of whoever is in front of the screen. */
  #pinField() {
    return el("label", {}, t("sign_on.pin"), el("input", { name: "pin", type: "password", autocomplete: "off", inputmode: "numeric", required: true }));
  }

  /** What came of what was typed, or that it is at work. */
  #notes() {
    const working = this.isBusy ? el("p", { class: "working", role: "status" }, t("doubt.working")) : null;
    return el("div", { class: "notes" }, ...toldParts([...this.ended, ...this.told]), working);
  }

  /** A command in a session that central had ended: whoever gave it sees a form, and is told why. @param {import("./device.js").Ended} reply */
  setEnded(reply) {
    this.ended = [...toldBy(reply), { tone: "bad", words: () => t("sign_on.ended") }];
    this.changed();
  }

  /** Nobody is signed on. */
  signOnForm() {
    return el(
      "form",
      { class: "person", id: "sign-on", "data-shift": this.state?.sale?.shift ?? "none", "data-walked": "true", onsubmit: (/** @type {SubmitEvent} */ event) => this.#signOn(event) },
      el("h2", {}, t("sign_on.title")),
      el("label", {}, t("sign_on.badge"), el("input", { name: "badge", autocomplete: "off", spellcheck: "false", required: true })),
      this.#pinField(),
      this.state?.sale?.shift
        ? el("p", {}, t("sign_on.till_open", { shift: this.state.sale.shift, badge: this.state.sale.shift_badge ?? "" }))
        : el("label", {}, t("sign_on.float"), el("input", { name: "float", inputmode: "decimal", autocomplete: "off" })),
      el("p", { class: "keys" }, el("button", {}, el("kbd", {}, t("key.enter")), t("sign_on.yes"))),
      this.#notes(),
    );
  }

  /** The screen is locked; the draft waits behind it. */
  lockForm() {
    return el(
      "form",
      { class: "person", id: "unlock", onsubmit: (/** @type {SubmitEvent} */ event) => this.#unlock(event) },
      el("h2", {}, t("lock.title")),
      el("p", { class: "big" }, t("lock.who", { badge: this.state.locked_by })),
      this.#pinField(),
      el("p", { class: "keys" }, el("button", {}, el("kbd", {}, t("key.enter")), t("lock.yes"))),
      this.#notes(),
      el("p", { class: "keys" }, button(t("relief.open", { badge: this.state.locked_by }), "", () => this.#relieve(), { id: "relieve", class: "quiet" })),
    );
  }

  /** Nobody but its own person opens a locked screen: two others end the session. */
  async #relieve() {
    this.isRelieving = true;
    const given = await ask({
      title: t("relief.title", { badge: this.state.locked_by }),
      text: t("relief.text"),
      fields: [{ name: "by", words: "relief.badge" }, { name: "by_pin", words: "relief.pin", type: "password" }, ...secondPerson()],
      yes: t("relief.yes"),
    });
    this.isRelieving = false;
    if (given === null) return;
    const reply = await this.#do("relief", { staying: { badge: given.by, pin: given.by_pin }, second: secondOf(given) });
    if (reply?.exit === "done") this.told = [];
    this.changed();
  }

  work() {
    return this.open === "till" ? this.#till() : this.#more();
  }

  #till() {
    const sale = this.state?.sale;
    const keys = [
      ...(sale?.shift
        ? [
            button(t("till.fill"), "1", () => this.move("fill"), { id: "fill" }),
            button(t("till.drop"), "2", () => this.move("drop"), { id: "drop" }),
            button(t("till.count"), "3", () => this.count(), { id: "till-count" }),
            button(t("till.close"), "4", () => this.close(), { id: "till-close" }),
          ]
        : [button(t("till.open"), "1", () => this.openTill(), { id: "till-open" })]),
      button(t("sheet.again"), "5", () => this.printSheet(), { id: "sheet-again", class: "quiet" }),
      button(t("sign_off.key"), "6", () => this.signOff(), { id: "sign-off", class: "quiet" }),
    ];
    return el(
      "div",
      { class: "shift" },
      el("h2", {}, sale?.shift ? t("till.title", { shift: sale.shift }) : t("till.none")),
      this.counted ? this.#count(this.counted) : null,
      this.sheet ? this.#sheet(this.sheet) : null,
      el("p", { class: this.sheet ? "keys" : "keys column" }, ...keys),
      ...toldParts(this.told),
      el("p", { class: "keys" }, button(t("ticket.back"), t("key.escape"), () => this.key("Escape"), { class: "quiet" })),
    );
  }

  /** @param {any} counted */
  #count(counted) {
    const { difference_cents } = counted;
    const words = difference_cents === 0 ? "till.even" : difference_cents > 0 ? "till.over" : "till.short";
    return el(
      "dl",
      { class: "count", id: "count" },
      el("dt", {}, t("till.counted_is")),
      el("dd", {}, money(counted.counted_cents)),
      el("dt", {}, t("till.expected")),
      el("dd", {}, money(counted.expected_cents)),
      el("dt", {}, t(words)),
      el("dd", { class: difference_cents === 0 ? "good" : "bad" }, money(Math.abs(difference_cents))),
    );
  }

  /** @param {any} sheet */
  #sheet(sheet) {
    const lines = ["sales", "cancels", "unpaid", "payouts", "refunds", "lost_refunds", "reversals", "fills", "drops"].filter((name) => sheet[name].count > 0);
    const people = [sheet.holder, sheet.outgoing, ...(sheet.incoming ? [sheet.incoming] : []), ...sheet.seconds];
    return el(
      "div",
      { class: "sheet", id: "sheet", tabindex: 0, role: "region", "aria-label": t("sheet.title", { shift: sheet.shift, day: sheet.business_day }) },
      el("h2", {}, t("sheet.title", { shift: sheet.shift, day: sheet.business_day })),
      el("p", {}, t("sheet.when", { terminal: sheet.terminal, from: sheet.opened_at_local, to: sheet.closed_at_local, people: [...new Set(people)].join(", ") })),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...["what", "count", "cash", "coupon", "chip"].map((name) => el("th", { scope: "col" }, t(`sheet.${name}`))))),
        el(
          "tbody",
          {},
          el("tr", {}, el("th", { scope: "row" }, t("sheet.float")), el("td", {}), el("td", {}, money(sheet.float_cents)), el("td", {}), el("td", {})),
          ...lines.map((name) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, t(`sheet.${name}`)),
              el("td", {}, String(sheet[name].count)),
              ...["cash_cents", "coupon_cents", "chip_cents"].map((field) => el("td", {}, money(sheet[name][field]))),
            ),
          ),
          ...["coupons", "chips"]
            .filter((name) => sheet[name].counted_cents !== 0 || sheet[name].expected_cents !== 0)
            .map((name) => {
              const of = sheet[name];
              const cells = ["coupons", "chips"].map((one) => el("td", {}, one === name ? `${money(of.counted_cents)} / ${money(of.expected_cents)}` : ""));
              return el("tr", { id: `sheet-${name}` }, el("th", { scope: "row" }, t(`sheet.${name}_counted`)), el("td", {}, String(of.pieces)), el("td", {}), ...cells);
            }),
          !sheet.chip_change_cents ? null : el("tr", {}, el("th", { scope: "row" }, t("sheet.chip_change")), el("td", {}), el("td", {}, money(sheet.chip_change_cents)), el("td", {}), el("td", {})),
          sheet.rounding_cents === 0 ? null : el("tr", {}, el("th", { scope: "row" }, t("sheet.rounding")), el("td", {}), el("td", {}, money(sheet.rounding_cents)), el("td", {}), el("td", {})),
        ),
      ),
    );
  }

  #more() {
    return el(
      "div",
      { class: "shift" },
      el("h2", {}, t("more.title")),
      el(
        "p",
        { class: "keys column" },
        this.state?.badge ? button(t("leave.open"), "1", () => this.leaveTerminal(), { id: "leave", class: "quiet" }) : null,
        this.state?.badge ? button(t("take_over.open"), "2", () => this.takeOver(), { id: "take-over", class: "quiet" }) : null,
        this.state?.badge ? button(t("lost.open"), "3", () => this.refundLost(), { id: "lost", class: "quiet" }) : null,
        this.state?.badge ? button(t("present.open"), "4", () => this.#present(), { id: "present", class: "quiet" }) : null,
        this.state?.badge ? button(t("damaged.file_open"), "5", () => this.openFile(), { id: "damaged", class: "quiet" }) : null,
      ),
      el("p", {}, el("a", { href: "/printer" }, t("more.printer"))),
      el("p", {}, el("a", { href: "/scanner" }, t("more.scanner"))),
      el("p", {}, el("a", { href: "/technician" }, t("more.technician"))),
      el("p", { id: "about" }, t("more.about", { device: this.state?.device ?? "", version: this.state?.version ?? "", size: this.state?.central.log_size ?? "–" })),
      ...toldParts(this.told),
      el("p", { class: "keys" }, button(t("ticket.back"), t("key.escape"), () => this.key("Escape"), { class: "quiet" })),
    );
  }

  /** What one key does while the till or the rest is open. @param {string} key */
  key(key) {
    if (key === "Escape") {
      this.open = "none";
      this.forget();
      this.changed();
      return;
    }
    const till = this.state?.sale?.shift ? "fill" : "till-open";
    const ids = this.open === "till" ? [till, "drop", "till-count", "till-close", "sheet-again", "sign-off"] : ["leave", "take-over", "lost", "present", "damaged"];
    const id = ids[Number(key) - 1];
    if (id) document.getElementById(id)?.click();
  }

  /** This terminal is left: it does nothing any more, and shows what a neighbour needs. */
  leftWork() {
    const state = this.state;
    const image = this.left ? new DOMParser().parseFromString(this.left.svg, "image/svg+xml").documentElement : null;
    return el(
      "div",
      { class: "shift left", id: "handed-out" },
      el("h2", {}, t("left.title")),
      el("p", {}, t("left.text")),
      image ? el("div", { id: "code-image" }, image) : null,
      this.left ? el("p", { id: "code-text", class: "code" }, this.left.code.replace(/(.{8})/g, "$1 ")) : null,
      state.central.state === "handed_over" ? null : el("p", { class: "keys" }, button(t("left.take_back"), "", () => this.#do("take-back"), { id: "take-back", class: "quiet" })),
      ...toldParts(this.told),
    );
  }

  /** This terminal was handed over: what its neighbour has to do. */
  handedOverWork() {
    const state = this.state;
    return el(
      "div",
      { class: "shift left", id: "left" },
      el("h2", {}, say(state.central.sentence)),
      state.left.length > 0 ? el("p", {}, t("left.open_here")) : null,
      el("ul", { id: "left-items" }, ...state.left.map((/** @type {any} */ item) => el("li", {}, `${commandName(item, state)}, ${money(item.total_cents)}`))),
    );
  }
}
