// Faults of a command in doubt, and of a terminal that is left and taken over.
// @ts-check

const DOUBT = "a sale in doubt";
const GIVEN_BACK = "a sale without paper whose money was given back";
const AWAY_AND_BACK = "by the keyboard alone: a terminal is left";
const BACK = "a terminal that nobody took over";
const TAKEN = "a neighbour is taken over";
const LEFT = "a terminal that was taken over";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_DOUBT = {
  "an inline script": {
    path: "/",
    from: "</body>",
    to: "<script>document.title = 1</script></body>",
    test: BACK,
    seen: /against the page's policy: script-src/,
  },
  "a script that is not there": {
    path: "/",
    from: '<script type="module" src="/counter.js">',
    to: '<script type="module" src="/the-counter.js">',
    test: BACK,
    seen: /status of 404 .*\/the-counter\.js/,
  },
  "a doubt that is not shown": {
    path: "/counter.js",
    from: 'if (doubts.first) return "doubt";',
    to: "",
    test: DOUBT,
    seen: /Expected: "doubt"\nReceived: "sale"/,
  },
  "a number for the next slip answers a doubt": {
    path: "/arming.js",
    from: "return performance.now() >= this.#at;",
    to: "return true;",
    test: DOUBT,
    seen: /answers of a number that came too early/,
  },
  "nothing is put aside": {
    path: "/doubts.js",
    from: 'if (item.kind === "sale") await this.#do("park", { key: item.key, money: isYes ? "kept" : "given_back" });',
    to: 'if (item.kind === "sale") return;',
    test: DOUBT,
    seen: /Expected substring: "Vente de côté/,
  },
  "a duplicate for money that went back": {
    path: "/ticket.js",
    from: "!check.money || path ===",
    to: "true || path ===",
    test: GIVEN_BACK,
    seen: /locator\('#duplicate, #release'\)\nExpected: 0/,
  },
  "the wall offers a duplicate for money that went back": {
    path: "/wall.js",
    from: 'if (said !== "given_back") all.push(',
    to: "all.push(",
    test: GIVEN_BACK,
    seen: /name: 'Duplicata' \}\)\nExpected: 0/,
  },
  "money to give back that the screen says to keep": {
    path: "/doubts.js",
    from: 'if (path === "park" && reply.exit === "done") this.sale.told = toldBy(reply, true);',
    to: "",
    test: "a sale put aside whose money was given back",
    seen: /RENDEZ 6,00/,
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
    from: '    if (["to_tell", "to_hand_over"].includes(stage)) keys.push(yes(item.money === "given_back" ? "doubt.is_read" : "doubt.is_done"));',
    to: '    if (["to_tell", "to_hand_over"].includes(stage)) post("acknowledge", { key: item.key });',
    test: DOUBT,
    seen: /Expected: \"doubt\"\nReceived: \"sale\"|locator\('\.doubt'\)\nExpected(?: substring)?: \"(?:Vente non enregistrée|\(enveloppe\)|6,00|RENDEZ|false)/,
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
};
