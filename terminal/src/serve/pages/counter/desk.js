// The desk of the draws: balls are entered, each person blind of the other, and two people decide
// what becomes of a draw. The page judges nothing: central says what is theirs to enter and what is
// offered, and what a person typed stands here only until central has it.
// @ts-check
import { Balls } from "/balls.js";
import { get, here, post, toldBy, watch } from "/device.js";
import { at, button, el, setWords, showTrouble } from "/dom.js";
import { frame } from "/frame.js";
import { reasonsPanel } from "/reasons.js";
import { redraw } from "/redraw.js";
import { ball, clock, drawNumber, minutes, onLanguage, say, t } from "/words.js";

/** @typedef {import("../central.d.ts").DeskDraw} DeskDraw */

/** The desk is asked for so often. */
const EVERY_MS = 400;
/** What is shown is old when nothing was heard for longer. */
const OLD_MS = 3000;

/** Keys of what one person does, or two decide, with the path at central. @type {Record<string, {key: string, path: string}>} */
const DECISIONS = {
  certify: { key: "F2", path: "certification" },
  suspend: { key: "F3", path: "suspend" },
  resume: { key: "F4", path: "resume" },
  complete: { key: "F4", path: "resume" },
  void: { key: "F6", path: "void" },
  void_unfinished: { key: "F6", path: "void" },
  stand_in: { key: "F7", path: "computer" },
  replace: { key: "F8", path: "replacement" },
  postpone: { key: "F10", path: "postponement" },
};
const AGREE = "F9";
/** Why, by its digit, where a reason belongs to it; findings are said to central too. @type {Record<string, string[]>} */
const REASONS = {
  suspend: ["machine", "ball", "doubt", "hall"],
  void: ["machine", "ball", "doubt", "hall"],
  void_unfinished: ["emptied", "fell", "person_missing"],
  stand_in: ["machine", "mute"],
  replace: ["ill", "called", "shift"],
  postpone: ["machine", "ball", "hall", "film"],
};
/** By so many minutes a draw is held later. */
const MINUTES = [5, 10, 15, 30, 60];

/** @type {any} */
let desk = null;
/** Why it is not told. @type {any} */
let refusal = null;
let seenAt = 0;
/** The draw that is looked at; the first when none was chosen. @type {number | null} */
let chosen = null;
/** The ball that is typed again, where it is not the next. @type {number | null} */
let place = null;
/** The draw that whoever is there takes over from a machine that read every ball. @type {number | null} */
let takenOver = null;
/** What is being decided, of whom, and by which of the minutes. @type {{decision: string, reason: number | null, leaving: number, later: number} | null} */
let deciding = null;
/** @type {{tone: string, words: () => string} | null} */
let told = null;
let isBusy = false;
/** What is on its way. @type {Promise<any>} */
let work = Promise.resolve();
let own = "";
let looks = 0;

/** The draw at hand. */
const one = () => desk?.draws.find((/** @type {DeskDraw} */ it) => it.draw.draw.draw === chosen) ?? desk?.draws[0] ?? null;
const number = () => one().draw.draw.draw;

/** Positions of the draw at hand of which nothing was entered, in their order. */
const emptyOnes = () => {
  const { entered = [], draw } = one() ?? {};
  return Array.from({ length: draw?.drawn ?? 0 }, (_, index) => index + 1).filter((of) => !entered[of - 1]);
};

const balls = new Balls({
  enter: async ({ position, number: number_ }) => {
    while (isBusy) await work;
    // Whoever typed it is not there any more.
    if (!one()) return undefined;
    const draw = number();
    const reply = await ask(`draws/${number()}/balls`, { position, number: number_ }, () => t("desk.entered", { position, number: ball(number_) }));
    if (!reply) show();
    return reply && one()?.draw.draw.draw === draw ? nextOf() : undefined;
  },
  after: (position) => emptyOnes().find((of) => of > position) ?? null,
  dropped: (position, count) => {
    const why = told?.tone === "bad" ? told.words : null;
    told = { tone: "bad", words: () => [why?.(), t("desk.dropped", { position, count })].filter(Boolean).join(" ") };
    show();
  },
});

/** The position that central waits for; none where there is nothing to enter. */
const nextOf = () => one()?.next ?? null;

/** The ball that the next figures are of; none where there is nothing to enter. */
const position = () => place ?? balls.position(nextOf());

/** Whether whoever is there enters the balls of this draw. */
const enters = () => {
  const draw = one();
  if (!draw || draw.sold || !desk.enters || draw.draw.state !== "drawing" || draw.draw.source !== "balls") return false;
  if (draw.line?.standing === "reads") return false;
  return draw.enterers.length < 2 || draw.enterers.some((/** @type {{badge: string}} */ it) => it.badge === desk.badge);
};

/** One thing at a time, and what came of it. @param {string} path @param {unknown} body @param {() => string} done */
const ask = async (path, body, done) => {
  if (isBusy) return null;
  isBusy = true;
  let reply = null;
  try {
    work = post(path, body);
    reply = await work;
  } finally {
    isBusy = false;
  }
  told = reply.said ? (toldBy(reply)[0] ?? null) : { tone: "good", words: done };
  looks += 1;
  if (reply.draws) hear(reply);
  show();
  return reply.said ? null : reply;
};

/** @param {number} of @param {number} number_ */
const enter = (of, number_) => {
  const isAgain = place !== null;
  place = null;
  balls.enter({ position: of, number: number_, isAgain });
  show();
};

/** A figure of a ball: two make a number. What is on its way is waited for by what was typed, and not by who types. @param {string} figure */
const type = (figure) => {
  const of = position();
  if (!enters() || of === null) return;
  if (!isBusy) told = null;
  balls.type(figure, of, place !== null);
  if (balls.typed === "") place = null;
  show();
};

/** Another ball is typed again. @param {number} step */
const move = (step) => {
  const draw = one();
  if (!enters()) return;
  const last = draw.entered.length;
  const next = (place ?? (draw.next ?? last + 1)) + step;
  place = next < 1 || last === 0 ? null : next > last ? null : next;
  balls.erase();
  show();
};

/** Asks both for a ball once more. */
const again = async () => {
  if (!enters() || place === null || isBusy) return;
  const of = place;
  place = null;
  balls.erase();
  await ask(`draws/${number()}/balls`, { position: of, number: 0 }, () => t("desk.asked_again", { position: of }));
  show();
};

/** What is decided, of what is offered. @param {string} key */
const decisionOf = (key) => one()?.offered.find((/** @type {string} */ it) => DECISIONS[it]?.key === key);

/** @param {string} decision */
const decide = (decision) => {
  deciding = { decision, reason: REASONS[decision] ? null : 0, leaving: 0, later: 0 };
  told = null;
  show();
};

/** @param {string} decision @param {{reason: string, leaving?: string, finding?: string, minutes?: number, agreeing?: number}} body */
const send = async (decision, body) => {
  deciding = null;
  const draw = number();
  const done = await ask(`draws/${draw}/${DECISIONS[decision].path}`, body, () => t("desk.done"));
  if (done && done.is_done === false) told = { tone: "note", words: () => t("desk.waits_for_second") };
  await look();
};

/** One key while something is decided. @param {string} key */
const decidingKey = (key) => {
  if (!deciding) return;
  const { decision, reason, leaving, later } = deciding;
  const reasons = REASONS[decision] ?? [];
  if (key === "Escape") deciding = null;
  else if (/^[1-9]$/.test(key) && Number(key) <= reasons.length) deciding.reason = Number(key) - 1;
  else if (key === "+" && decision === "replace") deciding.leaving = (leaving + 1) % one().enterers.length;
  else if (key === "+" && decision === "postpone") deciding.later = (later + 1) % MINUTES.length;
  else if (key === "Enter" && reason !== null) {
    const why = reasons[reason];
    const finding = decision === "complete" ? "in_tubes" : decision === "void_unfinished" ? why : undefined;
    const who = decision === "replace" ? one().enterers[leaving].badge : undefined;
    const minutes = decision === "postpone" ? MINUTES[later] : undefined;
    send(decision, { reason: why ? t(`desk.reason.${why}`) : "", leaving: who, finding, minutes });
    return;
  } else return;
  show();
};

/** Agrees to what another has decided. */
const agree = () => {
  const waiting = one()?.waiting;
  if (!waiting?.may_agree || isBusy) return;
  const finding = waiting.decision === "complete" ? "in_tubes" : waiting.finding;
  const { decision, reason, leaving, minutes, number: agreeing } = waiting;
  send(decision, { reason, leaving, finding, minutes, agreeing });
};

const STATE_TONES = /** @type {Record<string, string>} */ ({ suspended: "bad", official: "good", open: "good" });

/** @param {DeskDraw} draw */
const head = (draw) => {
  const { state, closes_at_ms, source } = draw.draw;
  const left = closes_at_ms - (desk.central_ms + performance.now() - seenAt);
  return el(
    "div",
    { id: "draw-head" },
    el("h2", {}, t("desk.draw", { draw: drawNumber(draw.draw.draw.draw) })),
    el("span", { class: `state ${STATE_TONES[state] ?? ""}`, id: "state" }, t(`desk.state.${state}`)),
    el("span", { id: "source" }, t(`desk.source.${source}`)),
    el("span", {}, t("desk.at", { at: clock(draw.draw.draw.local) })),
    state === "open" && left > 0 ? el("span", {}, t("desk.closes", { time: minutes(left) })) : null,
    ...desk.draws
      .filter((/** @type {DeskDraw} */ it) => it !== draw)
      .map((/** @type {DeskDraw} */ it) => button(t("desk.look", { draw: drawNumber(it.draw.draw.draw) }), "", () => lookAt(it.draw.draw.draw), { class: "quiet other", id: `look-${it.draw.draw.draw}` })),
  );
};

/** @param {number} draw */
const lookAt = (draw) => {
  chosen = draw;
  place = null;
  balls.forget();
  deciding = null;
  show();
};

/** A tube: what stands in it, and for whom. @param {DeskDraw} draw @param {number} of */
const tube = (draw, of) => {
  const mine = balls.at(of) ?? draw.entered[of - 1];
  const counts = draw.draw.balls[of - 1];
  const isAgain = mine === 0;
  const shown = mine || counts || "";
  const sign = isAgain ? "↻" : counts !== undefined && (mine === undefined || mine === counts) ? "✓" : mine ? "…" : "";
  // Central does not have it yet: nothing says that it is entered.
  const isOnItsWay = balls.at(of) !== undefined;
  const name = t(isOnItsWay ? "desk.tube_on_its_way" : isAgain ? "desk.tube_again" : sign === "✓" ? "desk.tube_counts" : mine ? "desk.tube_waits" : "desk.tube_empty", { position: of, number: shown ? ball(shown) : "" });
  const kind = isAgain ? "again" : sign === "✓" ? "counts" : "";
  return el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        id: `tube-${of}`,
        class: kind,
        "aria-label": name,
        "aria-current": position() === of && enters() && !isToCompare(draw) ? "step" : undefined,
        disabled: !enters() || mine === undefined,
        onclick: () => {
          place = of;
          balls.erase();
          show();
        },
      },
      el("span", { class: "place" }, String(of)),
      el("b", {}, shown ? ball(shown) : "–"),
      el("span", { class: "sign" }, isOnItsWay ? "→" : sign),
    ),
  );
};

/** Whether every ball that counts is one that the machine read: an interrupted draw has no line, and nobody else can have said its balls. @param {DeskDraw} draw */
const isRead = (draw) => draw.enterers.length === 0 && (draw.line ? draw.line.standing !== "stopped" : draw.draw.source === "balls" && draw.draw.balls.length > 0);

/** Nobody is asked for balls that are all there; the first figure takes them over. @param {DeskDraw} draw */
const isToCompare = (draw) => draw.line?.standing === "whole" && balls.typed === "" && takenOver !== number() && enters();

const isTakenOver = () => one()?.line?.standing === "whole" && takenOver === number();

const takeOver = () => {
  takenOver = number();
  show();
};

/** The machine that reads the balls, and what was wrong with its line. @param {DeskDraw} draw @param {import("../central.d.ts").LineView} line */
const lineOf = (draw, { machine, standing, why, noticed }) => {
  const because = why ? say(why) : t("desk.line.interrupted");
  return el(
    "p",
    { class: "line", id: "line", "data-tone": { reads: "good", whole: "good" }[/** @type {"reads"} */ (standing)] ?? "warn" },
    el("span", {}, t(`desk.line.${standing}`, { machine, count: draw.draw.balls.length, all: draw.draw.drawn, why: because })),
    noticed.length > 0 ? el("span", {}, t("desk.line.noticed", { what: noticed.map(say).join(", ") })) : null,
  );
};

/** @param {DeskDraw} draw */
const tubes = (draw) =>
  el(
    "section",
    {},
    draw.line ? lineOf(draw, draw.line) : null,
    el("ol", { class: "tubes", "aria-label": t("desk.tubes") }, ...Array.from({ length: draw.draw.drawn }, (_, index) => tube(draw, index + 1))),
    el("p", { class: "legend" }, ...(isRead(draw) ? ["read"] : [draw.line ? "both" : "counts", "waits", "again"]).concat(balls.waiting.length > 0 ? ["on_its_way"] : []).map((kind) => el("span", {}, t(`desk.legend.${kind}`)))),
    draw.enterers.length > 0
      ? el("p", { class: "enterers" }, ...draw.enterers.map((it) => el("span", {}, t(it.badge === desk.badge ? "desk.enterer_own" : "desk.enterer", { badge: it.badge, count: it.entered, all: draw.draw.drawn }))))
      : draw.line || isRead(draw)
        ? null
        : el("p", { class: "enterers" }, t("desk.nobody_enters")),
  );

/** Every number of the pool, for a finger; nothing where somebody else does it. @param {DeskDraw} draw */
const pad = (draw) => {
  const of = position();
  const says = (/** @type {string} */ words) => [el("p", { class: "big" }, t(words))];
  if (draw.draw.state === "suspended") return says("desk.stopped");
  if (draw.draw.source !== "balls") return says("desk.computer");
  if (draw.sold) return says("desk.sold");
  if (draw.line?.standing === "reads") return says("desk.read");
  if (isToCompare(draw)) return [...says("desk.read_whole"), el("p", { class: "keys" }, button(t("desk.take_over"), "", takeOver, { id: "take-over", class: "quiet" }))];
  // Whoever enters nothing may still be one of the two who declare it.
  if (draw.line?.standing === "whole" && !enters()) return says("desk.read_whole");
  if (!enters()) return says(draw.draw.state === "drawing" ? "desk.watch" : "desk.to_come");
  if (of === null) return says("desk.all_entered");
  const taken = new Set([...draw.entered.filter((/** @type {number} */ it, /** @type {number} */ index) => index !== of - 1 && it !== 0), ...balls.waiting.map((it) => it.number)]);
  return [
    el("p", { class: "typed" }, el("span", {}, t(draw.entered[of - 1] === 0 ? "desk.ball_again" : place === null ? "desk.ball" : "desk.ball_correct", { position: of })), el("output", { id: "typed" }, balls.typed.padEnd(2, "·"))),
    el(
      "div",
      { class: "grid", role: "group", "aria-label": t("desk.numbers") },
      ...Array.from({ length: draw.draw.pool }, (_, index) => button(ball(index + 1), "", () => enter(of, index + 1), { id: `number-${index + 1}`, disabled: taken.has(index + 1) })),
    ),
  ];
};

/** What is to be done: what is being decided, what another has decided, balls. @param {DeskDraw} draw */
const side = (draw) => el("section", { id: "hand" }, deciding ? decidingPanel() : null, draw.waiting && !deciding ? asks(draw.waiting) : null, ...(deciding ? [] : pad(draw)));

/** What waits for a second person. @param {any} waiting */
const asks = (waiting) => {
  const what = t(`desk.decides.${waiting.decision}`, { leaving: waiting.leaving ?? "", minutes: waiting.minutes ?? "" });
  return el(
    "div",
    { class: "asks", id: "asks", role: "alert" },
    el("h2", {}, t("desk.asked_by", { badge: waiting.by, what })),
    waiting.reason ? el("p", {}, waiting.reason) : null,
    waiting.may_agree ? el("p", { class: "keys" }, button(t("desk.agree"), AGREE, agree, { id: "agree" })) : el("p", {}, t("desk.waits_for_second")),
  );
};

/** What is being decided, and why. */
const decidingPanel = () => {
  if (!deciding) return null;
  const { decision, reason, leaving, later } = deciding;
  const who = one().enterers[leaving]?.badge ?? "";
  const what = t(`desk.decides.${decision}`, { leaving: who, minutes: MINUTES[later] });
  const other = decision === "postpone" ? "minutes" : decision === "replace" && one().enterers.length > 1 ? "leaves" : null;
  const note = other ? button(t(`desk.other_${other}`), "+", () => decidingKey("+"), { id: `other-${other}`, class: "quiet" }) : t(`desk.means.${decision}`);
  return reasonsPanel({
    why: `${what} — ${t("desk.draw", { draw: drawNumber(number()) })}`,
    reasons: (REASONS[decision] ?? []).map((why) => t(`desk.reason.${why}`)),
    chosen: reason,
    note,
    yes: t("desk.decide"),
    id: "decide",
    key: decidingKey,
  });
};

const isOld = () => desk !== null && performance.now() - seenAt > OLD_MS;

const show = () => {
  document.title = t("desk.title");
  setWords(at("who"), own);
  const trouble = own === "" ? t("desk.nobody") : refusal?.title ? say(refusal.title) : refusal || isOld() ? t("alarm.gone") : "";
  showTrouble(trouble);
  const draw = one();
  // What a person may not see is not left on the screen, and no ball is typed on an old one.
  const parts = draw && own !== "" ? [head(draw), tubes(draw), side(draw)] : [el("p", { class: "big" }, t(desk ? "desk.no_draw" : "desk.asking"))];
  redraw(at("work"), parts);
  const note = at("told");
  note.dataset.tone = told?.tone === "note" ? "warn" : (told?.tone ?? "");
  setWords(note, told?.words() ?? "");
  const keys = draw && own !== "" && !deciding ? draw.offered.filter((/** @type {string} */ it) => DECISIONS[it]).map((/** @type {string} */ it) => button(t(`desk.act.${it}`), DECISIONS[it].key, () => decide(it), { id: `act-${it}`, class: "quiet" })) : [];
  if (place !== null && enters()) keys.push(button(t("desk.ask_again"), "*", again, { id: "ask-again", class: "quiet" }));
  redraw(at("actions"), keys);
};

/** Balls that are asked again, of which whoever is there had entered something: nobody is told what the other said. @param {any} before @param {DeskDraw} draw */
const tellDifference = (before, draw) => {
  const was = before?.draws.find((/** @type {DeskDraw} */ it) => it.draw.draw.draw === draw?.draw.draw.draw)?.entered ?? [];
  const again = (draw?.entered ?? []).findIndex((/** @type {number} */ it, /** @type {number} */ at_) => it === 0 && was[at_] !== 0);
  if (again >= 0) told = { tone: "bad", words: () => t("desk.differs", { position: again + 1 }) };
};

/** @param {any} reply */
const hear = (reply) => {
  const before = desk;
  const was = one()?.draw.draw.draw;
  desk = reply;
  refusal = null;
  seenAt = performance.now();
  const draw = one();
  if (was !== undefined && draw?.draw.draw.draw !== was) {
    // What was typed for one draw is none of the next.
    balls.drop();
  }
  tellDifference(before, draw);
  // The second person has answered, or nobody can any more.
  if (told?.tone === "note" && !desk.draws.some((/** @type {DeskDraw} */ it) => it.waiting?.by === desk.badge)) told = null;
  if (chosen !== null && draw?.draw.draw.draw !== chosen) chosen = null;
  if (deciding && !draw?.offered.includes(deciding.decision)) deciding = null;
  if (place !== null && draw && place > draw.entered.length) place = null;
  // A figure that was typed while a machine was silent is not the first of a ball once it reads.
  if (draw?.line?.standing === "reads") {
    balls.drop();
    takenOver = null;
  }
  if (place === null) balls.heard(nextOf());
};

const look = async () => {
  looks += 1;
  const asked = looks;
  const reply = await get("desk").catch(() => ({ name: "gone" }));
  if (asked !== looks) return;
  if (reply.draws) hear(reply);
  else {
    refusal = reply;
    if (reply.status !== 503 && reply.name !== "gone") desk = null;
  }
  show();
};

const turn = async () => {
  if (!isBusy && own !== "") await look();
  setTimeout(turn, EVERY_MS);
};

const leave = () => {
  if (!isBusy) location.assign("/office");
};

addEventListener("pointerdown", here, { capture: true });

addEventListener("keydown", (event) => {
  here();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const digit = /^Numpad(\d)$/.exec(event.code);
  const key = digit ? digit[1] : event.key;
  // A key that the focus is on does what it says.
  if ((key === "Enter" || key === " ") && event.target instanceof HTMLButtonElement && event.target.matches(":focus-visible")) return;
  const moves = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    Backspace: () => {
      balls.erase();
      show();
    },
    "*": again,
    [AGREE]: agree,
    Escape: () => {
      // A draw that was taken over by mistake is one to compare again, while nobody has entered a ball of it.
      if (place === null && balls.typed === "" && !isTakenOver()) leave();
      else {
        place = null;
        balls.erase();
        takenOver = null;
        show();
      }
    },
  });
  const decision = decisionOf(key);
  const act = deciding ? () => decidingKey(key) : /^\d$/.test(key) ? () => type(key) : (moves[key] ?? (decision && (() => decide(decision))));
  if (!act) return;
  event.preventDefault();
  act();
});

watch(
  (state) => {
    own = state.locked ? "" : (state.badge ?? "");
    if (own === "") {
      // Nobody reads what somebody else has entered.
      desk = null;
      deciding = null;
      balls.forget();
      place = null;
      looks += 1;
    }
    show();
  },
  () => {
    refusal = { name: "gone" };
    show();
  },
);

const toRoom = () => {
  if (!isBusy) location.assign("/room");
};

at("office").addEventListener("click", leave);
at("room").addEventListener("click", toRoom);
onLanguage(show);
frame({ KeyB: leave, KeyR: toRoom });
show();
turn();
