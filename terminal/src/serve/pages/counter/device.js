// What the screen asks of its own device. It never asks central.
// @ts-check
import { say, t } from "/words.js";

/**
 * What a person is told, and whether it is bad.
 * @typedef {{tone: string, words: () => string}} Told
 *
 * @typedef {object} Ended
 * @property {string} exit
 * @property {{is_fact: boolean, fr: string, en: string}[]} said
 * @property {any} fact
 * @property {any} problem
 */

/** The name of a question that the device did not answer. */
const DEVICE_SILENT = "device_silent";
/** The name of the refusal in a session that has ended. */
const SESSION_ENDED = "session_ended";

/** @param {string} exit @param {string} fr @param {string} en @param {any} [problem] @returns {Ended} */
const ended = (exit, fr, en, problem = null) => ({
  exit,
  said: [{ is_fact: false, fr, en }],
  fact: null,
  problem,
});

/**
 * Asks the device. A refusal of its own ends like one of central.
 * @param {string} path @param {unknown} [body] @returns {Promise<any>}
 */
export const post = async (path, body) => {
  try {
    const answer = await fetch(`/agent/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Boulier-Page": "1" },
      body: JSON.stringify(body ?? {}),
    });
    const reply = await answer.json();
    if (reply.title) return ended("refused", reply.title.fr, reply.title.en, { ...reply, is_of_device: true });
    if (reply.exit === "refused" && nameOf(reply) === SESSION_ENDED) sessionEnded(reply);
    if (!QUIET.includes(path) && (reply.exit ?? "done") === "done") done();
    return reply;
  } catch {
    return ended("failed", "Ce terminal ne répond pas : appelez le technicien.", "This terminal does not answer: call the technician.", { name: DEVICE_SILENT });
  }
};

/** What the page asks by itself, whatever a person does. */
const QUIET = ["here", "draft", "scans", "scans/read", "checks"];

let done = () => {};

/** Hears that what a person gave was done. @param {() => void} told */
export const onDone = (told) => void (done = told);

/** @type {(reply: Ended) => void} */
let sessionEnded = () => {};

/** Hears of a command in a session that central had ended before: nothing came of it. @param {(reply: Ended) => void} told */
export const onSessionEnded = (told) => (sessionEnded = told);

/** A hand is told of so often. */
const HAND_MS = 2_000;
let handAt = -HAND_MS;

/** A hand is at the screen: it does not lock itself. */
export const here = () => {
  if (performance.now() - handAt < HAND_MS) return;
  handAt = performance.now();
  post("here");
};

/** Chromium makes a question wait while another page asks the same, if it may keep the answer. */
const ASKED_ALONE = /** @type {const} */ ({ cache: "no-store" });

/** @param {string} path */
export const get = async (path) => (await fetch(`/agent/${path}`, ASKED_ALONE)).json();

/**
 * A question that may be asked again before it was answered: the answer to the newest one counts.
 * @param {string} path
 * @param {object} by
 * @param {(answer: any) => void} by.answered
 * @param {() => void} by.silent the device did not answer
 */
export const asking = (path, { answered, silent }) => {
  let asked = 0;
  return async () => {
    asked += 1;
    const number = asked;
    const answer = await get(path).catch(() => null);
    if (number !== asked) return;
    if (answer === null) silent();
    else answered(answer);
  };
};

/**
 * The rules of a slip by its first draw, which later ones may govern; those of the next draw where
 * they are not known here.
 * @param {any} house @param {number | null} first
 */
export const rulesFor = (house, first) => {
  const later = house.later.findLast((/** @type {any} */ one) => first !== null && one.from_draw <= first);
  return later?.rules ?? house.rules;
};

/** The device knows all the rules that govern what is on sale. @param {any} house */
export const isWhole = (house) => house.rules && house.later.every((/** @type {any} */ one) => one.rules);

/** What a command is called where people talk of it. @param {any} item @param {any} state */
export const commandName = (item, state) => `${t(`kind.${item.kind ?? "sale"}`)} ${item.device ?? state.device}-${item.key.session}-${item.key.counter}`;

/** The stable name of why a command was refused. @param {Ended} reply @returns {string} */
export const nameOf = (reply) => reply.problem?.name ?? reply.problem?.type?.split("/").pop() ?? "";

/**
 * Central was not there, and nothing has happened: the device knew it, or heard so when it asked.
 * @param {Ended} reply
 */
export const isAway = (reply) => reply.exit === "central_unreachable" || ["central_away", "central_unproven"].includes(nameOf(reply));

/** The device itself did not answer. @param {Ended} reply */
export const isSilent = (reply) => nameOf(reply) === DEVICE_SILENT;

/** Nobody has said what became of it: it may have happened. @param {Ended} reply */
export const isUnanswered = (reply) => reply.exit === "in_doubt" || isSilent(reply);

/**
 * What a command said, for a person: its sentences, facts too where they are wanted.
 * @param {Ended} reply @param {boolean} [withFacts]
 * @returns {Told[]}
 */
export const toldBy = (reply, withFacts = false) =>
  reply.said.filter((one) => withFacts || !one.is_fact).map((one) => ({ tone: reply.exit === "done" ? "note" : "bad", words: () => say(one) }));

// The device answers within two seconds, changed or not.
const PATIENCE_MS = 4000;
const AGAIN_MS = 500;

/** @type {((state: any) => void)[]} */
const seeing = [];

/** Tells each new state of the device too, where the page watches it. @param {(state: any) => void} sees */
export const onState = (sees) => void seeing.push(sees);

/**
 * Tells each new state of the device, and when it falls silent.
 * @param {(state: any) => void} shows @param {() => void} gone
 */
export const watch = (shows, gone) => {
  let change = 0;
  const turn = async () => {
    let state;
    try {
      const path = change ? `/agent/state?after=${change}` : "/agent/state";
      const answer = await fetch(path, { ...ASKED_ALONE, signal: AbortSignal.timeout(PATIENCE_MS) });
      state = await answer.json();
    } catch {
      change = 0;
      gone();
      setTimeout(turn, AGAIN_MS);
      return;
    }
    // Before it is shown: what fails there is an error of the page, and no silence.
    setTimeout(turn, 0);
    change = state.change;
    shows(state);
    for (const sees of seeing) sees(state);
  };
  turn();
};
