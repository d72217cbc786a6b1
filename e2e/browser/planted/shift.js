// Faults of a shift: the till, the count, the lock.
// @ts-check

const LOCK = "a locked screen keeps";
const LEFT_ALONE = "a counter that nobody touches";
const WALK = "Enter goes from badge to PIN to float";
const TILL = "the till is filled";
const SHIFT = "by the keyboard alone: a shift";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_SHIFT = {
  "Enter on the PIN signs on without a till": {
    path: "/keys.js",
    from: "if (next) next.focus();\n    else field.form",
    to: "if (next) next.focus();\n    field.form",
    test: WALK,
    seen: /signed on before the float was typed/,
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
    from: 't("till.close_anothers", { badge: holder ?? "" }) : t("till.close_text"),',
    to: 't("till.close_anothers", { badge: holder ?? "" }) : "235,50",',
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
  "an answer that is a fault": {
    path: "/agent/here",
    from: "",
    to: "",
    status: 503,
    test: LOCK,
    seen: /status of 503/,
  },
};
