// A slip in the making: what each key does to it. Nothing here knows of the page, of time or of
// money beyond what a key says; the price comes from the device.
// @ts-check

/**
 * @typedef {object} Line a line of the composition: which ways are played, at what wager
 * @property {number} spots numbers of each way
 * @property {number | null} ways how many the patron wrote; all of that size when null
 * @property {number | null} wager_cents per way; the wager of the selection when null
 *
 * @typedef {object} Selection
 * @property {string} game
 * @property {"straight" | "way" | "king" | "set"} kind
 * @property {boolean} quick the computer chooses
 * @property {number | null} count how many it chooses
 * @property {number[]} numbers of a straight, or of a named set
 * @property {number[][]} groups of a way or a king; the last one is open while `isGrouping`
 * @property {boolean} isGrouping groups are still being keyed
 * @property {Line[]} lines
 * @property {number | null} wager_cents the house's usual wager when null
 *
 * @typedef {"numbers" | "count" | "ways" | "written" | "wager" | "draws" | "first" | "tender" | "received"} Field
 *
 * @typedef {object} Draft
 * @property {Selection[]} selections
 * @property {number} current
 * @property {Field} field where the next digit goes
 * @property {string} typed what was typed there and is not taken yet
 * @property {number} draws
 * @property {number | null} first the first draw; the next one on sale when null
 * @property {number | null} received_cents
 * @property {string} tender
 * @property {string} intake
 * @property {number | null} replayOf leaf of the ticket that is sold again
 * @property {boolean} wasEscape the key before was Escape
 * @property {{key: string, values?: Record<string, string | number>} | null} note what a key could not do
 *
 * @typedef {object} Game
 * @property {string} code
 * @property {{min: number, max: number} | null} straight
 * @property {object | null} way
 * @property {object | null} king
 * @property {{name: {fr: string, en: string}, numbers: number[]}} [set] the numbers that its name stands for
 *
 * @typedef {object} Rules
 * @property {number} pool
 * @property {number} selections_max
 * @property {number} draws_max
 * @property {number} wager_cents
 * @property {Game[]} games
 * @property {{game: string, spots: number, wager_cents: number}[]} express
 * @property {string[]} tenders
 */

/** What patrons may pay with, in the order of its digits. @param {Rules | null} rules */
export const tendersOf = (rules) => ["cash", "coupon", "chip"].filter((one) => rules?.tenders.includes(one));

/** @param {string} game @returns {Selection} */
const emptySelection = (game) => ({
  game,
  kind: "straight",
  quick: false,
  count: null,
  numbers: [],
  groups: [],
  isGrouping: true,
  lines: [],
  wager_cents: null,
});

/** The types whose numbers are keyed, in the order of "/". */
const KEYED = /** @type {const} */ (["straight", "way", "king"]);

/** @param {Game} game */
const isKeyed = (game) => KEYED.some((kind) => game[kind]);

/** The game of a selection whose numbers are keyed: this one, or the first that has such. @param {Rules | null} rules @param {string} [code] */
const keyedGame = (rules, code) => rules?.games.find((game) => game.code === code && isKeyed(game)) ?? rules?.games.find(isKeyed);

/** The named set of a game. @param {Rules | null} rules @param {string} code */
export const setOf = (rules, code) => rules?.games.find((game) => game.code === code)?.set;

/** @param {Rules | null} rules @returns {Draft} */
export const emptyDraft = (rules) => ({
  selections: [emptySelection(keyedGame(rules)?.code ?? "keno")],
  current: 0,
  field: "numbers",
  typed: "",
  draws: 1,
  first: null,
  received_cents: null,
  tender: "cash",
  intake: "screen",
  replayOf: null,
  wasEscape: false,
  note: null,
});

/** Nothing was asked in it. @param {Selection} one */
export const isBlank = (one) => !one.quick && one.numbers.length === 0 && one.groups.length === 0;

/** Nothing was asked yet. @param {Draft} draft */
export const isEmpty = (draft) => draft.selections.every(isBlank) && draft.typed === "";

/** Where a selection is in what the device tells, which leaves blank ones out. @param {Draft} draft @param {number} index */
export const shownAt = (draft, index) => draft.selections.slice(0, index).filter((one) => !isBlank(one)).length;

/** Its groups are combined, and which ways of them are played is asked; otherwise its numbers are played whole. @param {Selection} one */
export const hasWays = (one) => one.kind === "way" || one.kind === "king";

/** Every number of a selection. @param {Selection} one */
export const numbersOf = (one) => (hasWays(one) ? one.groups.flat() : one.numbers);

/** Where the digits of a selection begin; nothing is keyed of the numbers of a set. @param {Selection} one @returns {Field} */
const firstField = (one) => (one.kind === "set" ? "wager" : one.quick ? "count" : "numbers");

/** The fields of a draft, in the order of the slip, the screen and the ticket. @param {Draft} draft @returns {Field[]} */
const fieldsOf = (draft) => {
  const one = draft.selections[draft.current];
  /** @type {Field[]} */
  const fields = one.kind === "set" ? [] : [firstField(one)];
  if (hasWays(one)) fields.push("ways");
  return [...fields, "wager", "draws", "first", "tender", "received"];
};

/** Cents of what was typed as an amount, `2`, `2.5` or `2.50`; null when it is none. @param {string} text */
export const centsOf = (text) => {
  if (!/^\d{1,7}(\.\d{0,2})?$/.test(text)) return null;
  const [whole, part = ""] = text.split(".");
  return Number(whole) * 100 + Number(part.padEnd(2, "0"));
};

/** Cents of an amount as people write it, `1 234,50 $` too; null when it is none. @param {string} text */
export const centsTyped = (text) => centsOf(text.replace(/[\s$]/g, "").replace(",", "."));

/** @param {Draft} draft @param {Partial<Draft>} change @returns {Draft} */
const with_ = (draft, change) => ({ ...draft, wasEscape: false, note: null, ...change });

/** @param {Draft} draft @param {Partial<Selection>} change @param {Partial<Draft>} [more] */
const withSelection = (draft, change, more = {}) =>
  with_(draft, {
    selections: draft.selections.map((one, at) => (at === draft.current ? { ...one, ...change } : one)),
    ...more,
  });

/** @param {Draft} draft @param {string} key @param {Record<string, string | number>} [values] */
const noted = (draft, key, values) => with_(draft, { typed: "", note: { key, values } });

/** Adds a number where numbers go. @param {Draft} draft @param {number} number @param {Rules} rules */
const addNumber = (draft, number, rules) => {
  const one = draft.selections[draft.current];
  if (one.kind === "set") return noted(draft, "note.set_fixed");
  if (number < 1 || number > rules.pool) return noted(draft, "note.number_unknown", { number, pool: rules.pool });
  if (numbersOf(one).includes(number)) return noted(draft, "note.number_twice", { number });
  if (!hasWays(one)) {
    const max = rules.games.find((game) => game.code === one.game)?.straight?.max ?? rules.pool;
    if (one.numbers.length >= max) return noted(draft, "note.numbers_full", { max });
    return withSelection(draft, { numbers: [...one.numbers, number] }, { typed: "" });
  }
  const groups = one.isGrouping && one.groups.length > 0 ? one.groups : [...one.groups, []];
  const open = groups[groups.length - 1];
  return withSelection(draft, { groups: [...groups.slice(0, -1), [...open, number]], isGrouping: true }, { typed: "" });
};

/** @param {Draft} draft @param {string} digit @param {Rules} rules @returns {Draft} */
const digit = (draft, digit, rules) => {
  const typed = draft.typed + digit;
  switch (draft.field) {
    case "numbers":
      return typed.length < 2 ? with_(draft, { typed }) : addNumber(draft, Number(typed), rules);
    case "count": {
      const count = Number(typed);
      const one = draft.selections[draft.current];
      const max = rules.games.find((game) => game.code === one.game)?.straight?.max ?? rules.pool;
      if (count < 1 || count > max) return noted(draft, "note.count_unknown", { max });
      return withSelection(draft, { count }, { typed });
    }
    // A digit there is a line of the list, which the page knows.
    case "ways":
      return draft;
    case "written":
      return with_(draft, { typed: typed.slice(0, 7) });
    case "draws": {
      const draws = Number(typed);
      if (draws < 1 || draws > rules.draws_max) return noted(draft, "note.draws_unknown", { max: rules.draws_max });
      return with_(draft, { draws, typed });
    }
    case "first":
      return with_(draft, { typed: typed.slice(-3) });
    case "tender": {
      const tender = tendersOf(rules)[Number(digit) - 1];
      return tender ? with_(draft, { tender, typed: "" }) : noted(draft, "note.tender_unknown");
    }
    case "wager":
    case "received": {
      const cents = centsOf(typed);
      if (cents === null) return noted(draft, "note.amount_unknown");
      if (draft.field === "received") return with_(draft, { received_cents: cents, typed });
      // The wager is that of every way that is played.
      return withSelection(draft, { wager_cents: cents, lines: draft.selections[draft.current].lines.map((line) => ({ ...line, wager_cents: null })) }, { typed });
    }
  }
};

/** A size of way is played, or not any more. @param {Draft} draft @param {number} spots @param {number | null} [ways] how many were written */
export const toggleWay = (draft, spots, ways = null) => {
  const one = draft.selections[draft.current];
  const isOn = one.lines.some((line) => line.spots === spots && ways === null);
  const others = one.lines.filter((line) => line.spots !== spots);
  const lines = isOn ? others : [...others, { spots, ways, wager_cents: null }].sort((a, b) => a.spots - b.spots);
  return withSelection(draft, { lines }, { typed: "" });
};

/** What the patron wrote is taken, whether the groups generate it or not: the device says so. @param {Draft} draft */
const written = (draft) => {
  const found = /^(\d{1,4})\/(\d{1,2})$/.exec(draft.typed);
  if (!found) return noted(draft, "note.written_unknown");
  return { ...toggleWay(draft, Number(found[2]), Number(found[1])), field: /** @type {Field} */ ("ways") };
};

/** Groups end: the ways that they generate are looked at. @param {Draft} draft */
const endGroup = (draft) => {
  const one = draft.selections[draft.current];
  const open = one.groups[one.groups.length - 1];
  if (!one.isGrouping || !open || open.length === 0) {
    return withSelection(draft, { groups: one.groups.filter((group) => group.length > 0), isGrouping: false }, { field: "ways", typed: "" });
  }
  return withSelection(draft, { groups: [...one.groups, []] }, { typed: "" });
};

/** Another field lies that way. @param {Draft} draft @param {1 | -1} way */
export const hasField = (draft, way) => {
  const fields = fieldsOf(draft);
  return fields[placeOf(draft, fields) + way] !== undefined;
};

/** @param {Draft} draft @param {Field[]} fields */
const placeOf = (draft, fields) => fields.indexOf(draft.field === "written" ? "ways" : draft.field);

/** @param {Draft} draft @param {1 | -1} way */
const move = (draft, way) => {
  const fields = fieldsOf(draft);
  const at = placeOf(draft, fields) + way;
  const settled = way === 1 ? settle(draft) : draft;
  return with_(settled, { field: fields[Math.min(Math.max(at, 0), fields.length - 1)], typed: "" });
};

/** What is half typed is taken. @param {Draft} draft @returns {Draft} */
const settle = (draft) => {
  const one = draft.selections[draft.current];
  if (draft.field === "numbers" && hasWays(one) && one.groups.some((group) => group.length === 0)) {
    return withSelection(draft, { groups: one.groups.filter((group) => group.length > 0), isGrouping: false });
  }
  return draft;
};

/**
 * What one key does.
 * @param {Draft} draft @param {string} key @param {Rules} rules
 * @returns {Draft}
 */
export const press = (draft, key, rules) => {
  const one = draft.selections[draft.current];
  if (/^\d$/.test(key)) return digit(draft, key, rules);
  switch (key) {
    case ".":
    case ",":
      if (draft.field === "numbers" && draft.typed !== "") return addNumber(draft, Number(draft.typed), rules);
      if (["wager", "received"].includes(draft.field) && draft.typed !== "" && !draft.typed.includes(".")) {
        return with_(draft, { typed: `${draft.typed}.` });
      }
      return move(draft, 1);
    case "*":
      // As the patron wrote it: `2/4`.
      if (draft.field === "ways") return with_(draft, { field: "written", typed: "" });
      return withSelection(draft, { game: keyedGame(rules, one.game)?.code ?? one.game, kind: "straight", quick: true, count: null, numbers: [], groups: [], lines: [] }, { field: "count", typed: "" });
    case "/": {
      if (draft.field === "written") return draft.typed === "" || draft.typed.includes("/") ? draft : with_(draft, { typed: `${draft.typed}/` });
      const game = keyedGame(rules, one.game);
      const keyed = KEYED.filter((kind) => game?.[kind]);
      const sets = rules.games.filter((game) => game.set);
      const at = one.kind === "set" ? keyed.length + sets.findIndex((game) => game.code === one.game) : keyed.indexOf(one.kind);
      const next = (at + 1) % (keyed.length + sets.length);
      const set = sets[next - keyed.length];
      if (set?.set) {
        return withSelection(draft, { ...emptySelection(set.code), kind: "set", numbers: set.set.numbers, wager_cents: one.wager_cents }, { field: "wager", typed: "" });
      }
      const kind = keyed[next] ?? "straight";
      if (one.kind === "set") return withSelection(draft, { ...emptySelection(game?.code ?? one.game), kind, wager_cents: one.wager_cents }, { field: "numbers", typed: "" });
      const numbers = numbersOf(one);
      const change =
        kind === "straight"
          ? { kind, numbers, groups: [], lines: [], isGrouping: true }
          : { kind, numbers: [], groups: hasWays(one) ? one.groups : numbers.length > 0 ? [numbers] : [], lines: one.lines, isGrouping: true };
      return withSelection(draft, { ...change, quick: false, count: null }, { field: "numbers", typed: "" });
    }
    case "+":
      if (isBlank(one)) return noted(draft, "note.selection_blank");
      if (draft.selections.length >= rules.selections_max) return noted(draft, "note.selections_full", { max: rules.selections_max });
      return with_(settle(draft), {
        selections: [...settle(draft).selections, emptySelection(keyedGame(rules, one.game)?.code ?? one.game)],
        current: draft.selections.length,
        field: "numbers",
        typed: "",
      });
    case "-":
    case "Backspace":
      return remove(draft);
    case "Tab":
    case "ArrowDown":
      return move(draft, 1);
    case "ArrowUp":
      return move(draft, -1);
    case "PageUp":
    case "PageDown": {
      const to = draft.current + (key === "PageUp" ? -1 : 1);
      return to < 0 || to >= draft.selections.length ? draft : with_(draft, { current: to, field: firstField(draft.selections[to]), typed: "" });
    }
    case "Escape":
      if (draft.wasEscape) return emptyDraft(rules);
      return { ...(draft.typed === "" ? move(draft, -1) : with_(draft, { typed: "" })), wasEscape: true };
    case "Enter":
      if (draft.field === "numbers" && draft.typed !== "") return addNumber(draft, Number(draft.typed), rules);
      if (draft.field === "numbers" && hasWays(one)) return endGroup(draft);
      if (draft.field === "written") return written(draft);
      return move(draft, 1);
    default:
      return draft;
  }
};

/** Takes back what was keyed last. @param {Draft} draft @returns {Draft} */
const remove = (draft) => {
  const one = draft.selections[draft.current];
  if (draft.typed !== "" && draft.field === "numbers") return with_(draft, { typed: "" });
  switch (draft.field) {
    case "numbers": {
      if (!hasWays(one) && one.numbers.length > 0) return withSelection(draft, { numbers: one.numbers.slice(0, -1) });
      const groups = one.groups.filter((group) => group.length > 0);
      if (groups.length > 0) {
        const last = groups[groups.length - 1].slice(0, -1);
        return withSelection(draft, { groups: [...groups.slice(0, -1), ...(last.length > 0 ? [last] : [])], isGrouping: last.length > 0, lines: [] });
      }
      return dropSelection(draft);
    }
    case "count":
      return withSelection(draft, { quick: false, count: null }, { field: "numbers", typed: "" });
    case "ways":
      return withSelection(draft, { lines: [] }, { typed: "" });
    case "written":
      return with_(draft, { field: "ways", typed: "" });
    case "wager":
      return withSelection(draft, { wager_cents: null }, { typed: "" });
    case "draws":
      return with_(draft, { draws: 1, typed: "" });
    case "first":
      return with_(draft, { first: null, typed: "" });
    case "tender":
      return with_(draft, { tender: "cash", typed: "" });
    case "received":
      return with_(draft, { received_cents: null, typed: "" });
  }
};

/** A selection that is empty goes. @param {Draft} draft @returns {Draft} */
const dropSelection = (draft) => {
  if (draft.selections.length === 1) return draft;
  const selections = draft.selections.filter((_, at) => at !== draft.current);
  const current = Math.min(draft.current, selections.length - 1);
  return with_(draft, { selections, current, field: firstField(selections[current]), typed: "" });
};

/** An express pick takes the place of the selection in hand; the next digit says how many draws. @param {Draft} draft @param {{game: string, spots: number, wager_cents: number}} pick */
export const express = (draft, pick) =>
  withSelection(
    draft,
    { ...emptySelection(pick.game), quick: true, count: pick.spots, wager_cents: pick.wager_cents },
    { field: "draws", typed: "" },
  );

/** A number of the touch grid. @param {Draft} draft @param {number} number @param {Rules} rules @returns {Draft} */
export const touch = (draft, number, rules) => {
  const one = draft.selections[draft.current];
  if (one.kind === "set") return noted(draft, "note.set_fixed");
  const base = one.quick ? withSelection(draft, { quick: false, count: null }, { field: "numbers" }) : draft;
  const here = base.selections[base.current];
  if (!numbersOf(here).includes(number)) return addNumber(with_(base, { field: "numbers" }), number, rules);
  if (!hasWays(here)) return withSelection(base, { numbers: here.numbers.filter((other) => other !== number) }, { field: "numbers", typed: "" });
  const groups = here.groups.map((group) => group.filter((other) => other !== number)).filter((group) => group.length > 0);
  return withSelection(base, { groups, isGrouping: true, lines: [] }, { field: "numbers", typed: "" });
};

/** Another field is in hand. @param {Draft} draft @param {number} selection @param {Field} field */
export const choose = (draft, selection, field) => with_({ ...draft, current: selection }, { field: draft.selections[selection].kind === "set" && field === "numbers" ? "wager" : field, typed: "" });

/** @param {Draft} draft @param {Partial<Draft>} change */
export const change = (draft, change) => with_(draft, change);

/** The slip that a draft asks for; blank selections are not in it. @param {Draft} draft @param {Rules | null} rules */
export const slipOf = (draft, rules) => ({
  selections: draft.selections
    .filter((one) => !isBlank(one))
    .map((one) => {
      const wager_cents = one.wager_cents ?? rules?.wager_cents ?? 100;
      if (!hasWays(one)) {
        return one.quick
          ? { game: one.game, type: one.kind, quick_pick: one.count ?? 0, wager_cents }
          : { game: one.game, type: one.kind, numbers: one.numbers, wager_cents };
      }
      const groups = one.groups.filter((group) => group.length > 0);
      const isKing = one.kind === "king";
      return {
        game: one.game,
        type: one.kind,
        groups: isKing ? groups.filter((group) => group.length > 1) : groups,
        // A number circled alone is the king.
        kings: isKing ? groups.filter((group) => group.length === 1).flat() : [],
        ways: one.lines.map((line) => ({
          ...(line.ways === null ? {} : { ways: line.ways }),
          spots: line.spots,
          wager_cents: line.wager_cents ?? wager_cents,
        })),
      };
    }),
  draws: draft.draws,
  ...(draft.first === null ? {} : { first_draw: draft.first }),
});

/** A draft of a slip that comes from elsewhere: an earlier ticket, a card, a neighbour. @param {any} slip @param {Rules | null} rules @param {Partial<Draft>} more @returns {Draft} */
export const draftOf = (slip, rules, more = {}) => {
  const selections = slip.selections.map((/** @type {any} */ asked) => {
    const one = emptySelection(asked.game ?? rules?.games[0]?.code ?? "keno");
    if (!hasWays({ ...one, kind: asked.type })) {
      const quick = typeof asked.quick_pick === "number";
      return { ...one, kind: asked.type, quick, count: quick ? asked.quick_pick : null, numbers: asked.numbers ?? setOf(rules, one.game)?.numbers ?? [], wager_cents: asked.wager_cents ?? null };
    }
    const kings = (asked.kings ?? []).map((/** @type {number} */ king) => [king]);
    const wagers = new Set((asked.ways ?? []).map((/** @type {any} */ line) => line.wager_cents));
    // One wager for every way is that of the selection, which is shown and can be changed.
    const wager = wagers.size === 1 ? [...wagers][0] : null;
    return {
      ...one,
      kind: asked.type,
      groups: [...(asked.groups ?? []), ...kings],
      isGrouping: false,
      lines: (asked.ways ?? []).map((/** @type {any} */ line) => ({ spots: line.spots, ways: line.ways ?? null, wager_cents: wager === null ? line.wager_cents : null })),
      wager_cents: wager,
    };
  });
  const empty = emptyDraft(rules);
  return { ...empty, selections: selections.length > 0 ? selections : empty.selections, draws: slip.draws, first: slip.first_draw ?? null, field: "draws", ...more };
};
