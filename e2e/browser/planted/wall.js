// Faults of the supervisor's wall, and of its page of limits.
// @ts-check

const WALL = "the wall shows a terminal";
const APPROVAL = "an approval at the wall";
const MESSAGE = "a message is read";
const LIMITS = "an express pick is changed by two people";
const LIMITS_REFUSED = "what the rules refuse is said";
const LIMITS_SLIPS = "a limit that a slip shows";
const LIMITS_WALL = "another supervisor approves a change";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_WALL = {
  "the wall has its terminals by number alone": {
    path: "/wall.js",
    from: "ORDER.indexOf(toneOf(one)) - ORDER.indexOf(toneOf(other)) || ",
    to: "",
    test: WALL,
    seen: /terminal-2/,
  },
  "a wall that is old looks fresh": {
    path: "/wall.js",
    from: "      refusal = reply;\n",
    to: "      seenAt = performance.now();\n",
    test: WALL,
    seen: /Le mur date de/,
  },
  "an approval does not say who asks": {
    path: "/wall.js",
    from: 'el("span", {}, t("wall.asked_by", { badge: one.by, name: one.name, since: ago(one.age_ms) }))),',
    to: "),",
    test: APPROVAL,
    seen: /par C143 à T02/,
  },
  "a message goes away and nobody is told": {
    path: "/messages.js",
    from: "const reply = await post(`messages/${one.id}/acknowledge`);",
    to: "const reply = {};",
    test: MESSAGE,
    seen: /Lu : T02/,
  },
  "limits: what stands is shown as old": {
    path: "/changes.js",
    from: 'el("td", { class: "old" }, valueWords(one.old))',
    to: 'el("td", { class: "old" }, valueWords(one.new))',
    test: LIMITS,
    seen: /7 n/,
  },
  "limits: nobody is told from which draw": {
    path: "/limits.js",
    from: 'el("p", { class: "when" }, t("limits.holds_from", { draw: drawWords(change.effective) })),',
    to: 'el("p", { class: "when" }),',
    test: LIMITS,
    seen: /En vigueur/,
  },
  "limits: a second person whom nobody asked": {
    path: "/limits.js",
    from: "second: secondOf(given)",
    to: 'second: { badge: "S008", pin: "7531" }',
    test: LIMITS,
    seen: /quelqu’un d’autre/,
  },
  "limits: a fault stands beside no field": {
    path: "/limits.js",
    from: "fault(fieldOf(one.place), ",
    to: 'fault("", ',
    test: LIMITS_REFUSED,
    seen: /fault-counter_wager/,
  },
  "limits: what was typed is left at once": {
    path: "/limits.js",
    from: "hasChanged() && !wantsOut",
    to: "hasChanged() && wantsOut",
    test: LIMITS_REFUSED,
    seen: /Esc encore/,
  },
  "limits: amounts stay in the other language": {
    path: "/limits.js",
    from: "if (cents !== null) texts.set(at, amount(cents));",
    to: "",
    test: LIMITS_REFUSED,
    seen: /0\.75/,
  },
  "limits: slips are said to stay": {
    path: "/changes.js",
    from: "if (withdrawn.length > 0)",
    to: "if (withdrawn.length > 9)",
    test: LIMITS_SLIPS,
    seen: /Refusées/,
  },
  "limits: a supervisor approves what is not shown": {
    path: "/wall.js",
    from: "...(one.amendment ? amendmentParts(one.amendment) : []),",
    to: "",
    test: LIMITS_WALL,
    seen: /\.old/,
  },
};
