// Faults of the pages of a device: technician, enrolment, trials of printer and scanner.
// @ts-check

const PRINTER = "a test page is printed";
const SCANNER = "a scan is named";
const STATUS = "the technician's page says";
const STAYS = "a terminal stays as long";
const ENROLS = "a device that nobody knows";
const NO_ANSWER = "a device that central does not answer";
const TECHNICIAN_FITS = "every state of the technician's pages";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_DEVICE = {
  "technician: a hash that is not shown": {
    path: "/technician.js",
    from: 'status.program.sha256 ?? t("tech.hash_unknown")',
    to: 't("tech.hash_unknown")',
    test: STATUS,
    seen: /Expected: "[0-9a-f]{64}"\nReceived: "(?![0-9a-f]{64})/,
  },
  "technician: central looks well, whatever it is": {
    path: "/technician.js",
    from: 'row("tech.link", say(link.sentence), isWell ? "good" : "bad")',
    to: 'row("tech.link", say(link.sentence), "good")',
    test: STATUS,
    seen: /Expected: "bad"\nReceived: "good"/,
  },
  "technician: a terminal that leaves too early": {
    path: "/technician.js",
    from: "if (stays.length > 0) {",
    to: "if (stays.length > 9) {",
    test: STAYS,
    seen: /locator\('#replacement \.open'\)\.first\(\)\nExpected substring: \"Des commandes sont en suspens\"/,
  },
  "technician: what is in doubt is not named": {
    path: "/technician.js",
    from: 'stays.includes("in_doubt") ? openItems() : null,',
    to: "",
    test: STAYS,
    seen: /Expected substring: "Vente 2-1-1 : mise de côté"/,
  },
  "technician: a French colon in English": {
    path: "/en.json",
    from: '"tech.open_item": "{item}: {stage}"',
    to: '"tech.open_item": "{item} : {stage}"',
    test: STAYS,
    seen: /Expected substring: "Sale 2-1-1: put aside"/,
  },
  "technician: a line may begin with a sign": {
    path: "/words.js",
    from: '(language === "fr" ? unbroken(sentence.fr) : sentence.en);',
    to: '(language === "fr" ? sentence.fr : sentence.en);',
    test: STATUS,
    seen: /Error: what the device says in French/,
  },
  "technician: a code that is not the device's": {
    path: "/technician.js",
    from: 'el("p", { id: "enrolment-code" }, now.code)',
    to: 'el("p", { id: "enrolment-code" }, "AAAA-AAAA")',
    test: ENROLS,
    seen: /await approve\(shown\)\)\.status\)\.toBe\(200\)/,
  },
  "technician: nobody says why the enrolment ended": {
    path: "/technician.js",
    from: "...now.said.map(",
    to: "...[].map(",
    test: NO_ANSWER,
    seen: /locator\('\.told\.bad'\)\nExpected substring: \"Le central ne répond pas\"/,
  },
  "technician: an enrolment that fails twice alike is not begun again": {
    path: "/technician.js",
    from: 'shown = "";\n  await look();',
    to: "await look();",
    test: NO_ANSWER,
    seen: /Error: another try/,
  },
  "technician: a box without a name": {
    path: "/technician",
    from: '<main id="parts"></main>',
    to: '<div id="parts"></div>',
    test: TECHNICIAN_FITS,
    seen: /region|landmark/,
  },
  "an inline style": {
    path: "/printer",
    from: '<p class="acts">',
    to: '<p class="acts" style="color: red">',
    test: PRINTER,
    seen: /against the page's policy: style-src/,
  },
  "another page is printed": {
    path: "/trial.js",
    from: 'tryPrinter("printer-test")',
    to: 'tryPrinter("printer-state")',
    test: PRINTER,
    seen: /Error: papers that came out/,
  },
  "one language alone": {
    path: "/trial.js",
    from: "  document.documentElement.lang = lang;\n",
    to: "",
    test: PRINTER,
    seen: /getByRole\('heading', \{ name: 'Printer test' \}\)/,
  },
  "no way back to the counter": {
    path: "/trial.js",
    from: 'Escape: "back", ',
    to: "",
    test: SCANNER,
    seen: /Expected: "trusted"/,
  },
  "a scan that anyone can read": {
    path: "/trial.css",
    from: "input.covered { -webkit-text-security: disc; }",
    to: "",
    test: SCANNER,
    seen: /Expected: "disc"\nReceived: "none"/,
  },
  "a scan that goes nowhere": {
    path: "/trial.js",
    from: "  typed.focus();\n  // A scanner",
    to: "  // A scanner",
    test: SCANNER,
    seen: /locator\('#typed'\)\nExpected: \"KT2/,
  },
  "the secret of a scan is shown": {
    path: "/trial.js",
    from: "repeat = () => showScan(reply);",
    to: "repeat = () => showScan({ ...reply, text: typed });",
    test: SCANNER,
    seen: /locator\('#text'\)\nExpected pattern: .*KT2/,
  },
};
