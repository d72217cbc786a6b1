// Faults of the desk of the draws.
// @ts-check

const KEYS = "two people enter the balls by keys alone";
const TOUCH = "by touch: a draw is stopped";
const AWAY = "a locked desk shows nothing that was entered";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_DESK = {
  "desk: a ball is entered for the place beside": {
    path: "/desk.js",
    from: "{ position: of, number: number_ }, () => (",
    to: "{ position: of + 1, number: number_ }, () => (",
    test: KEYS,
    seen: /tube-1/,
  },
  "desk: one figure is a ball": {
    path: "/desk.js",
    from: "if (typed.length < 2) show();",
    to: "if (typed.length < 1) show();",
    test: KEYS,
    seen: /tube-1/,
  },
  "desk: what waits for the other looks as if it counted": {
    path: "/desk.js",
    from: ': mine ? "…" : "";',
    to: ': mine ? "✓" : "";',
    test: KEYS,
    seen: /Expected: "…"/,
  },
  "desk: a ball that is asked again looks as if it waited": {
    path: "/desk.js",
    from: 'const sign = isAgain ? "↻" :',
    to: 'const sign = isAgain ? "…" :',
    test: KEYS,
    seen: /Expected: "↻"/,
  },
  "desk: nobody is told that the two differ": {
    path: "/desk.js",
    from: "  tellDifference(before, draw);",
    to: "",
    test: KEYS,
    seen: /#told/,
  },
  "desk: arrows go the other way": {
    path: "/desk.js",
    from: "ArrowLeft: () => move(-1),",
    to: "ArrowLeft: () => move(1),",
    test: KEYS,
    seen: /tube-3/,
  },
  "desk: a ball that is asked for once more is asked of nobody": {
    path: "/desk.js",
    from: "if (enters() && place !== null) enter(place, 0);",
    to: "",
    test: KEYS,
    seen: /tube-3/,
  },
  "desk: nothing says that a second person is waited for": {
    path: "/desk.js",
    from: "draw.waiting && !deciding ? asks(draw.waiting) : null",
    to: "null",
    test: KEYS,
    seen: /#asks/,
  },
  "desk: the reason is the one after": {
    path: "/desk.js",
    from: "deciding.reason = Number(key) - 1;",
    to: "deciding.reason = Number(key);",
    test: TOUCH,
    seen: /Une boule est tombée/,
  },
  "desk: nobody is there, and nothing says so": {
    path: "/desk.js",
    from: 'own === "" ? t("desk.nobody") :',
    to: 'own === "" ? "" :',
    test: AWAY,
    seen: /Personne n’est en service/,
  },
  "desk: central is silent, and nothing says so": {
    path: "/desk.js",
    from: 'refusal?.title ? say(refusal.title) : refusal || isOld() ? t("alarm.gone") : "";',
    to: '"";',
    test: AWAY,
    seen: /#alarm/,
  },
};
