// Faults of the pages that the tests must see, planted on the way between agent and browser when
// BOULIER_PLANTED names one. `npm run prove` plants them all, one after the other.
// @ts-check

/**
 * @typedef {object} Planted
 * @property {string} path the file of the pages
 * @property {string} from what stands there, exactly once
 * @property {string} to what stands there instead
 * @property {string} [more] what stands at the end of the file
 * @property {string} test which test must see it
 * @property {RegExp} seen how it must be seen
 */

const SALE = "a ticket is sold";
const REFUND = "a refund of a ticket";
const DOUBT = "a sale in doubt";
const BACK = "a terminal that nobody took over";
const TAKEN = "a neighbour is taken over";
const LEFT = "a terminal that was taken over";
const PRINTER = "a test page is printed";
const SCANNER = "a scan is named";
const BOARD = "board and kiosk";
const WALL = "the wall shows a terminal";
const APPROVAL = "an approval at the wall";
const MESSAGE = "a message is read";

const WIPE = 'if (pin) /** @type {HTMLInputElement} */ (pin).value = "";';

/** @type {Record<string, Planted>} */
export const PLANTED = {
  "the fields are read after the PIN is wiped": {
    path: "/hand_over.js",
    from: 'COMMANDS["take-over"] = async',
    to: "const take = async",
    more: `document.querySelector('form[data-command="take-over"]').addEventListener("submit", (event) => {
      event.preventDefault();
      take(new FormData(event.target), event.target);
    });`,
    test: TAKEN,
    seen: /T01 repris ici/,
  },
  "an error in a handler": {
    path: "/agent.js",
    from: 'async () => say(await post("sign-off"))',
    to: 'async () => { say(await post("sign-off")); throw new Error("planted"); }',
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
    from: '<script type="module" src="/hand_over.js">',
    to: '<script type="module" src="/hand-over.js">',
    test: BACK,
    seen: /status of 404/,
  },
  "a price of another slip": {
    path: "/agent.js",
    from: "quick_pick: spots, wager_cents: wager",
    to: "quick_pick: spots, wager_cents: wager + 100",
    test: SALE,
    seen: /MISE TOTALE 8,00/,
  },
  "one key sells twice": {
    path: "/agent.js",
    from: 'if (sale) say(await post("sales", sale));',
    to: 'if (sale) say(await post("sales", sale) && (await post("sales", sale)));',
    test: SALE,
    seen: /papers that came out|toMatch/,
  },
  "a float that does not arrive": {
    path: "/agent.js",
    from: 'pin: form.get("pin"), float_cents }',
    to: 'pin: form.get("pin"), float_cents: null }',
    test: SALE,
    seen: /papers that came out|Monnaie/,
  },
  "the PIN stays": { path: "/agent.js", from: WIPE, to: "", test: REFUND, seen: /toHaveValue/ },
  "the next clerk finds what this one typed": {
    path: "/agent.js",
    from: '// Badge and float of who comes next are not those of who was here.\n    if (ended.exit === "done") page.reset();',
    to: "",
    test: SALE,
    seen: /toHaveValue/,
  },
  "the next clerk pays what this one checked": {
    path: "/agent.js",
    from: "if (onDuty !== undefined && onDuty !== state.badge) forget();",
    to: "",
    test: SALE,
    seen: /locator\('#cancel'\)/,
  },
  "a code that was checked stays in the field": {
    path: "/agent.js",
    from: 'whoever reads the code can claim by it.\n    if (ended.exit === "done") page.reset();',
    to: "",
    test: SALE,
    seen: /toHaveValue/,
  },
  "a refusal without words": {
    path: "/agent.js",
    from: '[...ended.told, ...ended.noted].join("\\n")',
    to: 'ended.told.join("\\n")',
    test: REFUND,
    seen: /Rien n’a été remboursé/,
  },
  "a doubt that is not shown": {
    path: "/agent.js",
    from: 'section.hidden = state.handed_out || (state.open.length === 0 && state.busy !== "asking");',
    to: "section.hidden = true;",
    test: DOUBT,
    seen: /toBeVisible/,
  },
  "nothing is put aside": {
    path: "/agent.js",
    from: 'post("park", { key: state.asking })',
    to: 'Promise.resolve({ exit: "done", told: [], noted: [] })',
    test: DOUBT,
    seen: /Mise de côté/,
  },
  "the clerk's key is not told to the agent": {
    path: "/agent.js",
    from: 'post("acknowledge", { key: item.key })',
    to: 'Promise.resolve({ exit: "done", told: [], noted: [] })',
    test: DOUBT,
    seen: /toHaveCount/,
  },
  "a doubt that ends by itself": {
    path: "/agent.js",
    from: 'row.append(button("C’est fait", () =>',
    to: 'post("acknowledge", { key: item.key }); row.append(button("C’est fait", () =>',
    test: DOUBT,
    seen: /RENDEZ|C’est fait/,
  },
  "another code than the image": {
    path: "/hand_over.js",
    from: "answer.code.replace(",
    to: "(answer.code + 'A').replace(",
    test: BACK,
    seen: /toBe\(expected\)/,
  },
  "a counter that stays on a terminal that is left": {
    path: "/hand_over.js",
    from: '["sign-on", "counter", "leaving"]',
    to: '["sign-on", "leaving"]',
    test: BACK,
    seen: /locator\('#counter'\)/,
  },
  "nothing is taken back": {
    path: "/hand_over.js",
    from: 'post("take-back")',
    to: 'post("hand-out", { draft: null })',
    test: BACK,
    seen: /locator\('#handed-out'\)/,
  },
  "what was left is not listed": {
    path: "/hand_over.js",
    from: "section.hidden = state.left.length === 0",
    to: "section.hidden = true",
    test: LEFT,
    seen: /locator\('#left'\)/,
  },
  "a terminal that was handed over offers a sign-on": {
    path: "/hand_over.js",
    from: ' || state.central.state === "handed_over";',
    to: ";",
    test: LEFT,
    seen: /locator\('#sign-on'\)/,
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
    seen: /data-state/,
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
  const { path, from, to, more = "" } = PLANTED[name];
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      const parts = (await response.text()).split(from);
      // The test must not pass because the page has changed.
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${from}`);
      await route.fulfill({ response, body: parts.join(to) + more });
    },
  );
};
