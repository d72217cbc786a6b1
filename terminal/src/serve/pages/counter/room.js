// The draw room: sets of balls are measured, chance chooses one, and two people open the room, hand it
// over and end its day. One asks, another agrees at a desk of their own. The page judges nothing:
// central says how the room is, what is offered, and who may agree.
// @ts-check
import { get, here, post, toldBy, watch } from "/device.js";
import { at, button, el, setWords, showTrouble } from "/dom.js";
import { frame } from "/frame.js";
import { redraw } from "/redraw.js";
import { fill, grams, question, roomForm, typedIn } from "/room_form.js";
import { ball, clock, day, drawNumber, inForce, onLanguage, say, t } from "/words.js";

/** @typedef {import("/room_form.js").Step} Step */

/** The room is asked for so often. */
const EVERY_MS = 1000;
/** What is shown is old when nothing was heard for longer. */
const OLD_MS = 4000;

/** Keys of what one person asks for. @type {Record<Step, string>} */
const KEYS = { measure: "F2", choose: "F3", open: "F4", hand_over: "F6", end: "F7", incident: "F8" };
const AGREE = "F9";
/** What was typed there is work: it stands there again after Esc, for whoever typed it. @type {Step[]} */
const KEPT = ["measure", "incident"];

/** @type {any} */
let room = null;
/** Why it is not told. @type {any} */
let refusal = null;
let seenAt = 0;
/** What is being filled in. @type {{step: Step, form: HTMLFormElement} | null} */
let filling = null;
/** What was typed and left. @type {Partial<Record<Step, Record<string, string>>>} */
const left = {};
/** What whoever is there has asked for, with the room as it was then. @type {{asked: any, room: any} | null} */
let own = null;
/** @type {{tone: string, words: () => string} | null} */
let told = null;
let isBusy = false;
let badge = "";
let looks = 0;

/** @returns {Step[]} */
const offered = () => (room ? [...room.offered, "incident"] : []);

/** What a step is called, as somebody asks for it in the room as it is then. @param {any} asked @param {any} then */
const whatOf = (asked, then) => t(`room.asks.${asked.step}`, { set: asked.set ?? then.choice?.chosen ?? "" });

/** One thing at a time, and what came of it. @param {string} path @param {unknown} body @param {() => string} done */
const ask = async (path, body, done) => {
  if (isBusy) return null;
  isBusy = true;
  let reply = null;
  try {
    reply = await post(path, body);
  } finally {
    isBusy = false;
  }
  // Whoever asked is not there any more.
  if (badge === "") return null;
  looks += 1;
  if (reply.sets) hear(reply);
  told = reply.said ? (toldBy(reply)[0] ?? null) : { tone: "good", words: done };
  show();
  return reply.said ? null : reply;
};

/** @param {Step} step */
const begin = (step) => {
  if (isBusy) return;
  told = null;
  filling = { step, form: roomForm({ step, room, send, leave: close }) };
  fill(filling.form, left[step] ?? {});
  at("form").replaceChildren(filling.form);
  show();
  // What is filled in already is passed over.
  const waiting = [...filling.form.elements].find((one) => (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement) && one.value === "");
  /** @type {HTMLElement} */ (waiting ?? at("send")).focus();
  filling.form.scrollIntoView({ block: "nearest" });
};

/** The form as it is, in the other language. */
const again = () => {
  if (!filling) return;
  const { step, form } = filling;
  const focus = form.contains(document.activeElement) ? document.activeElement : null;
  const typed = typedIn(form);
  filling = { step, form: roomForm({ step, room, send, leave: close }) };
  fill(filling.form, typed);
  at("form").replaceChildren(filling.form);
  const name = focus?.getAttribute("name");
  /** @type {HTMLElement | null} */ (focus?.id ? document.getElementById(focus.id) : name ? filling.form.querySelector(`[name="${name}"]`) : null)?.focus();
};

/** Takes the form away. */
const drop = () => {
  filling = null;
  at("form").replaceChildren();
};

const close = () => {
  if (filling && KEPT.includes(filling.step)) left[filling.step] = typedIn(filling.form);
  drop();
  show();
};

const send = async () => {
  if (!filling || isBusy) return;
  const { step, form } = filling;
  const [path, body] = question(step, typedIn(form));
  const done = await ask(path, body, () => t(step === "incident" ? "room.logged" : "room.asked"));
  if (!done) return;
  delete left[step];
  if (filling?.form === form) drop();
  show();
};

/** Agrees to what another has asked for; central says no to whoever may not. */
const agree = () => {
  if (!room?.asked) return;
  const then = room;
  ask("room/agreement", { number: then.asked.number }, () => t("room.agreed", { what: whatOf(then.asked, then) }));
};

/** Whether what was asked has come about since. @param {any} asked @param {any} before @param {any} now */
const isDone = (asked, before, now) => {
  const measured = (/** @type {any} */ of) => of.sets.find((/** @type {any} */ it) => it.name === asked.set)?.measured_at_ms;
  if (asked.step === "measure") return measured(now) !== measured(before);
  if (asked.step === "choose") return Boolean(now.choice) && now.choice.draw.draw !== before.choice?.draw.draw;
  if (asked.step === "hand_over") return Boolean(now.open) && now.open.people.join(" ") !== before.open?.people.join(" ");
  return Boolean(now.open) !== Boolean(before.open);
};

/** The first person learns what became of what they asked for. */
const tellOwn = () => {
  if (own && own.asked.number !== room.asked?.number) {
    const { asked, room: before } = own;
    told = isDone(asked, before, room) ? { tone: "good", words: () => t("room.done", { what: whatOf(asked, before) }) } : { tone: "bad", words: () => t("room.waits_no_more", { what: whatOf(asked, before) }) };
    own = null;
  }
  if (room.asked?.is_own && !own) own = { asked: room.asked, room };
};

/** @param {any} reply */
const hear = (reply) => {
  room = reply;
  refusal = null;
  seenAt = performance.now();
  tellOwn();
  if (filling && !offered().includes(filling.step)) drop();
};

/** How the room is: open or not, and what it waits for. */
const head = () => {
  const { open, next, waits } = room;
  return [
    el("h2", { class: open ? "good" : "" }, open ? t("room.open", { set: open.set }) : t("room.not_open")),
    open ? el("span", {}, t("room.since", { day: day(open.since_local), at: clock(open.since_local) })) : null,
    open ? el("span", {}, t("room.people", { people: open.people.join(t("room.and")) })) : null,
    el("span", {}, next ? t("room.next", { draw: drawNumber(next.draw), day: day(next.local), at: clock(next.local) }) : t("room.no_next")),
    waits ? el("p", { id: "waits", role: "alert" }, t("room.waits", { draw: drawNumber(waits.draw), at: clock(waits.local) })) : null,
  ].filter((one) => one !== null);
};

/** Good or not, in words. @param {boolean} isGood @param {string} words */
const line = (isGood, words) => el("li", { class: isGood ? "good" : "bad" }, el("span", { class: "sign", "aria-hidden": "true" }, isGood ? "✓" : "✗"), words);

/** What to look at, and who is missing. */
const readiness = () =>
  el(
    "div",
    { class: "ready" },
    el("div", {}, el("h2", {}, t("room.checks")), el("ul", { id: "checks" }, ...room.checks.map((/** @type {any} */ it) => line(it.is_good, t(`room.check.${it.check}_${it.is_good ? "good" : "bad"}`))))),
    el(
      "div",
      {},
      el("h2", {}, t("room.team")),
      el("ul", { id: "lacks" }, ...room.lacks.map((/** @type {any} */ it) => line(it.people === 0, t("room.lack", { step: t(`room.team.${it.step}`), people: t(`room.people_${it.people}`) })))),
    ),
  );

/** Tenths, of which a whole has one figure behind it. @param {number} tenths */
const inTenths = (tenths) => `${Math.trunc(tenths / 10)}${inForce() === "fr" ? "," : "."}${tenths % 10}`;

/** Day and time, one above the other. @param {string} local */
const moment = (local) => `${day(local)}\n${clock(local)}`;

/** The columns, and which of them are figures. @type {Record<string, boolean>} */
const COLUMNS = { set: false, state: false, weights: true, measured: false, good_until: false, starts: true, draws: true, spread: true, uneven: false };

/** A cell, which has its column's name beside it where there is no room for columns. @param {string} column @param {string} tone @param {...(Node | string)} content */
const cell = (column, tone, ...content) => el(column === "set" ? "th" : "td", { class: COLUMNS[column] ? "figure" : tone, scope: column === "set" ? "row" : undefined, "data-column": t(`room.column.${column}`) }, ...content);

/** A set in the register. @param {import("../central.d.ts").BallSetView} set */
const row = (set) => {
  const state = set.fault ? t(`room.fault.${set.fault}`) : t(room.open?.set === set.name ? "room.in_machine" : "room.usable");
  const isUneven = set.uneven.length > 0;
  return el(
    "tr",
    { "data-field": set.name },
    cell("set", "", set.name),
    cell("state", set.fault ? "bad" : "good", el("span", { class: "sign", "aria-hidden": "true" }, set.fault ? "✗" : "✓"), state),
    cell("weights", "", `${grams(set.lightest_mg)}\n${grams(set.heaviest_mg)}`),
    cell("measured", "moment", moment(set.measured_at_local)),
    cell("good_until", "moment", moment(set.good_until_local)),
    cell("starts", "", t("room.starts_of", { starts: set.starts, most: set.most_draws })),
    cell("draws", "", String(set.draws)),
    cell("spread", "", set.draws > 0 ? inTenths(set.spread_tenths) : "–"),
    cell("uneven", isUneven ? "bad" : "", set.draws === 0 ? "–" : isUneven ? set.uneven.map(ball).join(" ") : t("room.none_uneven")),
  );
};

const register = () => [
  el("h2", { id: "register-title" }, t("room.register")),
  room.sets.length === 0
    ? el("p", {}, t("room.no_set"))
    : el(
        "div",
        { class: "register" },
        el(
          "table",
          { "aria-labelledby": "register-title" },
          el("thead", {}, el("tr", {}, ...Object.entries(COLUMNS).map(([name, isFigure]) => el("th", { scope: "col", class: isFigure ? "figure" : "" }, t(`room.column.${name}`))))),
          el("tbody", {}, ...room.sets.map(row)),
        ),
      ),
];

/** The balls of a set in rows of so many. */
const IN_A_ROW = 10;

/** Every weight as it was typed: whoever agrees signs each of them. @param {any} asked */
const weights = (asked) => {
  const [least, most] = room.bounds_mg;
  const columns = Array.from({ length: IN_A_ROW }, (_, at) => at + 1);
  const rows = Array.from({ length: Math.ceil(asked.masses_mg.length / IN_A_ROW) }, (_, at) => at * IN_A_ROW);
  /** @param {number} mg */
  const weight = (mg) => {
    const isOut = mg < least || mg > most;
    return el("td", { class: isOut ? "bad" : "" }, isOut ? `✗${mg}` : String(mg));
  };
  return [
    el("h2", { id: "weights-title" }, t("room.weights_of", { set: asked.set })),
    el(
      "table",
      { class: "seen", id: "weights", "aria-labelledby": "weights-title" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("room.from_ball")), ...columns.map((column) => el("th", { scope: "col" }, `+${column - 1}`)))),
      el("tbody", {}, ...rows.map((first) => el("tr", {}, el("th", { scope: "row" }, ball(first + 1)), ...asked.masses_mg.slice(first, first + IN_A_ROW).map(weight)))),
    ),
  ];
};

/** A fact beside its name; nothing where there is none. @param {string} words @param {string | null | undefined} value @param {string} [tone] */
const fact = (words, value, tone = "") => (value ? [el("dt", {}, t(words)), el("dd", { class: tone }, value)] : []);

/** What exactly was asked. @param {import("../central.d.ts").RoomAskedView} asked */
const facts = (asked) => {
  const [least, most] = room.bounds_mg;
  const [lightest, heaviest] = [Math.min(...(asked.masses_mg ?? [])), Math.max(...(asked.masses_mg ?? []))];
  const isOut = lightest < least || heaviest > most;
  const chooser = asked.draw && t("room.draw_at", { draw: drawNumber(asked.draw.draw), at: clock(asked.draw.local) });
  const choosing = room.choice?.chosen ?? null;
  const isGood = asked.passed === true;
  return [
    ...fact("room.fact.set", asked.step === "open" ? choosing : asked.set),
    ...fact("room.fact.lightest", asked.masses_mg && grams(lightest), lightest < least ? "bad" : ""),
    ...fact("room.fact.heaviest", asked.masses_mg && grams(heaviest), heaviest > most ? "bad" : ""),
    ...fact("room.fact.bounds", asked.masses_mg && t(isOut ? "room.is_out" : "room.is_within", { least: grams(least), most: grams(most) }), isOut ? "bad" : "good"),
    ...fact("room.fact.sets", asked.sets.join(", ")),
    ...fact("room.fact.draw", chooser),
    ...fact("room.fact.gauge", asked.passed === undefined || asked.passed === null ? null : t(isGood ? "room.gauge_passed" : "room.gauge_failed"), isGood ? "good" : "bad"),
    // Central asks for nothing else than all of them.
    ...fact("room.fact.counted", asked.step === "open" ? String(room.sets.find((/** @type {any} */ it) => it.name === choosing)?.balls ?? "") : null),
    ...fact("room.fact.passed_over", asked.step === "choose" ? choosing : null),
    ...fact(`room.said.${asked.step}`, asked.said),
  ];
};

/** What waits for a second person. */
const askedPanel = () => {
  const { asked } = room;
  if (!asked) return [];
  const about = facts(asked);
  return [
    el(
      "div",
      { class: "asks", id: "asks", role: "alert" },
      el("h2", {}, asked.is_own ? t("room.own_asked", { what: whatOf(asked, room) }) : t("desk.asked_by", { badge: asked.by, what: whatOf(asked, room) })),
      about.length > 0 ? el("dl", {}, ...about) : null,
      asked.may_agree ? el("p", { class: "keys" }, button(t("desk.agree"), AGREE, agree, { id: "agree" })) : el("p", {}, t(asked.is_own ? "room.second_waited" : "room.other_waited")),
    ),
  ];
};

/** Why there is no choice: nothing to choose from, nothing that could choose, or nobody who asked for it. */
const unchosen = () => (room.sets.length === 0 ? "room.measure_first" : offered().includes("choose") ? "room.no_choice" : "room.no_chooser");

/** What chance chooses from, and what it chose. */
const choicePanel = () => {
  const { choice } = room;
  if (!choice) return room.open ? [] : [el("h2", {}, t("room.choice")), el("p", {}, t(unchosen()))];
  const values = { sets: choice.sets.join(", "), draw: drawNumber(choice.draw.draw), at: clock(choice.draw.local), set: choice.chosen ?? "" };
  return [
    el("h2", {}, t("room.choice")),
    el("p", {}, t("room.among", values)),
    el("p", { id: "chosen", class: choice.chosen ? "good" : "" }, t(choice.chosen ? "room.chose" : "room.will_choose", values)),
  ];
};

const isOld = () => room !== null && performance.now() - seenAt > OLD_MS;

const show = () => {
  document.title = t("room.title");
  setWords(at("who"), badge);
  const trouble = badge === "" ? t("desk.nobody") : refusal?.title ? say(refusal.title) : refusal || isOld() ? t("alarm.gone") : "";
  showTrouble(trouble);
  // What a person may not see is not left on the screen.
  const isThere = room !== null && badge !== "";
  redraw(at("state"), isThere ? head() : [el("p", { class: "big" }, t("desk.asking"))]);
  redraw(at("room"), isThere ? (room.asked?.masses_mg ? weights(room.asked) : [readiness(), ...register()]) : []);
  redraw(at("asked"), isThere ? askedPanel() : []);
  redraw(at("choice"), isThere && !filling ? choicePanel() : []);
  const note = at("told");
  note.dataset.tone = told?.tone === "note" ? "warn" : (told?.tone ?? "");
  setWords(note, told?.words() ?? "");
  // Whoever weighs eighty balls has the whole screen for them.
  at("work").classList.toggle("weighing", filling?.step === "measure");
  redraw(at("actions"), isThere && !filling ? offered().map((step) => button(t(`room.act.${step}`), KEYS[step], () => begin(step), { id: `act-${step}`, class: "quiet" })) : []);
};

const look = async () => {
  looks += 1;
  const asked = looks;
  const reply = await get("room").catch(() => ({ name: "gone" }));
  if (asked !== looks) return;
  if (reply.sets) hear(reply);
  else {
    refusal = reply;
    if (reply.status !== 503 && reply.name !== "gone") forget();
  }
  show();
};

const turn = async () => {
  if (!isBusy && badge !== "") await look();
  setTimeout(turn, EVERY_MS);
};

/** Nobody reads what somebody else saw, nor what they typed. */
const forget = () => {
  room = null;
  own = null;
  told = null;
  for (const step of KEPT) delete left[step];
  looks += 1;
  drop();
};

/** Elsewhere, while nothing is under way. @param {string} path */
const go = (path) => () => {
  if (!isBusy) location.assign(path);
};
const leave = go("/office");
const toDesk = go("/desk");

addEventListener("pointerdown", here, { capture: true });

addEventListener("keydown", (event) => {
  here();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const step = offered().find((one) => KEYS[one] === event.key);
  const isKey = /^F([2-9]|10)$/.test(event.key);
  const act = event.key === AGREE ? agree : event.key === "Escape" ? (filling ? close : leave) : step && !filling ? () => begin(step) : null;
  // A key of the room that is not offered now does nothing of the browser's.
  if (act || isKey) event.preventDefault();
  act?.();
});

watch(
  (state) => {
    const now = state.locked ? "" : (state.badge ?? "");
    if (now !== badge) {
      refusal = null;
      forget();
    }
    const isNew = now !== badge && now !== "";
    badge = now;
    show();
    if (isNew) look();
  },
  () => {
    refusal = { name: "gone" };
    show();
  },
);

at("office").addEventListener("click", leave);
at("desk").addEventListener("click", toDesk);
onLanguage(() => {
  again();
  show();
});
frame({ KeyB: leave, KeyR: toDesk });
show();
turn();
