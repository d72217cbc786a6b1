// The sale: the slip in the making, its price, its confirmation, and what became of it.
// @ts-check
import { nameOf, post, toldBy } from "/device.js";
import { button, el } from "/dom.js";
import * as drafts from "/draft.js";
import { ball, clock, day, drawNumber, endOf, letter, money, say, shortMoney, t } from "/words.js";

/** @typedef {import("./draft.js").Draft} Draft */

/** Fields of a refusal of the rules, and where they are on the screen. @type {Record<string, drafts.Field>} */
const FIELD_OF = {
  numbers: "numbers",
  groups: "numbers",
  kings: "numbers",
  type: "numbers",
  game: "numbers",
  conditioning: "ways",
  wager: "wager",
  draws: "draws",
  first_draw: "first",
};

export class Sale {
  /** @type {any} */
  house = { rules: null, draws: [] };
  /** @type {Draft} */
  draft = drafts.emptyDraft(null);
  /** What the device says that the draft comes to. @type {any} */
  view = null;
  /** `making`, `confirm`, `late` or `selling`. */
  phase = "making";
  /** The total as it is typed, where it has to be. */
  typed = "";
  /** The last sale, until the next is begun. @type {any} */
  last = null;
  /** What the clerk is told beside the total. @type {{tone: string, words: () => string}[]} */
  told = [];
  /** An earlier ticket beside the draft. @type {any} */
  replay = null;
  /** The draw that sales have closed for, and the next. @type {{draw: number, next: number} | null} */
  late = null;
  /** Nobody sees the slip: it is not priced, and comes back as it was. */
  isLocked = false;
  /** @type {Promise<void>} */
  #priced = Promise.resolve();
  #asked = 0;
  /** What the last ticket was sold for. @type {{number: string, slip: any} | null} */
  #sold = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** @param {any} house */
  setHouse(house) {
    const isFirst = this.house.rules === null;
    this.house = house;
    if (isFirst && house.rules) this.draft = drafts.emptyDraft(house.rules);
    if (!drafts.isEmpty(this.draft) && this.phase !== "selling") this.reprice();
  }

  /** Waits until the device has said what the draft comes to, and was not asked again meanwhile. */
  async #settled() {
    for (let asked = null; asked !== this.#priced; ) {
      asked = this.#priced;
      await asked;
    }
  }

  /** The slip in hand is priced and shown to the patron again. @param {boolean} [isNext] the next patron's */
  reprice(isNext = false) {
    if (!this.isLocked) this.#price(isNext);
  }

  get rules() {
    return this.house.rules;
  }

  /** The draft, for a neighbour. */
  slipInHand() {
    const slip = drafts.slipOf(this.draft, this.rules);
    return slip.selections.length > 0 ? slip : null;
  }

  /** The slip of the last ticket, from the next draw on; null when that is another's. @param {string} number */
  slipOf(number) {
    if (this.#sold?.number !== number) return null;
    const { first_draw: _, ...slip } = this.#sold.slip;
    return slip;
  }

  /** Another clerk begins with nothing of the one before. */
  forget() {
    this.draft = drafts.emptyDraft(this.rules);
    this.view = null;
    this.phase = "making";
    this.typed = "";
    this.last = null;
    this.told = [];
    this.replay = null;
    this.late = null;
    this.reprice();
  }

  /** @param {Draft} draft */
  #take(draft) {
    this.draft = draft;
    this.told = [];
    // What is to be given back stays until the next slip has something in it.
    if (draft.selections.some((one) => !drafts.isBlank(one))) this.last = null;
    if (drafts.isEmpty(draft)) {
      this.replay = null;
      // Emptied: the next slip is nobody's replay, and for the next draw.
      this.draft = { ...draft, first: null, replayOf: null, intake: "screen" };
    }
    this.reprice();
    this.changed();
  }

  /** Asks the device what the draft comes to; the patron sees it too. */
  #price(isNext = false) {
    const number = ++this.#asked;
    const slip = drafts.slipOf(this.draft, this.rules);
    const isEmpty = slip.selections.length === 0;
    if (isEmpty) this.view = null;
    this.#priced = post("draft", {
      slip,
      received_cents: this.draft.received_cents,
      is_replay: this.draft.replayOf !== null,
      is_next: isNext,
    }).then((reply) => {
      // An answer to an earlier key says nothing about this draft.
      if (number !== this.#asked) return;
      this.view = isEmpty ? null : (reply.draft ?? null);
      // The draw that the patron is told is the one that is sold: it never moves by itself.
      if (this.view?.total_cents !== null && this.view?.first && this.draft.first === null) {
        this.draft = { ...this.draft, first: this.view.first.draw };
      }
      // What can no longer be sold is not confirmed; Enter asks what to do instead.
      if (this.phase === "confirm" && this.view?.total_cents == null) this.phase = "making";
      this.changed();
    });
  }

  /** @param {number} draw @param {number} next */
  #isLate(draw, next) {
    this.late = { draw, next };
    this.phase = "late";
    this.typed = "";
  }

  /** @param {string} tone @param {() => string} words */
  tell(tone, words) {
    this.told = [{ tone, words }];
    this.changed();
  }

  /** @param {any} reply */
  #tellSaid(reply) {
    this.told = toldBy(reply);
    this.changed();
  }

  /** An express pick. @param {number} index */
  express(index) {
    const pick = this.rules?.express[index];
    if (!pick || this.phase !== "making") return;
    this.#take({ ...drafts.express(this.draft, pick), intake: "screen", replayOf: null });
  }

  /** A number of the grid. @param {number} number */
  touch(number) {
    if (this.phase === "making" && this.rules) this.#take(drafts.touch(this.draft, number, this.rules));
  }

  /** @param {number} selection @param {drafts.Field} field */
  choose(selection, field) {
    if (this.phase === "making") this.#take(drafts.choose(this.draft, selection, field));
  }

  /** Keys are done one after the other: one may wait for what the device says of the one before. */
  #turn = Promise.resolve();

  /** What one key does, in its turn. @param {string} key */
  key(key) {
    if (!this.rules) return;
    // Whatever is pressed while a sale is at work: what it would be for is not known yet. Nor does
    // a key answer a question that came after it.
    const { phase } = this;
    if (phase === "selling") return;
    this.#turn = this.#turn
      .then(async () => {
        if (this.phase === phase) await this.#key(key);
      })
      // One that fails is told as any error of the page, and does not hold the next one up.
      .catch(reportError);
  }

  /** @param {string} key */
  async #key(key) {
    if (this.phase === "late") return this.#lateKey(key);
    if (this.phase === "confirm") return this.#confirmKey(key);
    if (key === "Enter") return this.#enter();
    if (this.draft.field === "ways" && /^[1-9]$/.test(key)) {
      // The lines are those that the device tells of these groups.
      await this.#settled();
      this.toggleWay(Number(key) - 1);
      return;
    }
    if (this.draft.field === "ways" && key === "0") {
      await this.#settled();
      this.takeSplit();
      return;
    }
    let draft = drafts.press(this.draft, key, this.rules);
    if (draft.field === "first" && /^\d$/.test(key)) {
      const place = this.house.draws[Number(draft.typed) - 1];
      draft = place ? { ...draft, first: place.draw.draw } : drafts.change(draft, { typed: "", note: { key: "note.draw_unknown" } });
    }
    this.#take(draft);
  }

  /** A line of the ways that the groups generate. @param {number} index */
  toggleWay(index) {
    const line = this.view?.selections[this.#shownAt(this.draft.current)]?.generated[index];
    if (!line) return;
    if (!line.is_playable) {
      this.#take(drafts.change(this.draft, { note: { key: "note.way_pays_nothing", values: { spots: line.spots } } }));
      return;
    }
    this.#take(drafts.toggleWay(this.draft, line.spots));
  }

  /** Where a selection of the draft is in what the device tells, which leaves blank ones out. @param {number} index */
  #shownAt(index) {
    return this.draft.selections.slice(0, index).filter((one) => !drafts.isBlank(one)).length;
  }

  async #enter() {
    const draft = this.draft;
    const half = draft.typed !== "" && ["numbers", "written"].includes(draft.field);
    const isGrouping = draft.field === "numbers" && draft.selections[draft.current].kind !== "straight";
    if (half || isGrouping) {
      this.#take(drafts.press(draft, "Enter", this.rules));
      return;
    }
    if (drafts.isEmpty(draft)) return;
    // What a key could not do is read first.
    if (draft.note !== null) {
      this.draft = drafts.change(draft, {});
      this.changed();
      return;
    }
    await this.#settled();
    // A key that came meanwhile made another draft of it, and is judged for itself.
    if (this.draft.selections !== draft.selections || this.phase !== "making") return;
    const view = this.view;
    if (!view || view.total_cents === null) {
      const refusal = view?.refusal;
      if (!refusal) return;
      if (refusal.name === "draw_closed" && refusal.next_draw) {
        this.#isLate(draft.first ?? 0, refusal.next_draw);
        this.changed();
        return;
      }
      const field = FIELD_OF[refusal.field] ?? draft.field;
      this.draft = drafts.change(draft, { field, typed: "" });
      this.tell("bad", () => say(refusal.title));
      return;
    }
    if (view.change_cents !== null && view.change_cents < 0) {
      this.tell("bad", () => t("sale.not_enough", { missing: money(-view.change_cents) }));
      return;
    }
    if (view.confirm.how === "enter") {
      await this.#sell("enter");
      return;
    }
    this.phase = "confirm";
    this.typed = "";
    this.told = [];
    this.changed();
  }

  /** @param {string} key */
  async #confirmKey(key) {
    const { how } = this.view.confirm;
    if (key === "Escape" || (key === "0" && how === "key")) {
      this.phase = "making";
      this.changed();
      return;
    }
    if (how === "key") {
      if (key === "1") await this.#sell("key");
      return;
    }
    if (/^[\d.,]$/.test(key)) this.typed = (this.typed + key.replace(",", ".")).slice(0, 11);
    else if (key === "-" || key === "Backspace") this.typed = "";
    else if (key === "Enter" && this.typed !== "") {
      const typed_cents = drafts.centsOf(this.typed);
      if (typed_cents === this.view.total_cents) {
        await this.#sell("typed", typed_cents);
        return;
      }
      this.typed = "";
      this.tell("bad", () => t("confirm.mistyped"));
      return;
    }
    this.changed();
  }

  /** @param {string} key */
  async #lateKey(key) {
    const late = this.late;
    if (!late) return;
    if (key === "1") {
      this.phase = "making";
      this.late = null;
      this.draft = drafts.change(this.draft, { first: late.next });
      this.#price();
      await this.#settled();
      if (this.phase !== "making" || this.view?.total_cents === null || !this.view) return;
      // The key said which draw; how big it is still asks for its own.
      if (this.view.confirm.how === "enter") await this.#sell("enter");
      else {
        this.phase = "confirm";
        this.typed = "";
        this.changed();
      }
      return;
    }
    if (key === "0" || key === "Escape") {
      const received = this.draft.received_cents;
      this.forget();
      this.tell("bad", () => (received === null ? t("late.cash_back") : t("late.cash_back_amount", { amount: money(received) })));
    }
  }

  /** @param {string} confirm @param {number | null} [typed_cents] */
  async #sell(confirm, typed_cents = null) {
    const { draft, view } = this;
    this.phase = "selling";
    this.told = [];
    this.changed();
    const slip = drafts.slipOf(draft, this.rules);
    const reply = await post("sales", {
      slip,
      total_cents: view.total_cents,
      received_cents: draft.received_cents,
      tender: draft.tender,
      intake: draft.intake,
      replay_of: draft.replayOf,
      confirm,
      typed_cents,
    });
    this.phase = "making";
    const ticket = reply.fact?.what === "sale" ? reply.fact.ticket : null;
    // What is registered, or may be, is not in hand any more: its money is settled by its key. A
    // device that fell silent may have sent it too.
    const mayBe = reply.sent !== null && ["in_doubt", "failed"].includes(reply.exit);
    if (ticket || mayBe) {
      this.forget();
      this.last = ticket;
      this.#sold = ticket ? { number: ticket.control_number, slip } : null;
      // What is wrong with its paper is asked before anything else.
      if (!["done", "printer_trouble"].includes(reply.exit)) this.#tellSaid(reply);
      this.changed();
      return;
    }
    const next = reply.problem?.next_draw;
    if (nameOf(reply) === "draw_closed" && next) {
      this.#isLate(view.first.draw, next);
      this.changed();
      return;
    }
    this.#tellSaid(reply);
  }

  /** The patron's other tender. */
  nextTender() {
    const accepted = drafts.tendersOf(this.rules);
    const at = accepted.indexOf(this.draft.tender);
    this.#take(drafts.change(this.draft, { tender: accepted[(at + 1) % accepted.length] }));
  }

  /** What the patron hands over. @param {number} cents */
  receive(cents) {
    this.#take(drafts.change(this.draft, { received_cents: cents }));
  }

  /** Two selections instead of one whose ways are not generated. */
  takeSplit() {
    const at = this.#shownAt(this.draft.current);
    const split = this.view?.selections[at]?.split;
    if (!split) return;
    const two = drafts.draftOf({ selections: [split.first, split.second], draws: 1 }, this.rules).selections;
    const selections = this.draft.selections.flatMap((one, index) => (index === this.draft.current ? two : [one]));
    this.#take(drafts.change(this.draft, { selections, field: "ways", typed: "" }));
  }

  /** The code of a card or a slip. @param {string} code */
  async scanSlip(code) {
    const finishFirst = () => this.tell("bad", () => t("sale.finish_first"));
    if (this.phase !== "making") return finishFirst();
    const before = this.draft;
    const reply = await post("slip-codes", { code });
    if (reply.exit) {
      this.told = toldBy(reply);
      this.changed();
      return;
    }
    // Keys that came meanwhile are a slip in hand, or a sale.
    if (this.phase !== "making" || this.draft.selections !== before.selections) return finishFirst();
    // What people marked on it is keyed number by number, and recorded as a slip.
    if (!reply.slip) {
      this.draft = drafts.change(this.draft, { intake: reply.intake });
      this.tell("note", () => t("sale.from_slip"));
      return;
    }
    if (drafts.isEmpty(this.draft)) {
      await this.load(reply.slip, { intake: reply.intake });
      return;
    }
    // Another card is another selection of the same slip.
    const more = drafts.draftOf(reply.slip, this.rules).selections;
    const selections = [...this.draft.selections, ...more];
    if (reply.intake !== "express" || selections.length > (this.rules?.selections_max ?? 1)) {
      finishFirst();
      return;
    }
    this.#take(drafts.change(this.draft, { selections, current: selections.length - 1, field: "draws", typed: "" }));
  }

  /** A slip that comes from elsewhere. @param {any} slip @param {Partial<Draft>} [more] @param {any} [replay] */
  async load(slip, more = {}, replay = null) {
    this.phase = "making";
    this.late = null;
    this.replay = replay;
    this.#take(drafts.draftOf(slip, this.rules, more));
    // An empty replay is none; taking it has forgotten the ticket beside it.
    this.replay = replay;
    this.changed();
    if (!replay) return;
    // Old and new are side by side: the next key sells or corrects, and it is never Enter.
    await this.#settled();
    if (this.phase === "making" && this.view?.total_cents !== null && this.view) {
      this.phase = "confirm";
      this.typed = "";
      this.changed();
    }
  }

  // --- what is seen ---------------------------------------------------------------------------

  /** The left zone. */
  work() {
    const parts = [];
    if (this.replay) parts.push(this.#replayTable());
    parts.push(el("ol", { class: "selections" }, ...this.draft.selections.map((one, index) => this.#selection(one, index))));
    const one = this.draft.selections[this.draft.current];
    if (["ways", "written"].includes(this.draft.field) && one.kind !== "straight") parts.push(this.#ways());
    // Old and new side by side need the room; the grid comes with the numbers.
    else if (!this.replay || this.draft.field === "numbers") parts.push(this.#grid());
    return parts;
  }

  /** @param {any} one @param {number} index */
  #selection(one, index) {
    const isCurrent = index === this.draft.current;
    const view = this.view?.selections[this.#shownAt(index)];
    const isBlank = drafts.isBlank(one);
    const field = (/** @type {drafts.Field} */ name, /** @type {string} */ label, /** @type {(Node | string)[]} */ ...value) =>
      el(
        "button",
        {
          type: "button",
          class: "field",
          "data-field": name,
          "aria-current": isCurrent && this.draft.field === name ? "true" : undefined,
          onclick: () => this.choose(index, name),
        },
        el("span", { class: "label" }, label),
        el("span", { class: "value" }, ...value),
      );
    const typed = (/** @type {drafts.Field} */ name) => (isCurrent && this.draft.field === name && this.draft.typed !== "" ? this.draft.typed : null);
    const numbers = [];
    if (one.quick) numbers.push(`${t("sale.quick_pick")} ${one.count ?? "?"}`);
    else if (one.kind === "straight") numbers.push(...one.numbers.map((/** @type {number} */ number) => el("b", {}, ball(number))));
    else {
      one.groups.forEach((/** @type {number[]} */ group) => {
        if (group.length === 0) return;
        const isKing = one.kind === "king" && group.length === 1;
        numbers.push(el("span", { class: isKing ? "group king" : "group" }, ...group.map((number) => el("b", {}, ball(number)))));
      });
      if (isCurrent && one.isGrouping && this.draft.field === "numbers") numbers.push(el("span", { class: "group open" }, "…"));
    }
    const half = isCurrent && this.draft.field === "numbers" ? this.draft.typed : "";
    if (half !== "") numbers.push(el("b", { class: "half" }, `${half}_`));
    const wager = one.wager_cents ?? this.rules?.wager_cents ?? 0;
    const lines = view?.asked?.ways ?? [];
    const ways = lines
      .map((/** @type {any} */ line) => {
        const generated = view.generated.find((/** @type {any} */ way) => way.spots === line.spots);
        const ways = line.ways ?? generated?.ways ?? "?";
        return t("sale.ways_of", { ways, spots: line.spots, wager: money(line.wager_cents) });
      })
      .join(", ");
    return el(
      "li",
      { class: isCurrent ? "selection current" : "selection", "aria-current": isCurrent ? "true" : undefined },
      el("span", { class: "letter" }, letter(index)),
      el(
        "div",
        { class: "fields" },
        el("button", { type: "button", class: "type", onclick: () => { this.choose(index, "numbers"); this.key("/"); } }, t(`type.${one.kind}`)),
        field(one.quick ? "count" : "numbers", t("field.numbers"), ...(numbers.length > 0 ? numbers : [el("i", {}, t("sale.none"))])),
        one.kind !== "straight" ? field("ways", t("field.ways"), ways === "" ? el("i", {}, t("sale.none")) : ways) : null,
        field("wager", one.kind === "straight" ? t("field.wager") : t("field.wager_way"), typed("wager") ? `${typed("wager")}_` : money(wager)),
      ),
      el("span", { class: "per-draw" }, view?.per_draw_cents != null ? money(view.per_draw_cents) : isBlank ? "" : "–"),
      view?.refusal && !isBlank && isCurrent ? el("p", { class: "why" }, say(view.refusal.title)) : null,
      view?.split && isCurrent ? button(t("sale.split"), "0", () => this.takeSplit(), { id: "split" }) : null,
    );
  }

  #ways() {
    const view = this.view?.selections[this.#shownAt(this.draft.current)];
    const one = this.draft.selections[this.draft.current];
    const generated = view?.generated ?? [];
    return el(
      "div",
      { class: "ways" },
      el("h2", {}, t("ways.title")),
      el(
        "ol",
        {},
        ...generated.map((/** @type {any} */ way, /** @type {number} */ index) => {
          const isOn = one.lines.some((line) => line.spots === way.spots);
          return el(
            "li",
            {},
            el(
              "button",
              { type: "button", "aria-pressed": isOn ? "true" : "false", disabled: !way.is_playable, onclick: () => this.toggleWay(index) },
              index < 9 ? el("kbd", {}, String(index + 1)) : null,
              el("span", { class: "tick", "aria-hidden": "true" }, isOn ? "☒" : "☐"),
              t("ways.line", { ways: way.ways, spots: way.spots }),
              way.is_playable ? "" : ` (${t("ways.pays_nothing")})`,
            ),
          );
        }),
      ),
      this.draft.field === "written"
        ? el("p", { class: "written" }, t("ways.written"), el("b", { class: "half" }, `${this.draft.typed}_`))
        : button(t("ways.write"), "*", () => this.key("*"), { class: "quiet" }),
    );
  }

  #grid() {
    const taken = drafts.numbersOf(this.draft.selections[this.draft.current]);
    const pool = this.rules?.pool ?? 80;
    const cells = Array.from({ length: pool }, (_, at) => at + 1).map((number) =>
      el(
        "button",
        { type: "button", "aria-pressed": taken.includes(number) ? "true" : "false", tabindex: number === 1 ? 0 : -1, onclick: () => this.touch(number) },
        ball(number),
      ),
    );
    return el("div", { class: "grid", role: "group", "aria-label": t("sale.grid") }, ...cells);
  }

  #replayTable() {
    const { ticket } = this.replay;
    const view = this.view;
    const row = (/** @type {string} */ label, /** @type {string} */ old, /** @type {string} */ now) =>
      el("tr", { class: old === now ? undefined : "changed" }, el("th", { scope: "row" }, label), el("td", {}, old), el("td", {}, now === old ? "=" : now));
    const numbers = (/** @type {any} */ one) => {
      if (one.quick_pick !== undefined && one.quick_pick !== false && !one.groups) return `${t("sale.quick_pick")} ${one.quick_pick}`;
      const groups = one.groups?.length ? one.groups : [one.numbers ?? []];
      return groups.map((/** @type {number[]} */ group) => group.map(ball).join(" ")).join(" / ");
    };
    const rows = ticket.selections.flatMap((/** @type {any} */ old, /** @type {number} */ index) => {
      const now = view?.selections[index];
      return [
        row(`${letter(index)} ${t("field.numbers")}`, numbers(old), now ? numbers(now.asked) : "–"),
        row(`${letter(index)} ${t("field.wager")}`, money(old.per_draw_cents), now?.per_draw_cents != null ? money(now.per_draw_cents) : "–"),
      ];
    });
    return el(
      "div",
      { class: "replay" },
      el("h2", {}, t("replay.title", { number: endOf(ticket.control_number) })),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, t("replay.old")), el("th", { scope: "col" }, t("replay.new")))),
        el("tbody", {}, ...rows, row(t("field.draws"), String(ticket.draws), String(this.draft.draws))),
      ),
    );
  }

  /** The zone of the total. */
  total() {
    if (this.phase === "late" && this.late) {
      return [
        el("h2", {}, t("late.title", { draw: drawNumber(this.late.draw) })),
        el("p", { class: "big" }, t("late.ask", { draw: drawNumber(this.late.next) })),
        el("p", { class: "keys" }, button(t("late.next"), "1", () => this.key("1"), { id: "late-next" }), button(t("late.back"), "0", () => this.key("0"), { id: "late-back", class: "quiet" })),
      ];
    }
    const view = this.view;
    if (!this.rules) return [el("p", { class: "told bad" }, t("sale.no_rules"))];
    if (!view) return [...this.#lastSale(), ...this.#notes()];
    const draft = this.draft;
    const total = view.total_cents;
    const field = (/** @type {drafts.Field} */ name, /** @type {string} */ label, /** @type {string} */ value) =>
      el(
        "button",
        { type: "button", class: "field", "data-field": name, "aria-current": draft.field === name ? "true" : undefined, onclick: () => this.choose(draft.current, name) },
        el("span", { class: "label" }, label),
        el("span", { class: "value" }, value),
      );
    // What has to be confirmed needs the room, and of cash that nobody has named there is nothing to say.
    const isPlain = this.phase === "confirm" && draft.received_cents === null && draft.tender === "cash";
    const typed = draft.field === "received" && draft.typed !== "" ? `${draft.typed}_` : draft.received_cents === null ? "–" : money(draft.received_cents);
    const parts = [
      el("p", { class: "total" }, el("span", {}, t("sale.total")), el("output", {}, total === null ? "–" : money(total))),
      el(
        "div",
        { class: "fields" },
        field("draws", t("field.draws"), String(draft.draws)),
        field("first", t("field.first"), view.first ? `${drawNumber(view.first.draw)}${draft.draws > 1 && view.last ? ` – ${drawNumber(view.last.draw)}` : ""}` : "–"),
      ),
      // What is announced below says the day and the time itself.
      view.first && !view.is_other_day ? el("p", { class: "times" }, this.#times(view)) : null,
      view.is_other_day || view.ends_other_day
        ? el("p", { class: "why other-day" }, view.is_other_day ? t("sale.other_day", { day: day(view.first.local), time: clock(view.first.local) }) : t("sale.ends_other_day", { day: day(view.last.local), time: clock(view.last.local) }))
        : null,
      isPlain ? null : el(
        "div",
        { class: "fields" },
        this.#tender(),
        field("received", t("field.received"), typed),
        el("p", { class: "field change" }, el("span", { class: "label" }, t("sale.change")), el("span", { class: "value" }, view.change_cents === null ? "–" : money(view.change_cents))),
      ),
    ];
    // The digits of the tenders stand where those of the amounts do.
    if (this.phase === "making" && draft.field === "tender") {
      parts.push(el("p", { class: "presets tenders" }, ...drafts.tendersOf(this.rules).map((one, index) => button(t(`tender.${one}`), String(index + 1), () => this.key(String(index + 1)), { class: "quiet", "aria-pressed": one === draft.tender ? "true" : "false" }))));
    } else if (this.phase === "making" && total !== null) {
      parts.push(el("p", { class: "presets" }, ...[2000, 5000, 10000].filter((cents) => cents >= total).map((cents) => button(shortMoney(cents), "", () => this.receive(cents), { class: "quiet" }))));
    }
    if (this.phase === "confirm") parts.push(this.#confirm(view));
    else if (this.phase === "selling") parts.push(el("p", { class: "big working" }, t("sale.selling")));
    else if (total !== null) parts.push(el("p", { class: "keys" }, button(t("sale.sell"), t("key.enter"), () => this.key("Enter"), { id: "sell" })));
    return [...parts, ...this.#notes()];
  }

  /** What the patron pays with: a finger goes from one to the next, a digit chooses. */
  #tender() {
    const { field, tender } = this.draft;
    return el(
      "button",
      { type: "button", class: "field", "data-field": "tender", "aria-current": field === "tender" ? "true" : undefined, onclick: () => this.nextTender() },
      el("span", { class: "label" }, t("field.tender")),
      el("span", { class: "value" }, t(`tender.${tender}`)),
    );
  }

  /** @param {any} view */
  #times(view) {
    const first = `${day(view.first.local)} ${clock(view.first.local)} ${view.first.zone_mark}`.trim();
    return view.last && view.last.draw !== view.first.draw ? t("sale.from_to", { first, last: clock(view.last.local) }) : first;
  }

  /** @param {any} view */
  #confirm(view) {
    const because = view.confirm.because.map((/** @type {string} */ one) => t(`because.${one}`)).join(", ");
    const isTyped = view.confirm.how === "typed";
    return el(
      "div",
      { class: "confirm", role: "alert" },
      ...(this.told.length > 0 ? this.#saidHere() : [el("p", {}, t("confirm.because", { because }))]),
      isTyped ? el("p", { class: "big" }, t("confirm.type"), " ", el("b", { class: "half" }, `${this.typed}_`)) : null,
      el(
        "p",
        { class: "keys" },
        isTyped
          ? button(t("confirm.sell"), t("key.enter"), () => this.key("Enter"), { id: "confirm-sell" })
          : button(t("confirm.sell"), "1", () => this.key("1"), { id: "confirm-sell" }),
        button(t("confirm.correct"), isTyped ? t("key.escape") : "0", () => this.key("Escape"), { id: "confirm-correct", class: "quiet" }),
      ),
    );
  }

  #saidHere() {
    return this.told.map((one) => el("p", { class: `told ${one.tone}` }, one.words()));
  }

  #lastSale() {
    const ticket = this.last;
    if (!ticket) return [el("p", { class: "idle" }, t("sale.idle"))];
    return [
      el("p", { class: "issued" }, t("sale.issued", { number: endOf(ticket.control_number) })),
      el("p", { class: "total" }, el("span", {}, t("sale.total")), el("output", {}, money(ticket.total_cents))),
      ticket.change_cents > 0 ? el("p", { class: "total give" }, el("span", {}, t("sale.give_change")), el("output", {}, money(ticket.change_cents))) : null,
    ];
  }

  #notes() {
    const note = this.draft.note;
    const refusal = this.view?.refusal;
    // A draw that closed under the clerk's hands is told; it takes no key until Enter asks.
    const closed = refusal?.name === "draw_closed" && this.phase === "making" ? [el("p", { class: "told bad" }, t("late.noticed", { draw: drawNumber(this.draft.first ?? 0) }))] : [];
    return [
      ...closed,
      ...(note ? [el("p", { class: "told bad" }, t(note.key, note.values))] : []),
      // What a confirmation has to say stands in its own box.
      ...(this.phase === "confirm" ? [] : this.#saidHere()),
    ];
  }
}
