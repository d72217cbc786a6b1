// How the sale looks: the slip in the making on the left, and its total beside it.
// @ts-check
import { button, el } from "/dom.js";
import * as drafts from "/draft.js";
import { ball, clock, day, drawNumber, endOf, inRows, letter, money, say, shortMoney, t } from "/words.js";

/** @typedef {import("./sale.js").Sale} Sale */

/** The left zone. @param {Sale} sale */
export const work = (sale) => {
  const parts = [];
  if (sale.replay) parts.push(replayOf(sale));
  parts.push(el("ol", { class: "selections" }, ...sale.draft.selections.map((one, index) => selectionOf(sale, one, index))));
  const one = sale.draft.selections[sale.draft.current];
  if (["ways", "written"].includes(sale.draft.field) && drafts.hasWays(one)) parts.push(waysOf(sale));
  // Old and new side by side need the room; the grid comes with the numbers.
  else if (!sale.replay || sale.draft.field === "numbers") parts.push(gridOf(sale));
  return parts;
};

/** The numbers of a set on one line: of many parts the first ones and the last. The grid has them all. @param {number[]} numbers */
const inShort = (numbers) => {
  const parts = inRows(numbers);
  return parts.length > 10 ? [...parts.slice(0, 3), "…", ...parts.slice(-1)] : parts;
};

/** @param {Sale} sale @param {drafts.Selection} one @param {number} index */
const selectionOf = (sale, one, index) => {
  const isCurrent = index === sale.draft.current;
  const view = sale.view?.selections[drafts.shownAt(sale.draft, index)];
  const isBlank = drafts.isBlank(one);
  const field = (/** @type {drafts.Field} */ name, /** @type {string} */ label, /** @type {(Node | string)[]} */ ...value) =>
    el(
      "button",
      {
        type: "button",
        class: "field",
        "data-field": name,
        "aria-current": isCurrent && sale.draft.field === name ? "true" : undefined,
        onclick: () => sale.choose(index, name),
      },
      el("span", { class: "label" }, label),
      el("span", { class: "value" }, ...value),
    );
  const typed = (/** @type {drafts.Field} */ name) => (isCurrent && sale.draft.field === name && sale.draft.typed !== "" ? sale.draft.typed : null);
  const numbers = [];
  if (one.quick) numbers.push(`${t("sale.quick_pick")} ${one.count ?? "?"}`);
  else if (one.kind === "set") numbers.push(...inShort(one.numbers).map((part) => el("b", {}, part)));
  else if (!drafts.hasWays(one)) numbers.push(...one.numbers.map((number) => el("b", {}, ball(number))));
  else {
    one.groups.forEach((group) => {
      if (group.length === 0) return;
      const isKing = one.kind === "king" && group.length === 1;
      numbers.push(el("span", { class: isKing ? "group king" : "group" }, ...group.map((number) => el("b", {}, ball(number)))));
    });
    if (isCurrent && one.isGrouping && sale.draft.field === "numbers") numbers.push(el("span", { class: "group open" }, "…"));
  }
  const half = isCurrent && sale.draft.field === "numbers" ? sale.draft.typed : "";
  if (half !== "") numbers.push(el("b", { class: "half" }, `${half}_`));
  const wager = one.wager_cents ?? sale.rules?.wager_cents ?? 0;
  const lines = view?.asked?.ways ?? [];
  const ways = lines
    .map((/** @type {any} */ line) => {
      const generated = view.generated.find((/** @type {any} */ way) => way.spots === line.spots);
      const ways = line.ways ?? generated?.ways ?? "?";
      return t("sale.ways_of", { ways, spots: line.spots, wager: money(line.wager_cents) });
    })
    .join(", ");
  return el(
    "li",
    { class: isCurrent ? "selection current" : "selection", "aria-current": isCurrent ? "true" : undefined },
    el("span", { class: "letter" }, letter(index)),
    el(
      "div",
      { class: "fields" },
      el("button", { type: "button", class: "type", onclick: () => { sale.choose(index, "numbers"); sale.key("/"); } }, one.kind === "set" ? say(drafts.setOf(sale.rules, one.game)?.name ?? { fr: one.game, en: one.game }) : t(`type.${one.kind}`)),
      field(one.quick ? "count" : "numbers", t("field.numbers"), ...(numbers.length > 0 ? numbers : [el("i", {}, t("sale.none"))])),
      drafts.hasWays(one) ? field("ways", t("field.ways"), ways === "" ? el("i", {}, t("sale.none")) : ways) : null,
      field("wager", drafts.hasWays(one) ? t("field.wager_way") : t("field.wager"), typed("wager") ? `${typed("wager")}_` : money(wager)),
    ),
    el("span", { class: "per-draw" }, view?.per_draw_cents != null ? money(view.per_draw_cents) : isBlank ? "" : "–"),
    view?.refusal && !isBlank && isCurrent ? el("p", { class: "why" }, say(view.refusal.title)) : null,
    // Elsewhere that key is a digit of the field.
    view?.split && isCurrent ? button(t("sale.split"), sale.draft.field === "ways" ? "0" : "", () => sale.takeSplit(), { id: "split" }) : null,
  );
};

/** The ways that the groups generate. @param {Sale} sale */
const waysOf = (sale) => {
  const view = sale.view?.selections[drafts.shownAt(sale.draft, sale.draft.current)];
  const one = sale.draft.selections[sale.draft.current];
  const generated = view?.generated ?? [];
  return el(
    "div",
    { class: "ways" },
    el("h2", {}, t("ways.title")),
    el(
      "ol",
      {},
      ...generated.map((/** @type {any} */ way, /** @type {number} */ index) => {
        const isOn = one.lines.some((line) => line.spots === way.spots);
        return el(
          "li",
          {},
          el(
            "button",
            { type: "button", "aria-pressed": isOn ? "true" : "false", disabled: !way.is_playable, onclick: () => sale.toggleWay(index) },
            index < 9 ? el("kbd", {}, String(index + 1)) : null,
            el("span", { class: "tick", "aria-hidden": "true" }, isOn ? "☒" : "☐"),
            t("ways.line", { ways: way.ways, spots: way.spots }),
            way.is_playable ? "" : ` (${t("ways.pays_nothing")})`,
          ),
        );
      }),
    ),
    sale.draft.field === "written"
      ? el("p", { class: "written" }, t("ways.written"), el("b", { class: "half" }, `${sale.draft.typed}_`))
      : button(t("ways.write"), "*", () => sale.key("*"), { class: "quiet" }),
  );
};

/** @param {Sale} sale */
const gridOf = (sale) => {
  const taken = drafts.numbersOf(sale.draft.selections[sale.draft.current]);
  const pool = sale.rules?.pool ?? 80;
  const cells = Array.from({ length: pool }, (_, at) => at + 1).map((number) =>
    el(
      "button",
      { type: "button", "aria-pressed": taken.includes(number) ? "true" : "false", tabindex: number === 1 ? 0 : -1, onclick: () => sale.touch(number) },
      ball(number),
    ),
  );
  return el("div", { class: "grid", role: "group", "aria-label": t("sale.grid") }, ...cells);
};

/** An earlier ticket and what is sold again, side by side. @param {Sale} sale */
const replayOf = (sale) => {
  const { ticket } = sale.replay;
  const view = sale.view;
  const row = (/** @type {string} */ label, /** @type {string} */ old, /** @type {string} */ now) =>
    el("tr", { class: old === now ? undefined : "changed" }, el("th", { scope: "row" }, label), el("td", {}, old), el("td", {}, now === old ? "=" : now));
  const numbers = (/** @type {any} */ one) => {
    if (one.quick_pick !== undefined && one.quick_pick !== false && !one.groups) return `${t("sale.quick_pick")} ${one.quick_pick}`;
    const groups = one.groups?.length ? one.groups : [one.numbers ?? []];
    return groups.map((/** @type {number[]} */ group) => group.map(ball).join(" ")).join(" / ");
  };
  const rows = ticket.selections.flatMap((/** @type {any} */ old, /** @type {number} */ index) => {
    const now = view?.selections[index];
    return [
      row(`${letter(index)} ${t("field.numbers")}`, numbers(old), now ? numbers(now.asked) : "–"),
      row(`${letter(index)} ${t("field.wager")}`, money(old.per_draw_cents), now?.per_draw_cents != null ? money(now.per_draw_cents) : "–"),
    ];
  });
  return el(
    "div",
    { class: "replay" },
    el("h2", {}, t("replay.title", { number: endOf(ticket.control_number) })),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("td", {}), el("th", { scope: "col" }, t("replay.old")), el("th", { scope: "col" }, t("replay.new")))),
      el("tbody", {}, ...rows, row(t("field.draws"), String(ticket.draws), String(sale.draft.draws))),
    ),
  );
};

/** The zone of the total. @param {Sale} sale */
export const total = (sale) => {
  if (sale.phase === "late" && sale.late) {
    return [
      el("h2", {}, t("late.title", { draw: drawNumber(sale.late.draw) })),
      el("p", { class: "big" }, t("late.ask", { draw: drawNumber(sale.late.next) })),
      el("p", { class: "keys" }, button(t("late.next"), "1", () => sale.key("1"), { id: "late-next", disabled: !sale.arming.isArmed }), button(t("late.back"), "0", () => sale.key("0"), { id: "late-back", class: "quiet" })),
    ];
  }
  const view = sale.view;
  if (!sale.rules) return sale.rules === null ? [el("p", { class: "told bad" }, t("sale.no_rules"))] : [];
  if (!view) return [...lastSale(sale), ...notes(sale)];
  const draft = sale.draft;
  const total = view.total_cents;
  const field = (/** @type {drafts.Field} */ name, /** @type {string} */ label, /** @type {string} */ value) =>
    el(
      "button",
      { type: "button", class: "field", "data-field": name, "aria-current": draft.field === name ? "true" : undefined, onclick: () => sale.choose(draft.current, name) },
      el("span", { class: "label" }, label),
      el("span", { class: "value" }, value),
    );
  // What has to be confirmed needs the room, and of cash that nobody has named there is nothing to say.
  const isPlain = sale.phase === "confirm" && draft.received_cents === null && draft.tender === "cash";
  const typed = draft.field === "received" && draft.typed !== "" ? `${draft.typed}_` : draft.received_cents === null ? "–" : money(draft.received_cents);
  const parts = [
    el("p", { class: "total" }, el("span", {}, t("sale.total")), el("output", {}, total === null ? "–" : money(total))),
    el(
      "div",
      { class: "fields" },
      field("draws", t("field.draws"), String(draft.draws)),
      field("first", t("field.first"), view.first ? `${drawNumber(view.first.draw)}${draft.draws > 1 && view.last ? ` – ${drawNumber(view.last.draw)}` : ""}` : "–"),
    ),
    // What is announced below says the day and the time itself.
    view.first && !view.is_other_day ? el("p", { class: "times" }, timesOf(view)) : null,
    view.is_other_day || view.ends_other_day
      ? el("p", { class: "why other-day" }, view.is_other_day ? t("sale.other_day", { day: day(view.first.local), time: clock(view.first.local) }) : t("sale.ends_other_day", { day: day(view.last.local), time: clock(view.last.local) }))
      : null,
    isPlain ? null : el(
      "div",
      { class: "fields" },
      tenderOf(sale),
      field("received", t("field.received"), typed),
      el("p", { class: "field change" }, el("span", { class: "label" }, t("sale.change")), el("span", { class: "value" }, view.change_cents === null ? "–" : money(view.change_cents))),
    ),
  ];
  // The digits of the tenders stand where those of the amounts do.
  if (sale.phase === "making" && draft.field === "tender") {
    parts.push(el("p", { class: "presets tenders" }, ...drafts.tendersOf(sale.rules).map((one, index) => button(t(`tender.${one}`), String(index + 1), () => sale.key(String(index + 1)), { class: "quiet", "aria-pressed": one === draft.tender ? "true" : "false" }))));
  } else if (sale.phase === "making" && total !== null) {
    parts.push(el("p", { class: "presets" }, ...[2000, 5000, 10000].filter((cents) => cents >= total).map((cents) => button(shortMoney(cents), "", () => sale.receive(cents), { class: "quiet" }))));
  }
  if (sale.phase === "confirm") parts.push(confirmOf(sale, view));
  else if (sale.phase === "selling") parts.push(el("p", { class: "big working" }, t("sale.selling")));
  else if (total !== null) parts.push(el("p", { class: "keys" }, button(t("sale.sell"), t("key.enter"), () => sale.key("Enter"), { id: "sell", disabled: !sale.moved.isArmed })));
  return [...parts, ...notes(sale)];
};

/** What the patron pays with: a finger goes from one to the next, a digit chooses. @param {Sale} sale */
const tenderOf = (sale) => {
  const { field, tender } = sale.draft;
  return el(
    "button",
    { type: "button", class: "field", "data-field": "tender", "aria-current": field === "tender" ? "true" : undefined, onclick: () => sale.nextTender() },
    el("span", { class: "label" }, t("field.tender")),
    el("span", { class: "value" }, t(`tender.${tender}`)),
  );
};

/** @param {any} view */
const timesOf = (view) => {
  const first = `${day(view.first.local)} ${clock(view.first.local)} ${view.first.zone_mark}`.trim();
  return view.last && view.last.draw !== view.first.draw ? t("sale.from_to", { first, last: clock(view.last.local) }) : first;
};

/** @param {Sale} sale @param {any} view */
const confirmOf = (sale, view) => {
  const because = view.confirm.because.map((/** @type {string} */ one) => t(`because.${one}`)).join(", ");
  const isTyped = view.confirm.how === "typed";
  return el(
    "div",
    { class: "confirm" },
    // What is typed after it is no alert.
    ...(sale.told.length > 0 ? saidHere(sale) : [el("p", { role: "alert" }, t("confirm.because", { because }))]),
    isTyped ? el("p", { class: "big" }, t("confirm.type"), " ", el("b", { class: "half" }, `${sale.typed}_`)) : null,
    el(
      "p",
      { class: "keys" },
      isTyped
        ? button(t("confirm.sell"), t("key.enter"), () => sale.key("Enter"), { id: "confirm-sell" })
        : button(t("confirm.sell"), "1", () => sale.key("1"), { id: "confirm-sell", disabled: !sale.arming.isArmed }),
      button(t("confirm.correct"), isTyped ? t("key.escape") : "0", () => sale.key("Escape"), { id: "confirm-correct", class: "quiet" }),
    ),
  );
};

/** @param {Sale} sale */
const saidHere = (sale) => sale.told.map((one) => el("p", { class: `told ${one.tone}` }, one.words()));

/** @param {Sale} sale */
const lastSale = (sale) => {
  const ticket = sale.last;
  if (!ticket) return drafts.isEmpty(sale.draft) ? [el("p", { class: "idle" }, t("sale.idle"))] : [];
  return [
    el("p", { class: "issued" }, t("sale.issued", { number: endOf(ticket.control_number) })),
    el("p", { class: "total" }, el("span", {}, t("sale.total")), el("output", {}, money(ticket.total_cents))),
    ticket.change_cents > 0 ? el("p", { class: "total give" }, el("span", {}, t("sale.give_change")), el("output", {}, money(ticket.change_cents))) : null,
  ];
};

/** @param {Sale} sale */
const notes = (sale) => {
  const note = sale.draft.note;
  const refusal = sale.view?.refusal;
  // A draw that closed under the clerk's hands is told; it takes no key until Enter asks.
  const closed = refusal?.name === "draw_closed" && sale.phase === "making" ? [el("p", { class: "told bad" }, t("late.noticed", { draw: drawNumber(sale.draft.first ?? 0) }))] : [];
  return [
    ...closed,
    ...(note ? [el("p", { class: "told bad" }, t(note.key, note.values))] : []),
    // What a confirmation has to say stands in its own box.
    ...(sale.phase === "confirm" ? [] : saidHere(sale)),
  ];
};
