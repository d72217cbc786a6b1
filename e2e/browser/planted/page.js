// Faults of what any page owes: keys, words that are spoken, the player's screen, the board.
// @ts-check

const PLAYER = "the player's screen";
const HOST = "no page asks for anything";
const BOARD = "board and kiosk";
const KEYPAD = "the keypad types digits";
const TAB = "Tab goes through the fields";
const SPOKEN = "only what has changed is spoken";
const ALOUD = "a kiosk says once";
const TWO_PAGES = "two pages that ask the same";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_PAGES = {
  "a kiosk keeps the verdict at the next code": {
    path: "/agent.js",
    from: 'form.addEventListener("input", forget);',
    to: "",
    test: BOARD,
    seen: /Error: at the next code/,
  },
  "a kiosk keeps the verdict for ever": {
    path: "/agent.js",
    from: "const VERDICT_MS = 25_000;",
    to: "const VERDICT_MS = 3_600_000;",
    test: BOARD,
    seen: /Error: after a while/,
  },
  "a font from elsewhere": {
    path: "/",
    from: '<link rel="stylesheet" href="/counter.css">',
    to: '<link rel="stylesheet" href="/counter.css"><link rel="stylesheet" href="http://example.invalid/font.css">',
    test: HOST,
    seen: /example\.invalid/,
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
  "keys: the keypad is read by its lock": {
    path: "/keys.js",
    from: "  if (digit) return digit[1];\n",
    to: "",
    test: KEYPAD,
    seen: /Expected: "864297"/,
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
    seen: /Error: buttons that Tab does not reach[^]*"Tiroir"/,
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
    seen: /Error: questions that waited for those of the other page/,
  },
  "the player is told the next draw of a device that is gone": {
    path: "/customer.js",
    from: '    at("draw").replaceChildren();\n',
    to: "",
    test: PLAYER,
    seen: /locator\('#draw'\)\nExpected: empty/,
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
  "a draw that lacks a ball": {
    path: "/agent.js",
    from: "...last.balls.map(",
    to: "...last.balls.slice(1).map(",
    test: BOARD,
    seen: /locator\('#balls > li'\)\nExpected: 20\nReceived: 19/,
  },
};
