// The counter: one screen, and which part of it has the keys.
// @ts-check
import { Arming } from "/arming.js";
import { ask, isAsking, leaveBox, shown, takeCard } from "/ask.js";
import { asking, here, isWhole, onSessionEnded, post, watch } from "/device.js";
import { at, button, el, setWords } from "/dom.js";
import { Doubts } from "/doubts.js";
import { frame } from "/frame.js";
import { message } from "/messages.js";
import { Presentation } from "/presentation.js";
import { redraw } from "/redraw.js";
import { Sale } from "/sale.js";
import * as saleView from "/sale_view.js";
import { Shift } from "/shift.js";
import { Ticket } from "/ticket.js";
import { clock, drawNumber, endOf, minutes, money, onLanguage, referenceWords, say, shortMoney, t } from "/words.js";

/** Sales end so soon that money is taken first: the clerk is told. */
const LAST_MS = 60_000;

/** @type {any} */
let state = null;
let seenAt = 0;
let isGone = false;
let onDuty = "";
let house = "";

const sale = new Sale(() => show());
const ticket = new Ticket(() => show(), sale);
const doubts = new Doubts(() => show(), sale);
const presentation = new Presentation(() => show());
const shift = new Shift(() => show(), sale, presentation);
onSessionEnded((reply) => shift.setEnded(reply));

/** What is typed on after a PIN is for no slip, and sells none that has just come back. */
const entering = new Arming(() => show());

/** Somebody has this screen open. */
const isAtWork = () => Boolean(state?.badge) && !state.locked;

/** What has the keys now. */
const mode = () => {
  if (!state) return "off";
  if (state.handed_out) return "left";
  if (state.central.state === "handed_over") return "handed_over";
  // Also where the session has ended meanwhile: the screen is its person's.
  if (state.locked) return "locked";
  if (!state.badge) return shift.open === "more" ? "more" : "off";
  if (doubts.first) return "doubt";
  if (shift.open !== "none") return shift.open;
  if (presentation.isOpen) return "present";
  if (ticket.isShown) return "ticket";
  return "sale";
};

/** Central takes sales from here. */
const isOnline = () => state?.central.state === "trusted";

let shownMode = "";

/** The key Enter was meant for a button that is not there any more. */
let swallowsEnter = false;

/** What an element is found again by. @param {Element | null} element */
const nameOf = (element) => {
  if (!(element instanceof HTMLElement)) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.dataset.field) return `[data-field="${element.dataset.field}"]`;
  return element instanceof HTMLInputElement ? `input[name="${element.name}"]` : null;
};

/**
 * Puts children in the place of those that are there. What is as it was stays, and the focus is where
 * it was, or on what has the same name.
 * @param {HTMLElement} zone @param {Node[]} children @param {(zone: Element, children: Node[]) => void} [draw]
 */
const put = (zone, children, draw = redraw) => {
  const focused = zone.contains(document.activeElement) && document.activeElement !== zone ? document.activeElement : null;
  const name = nameOf(focused);
  const wasKeyboard = focused?.matches(":focus-visible") ?? false;
  draw(zone, children);
  if (!focused || !wasKeyboard || (focused.isConnected && !focused.matches(":disabled"))) return;
  const again = name ? zone.querySelector(name) : null;
  if (again instanceof HTMLElement && !again.matches(":disabled")) again.focus();
  else swallowsEnter = focused instanceof HTMLButtonElement;
};

const show = () => {
  const now = mode();
  // Whoever was asked is not in front of the screen any more.
  const asksThere = shift.isRelieving ? "locked" : shift.isChoosing ? "off" : null;
  if (isAsking() && (asksThere ? now !== asksThere : ["off", "locked", "left", "handed_over", "doubt"].includes(now))) leaveBox();
  document.body.dataset.mode = now;
  const hasMoved = now !== shownMode;
  shownMode = now;
  const work = at("work");
  const forms = ["off", "locked"].includes(now);
  // A form that is being filled in is left alone; only what it was told is news.
  const isSignOn = now === "off";
  const form = forms ? document.getElementById(isSignOn ? "sign-on" : "unlock") : null;
  const isStale = form instanceof HTMLElement && form.dataset.shift !== undefined && form.dataset.shift !== String(state?.sale?.shift ?? "none");
  if (form && !hasMoved && !isStale) {
    const fresh = isSignOn ? shift.signOnForm() : shift.lockForm();
    const [old, news] = [form.querySelector(".notes"), fresh.querySelector(".notes")];
    if (old && news) old.replaceWith(news);
    // What is typed while it is at work would be typed after what was sent.
    for (const field of form.querySelectorAll("input")) field.readOnly = shift.isBusy;
  } else {
    // In another language, or with a till that was opened meanwhile, it is the same form; a PIN is typed again.
    const typed = form ? [...form.querySelectorAll("input:not([type=password])")] : [];
    // Of another subject nothing goes on.
    put(work, workOf(now), hasMoved ? (zone, children) => zone.replaceChildren(...children) : redraw);
    for (const old of /** @type {HTMLInputElement[]} */ (typed)) {
      const field = /** @type {HTMLInputElement | null} */ (work.querySelector(`input[name="${old.name}"]`));
      if (field) field.value = old.value;
    }
  }
  if (forms && !form) work.querySelector("input")?.focus();
  else if (hasMoved && !forms) work.focus();
  const total = now === "sale" ? saleView.total(sale) : now === "ticket" ? ticket.total() : [];
  put(at("total"), /** @type {Node[]} */ (total.filter((one) => one !== null)));
  // A supervisor's word waits until it is read, and stands in nobody's way.
  const word = state?.badge && !state.locked ? message(state, () => show()) : null;
  put(at("strip"), [...(word ? [word] : []), ...strip()]);
  put(at("express"), now === "sale" ? express() : []);
  const isNumberAlone = now === "ticket" && ticket.isNumberAlone;
  at("keys").textContent = isNumberAlone ? t("keys.number") : t(`keys.${now}`);
  at("who").textContent = state?.badge ? t("head.who", { badge: state.badge }) : t("head.nobody");
  document.body.dataset.keys = entering.isArmed ? "taken" : "held";
  document.body.dataset.central = state?.central.state ?? "unknown";
  at("till").hidden = !["sale", "ticket", "till"].includes(now) && !(now === "more" && state.badge);
  at("more").hidden = !["off", "sale", "ticket", "till", "more"].includes(now);
  showHead();
};

/** @param {string} now @returns {Node[]} */
const workOf = (now) => {
  switch (now) {
    case "left":
      return [shift.leftWork()];
    case "handed_over":
      return [shift.handedOverWork()];
    case "off":
      return [shift.signOnForm()];
    case "locked":
      return [shift.lockForm()];
    case "doubt":
      return [doubts.work()];
    case "till":
    case "more":
      return [shift.work()];
    case "present":
      return [presentation.work()];
    case "ticket":
      return /** @type {Node[]} */ (ticket.work());
    default:
      return [...taken(), ...saleView.work(sale)];
  }
};

/** The slip of a terminal that was taken over. @returns {Node[]} */
const taken = () =>
  state?.draft && sale.slipInHand() === null
    ? [el("p", { class: "keys", id: "taken-draft" }, t("sale.taken_draft"), button(t("sale.take_draft"), "Alt+R", () => sale.load(state.draft), { id: "take-draft", class: "quiet" }))]
    : [];

const express = () =>
  (sale.rules?.express ?? []).map((/** @type {any} */ pick, /** @type {number} */ index) =>
    button(t("express.label", { spots: pick.spots, wager: shortMoney(pick.wager_cents) }), `F${index + 1}`, () => sale.express(index)),
  );

/** A line of the strip: a sign, words, and how it stands. @param {string} tone @param {string} words */
const line = (tone, words) => el("li", { class: tone }, el("span", { class: "sign", "aria-hidden": "true" }, { good: "●", warn: "▲", bad: "■" }[tone] ?? "○"), words);

/** What becomes of a sale without paper: two people decide. @param {any} item */
const decide = (item) => {
  if (isAsking() || !["sale", "ticket"].includes(mode())) return;
  ticket.decide(item.reference, item.money);
};

const strip = () => {
  if (!state) return [];
  const printer = state.printer;
  const aside = doubts.aside;
  const lines = [
    line(isOnline() ? "good" : "bad", isOnline() ? t("strip.central") : t("strip.central_away")),
    printer
      ? line(printer.state === "ready" ? (printer.near_end ? "warn" : "good") : printer.state === "silent" ? "plain" : "bad", printer.near_end && printer.state === "ready" ? say(printer.near_end) : say(printer.sentence))
      : line("plain", t("strip.printer_unknown")),
    state.sale?.shift ? line("good", t("strip.till", { shift: state.sale.shift })) : line("warn", t("strip.no_till")),
    line(aside.length > 0 ? "warn" : "plain", t("strip.aside", { count: aside.length })),
    ...doubts.referred.map((item) => {
      const words = t("strip.referred", { reference: referenceWords(item.reference) });
      return el("li", { class: "warn" }, el("span", { class: "sign", "aria-hidden": "true" }, "▲"), words, button(t("strip.decide"), "Alt+D", () => decide(item), { id: `decide-${item.reference.ticket}`, class: "quiet" }));
    }),
    ...aside.map((item) => line("warn", t(item.money === "given_back" ? "strip.aside_back" : "strip.aside_item", { kind: t(`kind.${item.kind}`), amount: money(item.received_cents || item.total_cents) }))),
  ];
  return [el("ul", {}, ...lines), sale.last ? el("p", { class: "last" }, t("strip.last", { at: clock(sale.last.sold_at_local), number: endOf(sale.last.control_number), total: money(sale.last.total_cents) })) : null].filter((one) => one !== null);
};

/** The head and the alarm, which time alone changes too. */
const showHead = () => {
  setWords(at("device"), state ? t("head.device", { device: state.device }) : "");
  const line = state?.sale;
  const next = line?.next;
  const left = next ? line.closes_in_ms - (performance.now() - seenAt) : null;
  setWords(at("draw"), next && isOnline() ? t("head.draw", { draw: drawNumber(next.draw.draw) }) : "");
  setWords(at("sales"), !isOnline() ? "" : line?.sales_suspended ? t("head.suspended") : next ? t("head.open") : t("head.none"));
  // Without central there is no countdown: it would be a guess.
  const closes = at("closes");
  setWords(closes, next && isOnline() && left !== null ? t("head.closes", { time: minutes(left) }) : "");
  closes.dataset.tone = left !== null && left < LAST_MS ? "warn" : "plain";
  const alarm = at("alarm");
  const words = alarmWords(left);
  alarm.hidden = words === "";
  setWords(alarm, words);
  // Not part of what is spoken: it changes each second.
  const isSilent = state && !isOnline() && ["away", "unproven"].includes(state.central.state);
  setWords(at("silence"), isSilent && !isGone ? `${Math.floor((state.central.since_ms + performance.now() - seenAt) / 1000)} s` : "");
  alarm.dataset.tone = isGone || !isOnline() ? "bad" : "warn";
};

/** @param {number | null} left */
const alarmWords = (left) => {
  if (isGone) return t("alarm.gone");
  if (!state) return t("alarm.starting");
  if (!isOnline()) {
    return say(state.central.sentence);
  }
  if (state.sale?.sales_suspended) return t("alarm.suspended");
  if (state.sale?.stopped) return t("alarm.stopped");
  if (mode() === "sale" && left !== null && left < LAST_MS && left > 0) return t("alarm.last_minute");
  return "";
};

const askForHouse = asking("house", {
  answered: (known) => {
    // The rules may come after their version: they are asked for until all are there.
    if (!isWhole(known)) house = "";
    sale.setHouse(known);
    show();
  },
  // The device answers again, or the alarm says that it does not.
  silent: () => (house = ""),
});

watch(
  (seen) => {
    const wasAtWork = isAtWork();
    state = seen;
    if (!wasAtWork && isAtWork()) entering.disarm();
    seenAt = performance.now();
    isGone = false;
    // What one clerk had in hand is not sold, paid or cancelled by the next.
    if (onDuty !== (state.badge ?? "")) {
      sale.forget();
      if (ticket.isShown) ticket.leave();
      if (presentation.isOpen) presentation.leave();
      shift.open = "none";
      shift.forget();
    }
    onDuty = state.badge ?? "";
    const line = state.sale;
    const now = JSON.stringify([line?.rules_version, line?.later_rules, line?.next?.draw.draw, line?.last_draw, line?.sales_suspended]);
    if (house !== now) {
      house = now;
      askForHouse();
    }
    if (sale.isLocked !== state.locked) {
      sale.isLocked = state.locked;
      sale.reprice();
    }
    // A clock that is too far off stops sales alone.
    if (isOnline() || state.central.state === "skewed") {
      ticket.centralIsThere();
      presentation.centralIsThere();
    }
    doubts.setState(state);
    shift.setState(state);
    show();
  },
  () => {
    isGone = true;
    showHead();
  },
);
setInterval(showHead, 250);

/** @param {string} text */
const scan = (text) => {
  here();
  // An Enter that comes after it is another one.
  swallowsEnter = false;
  if (isAsking()) {
    if (takeCard(text)) return;
    // A box that asks for a ticket's code is the one place where a scan is typed.
    const code = /** @type {HTMLInputElement | null} */ (at("ask").querySelector("input[name=code]"));
    const badge = /** @type {HTMLInputElement | null} */ (at("ask").querySelector("input[name=badge]"));
    if (code) code.value = text;
    else if (badge && text.length <= 12) badge.value = text;
    return;
  }
  const now = mode();
  // Who scans a card to sign on need not type the badge.
  const { badge, card } = shown(text.trim(), "");
  if (card) {
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector("main input[name=badge]"));
    if (!field) return;
    field.value = badge;
    /** @type {HTMLInputElement | null} */ (document.querySelector("main input[name=pin]"))?.focus();
    return;
  }
  if (now === "present") {
    presentation.scan(text);
    return;
  }
  if (!["sale", "ticket"].includes(now) || sale.phase === "selling" || ticket.isAtWork) return;
  // A card or a slip fills the draft; all else is asked about, and moves nothing.
  if (/^KS/i.test(text)) {
    if (ticket.isShown) ticket.leave();
    sale.scanSlip(text);
  } else ticket.scan(text);
};

const typeNumber = async () => {
  const given = await ask({ title: t("number.title"), text: t("number.text"), fields: [{ name: "code", words: "number.label" }], yes: t("number.yes") });
  if (given) scan(given.code);
};

/** @param {string} key */
const press = (key) => {
  here();
  if (isAsking()) return;
  // Of these a PIN is made, and with that one it ends: a key of another kind was meant.
  if (!entering.isArmed && /^(\d|Enter)$/.test(key)) {
    entering.disarm();
    return;
  }
  if (key === "Enter" && swallowsEnter) {
    swallowsEnter = false;
    return;
  }
  swallowsEnter = false;
  const now = mode();
  if (key === "F12" && !["off", "locked", "left", "handed_over"].includes(now)) {
    // Central opens it again: without central it would stay shut.
    if (isOnline()) shift.lock();
    else if (now === "sale") sale.tell("bad", () => t("lock.no_central"));
    return;
  }
  switch (now) {
    case "doubt":
      doubts.key(key);
      return;
    case "till":
    case "more":
      shift.key(key);
      // A till that was filled meanwhile may pay now.
      if (key === "Escape" && ticket.isShown && ticket.check?.till_short) ticket.scan(ticket.code);
      return;
    case "present":
      presentation.key(key);
      return;
    case "ticket":
      ticket.key(key);
      return;
    case "sale": {
      // A key of the slip leaves the buttons: Enter is the slip's again, and Tab goes through its fields.
      if (key !== "Enter" && document.activeElement?.matches("button, a")) at("work").focus();
      if (key === "F11") ticket.waitToCancel();
      else if (/^F[1-8]$/.test(key)) sale.express(Number(key.slice(1)) - 1);
      else if (!isOnline() && key === "Enter") sale.tell("bad", () => say(state.central.sentence));
      else sale.key(key);
    }
  }
};

addEventListener("pointerdown", here, { capture: true });
// A button that was touched does not keep the focus: the next Enter is the screen's, not its.
addEventListener("click", (event) => {
  if (event.detail > 0 && document.activeElement instanceof HTMLButtonElement && !isAsking()) document.activeElement.blur();
});

/**
 * Tab goes through the fields of a slip; past the first and the last one, and from a button on, it is
 * the browser's, so that every button is reached.
 * @param {KeyboardEvent} event
 */
const isFieldTab = (event) => {
  const isOnButton = document.activeElement?.matches("button:focus-visible, a:focus-visible") ?? false;
  return mode() === "sale" && !isOnButton && sale.hasField(event.shiftKey ? -1 : 1);
};

/** Keys of the screen that Chromium would take for itself. */
const OURS = ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "Tab", "Escape", "PageUp", "PageDown", "ArrowUp", "ArrowDown", "Backspace", "-"];

const TYPING = {
  key: press,
  keys: OURS,
  scan,
  asked: () => [isAsking(), mode(), sale.phase, ticket.phase].join(" "),
  isFree: (/** @type {KeyboardEvent} */ event) => (isAsking() && event.key !== "F12") || ["off", "locked", "left", "handed_over"].includes(mode()) || (event.key === "Tab" && !isFieldTab(event)),
};

/** Does it in these modes, and never over a box that asks. @param {string[]} modes @param {() => void} act */
const within = (modes, act) => () => {
  if (!isAsking() && modes.includes(mode())) act();
};

const MENU = ["off", "sale", "ticket", "till", "more"];

at("till").addEventListener("click", () => {
  shift.open = shift.open === "till" ? "none" : "till";
  show();
});
at("more").addEventListener("click", () => {
  shift.open = shift.open === "more" ? "none" : "more";
  show();
});
onLanguage(() => {
  shownMode = "";
  show();
});
const WITH_ALT = {
  KeyC: within(MENU, () => at("till").click()),
  KeyP: within(MENU, () => at("more").click()),
  KeyR: within(MENU, () => document.getElementById("take-draft")?.click()),
  KeyD: within(["sale", "ticket"], () => doubts.referred[0] && decide(doubts.referred[0])),
  // A number is typed where a ticket may be looked up; who presents one has its code.
  KeyN: within(["sale", "ticket"], typeNumber),
};

frame(WITH_ALT, TYPING);
show();
