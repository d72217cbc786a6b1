// What is in doubt, before anything else: central that does not answer, paper that may not be
// whole. The device knows how far each command is; this says it, and gives the clerk's answer.
// @ts-check
import { Arming } from "/arming.js";
import { commandName, post, toldBy } from "/device.js";
import { button, el, toldParts } from "/dom.js";
import { money, referenceWords, say, t } from "/words.js";

/** Troubles after which a printer does not go on with what it was sent. */
const GONE = ["absent", "denied", "busy", "died_mid_ticket"];

export class Doubts {
  /** @type {any} */
  state = null;
  isBusy = false;
  /** @type {import("./device.js").Told[]} */
  told = [];
  /** What the clerk has just answered, until the device has done it. @type {any} */
  #answered = null;
  /** What came of a paper that was not whole, until the clerk has read it. @type {any} */
  #ended = null;

  /** @param {() => void} changed @param {import("./sale.js").Sale} sale */
  constructor(changed, sale) {
    this.changed = changed;
    this.sale = sale;
    /** A key counts once none was pressed for a while: what was meant for a slip answers no doubt. */
    this.arming = new Arming(changed);
  }

  #shown = "";

  /** @param {any} state */
  setState(state) {
    this.state = state;
    if (!this.first) this.told = [];
    this.#look();
  }

  /** Another doubt, or another question about it, takes no key at once. */
  #look() {
    const item = this.first;
    const now = item ? JSON.stringify([item.key, item.stage]) : "";
    if (now !== this.#shown && now !== "") this.arming.disarm();
    this.#shown = now;
  }

  /** What has to be dealt with now: nothing new is done before. @returns {any} */
  get first() {
    const state = this.state;
    if (!state || state.handed_out) return null;
    // One question to central is part of every answer; more of them say that it is away.
    if (this.#answered && !(state.busy === "asking" && state.asked > 1)) return this.#answered;
    if (state.busy === "asking") {
      return { ...state.asking_item, stage: "asking" };
    }
    // While it is being dealt with it stays: no key goes elsewhere.
    if (state.busy && !["acknowledge", "paper", "resolve", "park"].includes(state.busy)) return null;
    // What has no paper and can no longer be cancelled is told with its reference.
    const isReferred = (/** @type {any} */ item) => item.stage === "no_paper" && JSON.stringify(item.key) === JSON.stringify(this.#ended?.key);
    if (this.#ended?.stage === "uncancelled" && state.open.some(isReferred)) this.#ended = null;
    if (this.#ended) return this.#ended;
    return state.open.find((/** @type {any} */ item) => !["parked", "referred", "to_report", "done"].includes(item.stage)) ?? null;
  }

  /** What was put aside. @returns {any[]} */
  get aside() {
    return (this.state?.open ?? []).filter((/** @type {any} */ item) => item.stage === "parked");
  }

  /** Sales without paper that wait for two people, and keep nobody up. @returns {any[]} */
  get referred() {
    return (this.state?.open ?? []).filter((/** @type {any} */ item) => item.stage === "referred");
  }

  /** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
  async #do(path, body) {
    if (this.isBusy) return null;
    this.isBusy = true;
    this.changed();
    const reply = await post(path, body);
    this.isBusy = false;
    this.told = toldBy(reply);
    // What to do with the money now; not what the sale said that ended in doubt.
    if (path === "park" && reply.exit === "done") this.sale.told = toldBy(reply, true);
    this.changed();
    return reply;
  }

  /** As #do, about a paper: what is asked stays on the screen until it is done. @param {any} item @param {string} path @param {unknown} [body] */
  async #paper(item, path, body) {
    if (this.isBusy) return;
    this.#answered = item;
    this.told = [];
    const reply = await this.#do(path, body);
    this.#answered = null;
    const isLost = item.kind === "sale" && (item.stage === "torn" || (item.stage === "paper_in_doubt" && path === "paper" && !(/** @type {any} */ (body).whole)));
    if (isLost && reply.fact?.what === "cancellation") {
      const { control_number, refund_cents, above_cents } = reply.fact;
      this.#ended = { key: item.key, device: item.device, kind: "sale", stage: "cancelled", total_cents: refund_cents + above_cents, slip: this.sale.slipOf(control_number) };
      this.sale.forget();
    } else if (isLost && reply.exit === "done") {
      // Nothing is given back for it: no amount is shown.
      this.#ended = { ...item, stage: "uncancelled", total_cents: null };
      this.sale.forget();
    }
    // That says all that the device said, and what to do.
    if (this.#ended) this.told = [];
    this.changed();
  }

  /** The clerk has read what came of it. @param {any} slip what is sold again */
  #read(slip) {
    this.#ended = null;
    this.told = [];
    if (slip) this.sale.load(slip);
    this.changed();
  }

  /** What one key does. @param {string} key */
  async key(key) {
    const item = this.first;
    if (!item) return;
    this.#look();
    if (!this.arming.isArmed) {
      this.arming.disarm();
      return;
    }
    const isYes = key === "1";
    if (!isYes && key !== "0") return;
    switch (item.stage) {
      case "asking":
        // Of a sale either key says what becomes of the money, and that decides afterwards.
        if (item.kind === "sale") await this.#do("park", { key: item.key, money: isYes ? "kept" : "given_back" });
        else if (isYes) await this.#do("park", { key: item.key });
        return;
      case "to_tell":
      case "to_hand_over":
      case "no_paper":
        if (isYes) await this.#do("acknowledge", { key: item.key });
        return;
      case "torn":
      case "to_print":
        if (isYes) await this.#paper(item, "resolve");
        return;
      case "to_withdraw":
        if (isYes) await this.#do("resolve");
        return;
      case "cancelled":
        if (isYes || item.slip) this.#read(isYes ? item.slip : null);
        return;
      case "uncancelled":
        if (isYes) this.#read(null);
        return;
      case "paper_in_doubt":
        await this.#paper(item, "paper", { key: item.key, whole: isYes });
    }
  }

  /** The amount that a person has to do something with. @param {any} item */
  #amount(item) {
    switch (item.stage) {
      case "asking":
        return item.kind === "sale" ? item.received_cents : item.total_cents;
      case "to_tell":
        if (item.money === "given_back") return null;
        return item.kind === "sale" ? item.received_cents : item.total_cents;
      case "no_paper":
      case "to_withdraw":
        // Nothing is given for it any more.
        return item.money === "given_back" ? null : item.total_cents;
      case "to_hand_over":
        return item.owed_cents;
      default:
        return item.total_cents;
    }
  }

  /** Which words say what is to be done. @param {any} item @param {boolean} isTrouble the printer says that something is wrong */
  #words(item, isTrouble) {
    const { stage } = item;
    const kind = item.kind ?? "sale";
    // What was said of the money at parking is what is to be done with it.
    const said = item.money && stage !== "asking" ? `_${item.money}` : "";
    if (["asking", "to_tell", "to_hand_over"].includes(stage)) return `doubt.${stage}_${kind}${said}`;
    if (stage === "no_paper") return `doubt.no_paper${said}`;
    if (stage === "cancelled") return item.slip ? "doubt.cancelled" : "doubt.cancelled_back";
    if (stage !== "paper_in_doubt") return `doubt.${stage}`;
    // A printer that is there and is mended may still finish the paper.
    if (isTrouble && !GONE.includes(this.state.printer.state)) return "doubt.paper_waits";
    return kind === "sale" ? "doubt.paper_in_doubt" : "doubt.receipt_in_doubt";
  }

  work() {
    this.#look();
    const item = this.first;
    const state = this.state;
    const stage = item.stage;
    const kind = item.kind ?? "sale";
    const amount = this.#amount(item);
    const printer = state.printer;
    const { isArmed } = this.arming;
    const isPaper = ["to_print", "torn", "paper_in_doubt"].includes(stage);
    const isTicket = kind === "sale";
    const isTrouble = isPaper && printer && printer.state !== "ready" && printer.state !== "silent";
    const steps = this.#words(item, isTrouble);
    /** @type {(Node | null)[]} */
    const keys = [];
    const yes = (/** @type {string} */ words) => button(t(words), "1", () => this.key("1"), { id: "doubt-yes", disabled: this.isBusy || !isArmed });
    const no = (/** @type {string} */ words) => button(t(words), "0", () => this.key("0"), { id: "doubt-no", class: "quiet", disabled: this.isBusy || !isArmed });
    if (stage === "asking") keys.push(...(isTicket ? [yes("doubt.park_kept"), no("doubt.park_given_back")] : [yes("doubt.park")]));
    if (["to_tell", "to_hand_over"].includes(stage)) keys.push(yes(item.money === "given_back" ? "doubt.is_read" : "doubt.is_done"));
    if (stage === "no_paper") keys.push(yes("doubt.is_read"));
    if (["torn", "to_withdraw"].includes(stage)) keys.push(yes("doubt.cancel_torn"));
    if (stage === "to_print") keys.push(yes("doubt.print"));
    if (stage === "uncancelled") keys.push(yes("doubt.is_read"));
    if (stage === "cancelled") {
      keys.push(yes(item.slip ? "doubt.sell_again" : "doubt.is_done"));
      if (item.slip) keys.push(button(t("doubt.given_back"), "0", () => this.key("0"), { id: "doubt-no", class: "quiet", disabled: !isArmed }));
    }
    if (stage === "paper_in_doubt") {
      keys.push(yes("doubt.paper_whole"), no(isTicket ? "doubt.paper_torn" : "doubt.paper_again"));
    }
    return el(
      "div",
      { class: `doubt ${isPaper ? "paper" : "central"}`, "data-armed": isArmed ? "true" : "false", role: "alertdialog", "aria-labelledby": "doubt-title", "aria-describedby": "doubt-words" },
      el("p", { class: "which" }, `${commandName(item, state)}${item.parked ? ` (${t(item.money === "given_back" ? "doubt.money_back" : "doubt.envelope")})` : ""}`),
      el("h2", { id: "doubt-title" }, t(`${steps}_title`)),
      amount == null || amount === 0 ? null : el("p", { class: "total" }, el("output", {}, money(amount))),
      stage === "no_paper" ? el("p", { id: "reference", class: "big" }, referenceWords(item.reference)) : null,
      el("p", { id: "doubt-words", class: "big" }, t(steps)),
      stage === "asking" ? el("p", { class: "working" }, t("doubt.asked", { times: state.asked })) : null,
      isTrouble ? el("p", { class: "printer" }, picture(printer.state), say(printer.sentence)) : null,
      stage === "paper_in_doubt" ? picture("end_of_ticket") : null,
      el("p", { class: "keys" }, ...keys),
      this.#answered ? el("p", { class: "working", role: "status" }, t("doubt.working")) : null,
      ...toldParts(this.told),
    );
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
};

/** A picture of the printer and what is wrong with it. @param {string} state */
const picture = (state) => {
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 4, "stroke-linejoin": "round" };
  const body = svg("rect", { x: 20, y: 50, width: 120, height: 60, rx: 6, ...line });
  const lid = state === "cover_open" ? svg("path", { d: "M20 50 L50 8 L150 8", ...line }) : svg("path", { d: "M20 50 L35 34 L125 34 L140 50", ...line });
  /** @type {Node[]} */
  const parts = [];
  if (state === "end_of_ticket") {
    return svg(
      "svg",
      { viewBox: "0 0 220 100", class: "picture", "aria-hidden": "true" },
      svg("path", { d: "M10 4 L210 4 L210 92 L10 92 Z", ...line }),
      svg("text", { x: 110, y: 34, "text-anchor": "middle", "font-size": 18, fill: "currentColor" }, "… … … … …"),
      svg("text", { x: 110, y: 74, "text-anchor": "middle", "font-size": 22, "font-weight": 700, fill: "currentColor" }, "*** FIN / END"),
    );
  }
  if (state === "out_of_paper") parts.push(svg("circle", { cx: 80, cy: 80, r: 18, ...line }), svg("path", { d: "M62 98 L98 62", ...line }));
  else if (state === "cutter") parts.push(svg("path", { d: "M50 66 L110 94 M50 94 L110 66", ...line }));
  else if (state !== "cover_open") parts.push(svg("path", { d: "M80 62 L80 86 M80 94 L80 98", ...line }));
  return svg("svg", { viewBox: "0 0 160 120", class: "picture", "aria-hidden": "true" }, body, lid, ...parts);
};
