// Faults of a screen that opens, waits or ends under the hands of whoever types.
// @ts-check

const TYPED = "what is typed while a sign-on is at work";
const ENTER = "an Enter that follows a PIN";
const ENDED = "what was asked for in a session";
const MEANWHILE = "a movement that is given";
const SILENT = "a device that falls silent in a sale";

/** @type {Record<string, import("../planted.js").Planted>} */
export const OF_ENTERING = {
  "entering: the rest of a PIN is a slip": {
    path: "/counter.js",
    from: "if (!wasAtWork && isAtWork()) entering.disarm();",
    to: "",
    test: TYPED,
    seen: /typed on after the PIN/,
  },
  "entering: the Enter of a PIN sells": {
    path: "/counter.js",
    from: "if (!entering.isArmed && ",
    to: "if (false && ",
    test: ENTER,
    seen: /sold by an Enter that followed a PIN|#sell, .confirm/,
  },
  "entering: a float is typed twice": {
    path: "/keys.js",
    from: "if (field.readOnly) return;",
    to: "",
    test: TYPED,
    seen: /typed twice/,
  },
  "entering: nothing says that a sign-on is at work": {
    path: "/shift.js",
    from: "const working = this.isBusy ?",
    to: "const working = false ?",
    test: TYPED,
    seen: /#sign-on .working/,
  },
  "entering: a session that has ended takes what it said with it": {
    path: "/device.js",
    from: "sessionEnded(reply);",
    to: "void reply;",
    test: ENDED,
    seen: /Cette session est terminée/,
  },
  "entering: a command that is given while another waits is dropped": {
    path: "/shift.js",
    from: "const done = this.#turn.then(() => this.#ask(path, body));",
    to: "const done = this.isBusy ? Promise.resolve(null) : this.#turn.then(() => this.#ask(path, body));",
    test: MEANWHILE,
    seen: /Timeout|timeout/,
  },
  "entering: nobody says to keep the money of a silent device apart": {
    path: "/sale.js",
    from: "if (isSilent(reply))",
    to: "if (false)",
    test: SILENT,
    seen: /gardez cet argent/,
  },
};
