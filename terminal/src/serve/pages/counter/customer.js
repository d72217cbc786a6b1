// The patron's screen: the slip in the making field for field, what became of it, and the verdict of
// every inquiry. French large, English beside it, at once: nobody has to wait for their language.
// @ts-check
import { asking, isWhole, rulesFor, watch } from "/device.js";
import { at, el } from "/dom.js";
import { setOf } from "/draft.js";
import { redraw } from "/redraw.js";
import { signOf, toneOf } from "/verdict.js";
import { ball, both, clock, day, drawNumber, inRows, letter, moneyIn, shortMoneyIn, t } from "/words.js";

/** A line in both languages. @param {string} tag @param {string} key @param {(language: string) => Record<string, string | number>} [values] @param {string} [kind] */
const two = (tag, key, values = () => ({}), kind) => {
  const [fr, en] = both(key, values);
  return el(tag, { class: kind }, fr, el("span", { class: "en", lang: "en" }, en));
};

/** @param {number} cents */
const amount = (cents) => moneyIn("fr", cents);

/** @param {any} one @param {number} index @param {any} view */
const selection = (one, index, view) => {
  const { asked } = one;
  // A set is played by its name, which the rules have in both languages.
  const set = asked.type === "set" && house ? setOf(rulesFor(house, view.first?.draw ?? null), asked.game) : null;
  const numbers =
    asked.quick_pick != null
      ? [two("span", "customer.quick_pick", () => ({ count: asked.quick_pick || "?" }))]
      : [
          ...(asked.numbers?.length ? [el("span", { class: "group" }, ...(set ? inRows(asked.numbers) : asked.numbers.map(ball)).map((/** @type {string} */ number) => el("b", {}, number)))] : []),
          ...(asked.kings ?? []).map((/** @type {number} */ king) => el("span", { class: "group king" }, el("b", {}, ball(king)))),
          ...(asked.groups ?? []).map((/** @type {number[]} */ group) => el("span", { class: "group" }, ...group.map((number) => el("b", {}, ball(number))))),
        ];
  const ways = (asked.ways ?? []).map((/** @type {any} */ line) => {
    const generated = one.generated.find((/** @type {any} */ way) => way.spots === line.spots);
    return two("span", "customer.ways_of", (language) => ({ ways: line.ways ?? generated?.ways ?? "?", spots: line.spots, wager: moneyIn(language, line.wager_cents) }), "way");
  });
  return el(
    "li",
    {},
    el("span", { class: "letter" }, letter(index)),
    el(
      "div",
      {},
      set ? el("p", { class: "type" }, set.name.fr, el("span", { class: "en", lang: "en" }, set.name.en)) : two("p", `type.${asked.type}`, undefined, "type"),
      el("p", { class: "numbers" }, ...numbers),
      ways.length > 0 ? el("p", { class: "ways" }, ...ways) : null,
      asked.wager_cents != null ? two("p", view.draws > 1 ? "customer.wager_draws" : "customer.wager_draw", (language) => ({ wager: moneyIn(language, asked.wager_cents), draws: view.draws })) : null,
    ),
    el("span", { class: "per-draw" }, one.per_draw_cents == null ? "" : amount(one.per_draw_cents * view.draws)),
  );
};

/** @param {any} draft */
const draftParts = (draft) => [
  el("ol", { class: "selections" }, ...draft.selections.map((/** @type {any} */ one, /** @type {number} */ index) => selection(one, index, draft))),
  draft.first
    ? two("p", draft.draws > 1 ? "customer.draws" : "customer.draw", () => ({
        count: draft.draws,
        first: drawNumber(draft.first.draw),
        last: drawNumber(draft.last.draw),
        at: `${day(draft.first.local)} ${clock(draft.first.local)} ${draft.first.zone_mark}`.trim(),
      }), draft.is_other_day ? "when other-day" : "when")
    : null,
  el("p", { class: "total" }, two("span", "customer.total"), el("output", {}, draft.total_cents === null ? "–" : amount(draft.total_cents))),
  draft.change_cents !== null && draft.change_cents >= 0
    ? el("p", { class: "total small" }, two("span", "customer.received_change", (language) => ({ received: moneyIn(language, draft.received_cents) })), el("output", {}, amount(draft.change_cents)))
    : null,
  two("p", "customer.verify", undefined, "verify"),
];

/** @param {any} shown */
const verdictParts = (shown) => [
  el(
    "div",
    { class: `verdict ${toneOf(shown.verdict.code)}` },
    el("span", { class: "sign", "aria-hidden": "true" }, signOf(shown.verdict.code)),
    el("p", {}, shown.verdict.sentence.fr, el("span", { class: "en", lang: "en" }, shown.verdict.sentence.en)),
  ),
  shown.number_end ? two("p", "customer.ticket", () => ({ number: `…${shown.number_end}` }), "when") : null,
  (shown.payable_cents ?? 0) > 0 ? el("p", { class: "total" }, two("span", shown.for_the_cage ? "customer.at_cage" : "customer.to_pay"), el("output", {}, amount(shown.payable_cents))) : null,
  el("ol", { class: shown.draws.length > ROOM ? "draws short" : "draws" }, ...shown.draws.map((/** @type {any} */ one) => drawLine(one, shown.draws.length > ROOM))),
];

/** So many draws have room with their numbers: nobody scrolls this screen. */
const ROOM = 5;

/** A draw of a ticket. @param {any} one @param {boolean} isShort without the numbers that were drawn */
const drawLine = (one, isShort) =>
  el(
    "li",
    {},
    el("b", {}, drawNumber(one.draw.draw)),
    el("span", {}, one.balls && !isShort ? one.balls.map(ball).join(" ") : `${day(one.draw.local)} ${clock(one.draw.local)}`),
    el("span", {}, (one.caught ?? []).map((/** @type {number} */ count, /** @type {number} */ index) => `${letter(index)} ${count}`).join(" ")),
    el("span", { class: "amount" }, one.payable_cents > 0 ? amount(one.payable_cents) : ""),
  );

/** @param {any} shown */
const parts = (shown) => {
  switch (shown.kind) {
    case "draft":
      return draftParts(shown.draft);
    case "verdict":
      return verdictParts(shown);
    case "sold":
      return [
        two("p", "customer.sold", () => ({ number: `…${shown.number_end}` }), "big"),
        el("p", { class: "total" }, two("span", "customer.total"), el("output", {}, amount(shown.total_cents))),
        shown.change_cents > 0 ? el("p", { class: "total" }, two("span", "customer.change"), el("output", {}, amount(shown.change_cents))) : null,
        two("p", "customer.check_ticket", undefined, "verify"),
      ];
    case "paid":
      return [
        two("p", "customer.paid", () => ({ number: `…${shown.number_end}` }), "big"),
        el("p", { class: "total" }, two("span", "customer.cash"), el("output", {}, amount(shown.cash_cents))),
        shown.draws_left > 0 ? two("p", "customer.keep_ticket", undefined, "verify") : null,
      ];
    case "cancelled":
      return [
        two("p", "customer.cancelled", () => ({ number: `…${shown.number_end}` }), "big"),
        el("p", { class: "total" }, two("span", "customer.cash"), el("output", {}, amount(shown.handed_cents))),
        shown.change_cents > 0 ? el("p", { class: "total" }, two("span", "customer.change_back"), el("output", {}, amount(shown.change_cents))) : null,
      ];
    default:
      return [two("p", "customer.welcome", undefined, "big")];
  }
};

let shown = "";
/** @type {any} */
let house = null;
let version = "";
/** The first draw of the slip in the making. @type {number | null} */
let first = null;

/** The mentions of s. 77, which are there whatever else is: of the rules of the slip that is made. */
const mentions = () => {
  const rules = house && rulesFor(house, first);
  if (!rules) return [];
  const spots = rules.games[0]?.straight;
  return [
    spots ? two("p", "customer.spots", () => ({ min: spots.min, max: spots.max })) : null,
    el("p", {}, both("customer.rules")[0].replace("{place}", rules.rules_place.fr), el("span", { class: "en", lang: "en" }, both("customer.rules")[1].replace("{place}", rules.rules_place.en))),
    two("p", "customer.cap", (language) => ({ cap: shortMoneyIn(language, rules.cap_cents) })),
  ].filter((one) => one !== null);
};

const askForRules = asking("house", {
  answered: (known) => {
    if (!isWhole(known)) version = "";
    house = known;
    at("mentions").replaceChildren(...mentions());
  },
  silent: () => (version = ""),
});

watch(
  (state) => {
    const isOnline = state.central.state === "trusted";
    const next = state.sale?.next;
    at("draw").replaceChildren(...(isOnline && next ? [two("span", "customer.next_draw", () => ({ draw: drawNumber(next.draw.draw), at: clock(next.draw.local) }))] : []));
    const rules = JSON.stringify([state.sale?.rules_version, state.sale?.later_rules]);
    if (state.sale && version !== rules) {
      version = rules;
      askForRules();
    }
    const isOpen = state.badge && !state.locked && !state.handed_out;
    const customer = isOpen ? state.customer : { kind: "closed" };
    const now = JSON.stringify(customer);
    if (now === shown) return;
    shown = now;
    document.body.dataset.kind = customer.kind;
    first = customer.draft?.first?.draw ?? null;
    at("mentions").replaceChildren(...mentions());
    const content = customer.kind === "closed" ? [two("p", "customer.closed", undefined, "big")] : parts(customer);
    redraw(at("shown"), /** @type {Node[]} */ (content.filter((one) => one !== null)));
  },
  () => {
    shown = "";
    document.body.dataset.kind = "closed";
    at("draw").replaceChildren();
    redraw(at("shown"), [two("p", "customer.closed", undefined, "big")]);
  },
);
document.title = t("customer.title");
