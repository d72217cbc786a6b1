// Faults that those tests must see that look at each state and have no mouse.
// @ts-check

const SALES = "by the keyboard alone: every kind of sale";
const TICKET = "by the keyboard alone: a ticket";
const SHIFT = "by the keyboard alone: a shift";
const AWAY_AND_BACK = "by the keyboard alone: a terminal is left";
const MONEY = "by the keyboard alone: whatever was in doubt";
const SUPERVISOR = "by the keyboard alone: a supervisor";
const TOUCH = "by touch alone";
const PAPERS = "every state of a paper in doubt";
const LATE = "a sale that comes too late";
const PLAYER = "the player's screen";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_STATES = {
  "looked at: selections that are not in hand take all their room": {
    path: "/counter.css",
    from: ".selection:not(.current) .label { display: none; }",
    to: "",
    more: ".selection .fields > button { min-height: 64px !important; }",
    test: SALES,
    seen: /four-selections: what does not fit the screen/,
  },
  "looked at: fields wider than their box": {
    path: "/counter.css",
    from: "dialog input, dialog select { width: 100%; }",
    to: "dialog form { overflow: hidden; white-space: nowrap; }",
    test: SHIFT,
    seen: /words beyond their box/,
  },
  "looked at: a word that stays English": {
    path: "/fr.json",
    from: '"strip.central": "Central en ligne"',
    to: '"strip.central": "Central online"',
    test: AWAY_AND_BACK,
    seen: /English on the French page/,
  },
  "looked at: what the device says is shown in one language": {
    path: "/words.js",
    from: '(language === "fr" ? unbroken(sentence.fr) : sentence.en);',
    to: "sentence.fr;",
    test: AWAY_AND_BACK,
    seen: /French on the English page/,
  },
  "looked at: the player's screen is longer than it is": {
    path: "/customer.css",
    from: "html { font-size: 22px; }",
    to: "html { font-size: 31px; }",
    test: SALES,
    seen: /player’s screen: what does not fit the screen/,
  },
  "looked at: a wall without a list": {
    path: "/wall.js",
    from: '{ class: "card", role: "listitem",',
    to: '{ class: "card", role: "note",',
    test: SUPERVISOR,
    seen: /wall-quiet, by axe/,
  },
  "looked at: a printer in trouble that is not drawn": {
    path: "/doubts.js",
    from: "picture(printer.state), say(printer.sentence)",
    to: "say(printer.sentence)",
    test: PAPERS,
    seen: /printer svg/,
  },
  "looked at: an error of the player's screen": {
    path: "/customer.js",
    from: 'document.title = t("customer.title");',
    to: 'throw new Error("planted");',
    test: PLAYER,
    seen: /an error of the page: Error: planted/,
  },
  "touch: two taps at once sell what is big": {
    path: "/arming.js",
    from: "return performance.now() >= this.#at;",
    to: "return true;",
    test: TOUCH,
    seen: /after two taps at once/,
  },
  "touch: what is to be confirmed is paid otherwise": {
    path: "/sale.js",
    from: '    if (this.phase !== "making") return;\n    this.draft = draft;',
    to: "    this.draft = draft;",
    test: TOUCH,
    seen: /Expected substring: "Comptant"/,
  },
  "touch: selections that are not in hand are small": {
    path: "/counter.css",
    from: ".selection:not(.current) .label { display: none; }",
    to: ".selection:not(.current) .label { display: none; } .selection:not(.current) .fields > button { min-height: 36px !important; }",
    test: TOUCH,
    seen: /keys too small for a finger, with three selections/,
  },
  "touch: the grid does nothing": {
    path: "/sale_view.js",
    from: "onclick: () => sale.touch(number) }",
    to: "onclick: () => {} }",
    test: TOUCH,
    seen: /071833/,
  },
  "keyboard: Enter does nothing on a button": {
    path: "/keys.js",
    from: 'else if (name === "Enter" && event.isOnButton) event.target.click();',
    to: "",
    test: AWAY_AND_BACK,
    seen: /Expected: "left"\nReceived: "(?:more|sale)"/,
  },
  "keyboard: nobody sees where the focus is": {
    path: "/counter.css",
    from: ":focus-visible { outline: 4px solid var(--wait);",
    to: ":focus-visible { outline: 0 solid var(--wait);",
    test: AWAY_AND_BACK,
    seen: /where the focus is/,
  },
  "keyboard: a tender that no key chooses": {
    path: "/draft.js",
    from: 'return tender ? with_(draft, { tender, typed: "" })',
    to: 'return tender ? with_(draft, { typed: "" })',
    test: SALES,
    seen: /coupon/,
  },
  "keyboard: a split that no key takes": {
    path: "/sale.js",
    from: 'if (this.draft.field === "ways" && key === "0") {',
    to: "if (false) {",
    test: SALES,
    seen: /locator\('\.selection'\)\nExpected: 2\nReceived: 1/,
  },
  "keyboard: another language forgets the badge": {
    path: "/counter.js",
    from: "if (field) field.value = old.value;",
    to: "",
    test: SHIFT,
    seen: /Expected: "sale"\nReceived: "(?:off|locked)"/,
  },
  "keyboard: what differs is not marked": {
    path: "/sale_view.js",
    from: 'el("tr", { class: old === now ? undefined : "changed" }',
    to: 'el("tr", {}',
    test: TICKET,
    seen: /locator\('\.replay \.changed'\)\nExpected: 1\nReceived: 0/,
  },
  "keyboard: the old numbers for a new computer pick": {
    path: "/ticket.js",
    from: "isNewPick && this.newPick ? this.newPick : this.again",
    to: "this.again",
    test: TICKET,
    seen: /locator\('\.replay \.changed'\)\nExpected: 2\nReceived: 1/,
  },
  "keyboard: a till that is short pays": {
    path: "/ticket.js",
    from: "&& !this.check?.till_short && ",
    to: "&& ",
    test: LATE,
    seen: /locator\('#pay'\)\nExpected: disabled/,
  },
  "keyboard: a payment that was not handed over stays": {
    path: "/ticket.js",
    from: 'await this.#command("reversals", {',
    to: 'await this.#command("releases", { code: this.code,',
    test: LATE,
    seen: /renversé/,
  },
  "keyboard: every command in doubt is called a sale": {
    path: "/doubts.js",
    from: "return `doubt.${stage}_${kind}${said}`;",
    to: "return `doubt.${stage}_sale${said}`;",
    test: MONEY,
    seen: /Annulation non enregistrée/,
  },
  "keyboard: no arrow comes to what waits": {
    path: "/wall.js",
    from: "ArrowRight: () => cross(true), ",
    to: "",
    test: SUPERVISOR,
    seen: /locator\('\[data-name\^="approval-"\]'\)\nExpected: focused/,
  },
  "looked at: what is in hand is told by colour alone": {
    path: "/counter.css",
    from: '.field[aria-current], .grid button[aria-pressed="true"] { outline: 3px solid Highlight; }',
    to: "",
    test: SALES,
    seen: /Expected: "solid"\nReceived: "none"/,
  },
};
