// What is in doubt, before anything else: central that does not answer, paper that may not be
// whole. The device knows how far each command is; this says it, and gives the clerk's answer.
// @ts-check
import { post, toldBy } from "/device.js";
import { button, el } from "/dom.js";
import { money, say, t } from "/words.js";

/** How a command is called where people talk of it. @param {any} item @param {any} state */
export const keyOf = (item, state) => `${item.device ?? state.device}-${item.key.session}-${item.key.counter}`;

/** So long no key may have been pressed before one answers a doubt. */
const ARMS_MS = 800;

export class Doubts {
  /** @type {any} */
  state = null;
  isBusy = false;
  /** @type {{tone: string, words: () => string}[]} */
  told = [];

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** A key counts once none was pressed for so long: what was meant for a slip answers no doubt. */
  #armsAt = 0;
  #shown = "";

  /** @param {any} state */
  setState(state) {
    this.state = state;
    const item = this.first;
    if (!item) this.told = [];
    const now = item ? JSON.stringify([item.key, item.stage]) : "";
    if (now !== this.#shown && now !== "") this.#disarm();
    this.#shown = now;
  }

  #disarm() {
    this.#armsAt = performance.now() + ARMS_MS;
    setTimeout(() => this.changed(), ARMS_MS + 20);
  }

  get isArmed() {
    return performance.now() >= this.#armsAt;
  }

  /** What has to be dealt with now: nothing new is done before. @returns {any} */
  get first() {
    const state = this.state;
    if (!state || state.handed_out) return null;
    if (state.busy === "asking") {
      return { ...state.asking_item, stage: "asking" };
    }
    // While it is being dealt with it stays: no key goes elsewhere.
    if (state.busy && !["acknowledge", "paper", "resolve", "park"].includes(state.busy)) return null;
    return state.open.find((/** @type {any} */ item) => !["parked", "to_report", "done"].includes(item.stage)) ?? null;
  }

  /** What was put aside. @returns {any[]} */
  get aside() {
    return (this.state?.open ?? []).filter((/** @type {any} */ item) => item.stage === "parked");
  }

  /** @param {string} path @param {unknown} [body] */
  async #do(path, body) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.changed();
    const reply = await post(path, body);
    this.isBusy = false;
    this.told = toldBy(reply);
    this.changed();
  }

  /** What one key does. @param {string} key */
  async key(key) {
    const item = this.first;
    if (!item) return;
    if (!this.isArmed) {
      this.#disarm();
      return;
    }
    const isYes = key === "1";
    if (!isYes && key !== "0") return;
    switch (item.stage) {
      case "asking":
        if (isYes) await this.#do("park", { key: item.key });
        return;
      case "to_tell":
      case "to_hand_over":
        if (isYes) await this.#do("acknowledge", { key: item.key });
        return;
      case "torn":
      case "to_print":
        if (isYes) await this.#do("resolve");
        return;
      case "paper_in_doubt":
        await this.#do("paper", { key: item.key, whole: isYes });
    }
  }

  /** The amount that a person has to do something with. @param {any} item */
  #amount(item) {
    switch (item.stage) {
      case "asking":
        return item.kind === "sale" ? item.received_cents : item.total_cents;
      case "to_tell":
        return item.kind === "sale" ? item.received_cents : item.total_cents;
      case "to_hand_over":
        return item.owed_cents;
      default:
        return item.total_cents;
    }
  }

  work() {
    const item = this.first;
    const state = this.state;
    const stage = item.stage;
    const kind = item.kind ?? "sale";
    const amount = this.#amount(item);
    const printer = state.printer;
    const isPaper = ["to_print", "torn", "paper_in_doubt"].includes(stage);
    const steps = ["to_tell", "to_hand_over", "asking"].includes(stage) ? `doubt.${stage}_${kind}` : `doubt.${stage}`;
    /** @type {(Node | null)[]} */
    const keys = [];
    const yes = (/** @type {string} */ words) => button(t(words), "1", () => this.key("1"), { id: "doubt-yes", disabled: this.isBusy || !this.isArmed });
    if (stage === "asking") keys.push(yes("doubt.park"));
    if (["to_tell", "to_hand_over"].includes(stage)) keys.push(yes("doubt.is_done"));
    if (stage === "torn") keys.push(yes("doubt.cancel_torn"));
    if (stage === "to_print") keys.push(yes("doubt.print"));
    if (stage === "paper_in_doubt") {
      keys.push(yes("doubt.paper_whole"), button(t("doubt.paper_torn"), "0", () => this.key("0"), { id: "doubt-no", class: "quiet", disabled: this.isBusy || !this.isArmed }));
    }
    return el(
      "div",
      { class: `doubt ${isPaper ? "paper" : "central"}`, "data-armed": this.isArmed ? "true" : "false", role: "alertdialog", "aria-labelledby": "doubt-title", "aria-describedby": "doubt-words" },
      el("p", { class: "which" }, `${t(`kind.${kind}`)} ${keyOf(item, state)}${item.parked ? ` (${t("doubt.envelope")})` : ""}`),
      el("h2", { id: "doubt-title" }, t(`${steps}_title`)),
      amount == null || amount === 0 ? null : el("p", { class: "total" }, el("output", {}, money(amount))),
      el("p", { id: "doubt-words", class: "big" }, t(steps)),
      stage === "asking" ? el("p", { class: "working" }, t("doubt.asked", { times: state.asked })) : null,
      isPaper && printer && printer.state !== "ready" && printer.state !== "silent" ? el("p", { class: "printer" }, picture(printer.state), say(printer.sentence)) : null,
      stage === "paper_in_doubt" ? picture("end_of_ticket") : null,
      el("p", { class: "keys" }, ...keys),
      ...this.told.map((one) => el("p", { class: `told ${one.tone}`, role: "status" }, one.words())),
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
export const picture = (state) => {
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
