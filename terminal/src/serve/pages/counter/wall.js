// The supervisor's wall: one card for each terminal, what waits for an answer, what is in doubt,
// and the draw clock. What is red comes first. Arrows choose a card, figures act on it.
// @ts-check
import { ask, isAsking, leaveBox, secondOf, secondPerson } from "/ask.js";
import { changesTable, drawWords, slipsWords } from "/changes.js";
import { fileParts, judgeFile } from "/damaged.js";
import { asking, here, post, watch } from "/device.js";
import { at, button, el, setWords, showTrouble } from "/dom.js";
import { frame } from "/frame.js";
import { CANCEL_REASONS } from "/reasons.js";
import { redraw } from "/redraw.js";
import { clock, dress, drawNumber, inForce, minutes, money, onLanguage, referenceWords, say, t } from "/words.js";

/** The wall is asked for so often. */
const EVERY_MS = 1000;
const PATIENCE_MS = 4000;
/** What is shown is old when nothing was heard for longer. */
const OLD_MS = 3500;
const LAST_MS = 60_000;
/** Roles of devices at which tickets are sold and paid from a till. */
const HAS_TILL = new Set(["counter", "cage"]);

/** @typedef {{key: string, words: () => string, act: () => void}} Action */
/** @typedef {"bad" | "warn" | "good" | "plain"} Tone */

/** @type {any} */
let wall = null;
/** @type {any} */
let refusal = null;
let seenAt = 0;
/** Files of damaged papers, as they were last told. @type {import("../central.d.ts").FileView[]} */
let files = [];
/** The files are asked for at every so many turns. */
const FILES_EVERY = 5;
let turns = 0;
/** The wall of the back office, which has no till and no printer. */
let isOffice = false;
/** The card that is chosen, by its name; none before the first, nor once it has gone. */
let chosen = "";
let hasChosen = false;
/** @type {{tone: Tone, words: () => string} | null} */
let told = null;

const SIGNS = { bad: "■", warn: "▲", good: "●", plain: "○" };
/** @type {Tone[]} */
const ORDER = ["bad", "warn", "good", "plain"];

/** @param {Tone[]} tones @returns {Tone} */
const worst = (tones) => ORDER.find((tone) => tones.includes(tone)) ?? "plain";

/** A fact of a card: how it stands, and its words. @param {Tone} tone @param {string} words @returns {[Tone, string]} */
const fact = (tone, words) => [tone, words];

/** Milliseconds in words. @param {number} ms */
const ago = (ms) => (ms < 60_000 ? t("wall.seconds", { count: Math.floor(ms / 1000) }) : t("wall.minutes", { count: Math.floor(ms / 60_000) }));

/** What is said of a terminal. @param {import("../central.d.ts").WallRow} row @returns {[Tone, string][]} */
const factsOf = (row) => {
  const isServing = row.standing === "active";
  const isManned = Boolean(row.badge);
  /** @type {[Tone, string][]} */
  const facts = [];
  if (!isServing) facts.push(fact("plain", t(`wall.standing.${row.standing}`)));
  else if (row.state === "silent") facts.push(fact(isManned ? "bad" : "plain", t("wall.state.silent", { since: ago(row.silent_ms ?? 0) })));
  else if (row.state === "never_heard") facts.push(fact(isManned ? "warn" : "plain", t("wall.state.never_heard")));
  else facts.push(fact("good", t(`wall.state.${row.state}`)));
  if (HAS_TILL.has(row.role)) facts.push(isManned ? fact("good", t("wall.clerk", { badge: row.badge ?? "", since: row.since_local ? clock(row.since_local).slice(0, 5) : "" })) : fact("plain", t("wall.nobody")));
  if (row.shift) facts.push(fact("good", t("wall.shift", { shift: row.shift })));
  if (row.cash) facts.push(fact(row.cash === "usual" ? "good" : "warn", t(`wall.cash.${row.cash}`)));
  if (row.last_sale) facts.push(fact("good", t("wall.last_sale", { at: clock(row.last_sale.local), total: money(row.last_sale.total_cents) })));
  else if (HAS_TILL.has(row.role)) facts.push(fact("plain", t("wall.no_sale")));
  if (row.printer) {
    const { state, near_end } = row.printer;
    if (state === "silent") facts.push(fact("plain", t("wall.printer.silent")));
    else if (state !== "ready") facts.push(fact(isServing && isManned ? "bad" : "warn", t(`wall.printer.${state}`)));
    else if (near_end) facts.push(fact("warn", t("wall.printer.near_end")));
    else facts.push(fact("good", t("wall.printer.ready")));
  }
  if (row.stopped) facts.push(fact("warn", t("wall.stopped", { badge: row.stopped.by, at: clock(row.stopped.local).slice(0, 5), reason: row.stopped.reason })));
  if (row.in_doubt > 0) facts.push(fact("bad", t("wall.doubts", { count: row.in_doubt })));
  return facts;
};

/** @param {import("../central.d.ts").WallRow} row @returns {Tone} */
const toneOf = (row) => {
  const tones = factsOf(row).map(([tone]) => tone);
  // A fact that is as usual makes no card of one that is out of service or that nobody is at.
  return tones[0] === "plain" ? worst(tones.filter((tone) => tone !== "good")) : worst(tones);
};

/**
 * A card.
 * @param {string} name @param {Tone} tone @param {...(Node | null)} parts
 */
const card = (name, tone, ...parts) =>
  el(
    "div",
    // The same card through every refresh: a finger and the focus are on it meanwhile.
    { class: "card", role: "listitem", id: name, "data-name": name, "data-tone": tone, tabindex: "-1", onclick: () => choose(name) },
    el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[tone]),
    el("div", {}, ...parts),
  );

/** @param {[Tone, string][]} facts */
const factLine = (facts) => el("p", { class: "facts" }, ...facts.map(([tone, words]) => el("span", { class: ["bad", "warn"].includes(tone) ? "of-note" : tone === "plain" ? "quiet" : "" }, words)));

/** @param {import("../central.d.ts").WallRow} row */
const rowCard = (row) =>
  card(`terminal-${row.device}`, toneOf(row), el("p", { class: "first" }, el("b", {}, row.name), el("span", { class: "quiet" }, t(`wall.role.${row.role}`))), factLine(factsOf(row)));

/** @param {any} ticket */
const ticketLine = (ticket) =>
  t("wall.ticket", { number: ticket.number, first: drawNumber(ticket.first_draw), last: drawNumber(ticket.last_draw), total: ticket.total_cents === undefined ? "?" : money(ticket.total_cents) });

/** @param {import("../central.d.ts").ApprovalView} one what is asked, in words */
const whatOf = (one) => t(one.kind ? `wall.what.${one.kind}` : `wall.what.${one.what}`);

/** Why a ticket is to be cancelled is a name; anything else was typed. @param {import("../central.d.ts").ApprovalView} one */
const reasonOf = (one) => (one.what === "cancellation" && CANCEL_REASONS.includes(one.reason) ? t(`reason.${one.reason}`) : one.reason);

/** A change of the rules, old and new. @param {any} change */
const amendmentParts = (change) => [
  changesTable(change.differences),
  el("p", {}, t("limits.holds_from", { draw: drawWords(change.effective) })),
  ...slipsWords(change.slips).map(({ words }) => el("p", {}, words)),
];

/** @param {import("../central.d.ts").ApprovalView} one */
const approvalCard = (one) =>
  card(
    `approval-${one.id}`,
    "warn",
    el("p", { class: "first" }, el("b", {}, whatOf(one)), one.amount_cents === undefined ? null : el("b", {}, money(one.amount_cents)), el("span", {}, t("wall.asked_by", { badge: one.by, name: one.name, since: ago(one.age_ms) }))),
    one.ticket ? el("p", {}, ticketLine(one.ticket)) : null,
    ...(one.amendment ? amendmentParts(one.amendment) : []),
    el("p", {}, t("wall.rule", { rule: t(`wall.rule.${one.rule}`) })),
    one.reason ? el("p", {}, t("wall.reason", { reason: reasonOf(one) })) : null,
  );

/** @param {import("../central.d.ts").RecordEvidence} record */
const recordWords = (record) => {
  const first = t(`wall.record.${record.state}`, { leaf: record.leaf ?? "" });
  if (record.print_confirmed === undefined) return [first];
  return [first, money(record.total_cents ?? 0), t(record.print_confirmed ? "wall.record.printed" : "wall.record.unprinted")];
};

/** @param {import("../central.d.ts").InDoubtView} one */
const doubtCard = (one) => {
  const { key, device, kind, stage, total_cents, since_ms, money: said } = one.terminal;
  const number = `${device ?? one.device}-${key.session}-${key.counter}`;
  const { reference } = one.record;
  return card(
    `doubt-${number}`,
    "bad",
    el("p", { class: "first" }, el("b", {}, one.name), el("span", {}, t(`kind.${kind}`)), el("b", {}, money(total_cents)), el("span", { class: "quiet" }, number)),
    el(
      "div",
      { class: "sides" },
      el("div", {}, el("h3", {}, t("wall.says.terminal")), el("p", {}, t(`wall.stage.${stage}`)), said ? el("p", {}, t(`wall.money.${said}`)) : null, el("p", { class: "quiet" }, t("wall.since", { since: ago(since_ms) }))),
      el("div", {}, el("h3", {}, t("wall.says.record")), ...recordWords(one.record).map((words) => el("p", {}, words))),
    ),
    reference ? el("p", {}, referenceWords(reference)) : null,
    elsewhere(),
  );
};

/** Where a wall has no till, what ends with a paper is for a counter. */
const elsewhere = () => (isOffice ? el("p", { class: "quiet" }, t("wall.at_counter")) : null);

/** @param {import("../central.d.ts").HeldView} one */
const heldCard = (one) =>
  card(`held-${one.ticket}`, one.is_late ? "bad" : "warn", el("p", { class: "first" }, el("b", {}, t("wall.held")), el("span", {}, one.name), el("span", {}, t(`wall.held.${one.why}`))), one.decided_by_local ? el("p", {}, t(one.is_late ? "wall.held_late" : "wall.held_until", { at: one.decided_by_local })) : null, el("p", {}, ticketLine(one)), elsewhere());

/** The place of a card among others: what is red comes first. @param {HTMLElement} one */
const rank = (one) => ORDER.indexOf(/** @type {Tone} */ (one.dataset.tone));

/** @type {Record<string, Tone>} */
const FOLLOWER_TONES = { at_work: "good", not_heard: "plain", away: "bad", refuses: "bad", not_on_record: "warn" };

/** Who computes each draw a second time. @param {import("../central.d.ts").FollowerView} one */
const followerCard = (one) =>
  card(
    "follower",
    FOLLOWER_TONES[one.standing] ?? "plain",
    el("p", { class: "first" }, el("b", {}, one.name), el("span", {}, t(`wall.follower.${one.standing}`, { since: ago(one.silent_ms), why: one.refuses ?? "" }))),
    one.standing === "not_heard" ? null : el("p", { class: "quiet" }, one.behind > 0 ? t("wall.follower.behind", { count: one.behind }) : t("wall.follower.has_all")),
    one.began && one.standing === "not_on_record" ? el("p", { class: "quiet" }, t("wall.follower.began", { began: one.began.slice(0, 16) })) : null,
  );

/** A draw that waits for that. @param {import("../central.d.ts").UnfollowedView} one */
const unfollowedCard = (one) => {
  const opens = one.may_be_opened ? t("wall.unfollowed.may_be_opened") : one.differs || !one.opens_local ? "" : t("wall.unfollowed.opens", { at: one.opens_local });
  const why = one.differs ? t("wall.unfollowed.differs", { finding: one.differs, entry: one.entry ?? "–" }) : t(one.holds_large ? "wall.unfollowed.large" : "wall.unfollowed.none", { since: one.since_local });
  return card(`unfollowed-${one.draw}`, one.differs ? "bad" : one.may_be_opened ? "warn" : "plain", el("p", { class: "first" }, el("b", {}, t("wall.unfollowed", { draw: drawNumber(one.draw) }))), el("p", {}, why), opens ? el("p", {}, opens) : null);
};

/** How a file stands. @param {import("../central.d.ts").FileView} file @returns {Tone} */
const toneOfFile = (file) => (file.judgement ? "plain" : file.is_ready ? "warn" : "plain");

/** @param {import("../central.d.ts").FileView} file */
const fileCard = (file) =>
  card(
    `file-${file.number}`,
    toneOfFile(file),
    el("p", { class: "first" }, el("b", {}, t("wall.file", { file: file.code })), el("span", {}, fileWords(file))),
    ...fileParts(file),
    file.judgement?.words ? el("p", {}, say(file.judgement.words)) : null,
    elsewhere(),
  );

/** @param {import("../central.d.ts").FileView} file */
const fileWords = (file) => {
  if (file.judgement) return t(file.judgement.is_paid ? "wall.file_paid" : "wall.file_refused", { at: file.judgement.at_local });
  return t(file.is_ready ? "wall.file_ready" : "wall.file_waits", { from: file.judged_from_local, by: file.answer_by });
};

/** Decides about a file. @param {import("../central.d.ts").FileView} file */
const decideFile = async (file) => {
  const reply = await judgeFile(file);
  if (reply === null) return;
  told = { tone: reply.exit === "done" ? "good" : "bad", words: () => reply.said.map(say).join(" ") };
  await lookForFiles();
  show();
};

/** Prints what was handed over about a file once more. @param {import("../central.d.ts").FileView} file */
const printFile = async (file) => {
  const reply = await post("damaged/files/print", file);
  told = { tone: reply.exit === "done" ? "good" : "bad", words: () => (reply.exit === "done" ? t("wall.file_printed", { file: file.code }) : reply.said.map(say).join(" ")) };
  show();
};

/** @param {number} device */
const nameOf = (device) => wall.rows.find((/** @type {any} */ row) => row.device === device)?.name ?? String(device);

/** @param {import("../central.d.ts").MessageView} one */
const messageCard = (one) =>
  card(
    `message-${one.id}`,
    one.waiting.length > 0 ? "warn" : "plain",
    el("p", { class: "first" }, el("b", {}, inForce() === "fr" ? one.fr : one.en)),
    el("p", { class: "quiet" }, t("wall.sent", { at: clock(one.local), badge: one.by, to: one.device ? nameOf(one.device) : t("wall.everyone") })),
    one.acknowledged.length > 0
      ? el("p", {}, t("wall.read_by", { who: one.acknowledged.map((/** @type {any} */ who) => `${who.name} ${who.badge} ${clock(who.local)}`).join(", ") }))
      : null,
    one.waiting.length > 0 ? el("p", { class: "of-note" }, t("wall.waits_at", { who: one.waiting.map(nameOf).join(", ") })) : null,
  );

/** @param {string} id @param {HTMLElement[]} cards */
const fill = (id, cards) => redraw(at(id), cards.length > 0 ? cards : [el("p", { class: "none", role: "listitem" }, t("wall.none"))]);

/** The cards as they stand, from top left to bottom right. @returns {HTMLElement[]} */
const cards = () => [...document.querySelectorAll("main .card")].map((one) => /** @type {HTMLElement} */ (one));

/** @param {string} name */
const choose = (name) => {
  chosen = name;
  hasChosen = true;
  show();
  const one = cards().find((one) => one.dataset.name === name);
  one?.focus();
  one?.scrollIntoView({ block: "nearest" });
};

/** @param {number} by */
const step = (by) => {
  const all = cards();
  if (all.length === 0) return;
  const now = all.findIndex((one) => one.dataset.name === chosen);
  choose(all[Math.min(all.length - 1, Math.max(0, now < 0 ? 0 : now + by))].dataset.name ?? "");
};

/** From the terminals to what waits, and back. @param {boolean} toSide */
const cross = (toSide) => {
  const one = document.querySelector(`${toSide ? "#side" : "#terminals"} .card`);
  if (one instanceof HTMLElement) choose(one.dataset.name ?? "");
};

/** What is told of a step. @param {any} reply @param {string} done key of the words when it was done @param {Record<string, string>} [values] */
const tell = (reply, done, values = {}) => {
  told = reply.exit === "refused" || reply.exit === "failed" ? { tone: "bad", words: () => reply.said.map(say).join(" ") } : { tone: "good", words: () => t(done, values) };
  look();
  show();
};

const pin = /** @type {import("/ask.js").Asked} */ ({ name: "pin", words: "wall.ask.pin", type: "password" });

/** What is asked with its amount. @param {any} one */
const wholeOf = (one) => (one.amount_cents === undefined ? whatOf(one) : `${whatOf(one)} ${money(one.amount_cents)}`);

/** @param {any} one */
const grant = async (one) => {
  const said = [t("wall.asked_by", { badge: one.by, name: one.name, since: ago(one.age_ms) }), one.ticket ? ticketLine(one.ticket) : "", one.reason ? t("wall.reason", { reason: reasonOf(one) }) : ""];
  const given = await ask({ title: t("wall.ask.grant", { what: wholeOf(one) }), text: said.filter(Boolean).join(" · "), parts: one.amendment ? amendmentParts(one.amendment) : [], fields: [pin], yes: t("wall.act.grant") });
  if (given) tell(await post(`approvals/${one.id}/grant`, { pin: given.pin }), "wall.done.granted", { badge: one.by });
};

/** @param {any} one */
const refuse = async (one) => {
  const given = await ask({ title: t("wall.ask.refuse", { what: wholeOf(one) }), fields: [{ name: "reason", words: "wall.ask.reason" }, pin], yes: t("wall.act.refuse") });
  if (given) tell(await post(`approvals/${one.id}/refuse`, given), "wall.done.refused", { badge: one.by });
};

/** @param {number | null} device */
const write = async (device) => {
  const to = device === null ? t("wall.everyone") : nameOf(device);
  const given = await ask({
    title: t("wall.ask.message", { to }),
    text: t("wall.ask.message_text"),
    fields: [{ name: "fr", words: "wall.ask.fr" }, { name: "en", words: "wall.ask.en", optional: true }],
    yes: t("wall.act.send"),
  });
  if (!given) return;
  tell(await post("messages", { fr: given.fr, ...(given.en ? { en: given.en } : {}), ...(device === null ? {} : { device }) }), "wall.done.sent", { to });
};

const suspend = async () => {
  const given = await ask({ title: t("wall.ask.suspend"), text: t("wall.ask.suspend_text"), fields: [{ name: "reason", words: "wall.ask.reason" }], yes: t("wall.act.suspend") });
  if (given) tell(await post("house/suspend", given), "wall.done.suspended");
};

const resume = async () => {
  const given = await ask({ title: t("wall.ask.resume"), text: wall.clock.restored ? t("wall.ask.resume_restored") : "", fields: secondPerson(), yes: t("wall.act.resume") });
  if (given) tell(await post("house/resume", { second: secondOf(given) }), "wall.done.resumed");
};

/** @param {import("../central.d.ts").WallRow} row */
const stop = async (row) => {
  const given = await ask({ title: t("wall.ask.stop", { name: row.name }), text: t("wall.ask.stop_text"), fields: [{ name: "reason", words: "wall.ask.reason" }], yes: t("wall.act.stop") });
  if (given) tell(await post(`terminals/${row.device}/stop`, given), "wall.done.stopped", { name: row.name });
};

/** @param {import("../central.d.ts").WallRow} row */
const start = async (row) => {
  const given = await ask({ title: t("wall.ask.start", { name: row.name }), fields: [{ name: "reason", words: "wall.ask.reason" }], yes: t("wall.act.start") });
  if (given) tell(await post(`terminals/${row.device}/start`, given), "wall.done.started", { name: row.name });
};

/** Two people say who follows. @param {any} one */
const beginFollowing = async (one) => {
  const given = await ask({ title: t("wall.ask.begin", { name: one.name }), text: t("wall.ask.begin_text", { began: one.began.slice(0, 16) }), fields: secondPerson(), yes: t("wall.act.begin") });
  if (given) tell(await post("follower/begin", { began: one.began, second: secondOf(given) }), "wall.done.begun", { name: one.name });
};

/** Two people open the payouts of a draw. @param {any} one */
const openPayouts = async (one) => {
  const draw = drawNumber(one.draw);
  const given = await ask({ title: t("wall.ask.open", { draw }), text: t(one.differs ? "wall.ask.open_differs" : "wall.ask.open_text"), fields: [{ name: "reason", words: "wall.ask.reason" }, ...secondPerson()], yes: t("wall.act.open") });
  if (given) tell(await post("follower/payouts", { draw: one.draw, reason: given.reason, second: secondOf(given) }), "wall.done.opened", { draw });
};

/** Two people decide about a ticket that is named by reference. @param {"duplicates" | "unpaid" | "releases"} path @param {number} ticket */
const decide = async (path, ticket) => {
  /** @type {import("/ask.js").Asked[]} */
  const reason = path === "unpaid" ? [] : [{ name: "reason", words: path === "releases" ? "two.evidence" : "two.reason" }];
  const given = await ask({ title: `${t(`two.${path}`)} #${ticket}`, text: t(`two.${path}_text`), fields: [...reason, ...secondPerson()], yes: t(`two.${path}_key`) });
  if (!given) return;
  const reply = await post(path, { code: `#${ticket}`, reason: given.reason ?? "", second: secondOf(given) });
  told = { tone: reply.exit === "done" ? "good" : "bad", words: () => reply.said.map(say).join(" ") };
  look();
  show();
};

/** The ticket of the card that is chosen, when two people may decide about it. @param {string} what @param {string} id @returns {any} */
const undecided = (what, id) => {
  if (what === "held") return wall.held.find((/** @type {any} */ one) => String(one.ticket) === id);
  if (what !== "doubt") return undefined;
  const named = (/** @type {import("../central.d.ts").InDoubtView} */ { device, terminal }) => `${terminal.device ?? device}-${terminal.key.session}-${terminal.key.counter}`;
  return wall.in_doubt.find((/** @type {any} */ one) => named(one) === id)?.record.reference;
};

/** What was said of the money of a ticket at its terminal, when its sale was put aside: it leaves one decision. @param {number} ticket @returns {string | undefined} */
const saidOf = (ticket) => wall.in_doubt.find((/** @type {any} */ one) => one.terminal.kind === "sale" && one.record.leaf === ticket)?.terminal.money;

/** What can be done now: with the card that is chosen, and at all. @returns {Action[]} */
const actions = () => {
  if (!wall) return [];
  const [what, id] = chosen.split(/-(.*)/s);
  /** @type {Action[]} */
  const all = [];
  const approval = what === "approval" && wall.approvals.find((/** @type {any} */ one) => String(one.id) === id);
  if (approval) {
    all.push({ key: "1", words: () => t("wall.act.grant"), act: () => grant(approval) });
    all.push({ key: "2", words: () => t("wall.act.refuse"), act: () => refuse(approval) });
  }
  const row = what === "terminal" && wall.rows.find((/** @type {any} */ one) => String(one.device) === id);
  if (row && HAS_TILL.has(row.role) && row.standing === "active") {
    all.push({ key: "1", words: () => t("wall.act.write", { to: row.name }), act: () => write(row.device) });
    if (row.stopped) all.push({ key: "2", words: () => t("wall.act.start"), act: () => start(row) });
    else all.push({ key: "2", words: () => t("wall.act.stop"), act: () => stop(row) });
  }
  const ticket = undecided(what, id)?.ticket;
  if (ticket !== undefined && !isOffice) {
    const said = saidOf(ticket);
    if (said !== "given_back") all.push({ key: "1", words: () => t("two.duplicates_open"), act: () => decide("duplicates", ticket) });
    if (said !== "kept") all.push({ key: "2", words: () => t("two.unpaid_open"), act: () => decide("unpaid", ticket) });
    if (!said) all.push({ key: "3", words: () => t("two.releases_open"), act: () => decide("releases", ticket) });
  }
  if (what === "follower" && wall.follower?.standing === "not_on_record" && wall.follower.began) {
    const one = wall.follower;
    all.push({ key: "1", words: () => t("wall.act.begin_open", { name: one.name }), act: () => beginFollowing(one) });
  }
  const unfollowed = what === "unfollowed" && wall.unfollowed.find((/** @type {any} */ one) => String(one.draw) === id);
  if (unfollowed?.may_be_opened) all.push({ key: "1", words: () => t("wall.act.open_payouts", { draw: drawNumber(unfollowed.draw) }), act: () => openPayouts(unfollowed) });
  const file = what === "file" && !isOffice && files.find((one) => String(one.number) === id);
  if (file) {
    if (!file.judgement && file.is_ready) all.push({ key: "1", words: () => t("damaged.judge_key"), act: () => decideFile(file) });
    all.push({ key: "2", words: () => t("wall.act.print_file"), act: () => printFile(file) });
  }
  all.push({ key: "7", words: () => t("wall.act.write", { to: t("wall.everyone") }), act: () => write(null) });
  if (wall.clock.sales_suspended) all.push({ key: "8", words: () => t("wall.act.resume"), act: resume });
  else all.push({ key: "8", words: () => t("wall.act.suspend"), act: suspend });
  return all;
};

/** Nobody is in front of this wall. @param {any} refusal */
const isLeft = (refusal) => ["terminal_locked", "terminal_left"].includes(refusal?.name);

/** Why nothing new is shown. @param {any} refusal */
const wordsOf = (refusal) => {
  if (refusal.name === "wrong_role") return t("wall.not_for_you");
  if (refusal.name === "gone") return t("alarm.gone");
  if (isLeft(refusal)) return t(refusal.waits ? "wall.locked_waits" : "wall.locked", { place: t(isOffice ? "wall.at_office" : "wall.at_till") });
  if (wall && refusal.name === "central_away") return t("wall.old", { since: ago(performance.now() - seenAt) });
  return say(refusal.title);
};

/** The head, which time alone changes too. */
const showHead = () => {
  const isOld = wall !== null && performance.now() - seenAt > OLD_MS;
  document.body.classList.toggle("is-old", isOld);
  const words = refusal ? wordsOf(refusal) : isOld ? t("wall.old", { since: ago(performance.now() - seenAt) }) : "";
  showTrouble(words);
  if (!wall) return;
  const { next, closes_at_ms, central_ms, sales_suspended, restored, schedule_halted } = wall.clock;
  const passed = performance.now() - seenAt;
  const left = next ? closes_at_ms - central_ms - passed : null;
  setWords(at("draw"), next ? t("head.draw", { draw: drawNumber(next.draw) }) : t("head.none"));
  const closes = at("closes");
  setWords(closes, left === null || isOld ? "" : t("head.closes", { time: minutes(left) }));
  closes.dataset.tone = left !== null && left < LAST_MS ? "warn" : "plain";
  const sales = at("sales");
  setWords(sales, schedule_halted ? t("wall.halted") : restored ? t("wall.restored") : sales_suspended ? t("head.suspended") : t("head.open"));
  sales.dataset.tone = schedule_halted || sales_suspended ? "bad" : "plain";
  setWords(at("now"), t("wall.central_time", { at: clock(wall.clock.local) }));
  const alarms = at("alarms");
  setWords(alarms, t("wall.alarms", { count: wall.alarms.length }));
  alarms.dataset.tone = wall.alarms.length > 0 ? "bad" : "plain";
};

/**
 * Marks the card that is chosen. What waits for an answer is, until somebody chooses otherwise; but
 * where the chosen one went away, no key is for another before a person has chosen it.
 * @param {HTMLElement[]} all
 */
const mark = (all) => {
  const names = all.map((one) => one.id);
  if (!hasChosen) chosen = names.find((name) => name.startsWith("approval-")) ?? names[0] ?? "";
  else if (!names.includes(chosen)) chosen = "";
  hasChosen ||= chosen !== "";
  for (const one of all) if (one.id === chosen) one.setAttribute("aria-current", "true");
  // Tab comes to one of them.
  (all.find((one) => one.id === chosen) ?? all[0])?.setAttribute("tabindex", "0");
};

const show = () => {
  showHead();
  document.title = t("wall.title");
  const line = at("told");
  setWords(line, told ? told.words() : "");
  line.dataset.tone = told?.tone ?? "plain";
  /** @type {HTMLElement} */ (document.querySelector("main")).hidden = !wall;
  if (!wall) {
    delete at("actions").dataset.offered;
    for (const id of ["actions", "alarms-list", "terminals", "approvals", "in-doubt", "followed", "files", "messages"]) at(id).replaceChildren();
    return;
  }
  const hadFocus = document.activeElement instanceof HTMLElement && document.activeElement.matches(".card");
  const rows = [...wall.rows].sort((one, other) => ORDER.indexOf(toneOf(one)) - ORDER.indexOf(toneOf(other)) || one.device - other.device);
  const count = (/** @type {Tone} */ tone) => rows.filter((row) => toneOf(row) === tone).length;
  setWords(at("summary"), t("wall.summary", { bad: count("bad"), warn: count("warn") }));
  /** @type {Record<string, HTMLElement[]>} */
  const lists = {
    terminals: rows.map(rowCard),
    "alarms-list": wall.alarms.map((/** @type {any} */ sentence, /** @type {number} */ index) => card(`alarm-${index}`, "bad", el("p", {}, say(sentence)))),
    approvals: wall.approvals.map(approvalCard),
    "in-doubt": [...wall.in_doubt.map(doubtCard), ...wall.held.map(heldCard)],
    followed: [...(wall.follower ? [followerCard(wall.follower)] : []), ...(wall.unfollowed ?? []).map(unfollowedCard)].sort((one, other) => rank(one) - rank(other)),
    files: files.map(fileCard),
    messages: wall.messages.slice(0, 5).map(messageCard),
  };
  mark(Object.values(lists).flat());
  for (const [id, all] of Object.entries(lists)) fill(id, all);
  at("alarms-list").hidden = wall.alarms.length === 0;
  at("following").hidden = lists.followed.length === 0;
  // A key that somebody is on is not taken away for nothing.
  const offered = JSON.stringify([chosen, ...actions().map(({ key, words }) => [key, words()])]);
  if (at("actions").dataset.offered !== offered) {
    at("actions").dataset.offered = offered;
    at("actions").replaceChildren(...actions().map(({ key, words }) => button(words(), key, () => actions().find((one) => one.key === key)?.act())));
  }
  if (hadFocus && !isAsking()) cards().find((one) => one.dataset.name === chosen)?.focus({ preventScroll: true });
};

/** Two short tones: something waits. */
const sound = () => {
  const audio = new AudioContext();
  for (const [index, hertz] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(audio.destination);
    tone.start(audio.currentTime + index * 0.25);
    tone.stop(audio.currentTime + index * 0.25 + 0.2);
    if (index === 1) tone.onended = () => audio.close();
  }
};

/** How often the wall was asked for: an answer that a later question overtook is not shown. */
let looks = 0;

const look = async () => {
  looks += 1;
  const asked = looks;
  try {
    const answer = await fetch("/agent/wall", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    const reply = await answer.json();
    if (asked !== looks) return;
    if (!reply.title) {
      wall = reply;
      refusal = null;
      seenAt = performance.now();
    } else {
      // What comes while nobody is there is heard, once.
      if (isLeft(reply) && reply.waits && !refusal?.waits) sound();
      refusal = reply;
      // What a person may not see is not left on the screen; what is only old is, and says so.
      if (reply.status !== 503) wall = null;
    }
  } catch {
    if (asked !== looks) return;
    refusal = { name: "gone" };
  }
  show();
};

const lookForFiles = asking("damaged/files", {
  answered: (reply) => {
    if (reply.files) files = reply.files;
    // What a person may not see is not left on the screen.
    else if (reply.status !== 503) files = [];
  },
  silent: () => {},
});

const turn = async () => {
  if (turns % FILES_EVERY === 0) await lookForFiles();
  turns += 1;
  await look();
  setTimeout(turn, EVERY_MS);
};

addEventListener("pointerdown", here, { capture: true });
// A card that Tab has come to is chosen.
addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && target.matches(".card") && target.id !== chosen) choose(target.id);
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isAsking()) return;
  const moves = /** @type {Record<string, () => void>} */ ({ ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: () => cross(true), ArrowLeft: () => cross(false) });
  const act = moves[event.key] ?? actions().find((one) => one.key === event.key)?.act;
  if (!act || event.repeat) return;
  event.preventDefault();
  here();
  act();
});

// Whoever was asked is not in front of the screen any more.
watch(
  (state) => {
    if (state.locked || !state.badge) leaveBox();
    if (!["office", "desk"].includes(state.role) || isOffice) return;
    isOffice = true;
    at("counter").dataset.t = "wall.office";
    at("counter").title = "Alt+B";
    at("keys").dataset.t = "wall.keys_office";
    dress(document);
    show();
  },
  () => {},
);

const leave = () => at("counter").click();
at("counter").addEventListener("click", () => location.assign("/"));
onLanguage(show);
frame({ KeyC: leave, KeyB: leave });
show();
setInterval(showHead, 250);
turn();
