// Faults of the page of the staff, and of the wall beside it.
// @ts-check

const RECORD = "two administrators record a person";
const RESET = "a supervisor at the back office gives";
const WALL = "the wall of the back office";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_STAFF = {
  "staff: what was typed is lost with a refusal": {
    path: "/staff.js",
    from: "typed = rest;",
    to: "typed = { person: rest.person };",
    test: RECORD,
    seen: /4750/,
  },
  "staff: why nobody was recorded stands behind the box": {
    path: "/staff.js",
    from: 'parts: wrong ? [el("p", { class: "fault", role: "alert" }, wrong)] : [],',
    to: "parts: [],",
    test: RECORD,
    seen: /alert/,
  },
  "staff: who was recorded is forgotten before they are told of": {
    path: "/staff.js",
    from: "?? people?.[0];",
    to: '?? (people ? people.find(({ badge }) => badge === (chosen = people?.[0]?.badge ?? "")) : undefined);',
    test: RECORD,
    seen: /who was recorded is chosen/,
  },
  "staff: a key loses a card that is shown once": {
    path: "/ask.js",
    from: "if (!isShown) done(null);",
    to: "done(null);",
    test: RECORD,
    seen: /no key loses a card/,
  },
  "staff: people stay on a locked screen": {
    path: "/staff.js",
    from: "else if (reply.status !== 503) people = null;",
    to: "",
    test: RECORD,
    seen: /tbody tr/,
  },
  "staff: a PIN that was said once stays in the page": {
    path: "/ask.js",
    from: "      // A PIN does not stay in the page.\n      dialog.replaceChildren();",
    to: "",
    test: RESET,
    seen: /a PIN that was said once/,
  },
  "staff: a supervisor is offered what is for administrators": {
    path: "/staff.js",
    from: 'if (roles.has("administrator")) {',
    to: "if (true) {",
    test: RESET,
    seen: /Nouvelle personne/,
  },
  "the counter: a PIN that others set opens no box": {
    path: "/shift.js",
    from: "if (reply && nameOf(reply) === PIN_MUST_CHANGE) {",
    to: "if (reply?.problem?.name === PIN_MUST_CHANGE) {",
    test: RESET,
    seen: /Choisir son NIP/,
  },
  "staff: keys in a hurry send a PIN away": {
    path: "/ask.js",
    from: 'isShown ? form.querySelector(".seen") : waiting',
    to: 'isShown ? form.querySelector("button:not([type])") : waiting',
    test: RESET,
    seen: /no key loses a PIN/,
  },
  "a card stands where its scanner typed it": {
    path: "/ask.js",
    from: 'target.name.endsWith("badge") && CARD.test',
    to: "false && CARD.test",
    test: RECORD,
    seen: /D002/,
  },
  "the wall of an office says that it is a counter": {
    path: "/wall.js",
    from: 'at("counter").dataset.t = "wall.office";',
    to: "",
    test: WALL,
    seen: /Bureau/,
  },
};
