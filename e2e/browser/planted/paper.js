// Faults of a paper in doubt.
// @ts-check

const BEFORE = "a printer in trouble stops";
const NEAR_END = "a roll near its end";
const SILENT = "a printer that does not confirm";
const NOT_WHOLE = "a paper that is not whole is cancelled";
const DIES = "a line that dies";
const ROLL = "a roll that ends in the middle";
const ELSEWHERE = "a ticket that was cancelled elsewhere";
const RESTART = "a paper that was at work";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_PAPER = {
  "paper: the draft is lost with the printer": {
    path: "/sale.js",
    from: "if (ticket || mayBe) {",
    to: 'if (ticket || reply.exit !== "done") {',
    test: BEFORE,
    seen: /locator\('\.told'\)\.filter\(\{ hasText: 'Capot ouvert/,
  },
  "paper: nobody says that the roll ends soon": {
    path: "/counter.js",
    from: 'printer.near_end && printer.state === "ready" ? say(printer.near_end)',
    to: 'false ? ""',
    test: NEAR_END,
    seen: /Expected substring: "Bientôt plus de papier\."/,
  },
  "paper: any key says no": {
    path: "/doubts.js",
    from: 'if (!isYes && key !== "0") return;',
    to: "",
    test: SILENT,
    seen: /Expected substring: "Le billet est-il sorti complet \?"/,
  },
  "paper: no means yes": {
    path: "/doubts.js",
    from: "{ key: item.key, whole: isYes }",
    to: "{ key: item.key, whole: true }",
    test: NOT_WHOLE,
    seen: /Expected substring: "Billet annulé"/,
  },
  "paper: what was cancelled looks issued": {
    path: "/doubts.js",
    from: "this.sale.slipOf(control_number) };\n      this.sale.forget();",
    to: "this.sale.slipOf(control_number) };",
    test: DIES,
    seen: /Expected substring: not "émis"/,
  },
  "paper: the same slip is not sold again": {
    path: "/doubts.js",
    from: "if (slip) this.sale.load(slip);",
    to: "",
    test: NOT_WHOLE,
    seen: /locator\('#total'\)\.locator\('output'\)\.first\(\)\nExpected: \"6,00/,
  },
  "paper: nobody says what is wrong with the printer": {
    path: "/doubts.js",
    from: "const isTrouble = isPaper &&",
    to: "const isTrouble = false &&",
    test: ROLL,
    seen: /Expected substring: "Réglez d’abord l’imprimante"/,
  },
  "paper: a ticket that stays as it is looks dealt with": {
    path: "/doubts.js",
    from: '} else if (isLost && reply.exit === "done") {',
    to: "} else if (false) {",
    test: ELSEWHERE,
    seen: /Expected substring: "Ce billet ne peut plus être annulé"/,
  },
  "paper: a doubt from before is not shown": {
    path: "/doubts.js",
    from: '!["parked", "referred", "to_report", "done"].includes(item.stage)',
    to: '!["parked", "referred", "to_report", "done", "paper_in_doubt"].includes(item.stage)',
    test: RESTART,
    seen: /Expected: "doubt"\nReceived: "sale"/,
  },
};
