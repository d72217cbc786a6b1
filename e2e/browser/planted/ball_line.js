// Faults of the desk and of the draw room where a machine reads its own balls.
// @ts-check

const READS = "a machine reads its balls, and two people declare them";
const WRONG = "what is wrong with the machine is said";
const STUCK = "a machine that reads no ball is said to be stuck";
const WHOLE = "what a machine has read is declared by whoever may";
const MISREAD = "a ball that was misread is taken over by keys alone";
const TOUCH = "by touch: what a machine has read is taken over";
const INTERRUPTED = "a draw that a machine reads is interrupted by two";
const ROOM = "the draw room says beforehand whether the machine is there";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_BALL_LINE = {
  "line: one ball more is said to be read than was": {
    path: "/desk.js",
    from: "count: draw.draw.balls.length, all:",
    to: "count: draw.draw.balls.length + 1, all:",
    test: STUCK,
    seen: /Expected pattern: .*: 7\\sde\\s20/,
  },
  "line: a machine that is away is said to be silent": {
    path: "/desk.js",
    from: "t(`desk.line.${standing}`",
    to: 't(`desk.line.${standing === "away" ? "silent" : standing}`',
    test: STUCK,
    seen: /Expected pattern: .*n’est pas jointe/,
  },
  "line: a machine that is stuck looks as if all were well": {
    path: "/desk.js",
    from: '{ reads: "good", whole: "good" }',
    to: '{ reads: "good", whole: "good", stalled: "good" }',
    test: STUCK,
    seen: /Expected: "warn"/,
  },
  "line: a figure from while it was stuck begins a ball later on": {
    path: "/desk.js",
    from: '  if (draw?.line?.standing === "reads") {\n    typed = "";\n',
    to: '  if (draw?.line?.standing === "reads") {\n',
    test: STUCK,
    seen: /Expected: "··"/,
  },
  "line: a state is shown ten seconds late": {
    path: "/desk.js",
    from: "const EVERY_MS = 400;",
    to: "const EVERY_MS = 10_000;",
    test: STUCK,
    seen: /#line/,
  },
  "line: central is back, and the desk still says that it is gone": {
    path: "/desk.js",
    from: "  desk = reply;\n  refusal = null;\n  seenAt",
    to: "  desk = reply;\n  seenAt",
    test: STUCK,
    seen: /#alarm/,
  },
  "line: of what was noticed on it one thing is said": {
    path: "/desk.js",
    from: 'noticed.map(say).join(", ")',
    to: "say(noticed[0])",
    test: STUCK,
    seen: /silence de la machine, connexion perdue/,
  },
  "line: why it is not read any more is not said": {
    path: "/desk.js",
    from: 'why ? say(why) : t("desk.line.interrupted")',
    to: 't("desk.line.interrupted")',
    test: WRONG,
    seen: /un numéro sorti deux fois/,
  },
  "line: whoever watches a machine is told that people enter": {
    path: "/desk.js",
    from: '  if (draw.line?.standing === "reads") return says("desk.read");\n',
    to: "",
    test: READS,
    seen: /La machine lit/,
  },
  "line: of balls that are all read nobody is asked to compare them": {
    path: "/desk.js",
    from: 'return [...says("desk.read_whole"),',
    to: 'return [...says("desk.read"),',
    test: READS,
    seen: /Comparez chaque boule/,
  },
  "line: whoever supervises is not told to compare": {
    path: "/desk.js",
    from: 'if (draw.line?.standing === "whole" && !enters()) return says("desk.read_whole");',
    to: "",
    test: WHOLE,
    seen: /Comparez chaque boule/,
  },
  "line: taking over is offered to whoever may not enter": {
    path: "/desk.js",
    from: "takenOver !== number() && enters();",
    to: "takenOver !== number();",
    test: WHOLE,
    seen: /#take-over/,
  },
  "line: the key to take over does nothing": {
    path: "/desk.js",
    from: "  takenOver = number();\n",
    to: "",
    test: MISREAD,
    seen: /\.typed/,
  },
  "line: who took over by mistake leaves the desk": {
    path: "/desk.js",
    from: 'if (place === null && typed === "" && !isTakenOver()) leave();',
    to: 'if (place === null && typed === "") leave();',
    test: MISREAD,
    seen: /#take-over/,
  },
  "line: the first figure of who takes over is not seen": {
    path: "/desk.js",
    from: 'draw.line?.standing === "whole" && typed === "" && takenOver',
    to: 'draw.line?.standing === "whole" && takenOver',
    test: MISREAD,
    seen: /#typed/,
  },
  "line: balls of the machine are said to be entered by two": {
    path: "/desk.js",
    from: '[draw.line ? "both" : "counts", "waits", "again"]',
    to: '["counts", "waits", "again"]',
    test: MISREAD,
    seen: /lue par la machine, ou inscrite par les deux/,
  },
  "line: a number is too small for a finger": {
    path: "/desk.css",
    from: ".desk .grid button { min-height: 44px; }",
    to: ".desk .grid button { min-height: 42px; }",
    test: TOUCH,
    seen: /what a finger does not hit, to enter/,
  },
  "line: of an interrupted draw the machine’s balls are said to be entered by two": {
    path: "/desk.js",
    from: 'draw.draw.source === "balls" && draw.draw.balls.length > 0',
    to: "false",
    test: INTERRUPTED,
    seen: /lue par la machine/,
  },
  "line: an interrupted draw is said to be one to come": {
    path: "/desk.js",
    from: '  if (draw.draw.state === "suspended") return says("desk.stopped");\n',
    to: "",
    test: INTERRUPTED,
    seen: /Le tirage est interrompu/,
  },
  "room: a machine that is away looks as if it were there": {
    path: "/room.js",
    from: "line(it.is_good, t(`room.check",
    to: 'line(it.is_good || it.check === "ball_machine", t(`room.check',
    test: ROOM,
    seen: /#checks \.bad/,
  },
  "room: a machine that is there is said to be away": {
    path: "/room.js",
    from: 't(`room.check.${it.check}_${it.is_good ? "good" : "bad"}`)',
    to: 't(`room.check.${it.check}_${it.is_good && it.check !== "ball_machine" ? "good" : "bad"}`)',
    test: ROOM,
    seen: /#checks \.good/,
  },
};
