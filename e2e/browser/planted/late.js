// Faults of what comes late: answers that others have overtaken, keys that were held back.
// @ts-check

const HELD = "a key that was held back answers";
const NEXT = "a key that was held back is done before";
const SCAN = "a scan that the machine holds up";
const TICKET = "keys of one ticket";
const RULES = "a counter says that no rules are known";
const OFFICE = "what is typed at the office";
const PRICE = "a price that the device did not tell";
const TOTAL = "a total that moves under Enter";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_WHAT_IS_LATE = {
  "late: a key that was held back is for what came after it": {
    path: "/keys.js",
    from: "else if (event.asked !== asked()) return;",
    to: "",
    test: HELD,
    seen: /the answer to what was on the screen/,
  },
  "late: a key is for what was there before the one that was held": {
    path: "/wedge.js",
    from: "const last = this.#held[this.#held.length - 1];",
    to: "const own = aim(); aim = () => own; const last = this.#held[this.#held.length - 1];",
    test: NEXT,
    seen: /Expected: "160,00"\nReceived: "60,00"/,
  },
  "late: a key is for the question that the key before it leaves": {
    path: "/sale.js",
    from: "this.#keys === 1 ? act()",
    to: "false ? act()",
    test: "a question that a held key has left",
    seen: /left by 0, and asked again by Enter/,
  },
  "late: a scan is cut where the machine holds it up": {
    path: "/wedge.js",
    from: "const HELD_UP_MS = 2000;",
    to: "const HELD_UP_MS = 300;",
    test: SCAN,
    seen: /one scan, then one key/,
  },
  "late: the first keys of a scan are typed where the machine is late": {
    path: "/wedge.js",
    from: "HOLD_MS + late);",
    to: "HOLD_MS);",
    test: SCAN,
    seen: /one scan, then one key/,
  },
  "late: a total that nobody has seen is sold": {
    path: "/sale.js",
    from: "if (told !== null && told !== view.total_cents) {",
    to: "if (false) {",
    test: TOTAL,
    seen: /La mise totale a changé/,
  },
  "late: the second of two Enters sells the total that has moved": {
    path: "/sale.js",
    from: "if (!this.moved.isArmed) return;",
    to: "",
    test: TOTAL,
    seen: /La mise totale a changé|sold for what nobody was told/,
  },
  "late: a price that was lost is sold before it is seen": {
    path: "/sale.js",
    from: "await this.#settled();\n      return;",
    to: "await this.#settled();",
    test: PRICE,
    seen: /#sell, .confirm|sold before it was seen/,
  },
  "late: Enter is dead once a price was lost": {
    path: "/sale.js",
    from: "if (!this.view) {\n      // The device did not answer.",
    to: "if (false) {\n      //",
    test: PRICE,
    seen: /2,00/,
  },
  "late: a slip in hand that is none": {
    path: "/sale_view.js",
    from: 'drafts.isEmpty(sale.draft) ? [el("p", { class: "idle" }, t("sale.idle"))] : []',
    to: '[el("p", { class: "idle" }, t("sale.idle"))]',
    test: PRICE,
    seen: /with a slip in hand/,
  },
  "late: no rules are known before anybody was asked": {
    path: "/sale_view.js",
    from: "sale.rules === null ?",
    to: "true ?",
    test: RULES,
    seen: /before the device has answered/,
  },
  "late: rules that come after their version are never asked for": {
    path: "/counter.js",
    from: 'if (!isWhole(known)) house = "";',
    to: "",
    test: RULES,
    seen: /locator\('#express button'\)\nExpected: 8/,
  },
  "late: the slip of the ticket before": {
    path: "/ticket.js",
    from: "this.#take(NONE);\n    this.done = null;\n    this.told = done;",
    to: "this.check = null;\n    this.done = null;\n    this.told = done;",
    test: TICKET,
    seen: /Cannot read properties of null|Expected: "ticket"/,
  },
  "late: a key that waited for another ticket": {
    path: "/ticket.js",
    from: ' || look !== this.#look) return;',
    to: ") return;",
    test: TICKET,
    seen: /Expected: "ticket"\nReceived: "sale"/,
  },
  "late: scans that overtake one another": {
    path: "/counter.js",
    from: "takes = takes\n",
    to: "takes = Promise.resolve()\n",
    test: "two scans are shown",
    seen: /tickets that were looked up/,
  },
  "late: an older list of what was presented": {
    path: "/device.js",
    from: "if (number !== asked) return;",
    to: "",
    test: "the list of what was presented",
    seen: /after an older answer/,
  },
  "late: the hash of a file that was not chosen last": {
    path: "/ask.js",
    from: "if (hash && file === input.files?.[0])",
    to: "if (hash)",
    test: "a picture is recorded",
    seen: /expect\(received\)\.toBe\(expected\)/,
  },
  "late: a question that was answered comes back to the wall": {
    path: "/wall.js",
    from: "const reply = await answer.json();\n    if (asked !== looks) return;",
    to: "const reply = await answer.json();",
    test: "the wall shows what became of a question",
    seen: /the question came back/,
  },
  "late: an older version of what can be changed": {
    path: "/limits.js",
    from: "const reply = await answer.json();\n    if (number !== reads) return;",
    to: "const reply = await answer.json();",
    test: "what can be changed is that of the newest",
    seen: /Received string: +"Version\s1/,
  },
  "late: a form at the office that is emptied under the hand": {
    path: "/office.js",
    from: "if (wanted === drawn) {",
    to: "if (wanted === drawn && !told.length) {",
    test: OFFICE,
    seen: /the PIN that was typed meanwhile/,
  },
  "late: a form at the office that another language empties": {
    path: "/office.js",
    from: "badge instanceof HTMLInputElement",
    to: "false",
    test: OFFICE,
    seen: /in another language/,
  },
  "late: a form at the office that a silent device empties": {
    path: "/office.js",
    from: "    isGone = true;\n",
    to: "    state = null;\n",
    test: OFFICE,
    seen: /once the device answers again/,
  },
  "late: a kiosk tells the next patron": {
    path: "/agent.js",
    from: "if (patron !== patrons) return;\n      // What",
    to: "// What",
    test: "a kiosk shows nobody",
    seen: /what the patron before asked/,
  },
  "late: a kiosk leaves the code of who asks on its screen": {
    path: "/agent.js",
    from: "    page.reset();\n    checks",
    to: "    checks",
    test: "a kiosk shows nobody",
    seen: /the code of who asks/,
  },
  "late: a message that nobody has read": {
    path: "/messages.js",
    from: "{ disabled: !arming.isArmed }",
    to: "{}",
    test: "a message that has just come",
    seen: /the message that nobody has read/,
  },
  "late: an Enter that was meant for a message sells": {
    path: "/counter.js",
    from: '(focused.isConnected && !focused.matches(":disabled"))',
    to: "focused.isConnected",
    test: "an Enter that was meant for a message",
    seen: /sold by an Enter that was meant for a message/,
  },
  "late: a key at the office leads to a page of a silent device": {
    path: "/office.js",
    from: "if (!isGone) location",
    to: "location",
    test: "a key at the office",
    seen: /where a page of a silent device leads|context was destroyed/,
  },
};
