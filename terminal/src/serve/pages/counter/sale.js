// The sale, key by key: the slip in the making, its price, its confirmation, and what became of it.
// @ts-check
import { Arming } from "/arming.js";
import { isSilent, nameOf, post, rulesFor, toldBy } from "/device.js";
import * as drafts from "/draft.js";
import { money, say, t } from "/words.js";

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
  /** Its rules are undefined before the device has answered, and null while it does not know them. @type {any} */
  house = { rules: undefined, later: [], draws: [] };
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
  /** What the clerk is told beside the total. @type {import("./device.js").Told[]} */
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
  /** The last total that was on the screen for the slip as it was keyed. @type {number | null} */
  #told = null;
  /** Another total has just been told: nothing is sold by a key that was meant for the one before. */
  moved;
  /** What the last ticket was sold for. @type {{number: string, slip: any} | null} */
  #sold = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    // A finger that taps twice would sell: what confirms lies where the key was that asked for it. On
    // the keyboard it is another key, and a quick hand does not wait for it.
    this.arming = new Arming(changed);
    this.moved = new Arming(changed);
  }

  /** @param {any} house */
  setHouse(house) {
    const isFirst = !this.house.rules;
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

  /** What a key may do to this draft: the rules of its first draw, where they are known. */
  get rules() {
    return rulesFor(this.house, this.draft.first);
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

  /** The slip as it is now; one that is to be confirmed, or is being sold, stays as the player was told it. @param {Draft} draft */
  #take(draft) {
    if (this.phase !== "making") return;
    this.draft = draft;
    this.#told = null;
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
      tender: this.draft.tender,
      is_replay: this.draft.replayOf !== null,
      is_next: isNext,
    }).then((reply) => {
      // An answer to an earlier key says nothing about this draft.
      if (number !== this.#asked) return;
      const told = this.view?.total_cents;
      this.view = isEmpty ? null : (reply.draft ?? null);
      // The draw that the patron is told is the one that is sold: it never moves by itself.
      if (this.view?.total_cents !== null && this.view?.first && this.draft.first === null) {
        this.draft = { ...this.draft, first: this.view.first.draw };
      }
      this.#told = this.view?.total_cents ?? this.#told;
      // Another total is not what was to be confirmed; what can no longer be sold is not either.
      if (this.phase === "confirm" && this.view?.total_cents !== told) this.phase = "making";
      this.changed();
    });
  }

  /** @param {number} draw @param {number} next */
  #isLate(draw, next) {
    this.late = { draw, next };
    this.#asks("late");
  }

  /** Something has to be answered first. @param {"confirm" | "late"} phase */
  #asks(phase) {
    this.phase = phase;
    this.typed = "";
    this.arming.disarm();
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
    if (!pick) return;
    this.#take({ ...drafts.express(this.draft, pick), intake: "screen", replayOf: null });
  }

  /** A number of the grid. @param {number} number */
  touch(number) {
    if (this.rules) this.#take(drafts.touch(this.draft, number, this.rules));
  }

  /** @param {number} selection @param {drafts.Field} field */
  choose(selection, field) {
    this.#take(drafts.choose(this.draft, selection, field));
  }

  /** Keys are done one after the other: one may wait for what the device says of the one before. */
  #turn = Promise.resolve();
  /** Keys that are not done yet. */
  #keys = 0;

  /** Another field of the slip lies that way. @param {1 | -1} way */
  hasField(way) {
    return this.phase === "making" && drafts.hasField(this.draft, way);
  }

  /** What one key does, in its turn. @param {string} key */
  key(key) {
    if (!this.rules) return;
    // Whatever is pressed while a sale is at work: what it would be for is not known yet. Nor does
    // a key answer a question that came after it.
    const { phase } = this;
    if (phase === "selling") return;
    const act = async () => {
      if (this.phase === phase) await this.#key(key);
    };
    // With none before it, it is done at once: the next one is for what this one leads to.
    this.#keys += 1;
    this.#turn = (this.#keys === 1 ? act() : this.#turn.then(act))
      // One that fails is told as any error of the page, and does not hold the next one up.
      .catch(reportError)
      .finally(() => (this.#keys -= 1));
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
    const line = this.view?.selections[drafts.shownAt(this.draft, this.draft.current)]?.generated[index];
    if (!line) return;
    if (!line.is_playable) {
      this.#take(drafts.change(this.draft, { note: { key: "note.way_pays_nothing", values: { spots: line.spots } } }));
      return;
    }
    this.#take(drafts.toggleWay(this.draft, line.spots));
  }

  async #enter() {
    const draft = this.draft;
    const half = draft.typed !== "" && ["numbers", "written"].includes(draft.field);
    const isGrouping = draft.field === "numbers" && drafts.hasWays(draft.selections[draft.current]);
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
    if (!this.moved.isArmed) return;
    const told = this.#told;
    await this.#settled();
    if (!this.view) {
      // The device did not answer. What it says now is seen before it is sold.
      this.#price();
      await this.#settled();
      return;
    }
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
    await this.#sellAs(view, told);
  }

  /** Sells by the key that a slip needs, or asks for it. @param {any} view what it comes to @param {number | null} told what it came to on the screen, if that was told */
  async #sellAs(view, told) {
    // By other rules it costs something else now: that is seen before it is sold.
    if (told !== null && told !== view.total_cents) {
      this.moved.disarm();
      this.tell("bad", () => t("sale.total_moved"));
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
    this.#asks("confirm");
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
      const told = this.#told;
      this.#price();
      await this.#settled();
      if (this.phase !== "making" || this.view?.total_cents === null || !this.view) return;
      // The key said which draw; how big it is still asks for its own.
      await this.#sellAs(this.view, told);
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
      // Its device asks about it once it is there again; until then nobody else says so.
      if (isSilent(reply)) this.told.push({ tone: "bad", words: () => t("sale.may_be", { amount: money(view.total_cents) }) });
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
    const at = drafts.shownAt(this.draft, this.draft.current);
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
      this.#asks("confirm");
      this.changed();
    }
  }
}
