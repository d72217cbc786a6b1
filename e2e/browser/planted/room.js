// Faults of the draw room, and of a draw that is held later.
// @ts-check

const KEYS = "by keys alone two people measure, let chance choose";
const WAITS = "a draw that waits for the room is said in red";
const LATER = "a draw that waits for the draw room is held later";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_ROOM = {
  "room: the ball that is too heavy is the one before": {
    path: "/room_form.js",
    from: '"room.ball_weighs", { ball: ball(at + 1)',
    to: '"room.ball_weighs", { ball: ball(at)',
    test: KEYS,
    seen: /boule 07/,
  },
  "room: a gauge that was passed is said as failed": {
    path: "/room_form.js",
    from: 'passed: typed.passed === "yes"',
    to: 'passed: typed.passed === "no"',
    test: KEYS,
    seen: /chaque boule passe/,
  },
  "room: a number that cannot be read is passed over": {
    path: "/room_form.js",
    from: "unread: words.filter((one) => !/^\\d{1,7}$/.test(one)),",
    to: "unread: [],",
    test: KEYS,
    seen: /Illisible/,
  },
  "room: what was left by mistake is lost": {
    path: "/room.js",
    from: "if (filling && KEPT.includes(filling.step)) left",
    to: "if (filling && KEPT.includes(filling.step)) ({})",
    test: KEYS,
    seen: /80 sur 80/,
  },
  "room: whoever asked is asked for a second key": {
    path: "/room.js",
    from: "asked.may_agree ? el(",
    to: "!asked.may_agree ? el(",
    test: KEYS,
    seen: /#agree/,
  },
  "room: a refusal takes away what was typed": {
    path: "/room.js",
    from: "  if (!done) return;\n",
    to: "",
    test: KEYS,
    seen: /camera/,
  },
  "room: whoever asked never learns that it is done": {
    path: "/room.js",
    from: "  tellOwn();\n",
    to: "",
    test: KEYS,
    seen: /C’est fait/,
  },
  "room: another language forgets what was typed": {
    path: "/room.js",
    from: "  fill(filling.form, typed);\n",
    to: "",
    test: KEYS,
    seen: /instruments/,
  },
  "room: closing it hands it over": {
    path: "/room_form.js",
    from: 'hands_over: step === "hand_over"',
    to: "hands_over: true",
    test: KEYS,
    seen: /fermer la salle/,
  },
  "room: a draw waits, and nothing says so": {
    path: "/room.js",
    from: 'waits ? el("p", { id: "waits"',
    to: 'false ? el("p", { id: "waits"',
    test: WAITS,
    seen: /#waits/,
  },
  "room: a locked screen keeps the form of who left": {
    path: "/room.js",
    from: "  looks += 1;\n  drop();\n",
    to: "  looks += 1;\n",
    test: WAITS,
    seen: /#form form/,
  },
  "desk: a draw is held later by other minutes": {
    path: "/desk.js",
    from: "MINUTES[later] : undefined",
    to: "MINUTES[0] : undefined",
    test: LATER,
    seen: /15 minutes/,
  },
};
