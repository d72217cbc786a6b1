// Faults of what is done with a ticket: paid, presented, refused, cancelled.
// @ts-check

const REFUND = "a refund of a ticket";
const PRESENTED = "tickets are presented one after";
const RECEIPT = "a receipt that did not come out";
const AWAY = "a ticket scanned while central is away";
const REFUSED = "a holder who is refused";
const PAYOUTS = "a prize above the limit";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_TICKETS = {
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
  "the PIN stays": {
    path: "/ask.js",
    from: "      dialog.replaceChildren();\n",
    to: "",
    test: REFUND,
    seen: /locator\('#ask'\)\.locator\('input'\)\nExpected: 0/,
  },
  "a refusal without words": {
    path: "/device.js",
    from: "reply.said.filter((one) => withFacts || !one.is_fact)",
    to: "reply.said.filter((one) => one.is_fact)",
    test: REFUND,
    seen: /Expected substring: "Rien n’a été remboursé\."/,
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
