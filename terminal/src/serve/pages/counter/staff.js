// The staff at the back office: one row a badge, and what two people, or a supervisor, do about it.
// The page judges nothing; central says who may, and what is wrong.
// @ts-check
import { ask, isAsking, isShowing, leaveBox, secondOf, secondPerson, shown } from "/ask.js";
import { get, here, post, toldBy, watch } from "/device.js";
import { at, button, el, setWords, showTrouble } from "/dom.js";
import { frame } from "/frame.js";
import { onLanguage, say, t } from "/words.js";

/** The staff is asked for so often. */
const EVERY_MS = 2000;
const ROLES = ["clerk", "supervisor", "cage", "marker", "verifier", "auditor", "technician", "administrator"];
/** Roles beside which nobody is a supervisor, not for a day either. */
const NEVER_ACT = new Set(["auditor", "technician", "administrator", "supervisor"]);
/** What is to be known of a badge, and whether it keeps somebody from serving. @type {[string, boolean][]} */
const NOTES = [["is_locked", true], ["must_change", false], ["acts", false], ["may_act", false], ["has_card", false]];

/** @typedef {import("../central.d.ts").PersonView} Person */
/** @typedef {{key: string, words: string, act: () => void}} Action */

/** Who is signed on. */
let own = "";
/** @type {Person[] | null} */
let people = null;
/** Why they are not told. @type {any} */
let refusal = null;
/** The badge that was chosen, which may not be told of yet. */
let chosen = "";
/** @type {{tone: string, words: () => string} | null} */
let told = null;
let isBusy = false;

/** Whoever is chosen among those who are told of: without a choice, the first. */
const one = () => people?.find(({ badge }) => badge === chosen) ?? people?.[0];

/** The roles of whoever is signed on. */
const ownRoles = () => {
  const me = people?.find(({ badge }) => badge === own);
  return new Set([...(me?.roles ?? []), ...(me?.acts ? ["supervisor"] : [])]);
};

/** Whoever is signed on, with a PIN, and another. */
const byTwo = () => [/** @type {import("/ask.js").Asked} */ ({ name: "own_pin", words: "staff.own_pin", type: "password" }), ...secondPerson()];
/** @param {Record<string, string>} given */
const signed = (given) => ({ by: { badge: own, pin: given.own_pin }, second: shown(given.badge, given.pin, given.card) });

/** One thing at a time; what came of it is told, and the staff asked for again. @param {string} what @param {() => string} badge @param {() => Promise<any>} act */
const alone = async (what, badge, act) => {
  if (isBusy) return null;
  isBusy = true;
  told = { tone: "plain", words: () => "" };
  show();
  let reply = null;
  try {
    reply = await act();
  } finally {
    isBusy = false;
  }
  if (reply === null) {
    told = null;
    show();
    return null;
  }
  told = reply.exit ? { tone: "bad", words: () => toldBy(reply).map((one) => one.words()).join(" ") } : { tone: "good", words: () => t(`staff.done.${what}`, { badge: badge() }) };
  await look();
  return reply.exit ? null : reply;
};

/** Central is asked, and the page says so. @param {string} path @param {unknown} body */
const send = (path, body) => {
  told = { tone: "plain", words: () => t("staff.asking") };
  show();
  return post(path, body);
};

/** Asks two people, then central. @param {string} what @param {string} path @param {Person} person @param {any} [more] @param {"two" | "alone" | "beside"} [who] */
const asks = (what, path, person, more = {}, who = "two") =>
  alone(what, () => person.badge, async () => {
    const fields = who === "two" ? byTwo() : who === "alone" ? byTwo().slice(0, 1) : secondPerson();
    const given = await ask({ title: t(`staff.${what}_title`, { badge: person.badge }), text: t(`staff.${what}_text`, { badge: person.badge }), fields, yes: t(`staff.${what === "name" || what === "unname" ? `${what}_yes` : what}`) });
    if (given === null) return null;
    const { by, second } = signed(given);
    const signers = who === "two" ? { by, second } : who === "alone" ? { by } : { second: secondOf(given) };
    return send(path, { badge: person.badge, ...more, ...signers });
  });

/** What is said once stays until somebody has it; on a screen that was left meanwhile nobody sees it. @param {string} what @param {string} badge @param {Node[]} parts */
const showOnce = async (what, badge, parts) => {
  if (own === "") {
    told = { tone: "bad", words: () => t("staff.unseen") };
    show();
    return;
  }
  await ask({ title: t(`staff.${what}_made`, { badge }), text: t(`staff.${what}_made_text`, { badge }), parts: [el("div", { class: "once" }, ...parts)], fields: [], yes: t("staff.seen"), isShown: true });
};

/**
 * A person as they are to stand, asked for until two people record them or leave it: what is wrong is
 * said where it was typed, and nothing but PINs is typed again.
 * @param {Person | null} person
 */
const record = async (person) => {
  /** @type {Record<string, string>} */
  let typed = { staff: person?.staff ?? "", name: person?.name ?? "", roles: person?.roles.join(" ") ?? "" };
  let wrong = "";
  if (!person) await look();
  for (let isAsked = true; isAsked; ) {
    isAsked = false;
    const badge = () => person?.badge ?? typed.person;
    await alone("record", badge, async () => {
      const given = await ask({
        title: person ? t("staff.change_title", { badge: person.badge }) : t("staff.new_title"),
        text: person ? t("staff.change_text", { badge: person.badge }) : t("staff.new_text"),
        parts: wrong ? [el("p", { class: "fault", role: "alert" }, wrong)] : [],
        fields: [
          ...(person ? [] : [/** @type {import("/ask.js").Asked} */ ({ name: "person", words: "staff.badge", value: typed.person })]),
          { name: "staff", words: "staff.staff", value: typed.staff },
          { name: "name", words: "staff.name", value: typed.name, optional: true },
          { name: "first_pin", words: "staff.pin", value: typed.first_pin },
          { name: "roles", words: "staff.roles", type: "several", value: typed.roles, choices: ROLES.map((role) => [role, `staff.role.${role}`]) },
          ...byTwo(),
        ],
        yes: t("staff.record"),
      });
      if (given === null) return null;
      const { own_pin, pin, ...rest } = given;
      typed = rest;
      // A new person is nobody who is there: changing them is another key.
      const same = person ? undefined : people?.find((one) => one.badge.toLowerCase() === given.person.toLowerCase());
      if (same) {
        wrong = t("staff.exists", { badge: same.badge });
        isAsked = true;
        return null;
      }
      const roles = given.roles.split(" ").filter(Boolean);
      const reply = await send("people", { badge: badge(), staff: given.staff, name: given.name, roles, pin: given.first_pin, ...signed(given) });
      isAsked = Boolean(reply.exit);
      wrong = isAsked ? toldBy(reply).map((one) => one.words()).join(" ") : "";
      if (!isAsked) chosen = badge();
      return reply;
    });
  }
};

/** @param {Person} person */
const makeCard = async (person) => {
  const made = await asks("card", "people/card", person);
  if (!made) return;
  const image = new DOMParser().parseFromString(made.svg, "image/svg+xml").documentElement;
  await showOnce("card", person.badge, [image, el("p", {}, person.badge), el("p", { class: "keys" }, button(t("staff.print"), "", () => print(), { id: "print" }))]);
};

/** @param {Person} person */
const resetPin = async (person) => {
  const made = await asks("reset", "people/pin/reset", person);
  if (made) await showOnce("reset", person.badge, [el("p", { id: "pin-once" }, made.pin)]);
};

/** What can be done about the badge that is chosen, and at all. @returns {Action[]} */
const actions = () => {
  if (!people) return [];
  const person = one();
  const roles = ownRoles();
  /** @type {Action[]} */
  const all = [];
  /** @param {string} key @param {string} what @param {() => void} act */
  const offer = (key, what, act) => all.push({ key, words: t(`staff.act.${what}`, { badge: person?.badge ?? "" }), act });
  if (roles.has("administrator")) {
    offer("1", "new", () => record(null));
    if (person && person.badge !== own) {
      offer("2", "change", () => record(person));
      offer("3", "withdraw", () => asks("withdraw", "people/withdraw", person));
    }
    if (person) {
      offer("4", "card", () => makeCard(person));
      const named = person.may_act ? "unname" : "name";
      if (!person.roles.some((role) => NEVER_ACT.has(role))) offer("5", named, () => asks(named, "people/acting/naming", person, { may_act: !person.may_act }));
    }
  }
  if (roles.has("supervisor") && person && person.badge !== own) {
    if (person.roles.join() === "clerk") offer("6", "reset", () => resetPin(person));
    if (person.may_act && !person.acts) offer("7", "make_acting", () => asks("make_acting", "people/acting", person, {}, "alone"));
  }
  if (person?.is_locked) offer("8", "lift", () => asks("lift", "badges/lift", person, {}, "beside"));
  return all;
};

/** @param {string} badge */
const choose = (badge) => {
  chosen = badge;
  show();
  document.getElementById(`person-${badge}`)?.focus();
};

/** @param {number} by */
const step = (by) => {
  if (!people?.length) return;
  const now = people.findIndex((person) => person === one());
  choose(people[Math.min(people.length - 1, Math.max(0, now + by))].badge);
};

/** @param {Person} person */
const row = (person) => {
  const isChosen = person === one();
  return el(
    "tr",
    { class: isChosen ? "chosen" : "", onclick: () => choose(person.badge) },
    el("th", { scope: "row" }, el("button", { type: "button", class: "quiet", id: `person-${person.badge}`, "aria-pressed": String(isChosen), tabindex: isChosen ? "0" : "-1" }, person.badge)),
    el("td", {}, person.staff),
    el("td", {}, person.name),
    el("td", {}, person.roles.map((role) => t(`staff.role.${role}`)).join(", ")),
    el("td", {}, ...NOTES.filter(([name]) => /** @type {any} */ (person)[name]).flatMap(([name, isBad], index) => [index > 0 ? ", " : "", el("span", { class: isBad ? "of-note" : "" }, t(`staff.${name}`))])),
  );
};

const table = () =>
  el(
    "table",
    { "aria-label": t("staff.people") },
    el("thead", {}, el("tr", {}, ...["badge", "staff", "name", "roles", "notes"].map((name) => el("th", { scope: "col" }, t(`staff.${name}`))))),
    el("tbody", {}, ...(people ?? []).map(row)),
  );

const refusalWords = () => {
  if (!refusal) return "";
  if (refusal.name === "wrong_role") return t("staff.not_for_you");
  return refusal.name === "gone" ? t("alarm.gone") : say(refusal.title);
};

/** What is drawn: a row that somebody is on is not drawn again for nothing. */
let drawn = "";

const show = () => {
  document.title = t("staff.title");
  const words = refusalWords();
  showTrouble(words);
  setWords(at("count"), people ? t("staff.who", { badge: own, count: t("staff.count", { count: people.length }) }) : "");
  const line = at("told");
  setWords(line, told ? told.words() : "");
  line.dataset.tone = told?.tone ?? "plain";
  const wanted = JSON.stringify([document.documentElement.lang, one()?.badge, own, people]);
  if (wanted === drawn) return;
  drawn = wanted;
  const had = document.activeElement?.id ?? "";
  at("work").replaceChildren(...(people ? [table()] : []));
  at("actions").replaceChildren(...actions().map(({ key, words, act }) => button(words, key, act, { id: `act-${key}` })));
  if (isAsking()) return;
  const focus = document.getElementById(had) ?? document.getElementById(`person-${one()?.badge}`);
  if (document.activeElement === document.body) focus?.focus();
};

/** How often the staff was asked for: an answer that a later one overtook, or that comes to a screen that was left, is not shown. */
let looks = 0;

const look = async () => {
  looks += 1;
  const asked = looks;
  try {
    const reply = await get("people");
    if (asked !== looks) return;
    refusal = reply.title ? reply : null;
    if (!refusal) people = reply.people;
    // What a person may not see is not left on the screen; what is only old is, and says so.
    else if (reply.status !== 503) people = null;
  } catch {
    if (asked !== looks) return;
    refusal = { name: "gone" };
  }
  show();
};

const turn = async () => {
  if (!isBusy) await look();
  setTimeout(turn, EVERY_MS);
};

const leave = () => {
  // What is shown once is not left by a key.
  if (!isBusy && !isShowing()) location.assign("/office");
};

addEventListener("pointerdown", here, { capture: true });

addEventListener("keydown", (event) => {
  here();
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.repeat || isAsking()) return;
  const moves = /** @type {Record<string, () => void>} */ ({ ArrowDown: () => step(1), ArrowUp: () => step(-1), Escape: leave });
  const act = moves[event.key] ?? actions().find(({ key }) => key === event.key)?.act;
  if (!act) return;
  event.preventDefault();
  act();
});

watch(
  (state) => {
    own = state.locked ? "" : (state.badge ?? "");
    // Whoever was asked is not in front of the screen any more, and nothing of the staff is left on it.
    if (own === "") {
      leaveBox();
      people = null;
      looks += 1;
    }
    show();
  },
  () => {},
);

at("office").addEventListener("click", leave);
onLanguage(show);
frame({ KeyB: leave });
turn();
