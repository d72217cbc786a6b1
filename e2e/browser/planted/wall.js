// Faults of the supervisor's wall, and of its page of limits.
// @ts-check

const WALL = "the wall shows a terminal";
const APPROVAL = "an approval at the wall";
const MESSAGE = "a message is read";
const STOPPED = "a terminal is stopped and sells";
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
    seen: /Lu.*T02/,
  },
  "the wall: a card is made anew each second": {
    path: "/wall.js",
    from: 'redraw(at(id), cards.length > 0 ? cards : [el("p", { class: "none", role: "listitem" }, t("wall.none"))]);',
    to: 'at(id).replaceChildren(...(cards.length > 0 ? cards : [el("p", { class: "none", role: "listitem" }, t("wall.none"))]));',
    test: WALL,
    seen: /Error: cards of other words are the same cards/,
  },
  "the wall: a card that changes places is made anew": {
    path: "/redraw.js",
    from: "if (isWanted(at, same, later)) zone",
    to: "if (false) zone",
    test: WALL,
    seen: /Error: cards that change places are the same cards/,
  },
  "the wall: what it says stays in the other language": {
    path: "/wall.js",
    from: 'if (refusal.name === "gone") return t("alarm.gone");',
    to: 'if (refusal.name === "gone") return (refusal.words ??= t("alarm.gone"));',
    test: WALL,
    seen: /Error: the alarm in English/,
  },
  "the wall: a key that is held is pressed again and again": {
    path: "/frame.js",
    from: "if (!event.repeat) act();",
    to: "act();",
    test: WALL,
    seen: /Error: a key that is held/,
  },
  "the wall: a key is for the next one": {
    path: "/wall.js",
    from: 'else if (!names.includes(chosen)) chosen = "";',
    to: 'else if (!names.includes(chosen)) chosen = names.find((name) => name.startsWith("approval-")) ?? "";',
    test: APPROVAL,
    seen: /Error: what is asked when the chosen one has gone/,
  },
  "the wall: a PIN stays where the screen is locked": {
    path: "/wall.js",
    from: "if (state.locked || !state.badge) leaveBox();",
    to: "",
    test: STOPPED,
    seen: /Error: what is asked at a screen that is locked/,
  },
  "the wall: a locked one does not say that something waits": {
    path: "/wall.js",
    from: 'refusal.waits ? "wall.locked_waits" : "wall.locked"',
    to: '"wall.locked"',
    test: STOPPED,
    seen: /QUELQUE CHOSE ATTEND/,
  },
  "limits: a PIN stays where the screen is locked": {
    path: "/limits.js",
    from: "if (state.locked || !state.badge) leaveBox();",
    to: "",
    test: LIMITS,
    seen: /Error: what is asked at a screen that is locked/,
  },
  "limits: administrators are told that it is not for them": {
    path: "/limits.js",
    from: 'wrong_role: "limits.not_for_you"',
    to: 'wrong_role: "wall.not_for_you"',
    test: "whoever may not changes nothing, and a counter has no such page",
    seen: /administrateur/,
  },
  "limits: what is on its way is left": {
    path: "/limits.js",
    from: "const leave = () => {\n  if (isBusy) return;\n",
    to: "const leave = () => {\n",
    test: LIMITS,
    seen: /Error: the end of what was on its way/,
  },
  "limits: opened while central is away, and so for good": {
    path: "/limits.js",
    from: "if (isFirst && facts) goTo = USUAL.at;",
    to: "if (isFirst) facts = null;",
    test: LIMITS_REFUSED,
    seen: /Error: what can be changed, once central is back/,
  },
  "limits: the alarm of before stays": {
    path: "/limits.js",
    from: "if (refusal && !isBusy) {",
    to: "if (refusal && facts === null) {",
    test: LIMITS_REFUSED,
    seen: /Error: the alarm once central answers/,
  },
  "limits: Enter that is held leaves what it asked": {
    path: "/frame.js",
    from: 'if (event.repeat && event.key === "Enter") event.preventDefault();',
    to: "",
    test: LIMITS_WALL,
    seen: /Error: a key that is held/,
  },
  "limits: a PIN is given for what is not shown": {
    path: "/wall.js",
    from: "parts: one.amendment ? amendmentParts(one.amendment) : [], ",
    to: "",
    test: LIMITS_WALL,
    seen: /Error: what is approved by a PIN/,
  },
  "limits: a wager of which game": {
    path: "/changes.js",
    from: "return name ? t(",
    to: "return !name ? t(",
    test: LIMITS_WALL,
    seen: /Keno du soir/,
  },
  "limits: a pick of which game": {
    path: "/changes.js",
    from: "return value.name ? t(",
    to: "return !value ? t(",
    test: LIMITS_WALL,
    seen: /Error: what is approved/,
  },
  "limits: what stands is shown as old": {
    path: "/changes.js",
    from: 'el("td", { class: "old" }, valueWords(one.old))',
    to: 'el("td", { class: "old" }, valueWords(one.new))',
    test: LIMITS,
    seen: /Received string: +"7\sn\. à 3,00/,
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
    to: 'second: { badge: "S008", pin: "753186" }',
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
    seen: /\+ Array \[\]/,
  },
};
