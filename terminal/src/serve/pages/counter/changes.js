// A change of the rules in words: where, before and after, from which draw, and which slips are to
// be printed anew. The page that makes it and the wall that approves it say the same.
// @ts-check
import { el } from "/dom.js";
import { clock, day, drawNumber, money, say, t } from "/words.js";

/** @typedef {{fr: string, en: string}} Name of a game, where there are several */
/** @typedef {{place: string, game?: Name, old?: any, new?: any}} Difference */

/** A place of the rule book as a name: `game[0].wager.max` is `game_0_wager_max`. @param {string} place */
export const atOf = (place) => place.replace(/[.[\]]+/g, "_").replace(/_$/, "");

/** The words of a place. @param {Difference} difference */
const placeWords = ({ place, game: name }) => {
  const at = atOf(place);
  const [, key] = /^counter_express_(\d+)$/.exec(at) ?? [];
  if (key !== undefined) return t("limits.pick", { key: `F${Number(key) + 1}` });
  const [, game, wager] = /^game_(\d+)_wager_(\w+)$/.exec(at) ?? [];
  const group = /** @type {Record<string, string>} */ ({ confirm: "limits.confirm", payout: "limits.pay", limits: "limits.limits" })[at.split("_")[0]];
  if (game === undefined) return group ? t("limits.in_group", { group: t(group), what: t(`limits.at.${at}`) }) : t(`limits.at.${at}`);
  return name ? t("limits.of_game", { what: t(`limits.at.game_${wager}`), game: say(name) }) : t(`limits.at.game_${wager}`);
};

/** A value. @param {any} value */
const valueWords = (value) => {
  if (!value) return t("limits.nothing");
  if (value.kind === "money") return money(value.cents);
  if (value.kind === "number") return String(value.number);
  const pick = t("limits.pick_value", { spots: value.spots, wager: money(value.wager_cents) });
  return value.name ? t("limits.of_game", { what: pick, game: say(value.name) }) : pick;
};

/** A draw with its time, as far as it is known. @param {{draw: number, local?: string}} draw */
export const drawWords = (draw) =>
  draw.local ? t("limits.draw_at", { draw: drawNumber(draw.draw), day: day(draw.local), at: clock(draw.local) }) : t("limits.draw", { draw: drawNumber(draw.draw) });

/** A slip or a card by the name under which it is printed. @param {string} name */
const slipWords = (name) => {
  const [, key] = /^express-(\d+)$/.exec(name) ?? [];
  if (key) return t("limits.card", { key: `F${key}` });
  const [, game] = /^blank-(.+)$/.exec(name) ?? [];
  return game ? t("limits.blank_of", { game }) : t("limits.blank");
};

/** What becomes of slips and cards, the gravest first. @param {{withdrawn: string[], print: string[]}} slips @returns {{tone: "warn" | "good", words: string}[]} */
export const slipsWords = ({ withdrawn, print }) => {
  const list = (/** @type {string[]} */ names) => names.map(slipWords).join(", ");
  /** @type {{tone: "warn" | "good", words: string}[]} */
  const said = [];
  if (withdrawn.length > 0) said.push({ tone: "warn", words: t("limits.withdrawn", { which: list(withdrawn) }) });
  else said.push({ tone: "good", words: t("limits.slips_stay") });
  if (print.length > 0) said.push({ tone: "warn", words: t("limits.print", { which: list(print) }) });
  return said;
};

/** Old and new, one row for each value. @param {Difference[]} differences */
export const changesTable = (differences) =>
  el(
    "table",
    { class: "changes" },
    el("thead", {}, el("tr", {}, ...["limits.what", "limits.old", "limits.new"].map((words) => el("th", { scope: "col" }, t(words))))),
    el(
      "tbody",
      {},
      ...differences.map((one) =>
        el("tr", {}, el("th", { scope: "row" }, placeWords(one)), el("td", { class: "old" }, valueWords(one.old)), el("td", { class: "new" }, valueWords(one.new))),
      ),
    ),
  );
