// Faults of a sale: what is wagered, what is confirmed, what is given back.
// @ts-check

const SALE = "a ticket is sold";
const KEYS = "a sale takes as few keys";
const TWENTY = "Enter twenty times";
const SCAN = "a scan types into no field";
const BIG = "what is big is confirmed";
const WAYS = "ways are shown";
const CHANGE = "tender, what is received";
const LATE = "a sale that comes too late";
const RULES = "a slip is priced by the rules";
const SETS = "a named set is sold";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_SALE = {
  "a set that the patron does not see by its name": {
    path: "/customer.js",
    from: 'asked.type === "set" && house ?',
    to: 'asked.type === "" && house ?',
    test: SETS,
    seen: /Expected: "FaceHeads"\nReceived: "EnsembleSet"/,
  },
  "a set as long as its numbers": {
    path: "/sale_view.js",
    from: 'else if (one.kind === "set") numbers',
    to: 'else if (one.kind === "") numbers',
    test: SETS,
    seen: /Expected: "01–40"\nReceived: "0102/,
  },
  "an error in a handler": {
    path: "/shift.js",
    from: 'const reply = await this.#do("sign-off");',
    to: 'const reply = await this.#do("sign-off"); throw new Error("planted");',
    test: SALE,
    seen: /an error of the page: Error: planted/,
  },
  "a draw too many": {
    path: "/draft.js",
    from: "  draws: draft.draws,\n  ...(draft.first",
    to: "  draws: draft.draws + 1,\n  ...(draft.first",
    test: SALE,
    seen: /Expected: "6,00.*\nReceived: "8,00/,
  },
  "one key sells twice": {
    path: "/sale.js",
    from: 'this.phase = "selling";\n    this.told = [];',
    to: 'post("sales", { slip: drafts.slipOf(draft, this.rules), total_cents: view.total_cents }); this.phase = "selling";\n    this.told = [];',
    test: KEYS,
    seen: /status of 409 .*\/agent\/sales|Error: papers that came out\n[^]*Received: +[2-9]/,
  },
  "what was sold is still in hand": {
    path: "/sale.js",
    from: "  forget() {\n    this.draft = drafts.emptyDraft(this.rules);",
    to: "  forget() {",
    test: TWENTY,
    seen: /Expected substring: "émis"\nReceived string: +"MISE TOTALE6,00/,
  },
  "one key more for an express pick": {
    path: "/draft.js",
    from: '    { field: "draws", typed: "" },\n  );',
    to: '    { field: "count", typed: "" },\n  );',
    test: KEYS,
    seen: /Error: express pick at five draws\n[^]*Expected pattern: \/\^5 TIRAGES/,
  },
  "a scanner that types": {
    path: "/wedge.js",
    from: "return this.#held.filter((one) => one.key !== \"Enter\").length >= LEAST;",
    to: "return false;",
    test: SCAN,
    seen: /Expected: "ticket"\nReceived: "sale"/,
  },
  "a scan that pays": {
    path: "/ticket.js",
    from: 'if (wasCancelling) this.#toCancel();',
    to: "this.pay();",
    test: LATE,
    seen: /Expected length: 2\nReceived length: 3/,
  },
  "Enter confirms what is big": {
    path: "/sale.js",
    from: 'if (key === "1") await this.#sell("key");',
    to: 'if (key === "1" || key === "Enter") await this.#sell("key");',
    test: BIG,
    seen: /locator\('#total'\)\.locator\('\.confirm'\)\nExpected substring: \"montant\"/,
  },
  "any total will do": {
    path: "/sale.js",
    from: "if (typed_cents === this.view.total_cents) {",
    to: "if (typed_cents !== null) {",
    test: BIG,
    seen: /Expected substring: "Ce n’est pas la mise totale"\nReceived string: +"Le total saisi/,
  },
  "ways that were not ticked": {
    path: "/draft.js",
    from: "const lines = isOn ? others",
    to: "const lines = !isOn ? [...others, { spots, ways: null, wager_cents: null }, { spots: 2, ways: null, wager_cents: null }] : isOn ? others",
    test: WAYS,
    seen: /Expected: "3,00/,
  },
  "the split is not offered": {
    path: "/sale_view.js",
    from: "view?.split && isCurrent ?",
    to: "false ?",
    test: WAYS,
    seen: /getByRole\('button', \{ name: 'Scinder/,
  },
  "a slip that is to be confirmed changes": {
    path: "/sale.js",
    from: '    if (this.phase !== "making") return;\n    this.draft = draft;',
    to: "    this.draft = draft;",
    test: WAYS,
    seen: /Expected: "3,00|aria-pressed/,
  },
  "the key of the split is shown where it is a digit": {
    path: "/sale_view.js",
    from: 'sale.draft.field === "ways" ? "0" : ""',
    to: '"0"',
    test: WAYS,
    seen: /getByRole\('button', \{ name: 'Scinder[^]*locator\('kbd'\)\nExpected: 0/,
  },
  "change that is not the patron's": {
    path: "/sale_view.js",
    from: 'el("output", {}, money(ticket.change_cents))',
    to: 'el("output", {}, money(ticket.total_cents))',
    test: CHANGE,
    seen: /Expected substring: "14,00/,
  },
  "too little is taken": {
    path: "/sale.js",
    from: "if (view.change_cents !== null && view.change_cents < 0) {",
    to: "if (false) {",
    test: CHANGE,
    seen: /Expected substring: "Il manque 0,50/,
  },
  "the next clerk finds what this one sold": {
    path: "/counter.js",
    from: "      sale.forget();\n",
    to: "",
    test: SALE,
    seen: /Expected substring: not "6,00"/,
  },
  "a cancelled ticket is offered again": {
    path: "/ticket.js",
    from: 'this.check?.state === "sold" && draws.length > 0',
    to: "draws.length > 0",
    test: SALE,
    seen: /locator\('#(?:cancel|unpaid)'\)\nExpected: 0/,
  },
  "a sale rolls to the next draw": {
    path: "/sale.js",
    from: 'if (nameOf(reply) === "draw_closed" && next) {',
    to: 'if (next) { this.draft = drafts.change(this.draft, { first: next }); return this.#sell("enter"); } if (next) {',
    test: LATE,
    seen: /Expected pattern: .*fermé/,
  },
  "a draft that moves to the next draw": {
    path: "/sale.js",
    from: "this.draft = { ...this.draft, first: this.view.first.draw };",
    to: "",
    test: LATE,
    seen: /Expected pattern: .*fermé/,
  },
  "more is shown than is paid": {
    path: "/ticket.js",
    from: 'amount("ticket.to_pay", this.check.payable_cents, "")',
    to: 'amount("ticket.to_pay", this.check.payable_cents + 100, "")',
    test: LATE,
    seen: /expect\(receipt\)\.toContain/,
  },
  "rules: an answer that comes late takes the newer one's place": {
    path: "/device.js",
    from: "    if (number !== asked) return;\n",
    to: "",
    test: RULES,
    seen: /Expected: "4,00/,
  },
  "rules: those of the next draw for every draw": {
    path: "/device.js",
    from: "return later?.rules ?? house.rules;",
    to: "return house.rules;",
    test: RULES,
    seen: /Expected: "2,50.*\nReceived: "1,00/,
  },
};
