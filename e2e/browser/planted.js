// Faults of the pages that the tests must see, planted on the way between agent and browser when
// BOULIER_PLANTED names one. `npm run prove` plants them all, one after the other.
// @ts-check
import { OF_STATES } from "./planted_states.js";

/**
 * @typedef {object} Planted
 * @property {string} path the file of the pages
 * @property {string} from what stands there, exactly once
 * @property {string} to what stands there instead
 * @property {string} [more] what stands at the end of the file
 * @property {string} [before] a script before all others, instead: a file that is looked into is never kept by the browser
 * @property {number} [status] how the answer ends instead
 * @property {string} test which test must see it
 * @property {RegExp} seen how it must be seen: in what the failure says of itself, not in the lines around it
 */

const SALE = "a ticket is sold";
const KEYS = "a sale takes as few keys";
const TWENTY = "Enter twenty times";
const SCAN = "a scan types into no field";
const BIG = "what is big is confirmed";
const WAYS = "ways are shown";
const CHANGE = "tender, what is received";
const LOCK = "a locked screen keeps";
const LEFT_ALONE = "a counter that nobody touches";
const TILL = "the till is filled";
const REFUND = "a refund of a ticket";
const DOUBT = "a sale in doubt";
const LATE = "a sale that comes too late";
const SHIFT = "by the keyboard alone: a shift";
const AWAY_AND_BACK = "by the keyboard alone: a terminal is left";
const PLAYER = "the player's screen";
const HOST = "no page asks for anything";
const BACK = "a terminal that nobody took over";
const TAKEN = "a neighbour is taken over";
const LEFT = "a terminal that was taken over";
const PRINTER = "a test page is printed";
const SCANNER = "a scan is named";
const BOARD = "board and kiosk";
const BEFORE = "a printer in trouble stops";
const NEAR_END = "a roll near its end";
const SILENT = "a printer that does not confirm";
const NOT_WHOLE = "a paper that is not whole is cancelled";
const DIES = "a line that dies";
const ROLL = "a roll that ends in the middle";
const ELSEWHERE = "a ticket that was cancelled elsewhere";
const RESTART = "a paper that was at work";
const STATUS = "the technician's page says";
const STAYS = "a terminal stays as long";
const ENROLS = "a device that nobody knows";
const NO_ANSWER = "a device that central does not answer";
const TECHNICIAN_FITS = "every state of the technician's pages";
const WALL = "the wall shows a terminal";
const APPROVAL = "an approval at the wall";
const MESSAGE = "a message is read";
const KEYPAD = "the keypad types digits";
const TAB = "Tab goes through the fields";
const SPOKEN = "only what has changed is spoken";
const ALOUD = "a kiosk says once";
const TWO_PAGES = "two pages that ask the same";
const RULES = "a slip is priced by the rules";

const PRESENTED = "tickets are presented one after";
const RECEIPT = "a receipt that did not come out";
const AWAY = "a ticket scanned while central is away";
const REFUSED = "a holder who is refused";
const PAYOUTS = "a prize above the limit";
const LIMITS = "an express pick is changed by two people";
const LIMITS_REFUSED = "what the rules refuse is said";
const LIMITS_SLIPS = "a limit that a slip shows";
const LIMITS_WALL = "another supervisor approves a change";

/** @type {Record<string, Planted>} */
export const PLANTED = {
  "presentation: a scan that comes too early is lost": {
    path: "/presentation.js",
    from: "this.#waiting.push(code);",
    to: "if (!this.isAtWork) this.#waiting.push(code);",
    test: PRESENTED,
    seen: /unexpected value "1"/,
  },
  "presentation: what waits for central is forgotten": {
    path: "/counter.js",
    from: "      presentation.centralIsThere();",
    to: "",
    test: RECEIPT,
    seen: /toHaveCount/,
  },
  "presentation: a ticket that was refused is forgotten": {
    path: "/presentation.js",
    from: "if (this.batch.printed) this.refused = [];",
    to: "this.refused = [];",
    test: PRESENTED,
    seen: /#not-presented/,
  },
  "presentation: the receipt is not printed": {
    path: "/presentation.js",
    from: 'else if (key === "Enter") this.print();',
    to: "",
    test: PRESENTED,
    seen: /papers that came out/,
  },
  "presentation: a receipt that stayed inside looks printed": {
    path: "/presentation.js",
    from: 'reply.exit === "done" ? [{ tone: "note", words: () => t("present.hand_over") }] : toldBy(reply)',
    to: '[{ tone: "note", words: () => t("present.hand_over") }]',
    test: RECEIPT,
    seen: /Capot ouvert/,
  },
  "payout: nobody asks for a second person": {
    path: "/ticket.js",
    from: "if (this.check.second_person) {",
    to: "if (false) {",
    test: PAYOUTS,
    seen: /locator\('#ask'\)/,
  },
  "payout: the counter pays what is the cage's": {
    path: "/ticket.js",
    from: "0) > 0 && !check.for_the_cage",
    to: "0) > 0",
    test: PAYOUTS,
    seen: /locator\('#pay'\)/,
  },
  "ticket: central that is back is not asked": {
    path: "/counter.js",
    from: "      ticket.centralIsThere();",
    to: "",
    test: AWAY,
    seen: /billet rejoué/,
  },
  "ticket: whoever waits for central cannot leave": {
    path: "/ticket.js",
    from: 'if (key === "Escape" && this.#askAgain) return this.leave();',
    to: "",
    test: AWAY,
    seen: /data-mode/,
  },
  ...OF_STATES,
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
  "technician: a box without a name": {
    path: "/technician",
    from: '<main id="parts"></main>',
    to: '<div id="parts"></div>',
    test: TECHNICIAN_FITS,
    seen: /region|landmark/,
  },
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
    from: '!["parked", "to_report", "done"].includes(item.stage)',
    to: '!["parked", "to_report", "done", "paper_in_doubt"].includes(item.stage)',
    test: RESTART,
    seen: /Expected: "doubt"\nReceived: "sale"/,
  },
  "an error in a handler": {
    path: "/shift.js",
    from: 'const reply = await this.#do("sign-off");',
    to: 'const reply = await this.#do("sign-off"); throw new Error("planted");',
    test: SALE,
    seen: /an error of the page: Error: planted/,
  },
  "an inline script": {
    path: "/",
    from: "</body>",
    to: "<script>document.title = 1</script></body>",
    test: BACK,
    seen: /against the page's policy: script-src/,
  },
  "an inline style": {
    path: "/printer",
    from: '<p class="acts">',
    to: '<p class="acts" style="color: red">',
    test: PRINTER,
    seen: /against the page's policy: style-src/,
  },
  "a script that is not there": {
    path: "/",
    from: '<script type="module" src="/counter.js">',
    to: '<script type="module" src="/the-counter.js">',
    test: BACK,
    seen: /status of 404 .*\/the-counter\.js/,
  },
  "a font from elsewhere": {
    path: "/",
    from: '<link rel="stylesheet" href="/counter.css">',
    to: '<link rel="stylesheet" href="/counter.css"><link rel="stylesheet" href="http://example.invalid/font.css">',
    test: HOST,
    seen: /example\.invalid/,
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
  "the lock forgets the draft": {
    path: "/counter.js",
    from: 'if (onDuty !== (state.badge ?? "")) {',
    to: 'if (state.locked || onDuty !== (state.badge ?? "")) {',
    test: LEFT_ALONE,
    seen: /Expected: "0718"/,
  },
  "the lock hides nothing": {
    path: "/counter.js",
    from: 'if (state.locked) return "locked";',
    to: "",
    test: LOCK,
    seen: /Expected: "locked"\nReceived: "sale"/,
  },
  "what was expected is told before the count": {
    path: "/shift.js",
    from: 'title: t("till.close_title"),\n      text: t("till.close_text"),',
    to: 'title: t("till.close_title"),\n      text: "235,50",',
    test: TILL,
    seen: /Expected substring: not "235"/,
  },
  "a drop for a fill": {
    path: "/shift.js",
    from: 'await this.#do("till-movements", { kind, amount_cents,',
    to: 'await this.#do("till-movements", { kind: "fill", amount_cents,',
    test: TILL,
    seen: /Expected substring: "Sortez 20,50/,
  },
  "the PIN stays": {
    path: "/ask.js",
    from: "      dialog.replaceChildren();\n",
    to: "",
    test: REFUND,
    seen: /locator\('#ask'\)\.locator\('input'\)\nExpected: 0/,
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
  "a refusal without words": {
    path: "/device.js",
    from: "reply.said.filter((one) => withFacts || !one.is_fact)",
    to: "reply.said.filter((one) => one.is_fact)",
    test: REFUND,
    seen: /Expected substring: "Rien n’a été remboursé\."/,
  },
  "a doubt that is not shown": {
    path: "/counter.js",
    from: 'if (doubts.first) return "doubt";',
    to: "",
    test: DOUBT,
    seen: /Expected: "doubt"\nReceived: "sale"/,
  },
  "nothing is put aside": {
    path: "/doubts.js",
    from: 'if (isYes) await this.#do("park", { key: item.key });',
    to: "",
    test: DOUBT,
    seen: /Expected substring: "Vente de côté/,
  },
  "the clerk's key is not told to the agent": {
    path: "/doubts.js",
    from: 'if (isYes) await this.#do("acknowledge", { key: item.key });',
    to: "",
    test: DOUBT,
    seen: /locator\('\.doubt'\)\nExpected: 0/,
  },
  "a doubt that ends by itself": {
    path: "/doubts.js",
    from: '    if (["to_tell", "to_hand_over"].includes(stage)) keys.push(yes("doubt.is_done"));',
    to: '    if (["to_tell", "to_hand_over"].includes(stage)) post("acknowledge", { key: item.key });',
    test: DOUBT,
    seen: /Expected: \"doubt\"\nReceived: \"sale\"|locator\('\.doubt'\)\nExpected(?: substring)?: \"(?:Vente non enregistrée|\(enveloppe\)|6,00|RENDEZ|false)/,
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
  "grey on grey": {
    path: "/counter.css",
    from: "--quiet: #4c5d6a;",
    to: "--quiet: #a9b4bc;",
    test: SHIFT,
    seen: /color-contrast/,
  },
  "a field without a name": {
    path: "/shift.js",
    from: 'el("label", {}, t("sign_on.badge"), el("input", { name: "badge", autocomplete: "off", spellcheck: "false", required: true })),',
    to: 'el("p", {}, t("sign_on.badge")), el("input", { name: "badge", autocomplete: "off", spellcheck: "false", required: true }),',
    test: SHIFT,
    seen: /"label: /,
  },
  "a word that stays French": {
    path: "/en.json",
    from: '"strip.central": "Central online"',
    to: '"strip.central": "Billet"',
    test: AWAY_AND_BACK,
    seen: /French on the English page/,
  },
  "a line that is too wide": {
    path: "/counter.css",
    from: "#alarm { padding: 0.5rem 0.75rem;",
    to: "header h1 { min-width: 60rem; } #alarm { padding: 0.5rem 0.75rem;",
    test: AWAY_AND_BACK,
    seen: /pixels beyond the side/,
  },
  "the player does not see the change": {
    path: "/customer.js",
    from: "draft.change_cents !== null && draft.change_cents >= 0",
    to: "false",
    test: PLAYER,
    seen: /locator\('\.total output'\)\n[^]*\n- +\"5,00/,
  },
  "the player sees another wager": {
    path: "/customer.js",
    from: "el(\"output\", {}, draft.total_cents === null ? \"–\" : amount(draft.total_cents))",
    to: "el(\"output\", {}, draft.per_draw_cents === null ? \"–\" : amount(draft.per_draw_cents))",
    test: PLAYER,
    seen: /locator\('\.total output'\)\n[^]*\n- +\"15,00/,
  },
  "another code than the image": {
    path: "/shift.js",
    from: "this.left.code.replace(",
    to: "(this.left.code + 'A').replace(",
    test: BACK,
    seen: /\.toBe\(code\.replaceAll/,
  },
  "a counter that stays on a terminal that is left": {
    path: "/counter.js",
    from: 'if (state.handed_out) return "left";',
    to: "",
    test: BACK,
    seen: /Expected: "left"\nReceived: "/,
  },
  "nothing is taken back": {
    path: "/shift.js",
    from: 'this.#do("take-back")',
    to: 'this.#do("hand-out", { draft: null })',
    test: BACK,
    seen: /Expected: "sale"\nReceived: "left"/,
  },
  "the PIN of another is sent": {
    path: "/shift.js",
    from: "code: given.code ? given.code.replace(/\\s/g, \"\") : null,\n      second: secondOf(given),",
    to: "code: given.code ? given.code.replace(/\\s/g, \"\") : null,\n      second: { badge: given.badge, pin: \"\" },",
    test: TAKEN,
    seen: /Expected substring: "T01 repris ici/,
  },
  "what was left is not listed": {
    path: "/shift.js",
    from: "...state.left.map(",
    to: "...[].map(",
    test: LEFT,
    seen: /locator\('#left-items > li'\)\nExpected: 1\nReceived: 0/,
  },
  "a terminal that was handed over offers a sign-on": {
    path: "/counter.js",
    from: 'if (state.central.state === "handed_over") return "handed_over";',
    to: "",
    test: LEFT,
    seen: /Expected: "handed_over"\nReceived: "/,
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
    seen: /locator\('#typed'\)\nExpected: \"KT1/,
  },
  "the secret of a scan is shown": {
    path: "/trial.js",
    from: "repeat = () => showScan(reply);",
    to: "repeat = () => showScan({ ...reply, text: typed });",
    test: SCANNER,
    seen: /locator\('#text'\)\nExpected pattern: .*KT1/,
  },
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
  "keys: the keypad is read by its lock": {
    path: "/keys.js",
    from: "  if (digit) return digit[1];\n",
    to: "",
    test: KEYPAD,
    seen: /Expected: "8642"/,
  },
  "keys: the point of the keypad deletes": {
    path: "/keys.js",
    from: 'event.code === "NumpadDecimal" && event.key === "Delete"',
    to: "false",
    test: KEYPAD,
    seen: /Expected: "200\.50"/,
  },
  "keys: Tab goes one way alone": {
    path: "/keys.js",
    from: 'event.key === "Tab" && event.shiftKey ? "ArrowUp" : event.key',
    to: "event.key",
    test: TAB,
    seen: /data-field="wager"/,
  },
  "keys: Tab never leaves the fields": {
    path: "/counter.js",
    from: " && sale.hasField(event.shiftKey ? -1 : 1)",
    to: "",
    test: TAB,
    seen: /Error: buttons that Tab does not reach[^]*"Caisse"/,
  },
  "keys: Enter stays with a button that was left": {
    path: "/counter.js",
    from: 'if (key !== "Enter" && document.activeElement?.matches("button, a")) at("work").focus();',
    to: "",
    test: TAB,
    seen: /the slip has the keys again/,
  },
  "spoken: all of it again": {
    path: "/redraw.js",
    from: "  let at = zone.firstChild;\n",
    to: "  zone.replaceChildren(); let at = zone.firstChild;\n",
    test: SPOKEN,
    seen: /what was spoken again/,
  },
  "spoken: the player hears it again": {
    path: "/customer.js",
    from: 'redraw(at("shown"), /** @type {Node[]} */ (content',
    to: 'at("shown").replaceChildren(.../** @type {Node[]} */ (content',
    test: SPOKEN,
    seen: /what was spoken again/,
  },
  "spoken: two pages wait for one another": {
    path: "",
    from: "",
    to: "",
    before: "const ask = fetch; globalThis.fetch = (path, { cache, ...more } = {}) => ask(path, more);",
    test: TWO_PAGES,
    seen: /Error: milliseconds that a question waited to be asked/,
  },
  "spoken: each digit is an alert": {
    path: "/sale_view.js",
    from: '{ class: "confirm" },',
    to: '{ class: "confirm", role: "alert" },',
    test: SPOKEN,
    seen: /what was spoken again[^]*"live": "alert"/,
  },
  "spoken: the seconds aloud": {
    path: "/agent.js",
    from: "if (!said.firstChild?.isEqualNode(fresh)) said",
    to: "said",
    test: ALOUD,
    seen: /Error: what was spoken\n[^]*Expected length: 1/,
  },
  "rules: those of the next draw for every draw": {
    path: "/device.js",
    from: "return later?.rules ?? house.rules;",
    to: "return house.rules;",
    test: RULES,
    seen: /Expected: "2,50.*\nReceived: "1,00/,
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
    seen: /quelqu'un d'autre/,
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
  "an answer that is a fault": {
    path: "/agent/here",
    from: "",
    to: "",
    status: 503,
    test: LOCK,
    seen: /status of 503/,
  },
  "a draw that lacks a ball": {
    path: "/agent.js",
    from: "...last.balls.map(",
    to: "...last.balls.slice(1).map(",
    test: BOARD,
    seen: /locator\('#balls > li'\)\nExpected: 20\nReceived: 19/,
  },
  "refused holder: one person pays": {
    path: "/ticket.js",
    from: "if (this.check.second_person) {",
    to: "if (false) {",
    test: REFUSED,
    seen: /un superviseur décide|locator\('#ask'\)/,
  },
  "refused holder: why is not said": {
    path: "/ticket.js",
    from: 'this.check.patron_refused ? "refused.second_text" : "pay.second_text"',
    to: '"pay.second_text"',
    test: REFUSED,
    seen: /un superviseur décide/,
  },
  "refused holder: the ticket is not asked about again": {
    path: "/ticket.js",
    from: "await this.scan(code);\n      // Another ticket",
    to: "// Another ticket",
    test: REFUSED,
    seen: /locator\('#refused'\)/,
  },
  "refused holder: Enter alone refuses": {
    path: "/refusal.js",
    from: 'else if (key === "Enter" && this.#reason !== null) return ticket.refuse(REASONS[this.#reason]);',
    to: 'else if (key === "Enter") return ticket.refuse(REASONS[this.#reason ?? 0]);',
    test: REFUSED,
    seen: /locator\('#work'\)\.locator\('\.confirm'\)/,
  },
  "refused holder: another reason is sent": {
    path: "/refusal.js",
    from: "ticket.refuse(REASONS[this.#reason])",
    to: "ticket.refuse(REASONS[2 - this.#reason])",
    test: REFUSED,
    seen: /mineur, ou âge non prouvé/,
  },
  "refused holder: it is not said that no name is noted": {
    path: "/refusal.js",
    from: 'el("p", {}, t("refused.no_name")),',
    to: "",
    test: REFUSED,
    seen: /Aucun nom/,
  },
  "refused holder: a field for a name": {
    path: "/refusal.js",
    from: 'el("p", {}, t("refused.no_name")),',
    to: 'el("p", {}, t("refused.no_name"), el("input", { "aria-label": "Nom" })),',
    test: REFUSED,
    seen: /input, textarea/,
  },
  "refused holder: offered of a ticket that is paid": {
    path: "/refusal.js",
    from: "!OVER.includes(check.verdict.code)",
    to: "true",
    test: REFUSED,
    seen: /locator\('#refuse'\)/,
  },
  "refused holder: the player reads of it": {
    path: "/customer.js",
    from: 'shown.number_end ? two("p", "customer.ticket"',
    to: 'el("p", {}, "Paiement refusé"), shown.number_end ? two("p", "customer.ticket"',
    test: REFUSED,
    seen: /the player's screen/,
  },
};

/** @param {import("@playwright/test").Page} page */
export const plant = async (page) => {
  const name = process.env.BOULIER_PLANTED;
  if (!name) return;
  const { path, from, to, more = "", before, status } = PLANTED[name];
  if (before) {
    await page.addInitScript(before);
    return;
  }
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      if (status) {
        await route.fulfill({ response, status });
        return;
      }
      const parts = (await response.text()).split(from);
      // The test must not pass because the page has changed.
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${from}`);
      await route.fulfill({ response, body: parts.join(to) + more });
    },
  );
};
