// What the screen asks of its own device. It never asks central.
// @ts-check
import { say } from "/words.js";

/**
 * @typedef {object} Ended
 * @property {string} exit
 * @property {{is_fact: boolean, fr: string, en: string}[]} said
 * @property {any} fact
 * @property {any} problem
 */

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
    return reply;
  } catch {
    return ended("failed", "Ce terminal ne répond pas : appelez le technicien.", "This terminal does not answer: call the technician.");
  }
};

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
 * The rules of a slip by its first draw, which later ones may govern; those of the next draw where
 * they are not known here.
 * @param {any} house @param {number | null} first
 */
export const rulesFor = (house, first) => {
  const later = house.later.findLast((/** @type {any} */ one) => first !== null && one.from_draw <= first);
  return later?.rules ?? house.rules;
};

/** The stable name of why a command was refused. @param {Ended} reply @returns {string} */
export const nameOf = (reply) => reply.problem?.name ?? reply.problem?.type?.split("/").pop() ?? "";

/** Central was not asked, because it was not there: nothing has happened. @param {Ended} reply */
export const isAway = (reply) => ["central_away", "central_unproven"].includes(nameOf(reply));

/**
 * What a command said, for a person: its sentences, facts too where they are wanted.
 * @param {Ended} reply @param {boolean} [withFacts]
 * @returns {{tone: string, words: () => string}[]}
 */
export const toldBy = (reply, withFacts = false) =>
  reply.said.filter((one) => withFacts || !one.is_fact).map((one) => ({ tone: reply.exit === "done" ? "note" : "bad", words: () => say(one) }));

// The device answers within two seconds, changed or not.
const PATIENCE_MS = 4000;
const AGAIN_MS = 500;

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
  };
  turn();
};
