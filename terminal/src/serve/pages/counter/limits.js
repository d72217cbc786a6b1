// Express picks and limits at the back office: what is typed is shown old and new by central before two
// people record it. The page judges nothing; central says what is wrong, and where.
// @ts-check
import { ask, isAsking, leaveBox, secondOf, secondPerson } from "/ask.js";
import { atOf, changesTable, drawWords, slipsWords } from "/changes.js";
import { here, nameOf, post, toldBy, watch } from "/device.js";
import { at, button, el, setWords, showTrouble } from "/dom.js";
import { centsTyped } from "/draft.js";
import { frame } from "/frame.js";
import { drawNumber, inForce, onLanguage, say, t } from "/words.js";

/** A counter has so many keys for express picks. */
const KEYS = 8;
/** While central does not say what can be changed, it is asked so often. */
const AGAIN_MS = 1000;

/** @typedef {"money" | "number"} Kind */
/** @typedef {{at: string, key: string, kind: Kind}} Field a field of the form: its place, and what it is called in a change */

/** @type {Field[]} */
const CONFIRM = [
  { at: "confirm_second_key", key: "second_key_cents", kind: "money" },
  { at: "confirm_type_total", key: "type_total_cents", kind: "money" },
  { at: "confirm_draws", key: "confirm_draws", kind: "number" },
];
/** @type {Field[]} */
const PAY = [
  { at: "payout_second_person", key: "second_person_cents", kind: "money" },
  { at: "payout_cage", key: "cage_cents", kind: "money" },
];
/** @type {Field[]} */
const LIMITS = [
  { at: "limits_draws", key: "draws", kind: "number" },
  { at: "limits_draws_ahead", key: "draws_ahead", kind: "number" },
  { at: "limits_selections", key: "selections", kind: "number" },
  { at: "limits_ways", key: "ways", kind: "number" },
];
/** @type {Field} */
const USUAL = { at: "counter_wager", key: "usual_wager_cents", kind: "money" };
/** @type {Field[]} */
const ALONE = [USUAL, ...CONFIRM, ...PAY, ...LIMITS];
/** @type {{key: string, ends: string}[]} */
const OF_GAME = [
  { key: "wager_max_cents", ends: "max" },
  { key: "same_numbers_cents", ends: "same_numbers" },
];

/** What can be changed, as central told it. @type {any} */
let facts = null;
/** Why it did not. @type {any} */
let refusal = null;
/** `edit`, `review` or `done`. */
let step = "edit";
/** What is typed, by the place of the field. @type {Map<string, string>} */
let typed = new Map();
/** The same as it was filled in. @type {Map<string, string>} */
let filled = new Map();
/** The language in which amounts are typed. */
let typedIn = inForce();
/** Faults by field; those of no field under the empty name. @type {Map<string, (() => string)[]>} */
let faults = new Map();
/** What central would do. @type {any} */
let preview = null;
/** What was asked. @type {any} */
let asked = null;
/** What was recorded. @type {any} */
let recorded = null;
/** @type {{tone: string, words: () => string}[]} */
let told = [];
let isBusy = false;
/** `Esc` was pressed once while something had changed. */
let wantsOut = false;
/** What has the focus once the page is drawn. @type {string | null} */
let goTo = null;

/** @param {number} cents */
const amount = (cents) => `${Math.trunc(cents / 100)}${inForce() === "fr" ? "," : "."}${String(cents % 100).padStart(2, "0")}`;
/** @param {string} text */
const numberIn = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null);
/** @param {Kind} kind @param {string} text */
const valueIn = (kind, text) => (kind === "money" ? centsTyped(text) : numberIn(text));
/** @param {Kind} kind @param {number} value */
const written = (kind, value) => (kind === "money" ? amount(value) : String(value));

const games = () => facts.settings.games;
const hasSeveral = () => games().length > 1;
/** @param {number} row */
const pickAt = (row) => `counter_express_${row}`;

/** Every field with what it is filled with. @returns {[string, Kind | "game", string][]} */
const filling = () => {
  const now = facts.settings;
  /** @type {[string, Kind | "game", string][]} */
  const all = ALONE.map(({ at, key, kind }) => [at, kind, now[key] === undefined ? "" : written(kind, now[key])]);
  for (let row = 0; row < KEYS; row += 1) {
    const pick = now.express[row];
    all.push([`${pickAt(row)}_game`, "game", pick?.game ?? games()[0].code]);
    all.push([`${pickAt(row)}_spots`, "number", pick ? String(pick.spots) : ""]);
    all.push([`${pickAt(row)}_wager`, "money", pick ? amount(pick.wager_cents) : ""]);
  }
  games().forEach((/** @type {any} */ game, /** @type {number} */ index) => {
    for (const { key, ends } of OF_GAME) all.push([`game_${index}_wager_${ends}`, "money", amount(game[key])]);
  });
  all.push(["effective_from", "number", String(facts.proposed.draw)]);
  return all;
};

const fill = () => {
  filled = new Map(filling().map(([at, , text]) => [at, text]));
  typed = new Map(filled);
  typedIn = inForce();
};

/** Amounts that are typed are written as the other language writes them. */
const rewrite = () => {
  if (!facts || typedIn === inForce()) return;
  typedIn = inForce();
  for (const [at, kind] of filling()) {
    for (const texts of [typed, filled]) {
      const cents = kind === "money" ? centsTyped(texts.get(at) ?? "") : null;
      if (cents !== null) texts.set(at, amount(cents));
    }
  }
};

const textAt = (/** @type {string} */ at) => (typed.get(at) ?? "").trim();
const hasChanged = () => [...typed].some(([at, text]) => text.trim() !== filled.get(at));

/** @param {string} at @param {() => string} words */
const fault = (at, words) => faults.set(at, [...(faults.get(at) ?? []), words]);

/** What is typed at a place; null when it cannot be read, which is said there. @param {string} at @param {Kind} kind */
const readAt = (at, kind) => {
  const value = valueIn(kind, textAt(at));
  if (value === null) fault(at, () => t(kind === "money" ? "limits.not_money" : "limits.not_number"));
  return value;
};

/** Which row each pick is typed in: rows that are empty are no picks. */
const rowsTyped = () => [...Array(KEYS).keys()].filter((row) => textAt(`${pickAt(row)}_spots`) !== "" || textAt(`${pickAt(row)}_wager`) !== "");

/** The change that is typed; null when something cannot be read. */
const changesTyped = () => {
  faults = new Map();
  const now = facts.settings;
  /** @type {any} */
  const changes = {};
  for (const { at, key, kind } of ALONE) {
    if (textAt(at) === "" && now[key] === undefined) continue;
    const value = readAt(at, kind);
    if (value !== now[key]) changes[key] = value;
  }
  const express = rowsTyped().map((row) => ({
    game: textAt(`${pickAt(row)}_game`),
    spots: readAt(`${pickAt(row)}_spots`, "number"),
    wager_cents: readAt(`${pickAt(row)}_wager`, "money"),
  }));
  if (JSON.stringify(express) !== JSON.stringify(now.express)) changes.express = express;
  const wagers = games().map((/** @type {any} */ game, /** @type {number} */ index) => {
    /** @type {any} */
    const one = { code: game.code };
    for (const { key, ends } of OF_GAME) {
      const value = readAt(`game_${index}_wager_${ends}`, "money");
      if (value !== game[key]) one[key] = value;
    }
    return one;
  });
  const changed = wagers.filter((/** @type {any} */ one) => Object.keys(one).length > 1);
  if (changed.length > 0) changes.games = changed;
  const effective_from = readAt("effective_from", "number");
  return faults.size > 0 ? null : { base_version: facts.version, changes, effective_from };
};

/** The field of a fault of central: picks are counted without the rows that are empty. @param {string} place */
const fieldOf = (place) => {
  const name = atOf(place).replace(/^counter_express_(\d+)/, (_, index) => pickAt(rowsTyped()[Number(index)] ?? KEYS - 1));
  const all = [...typed.keys()];
  return all.includes(name) ? name : (all.find((one) => one.startsWith(`${name}_`) && !one.endsWith("_game")) ?? "");
};

/** The first field that has a fault, or the faults of no field. */
const toFaults = () => {
  goTo = [...typed.keys()].find((at) => faults.has(at)) ?? "faults";
};

/** What stands beside a field: what is wrong with it. @param {string} at */
const faultsOf = (at) => (faults.has(at) ? el("p", { id: `fault-${at}`, class: "fault" }, (faults.get(at) ?? []).map((words) => words()).join(" ")) : null);

/** @param {string} at @param {Kind} kind @param {Record<string, any>} [more] */
const input = (at, kind, more = {}) =>
  el("input", {
    id: at,
    name: at,
    type: "text",
    class: typed.get(at)?.trim() === filled.get(at) ? kind : `${kind} changed`,
    inputmode: kind === "money" ? "decimal" : "numeric",
    autocomplete: "off",
    spellcheck: "false",
    value: typed.get(at) ?? "",
    "aria-invalid": faults.has(at) ? "true" : undefined,
    "aria-describedby": faults.has(at) ? `fault-${at}` : undefined,
    oninput: (/** @type {InputEvent} */ event) => {
      const box = /** @type {HTMLInputElement} */ (event.currentTarget);
      typed.set(at, box.value);
      box.classList.toggle("changed", box.value.trim() !== filled.get(at));
      wantsOut = false;
    },
    ...more,
  });

/** @param {Kind} kind */
const unit = (kind) => el("span", { "aria-hidden": "true" }, kind === "money" ? "$" : "");

/** @param {string} at @param {Kind} kind @param {string} words */
const line = (at, kind, words) => el("div", { class: "line" }, el("label", { for: at }, words), input(at, kind), unit(kind), faultsOf(at));

/** @param {string} title @param {...(Node | null)} parts */
const part = (title, ...parts) => el("fieldset", {}, el("legend", {}, t(title)), ...parts);

/** @param {Field[]} fields */
const lines = (fields) => fields.map(({ at, kind }) => line(at, kind, t(`limits.at.${at}`)));

/** @param {number} row */
const pickRow = (row) => {
  const key = `F${row + 1}`;
  const [game, spots, wager] = ["game", "spots", "wager"].map((what) => `${pickAt(row)}_${what}`);
  const choice = () =>
    el(
      "select",
      {
        id: game,
        name: game,
        "aria-label": t("limits.pick_game", { key }),
        onchange: (/** @type {Event} */ event) => typed.set(game, /** @type {HTMLSelectElement} */ (event.currentTarget).value),
      },
      ...games().map((/** @type {any} */ one) => el("option", { value: one.code, selected: one.code === typed.get(game) }, say(one.name))),
    );
  return el(
    "div",
    { class: "pick", role: "group", "aria-label": t("limits.pick", { key }) },
    el("kbd", {}, key),
    hasSeveral() ? choice() : null,
    input(spots, "number", { "aria-label": t("limits.pick_spots", { key }) }),
    el("span", { "aria-hidden": "true" }, t("limits.for")),
    input(wager, "money", { "aria-label": t("limits.pick_wager", { key }) }),
    unit("money"),
    hasSeveral() ? faultsOf(game) : null,
    faultsOf(spots),
    faultsOf(wager),
  );
};

const editing = () =>
  el(
    "form",
    // Enter is a key of the page: a form of many fields without a button of its own sends nothing.
    { id: "settings", onsubmit: (/** @type {SubmitEvent} */ event) => event.preventDefault() },
    faults.has("") ? el("div", { id: "faults", role: "group", tabindex: "0", "aria-label": t("limits.refused") }, ...(faults.get("") ?? []).map((words) => el("p", { class: "fault" }, words()))) : null,
    el(
      "div",
      { class: "parts" },
      part("limits.express", line(USUAL.at, USUAL.kind, t("limits.at.counter_wager")), ...[...Array(KEYS).keys()].map(pickRow)),
      el(
        "div",
        {},
        part("limits.confirm", ...lines(CONFIRM)),
        part("limits.pay", ...lines(PAY)),
        part("limits.when", line("effective_from", "number", t("limits.first_draw")), el("p", { class: "quiet" }, t("limits.earliest", { draw: drawWords(facts.earliest) }))),
      ),
      el(
        "div",
        {},
        part("limits.limits", ...lines(LIMITS)),
        ...games().map((/** @type {any} */ game, /** @type {number} */ index) =>
          el(
            "fieldset",
            {},
            el("legend", {}, hasSeveral() ? t("limits.of_game", { what: t("limits.wagers"), game: say(game.name) }) : t("limits.wagers")),
            ...OF_GAME.map(({ ends }) => line(`game_${index}_wager_${ends}`, "money", t(`limits.at.game_${ends}`))),
          ),
        ),
      ),
    ),
  );

/** What is told of a change, before and after it was recorded. @param {any} change */
const changeParts = (change) => [
  changesTable(change.differences),
  el("p", { class: "when" }, t("limits.holds_from", { draw: drawWords(change.effective) })),
  ...slipsWords(change.slips).map(({ tone, words }) => el("p", { class: "slips", "data-tone": tone }, el("span", { "aria-hidden": "true" }, tone === "warn" ? "▲ " : "● "), words)),
];

const reviewing = () => el("section", { "aria-labelledby": "review-title" }, el("h2", { id: "review-title", tabindex: "-1" }, t("limits.review", { version: preview.version })), ...changeParts(preview));

const finished = () => el("section", { "aria-labelledby": "done-title" }, el("h2", { id: "done-title", tabindex: "-1" }, t("limits.done", { version: recorded.version, leaf: recorded.leaf })), ...changeParts(recorded));

/** @typedef {{key: string, name: string, words: string, act: () => void}} Action */

/** What can be done now. @returns {Action[]} */
const actions = () => {
  const enter = t("key.enter");
  const escape = t("key.escape");
  if (!facts) return [{ key: escape, name: "Escape", words: t("limits.office"), act: leave }];
  if (step === "edit")
    return [
      { key: enter, name: "Enter", words: t("limits.act.look"), act: look },
      { key: escape, name: "Escape", words: t("limits.office"), act: leave },
    ];
  if (step === "review")
    return [
      { key: enter, name: "Enter", words: t("limits.act.record"), act: record },
      { key: escape, name: "Escape", words: t("limits.act.correct"), act: correct },
    ];
  return [
    { key: enter, name: "Enter", words: t("limits.office"), act: leave },
    { key: "1", name: "1", words: t("limits.act.again"), act: again },
  ];
};

/** Why central does not say what can be changed. */
const refusalWords = () => {
  if (!refusal) return "";
  const own = /** @type {Record<string, string>} */ ({ wrong_role: "limits.not_for_you", gone: "alarm.gone" })[refusal.name];
  return own ? t(own) : say(refusal.title);
};

const showHead = () => {
  document.title = t("limits.title");
  const words = refusalWords();
  showTrouble(words);
  setWords(at("version"), facts ? t("limits.version", { version: facts.version, draw: drawNumber(facts.effective.draw) }) : "");
};

const show = () => {
  rewrite();
  showHead();
  const old = document.activeElement;
  const had = old?.id ?? "";
  const marked = old instanceof HTMLInputElement ? [old.selectionStart, old.selectionEnd] : null;
  at("work").replaceChildren(...(facts ? [step === "edit" ? editing() : step === "review" ? reviewing() : finished()] : []));
  at("actions").replaceChildren(...actions().map(({ key, name, words, act }) => button(words, key, act, { id: `act-${name}`, class: name === "Enter" ? "" : "quiet" })));
  at("keys").textContent = facts && step === "edit" ? t("limits.keys") : "";
  const line = at("told");
  setWords(line, told.map((one) => one.words()).join(" "));
  line.dataset.tone = told[0]?.tone ?? "plain";
  const wanted = document.getElementById(goTo ?? had);
  const isSame = goTo === null;
  goTo = null;
  if (isAsking() || !wanted) return;
  wanted.focus();
  if (!(wanted instanceof HTMLInputElement)) return;
  // Whoever types goes on where they were.
  if (isSame && marked) wanted.setSelectionRange(marked[0], marked[1]);
  else wanted.select();
};

/** How often what can be changed was asked for: an answer that a later question overtook says nothing. */
let reads = 0;

/** Asks for what can be changed. @param {boolean} refills what was typed is lost */
const read = async (refills) => {
  reads += 1;
  const number = reads;
  try {
    const answer = await fetch("/agent/amendments");
    const reply = await answer.json();
    if (number !== reads) return;
    refusal = reply.title ? reply : null;
    if (!refusal) facts = reply;
    else if (reply.status !== 503) facts = null;
  } catch {
    if (number !== reads) return;
    refusal = { name: "gone" };
  }
  if (refusal || !facts) return;
  const before = new Map(typed);
  const had = new Map(filled);
  fill();
  // What a person typed stays, what was only filled in follows the newest version.
  if (!refills) for (const [at, text] of before) if (text.trim() !== had.get(at)) typed.set(at, text);
};

/** Asks again as long as central has not said what can be changed, and leaves what is typed alone. */
const turn = async () => {
  if (refusal && !isBusy) {
    const before = JSON.stringify(facts);
    const isFirst = facts === null;
    await read(isFirst);
    if (isFirst && facts) goTo = USUAL.at;
    if (JSON.stringify(facts) === before) showHead();
    else show();
  }
  setTimeout(turn, AGAIN_MS);
};

/** One thing at a time. @param {() => Promise<void>} act */
const alone = async (act) => {
  if (isBusy) return;
  isBusy = true;
  wantsOut = false;
  try {
    await act();
  } finally {
    isBusy = false;
  }
  show();
};

/** What came of a question that was not answered as asked. @param {any} reply */
const tellRefusal = async (reply) => {
  told = toldBy(reply);
  const name = nameOf(reply);
  if (name === "rule_book_too_early") {
    step = "edit";
    await read(false);
    fault("effective_from", told[0].words);
    toFaults();
  } else if (name === "rule_book_moved_on") {
    step = "edit";
    await read(false);
  }
};

/** What would change, as central says it. */
const look = () =>
  alone(async () => {
    told = [];
    asked = changesTyped();
    if (!asked) {
      told = [{ tone: "bad", words: () => t("limits.to_correct") }];
      toFaults();
      return;
    }
    const reply = await post("amendments/preview", asked);
    if (reply.exit) {
      await tellRefusal(reply);
      return;
    }
    refusal = null;
    for (const one of reply.faults) fault(fieldOf(one.place), () => say(one.sentence));
    if (reply.faults.length > 0) {
      told = [{ tone: "bad", words: () => t("limits.to_correct") }];
      toFaults();
    } else if (reply.differences.length === 0) {
      told = [{ tone: "bad", words: () => t("limits.unchanged") }];
    } else {
      preview = reply;
      step = "review";
      goTo = "review-title";
    }
  });

/** Two people record what was shown. */
const record = () =>
  alone(async () => {
    const given = await ask({
      title: t("limits.two", { version: preview.version }),
      text: t("limits.holds_from", { draw: drawWords(preview.effective) }),
      fields: secondPerson(),
      yes: t("limits.act.record"),
      wall: () => ({ what: "rules_amendment", ...asked }),
    });
    goTo = "act-Enter";
    if (!given) return;
    told = [{ tone: "plain", words: () => t("limits.recording") }];
    show();
    goTo = "act-Enter";
    const reply = await post("amendments", { ...asked, second: secondOf(given) });
    if (reply.exit) {
      await tellRefusal(reply);
      return;
    }
    refusal = null;
    recorded = reply;
    told = [{ tone: "good", words: () => t("limits.recorded", { version: reply.version }) }];
    step = "done";
    goTo = "done-title";
  });

const correct = () => {
  if (isBusy) return;
  step = "edit";
  told = [];
  goTo = USUAL.at;
  show();
};

const again = () =>
  alone(async () => {
    await read(true);
    step = "edit";
    told = [];
    goTo = USUAL.at;
  });

/** Back to the office; what was typed is left at the second time, and what is on its way never. */
const leave = () => {
  if (isBusy) return;
  if (facts && step === "edit" && hasChanged() && !wantsOut) {
    wantsOut = true;
    told = [{ tone: "warn", words: () => t("limits.leaves") }];
    show();
    return;
  }
  location.assign("/office");
};

/** From one field to the next. @param {number} by */
const move = (by) => {
  const all = [...document.querySelectorAll("#settings input, #settings select")].map((one) => /** @type {HTMLElement} */ (one));
  const now = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = all[Math.min(all.length - 1, Math.max(0, now + by))];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
};

addEventListener("pointerdown", here, { capture: true });

addEventListener("keydown", (event) => {
  here();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isAsking()) return;
  const target = event.target instanceof HTMLElement ? event.target : null;
  const isInField = target?.matches("input, select") ?? false;
  if (isInField && target?.matches("input") && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
    return;
  }
  // A button and a choice do what they say.
  if (event.key === "Enter" && target?.matches("button, select")) return;
  const act = actions().find(({ name }) => name === event.key && !(isInField && name === "1"))?.act;
  if (!act) return;
  event.preventDefault();
  act();
});

// Whoever was asked is not in front of the screen any more.
watch(
  (state) => {
    if (state.locked || !state.badge) leaveBox();
  },
  () => {},
);

at("office").addEventListener("click", leave);
onLanguage(show);
frame({ KeyB: leave });
show();
await read(true);
goTo = USUAL.at;
show();
turn();
