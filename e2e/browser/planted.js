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
 * @property {number} [status] how the answer ends instead
 * @property {string} test which test must see it
 * @property {RegExp} seen how it must be seen
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
const NOT_WHOLE = "a paper that is not whole";
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

/** @type {Record<string, Planted>} */
export const PLANTED = {
  ...OF_STATES,
  "technician: a hash that is not shown": {
    path: "/technician.js",
    from: 'status.program.sha256 ?? t("tech.hash_unknown")',
    to: 't("tech.hash_unknown")',
    test: STATUS,
    seen: /Empreinte SHA-256|toHaveText|ne peut pas être lu/,
  },
  "technician: central looks well, whatever it is": {
    path: "/technician.js",
    from: 'row("tech.link", say(link.sentence), isWell ? "good" : "bad")',
    to: 'row("tech.link", say(link.sentence), "good")',
    test: STATUS,
    seen: /bad/,
  },
  "technician: a terminal that leaves too early": {
    path: "/technician.js",
    from: "if (stays.length > 0) {",
    to: "if (stays.length > 9) {",
    test: STAYS,
    seen: /replacement .open|En suspens|Des commandes/,
  },
  "technician: what is in doubt is not named": {
    path: "/technician.js",
    from: 'stays.includes("in_doubt") ? openItems() : null,',
    to: "",
    test: STAYS,
    seen: /Vente 2-1-1/,
  },
  "technician: a code that is not the device's": {
    path: "/technician.js",
    from: 'el("p", { id: "enrolment-code" }, now.code)',
    to: 'el("p", { id: "enrolment-code" }, "AAAA-AAAA")',
    test: ENROLS,
    seen: /toBe/,
  },
  "technician: nobody says why the enrolment ended": {
    path: "/technician.js",
    from: "...now.said.map(",
    to: "...[].map(",
    test: NO_ANSWER,
    seen: /told/,
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
    seen: /Capot ouvert|6,00/,
  },
  "paper: nobody says that the roll ends soon": {
    path: "/counter.js",
    from: 'printer.near_end && printer.state === "ready" ? say(printer.near_end)',
    to: 'false ? ""',
    test: NEAR_END,
    seen: /Bientôt plus de papier/,
  },
  "paper: any key says no": {
    path: "/doubts.js",
    from: 'if (!isYes && key !== "0") return;',
    to: "",
    test: SILENT,
    seen: /émis|data-mode/,
  },
  "paper: no means yes": {
    path: "/doubts.js",
    from: "{ key: item.key, whole: isYes }",
    to: "{ key: item.key, whole: true }",
    test: NOT_WHOLE,
    seen: /Billet annulé/,
  },
  "paper: what was cancelled looks issued": {
    path: "/doubts.js",
    from: "this.sale.slipOf(control_number) };\n      this.sale.forget();",
    to: "this.sale.slipOf(control_number) };",
    test: DIES,
    seen: /émis/,
  },
  "paper: the same slip is not sold again": {
    path: "/doubts.js",
    from: "if (slip) this.sale.load(slip);",
    to: "",
    test: NOT_WHOLE,
    seen: /6,00|output/,
  },
  "paper: nobody says what is wrong with the printer": {
    path: "/doubts.js",
    from: "const isTrouble = isPaper &&",
    to: "const isTrouble = false &&",
    test: ROLL,
    seen: /Réglez d’abord l’imprimante/,
  },
  "paper: a ticket that stays as it is looks dealt with": {
    path: "/doubts.js",
    from: '} else if (isLost && reply.exit === "done") {',
    to: "} else if (false) {",
    test: ELSEWHERE,
    seen: /ne peut plus être annulé/,
  },
  "paper: a doubt from before is not shown": {
    path: "/doubts.js",
    from: '!["parked", "to_report", "done"].includes(item.stage)',
    to: '!["parked", "to_report", "done", "paper_in_doubt"].includes(item.stage)',
    test: RESTART,
    seen: /data-mode/,
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
    seen: /data-central|status of 404/,
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
    seen: /6,00/,
  },
  "one key sells twice": {
    path: "/sale.js",
    from: 'this.phase = "selling";\n    this.told = [];',
    to: 'post("sales", { slip: drafts.slipOf(draft, this.rules), total_cents: view.total_cents }); this.phase = "selling";\n    this.told = [];',
    test: KEYS,
    seen: /papers that came out|Expected|toMatch|toBe/,
  },
  "what was sold is still in hand": {
    path: "/sale.js",
    from: "  forget() {\n    this.draft = drafts.emptyDraft(this.rules);",
    to: "  forget() {",
    test: TWENTY,
    seen: /papers that came out|toHaveLength|2 commandes|émis|6,00/,
  },
  "one key more for an express pick": {
    path: "/draft.js",
    from: '    { field: "draws", typed: "" },\n  );',
    to: '    { field: "count", typed: "" },\n  );',
    test: KEYS,
    seen: /Expected|toMatch|papers/,
  },
  "a scanner that types": {
    path: "/wedge.js",
    from: "return this.#held.filter((one) => one.key !== \"Enter\").length >= LEAST;",
    to: "return false;",
    test: SCAN,
    seen: /data-mode|toHaveText/,
  },
  "a scan that pays": {
    path: "/ticket.js",
    from: 'if (wasCancelling) this.#toCancel();',
    to: "this.pay();",
    test: LATE,
    seen: /toHaveLength|Billet gagnant|pay|payé/,
  },
  "Enter confirms what is big": {
    path: "/sale.js",
    from: 'if (key === "1") await this.#sell("key");',
    to: 'if (key === "1" || key === "Enter") await this.#sell("key");',
    test: BIG,
    seen: /locator|papers/,
  },
  "any total will do": {
    path: "/sale.js",
    from: "if (typed_cents === this.view.total_cents) {",
    to: "if (typed_cents !== null) {",
    test: BIG,
    seen: /Ce n’est pas la mise totale|locator/,
  },
  "ways that were not ticked": {
    path: "/draft.js",
    from: "const lines = isOn ? others",
    to: "const lines = !isOn ? [...others, { spots, ways: null, wager_cents: null }, { spots: 2, ways: null, wager_cents: null }] : isOn ? others",
    test: WAYS,
    seen: /3,00|locator/,
  },
  "the split is not offered": {
    path: "/sale.js",
    from: "view?.split && isCurrent ?",
    to: "false ?",
    test: WAYS,
    seen: /Scinder/,
  },
  "change that is not the patron's": {
    path: "/sale.js",
    from: 'el("output", {}, money(ticket.change_cents))',
    to: 'el("output", {}, money(ticket.total_cents))',
    test: CHANGE,
    seen: /14,00/,
  },
  "too little is taken": {
    path: "/sale.js",
    from: "if (view.change_cents !== null && view.change_cents < 0) {",
    to: "if (false) {",
    test: CHANGE,
    seen: /Il manque/,
  },
  "the lock forgets the draft": {
    path: "/counter.js",
    from: 'if (onDuty !== (state.badge ?? "")) {',
    to: 'if (state.locked || onDuty !== (state.badge ?? "")) {',
    test: LEFT_ALONE,
    seen: /0718/,
  },
  "the lock hides nothing": {
    path: "/counter.js",
    from: 'if (state.locked) return "locked";',
    to: "",
    test: LOCK,
    seen: /data-mode/,
  },
  "what was expected is told before the count": {
    path: "/shift.js",
    from: 'title: t("till.close_title"),\n      text: t("till.close_text"),',
    to: 'title: t("till.close_title"),\n      text: "235,50",',
    test: TILL,
    seen: /235/,
  },
  "a drop for a fill": {
    path: "/shift.js",
    from: 'await this.#do("till-movements", { kind, amount_cents,',
    to: 'await this.#do("till-movements", { kind: "fill", amount_cents,',
    test: TILL,
    seen: /Sortez|20,50/,
  },
  "the PIN stays": {
    path: "/ask.js",
    from: "      dialog.replaceChildren();\n",
    to: "",
    test: REFUND,
    seen: /toHaveCount/,
  },
  "the next clerk finds what this one sold": {
    path: "/counter.js",
    from: "      sale.forget();\n",
    to: "",
    test: SALE,
    seen: /6,00|locator/,
  },
  "a cancelled ticket is offered again": {
    path: "/ticket.js",
    from: 'this.check?.state === "sold" && draws.length > 0',
    to: "draws.length > 0",
    test: SALE,
    seen: /locator\('#(cancel|unpaid)'\)/,
  },
  "a refusal without words": {
    path: "/device.js",
    from: "reply.said.filter((one) => withFacts || !one.is_fact)",
    to: "reply.said.filter((one) => one.is_fact)",
    test: REFUND,
    seen: /Rien n’a été remboursé/,
  },
  "a doubt that is not shown": {
    path: "/counter.js",
    from: 'if (doubts.first) return "doubt";',
    to: "",
    test: DOUBT,
    seen: /data-mode/,
  },
  "nothing is put aside": {
    path: "/doubts.js",
    from: 'if (isYes) await this.#do("park", { key: item.key });',
    to: "",
    test: DOUBT,
    seen: /Vente de côté/,
  },
  "the clerk's key is not told to the agent": {
    path: "/doubts.js",
    from: 'if (isYes) await this.#do("acknowledge", { key: item.key });',
    to: "",
    test: DOUBT,
    seen: /toHaveCount/,
  },
  "a doubt that ends by itself": {
    path: "/doubts.js",
    from: '    if (["to_tell", "to_hand_over"].includes(stage)) keys.push(yes("doubt.is_done"));',
    to: '    if (["to_tell", "to_hand_over"].includes(stage)) post("acknowledge", { key: item.key });',
    test: DOUBT,
    seen: /data-mode|Vente non enregistrée|RENDEZ|enveloppe|6,00/,
  },
  "a sale rolls to the next draw": {
    path: "/sale.js",
    from: 'if (nameOf(reply) === "draw_closed" && next) {',
    to: 'if (next) { this.draft = drafts.change(this.draft, { first: next }); return this.#sell("enter"); } if (next) {',
    test: LATE,
    seen: /fermé/,
  },
  "a draft that moves to the next draw": {
    path: "/sale.js",
    from: "this.draft = { ...this.draft, first: this.view.first.draw };",
    to: "",
    test: LATE,
    seen: /fermé/,
  },
  "more is shown than is paid": {
    path: "/ticket.js",
    from: 'amount("ticket.to_pay", this.check.payable_cents, "")',
    to: 'amount("ticket.to_pay", this.check.payable_cents + 100, "")',
    test: LATE,
    seen: /toContain/,
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
    seen: /label/,
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
    seen: /toHaveText/,
  },
  "the player sees another wager": {
    path: "/customer.js",
    from: "el(\"output\", {}, draft.total_cents === null ? \"–\" : amount(draft.total_cents))",
    to: "el(\"output\", {}, draft.per_draw_cents === null ? \"–\" : amount(draft.per_draw_cents))",
    test: PLAYER,
    seen: /toHaveText/,
  },
  "another code than the image": {
    path: "/shift.js",
    from: "this.left.code.replace(",
    to: "(this.left.code + 'A').replace(",
    test: BACK,
    seen: /toBe\(expected\)/,
  },
  "a counter that stays on a terminal that is left": {
    path: "/counter.js",
    from: 'if (state.handed_out) return "left";',
    to: "",
    test: BACK,
    seen: /data-mode/,
  },
  "nothing is taken back": {
    path: "/shift.js",
    from: 'this.#do("take-back")',
    to: 'this.#do("hand-out", { draft: null })',
    test: BACK,
    seen: /data-mode|an error of the page/,
  },
  "the PIN of another is sent": {
    path: "/shift.js",
    from: "code: given.code ? given.code.replace(/\\s/g, \"\") : null,\n      second: secondOf(given),",
    to: "code: given.code ? given.code.replace(/\\s/g, \"\") : null,\n      second: { badge: given.badge, pin: \"\" },",
    test: TAKEN,
    seen: /T01 repris ici/,
  },
  "what was left is not listed": {
    path: "/shift.js",
    from: "...state.left.map(",
    to: "...[].map(",
    test: LEFT,
    seen: /toHaveCount/,
  },
  "a terminal that was handed over offers a sign-on": {
    path: "/counter.js",
    from: 'if (state.central.state === "handed_over") return "handed_over";',
    to: "",
    test: LEFT,
    seen: /data-mode/,
  },
  "another page is printed": {
    path: "/trial.js",
    from: 'tryPrinter("printer-test")',
    to: 'tryPrinter("printer-state")',
    test: PRINTER,
    seen: /papers that came out/,
  },
  "one language alone": {
    path: "/trial.js",
    from: "  document.documentElement.lang = lang;\n",
    to: "",
    test: PRINTER,
    seen: /Printer test/,
  },
  "no way back to the counter": {
    path: "/trial.js",
    from: 'Escape: "back", ',
    to: "",
    test: SCANNER,
    seen: /data-central/,
  },
  "a scan that anyone can read": {
    path: "/trial.css",
    from: "input.covered { -webkit-text-security: disc; }",
    to: "",
    test: SCANNER,
    seen: /toHaveCSS/,
  },
  "a scan that goes nowhere": {
    path: "/trial.js",
    from: "  typed.focus();\n  // A scanner",
    to: "  // A scanner",
    test: SCANNER,
    seen: /toHaveValue/,
  },
  "the secret of a scan is shown": {
    path: "/trial.js",
    from: "repeat = () => showScan(reply);",
    to: "repeat = () => showScan({ ...reply, text: typed });",
    test: SCANNER,
    seen: /locator\('#text'\)/,
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
    seen: /toHaveCount/,
  },
};

/** @param {import("@playwright/test").Page} page */
export const plant = async (page) => {
  const name = process.env.BOULIER_PLANTED;
  if (!name) return;
  const { path, from, to, more = "", status } = PLANTED[name];
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
