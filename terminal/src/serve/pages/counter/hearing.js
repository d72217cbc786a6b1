// What the keyboard brought, told apart: the keys of a person, and what a scanner typed. It knows
// neither the page nor a clock of its own.
// @ts-check

/** Signs that follow each other within this may be a machine's. */
const BURST_MS = 50;
/** So much longer a key is held: another may be on its way. */
const ON_ITS_WAY_MS = 10;
/** So many signs at that pace are no person's where one of them ends a scan. */
const LEAST = 4;
/** So many are none while its end may still come. */
const LEAST_OPEN = 6;
/** A scanner that was heard goes on until it has made this pause. */
export const PAUSE_MS = 300;
/** A stray sign is none of a scanner: it is told of from so many keys on. */
const LEAST_TOLD = 3;

/** What ends a scan, whichever its maker's. */
const ENDS = ["Enter", "Tab"];

/** What each key types on the keyboard that scanners are set to, plain and with Shift. @type {Record<string, string>} */
const US = {
  ...Object.fromEntries([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((one) => [`Key${one}`, one.toLowerCase() + one])),
  ...Object.fromEntries([...")!@#$%^&*("].map((shifted, digit) => [`Digit${digit}`, `${digit}${shifted}`])),
  ...Object.fromEntries([..."0123456789"].map((digit) => [`Numpad${digit}`, digit + digit])),
  ...{ Minus: "-_", Equal: "=+", BracketLeft: "[{", BracketRight: "]}", Backslash: "\\|", Semicolon: ";:", Quote: "'\"" },
  ...{ Backquote: "`~", Comma: ",<", Period: ".>", Slash: "/?", Space: "  " },
};

/**
 * A key that was pressed.
 * @typedef {object} Key
 * @property {string} name as the page calls it
 * @property {string} text what it types by the layout of this machine
 * @property {string} code its place
 * @property {boolean} shift
 * @property {number} at milliseconds of any clock that does not jump
 */

/** What it types where the scanner is set to another layout than this machine. @param {Key} key */
const byPlace = ({ code, shift, text }) => US[code]?.[shift ? 1 : 0] ?? text;

/** @param {Key} key @param {string} sign */
const isSign = (key, sign) => key.text === sign || byPlace(key) === sign;

/**
 * Takes keys with their times. One of a person is told once `BURST_MS` are over, or with the next
 * one, and Enter at once.
 *
 * - Where the scanner begins with a sign that no person types, all from it on is what it read.
 * - Without, `LEAST` keys or more with Enter or Tab among them, or `LEAST_OPEN`, with no gap above
 *   `BURST_MS`, are a scanner's that nobody has set up: they are dropped, and so is all that follows
 *   until it makes a pause. A sign where none belongs is the same at any pace.
 */
export class Hearing {
  /** The sign with which the scanner begins; empty where it has none. */
  start = "";
  /** @type {{key: Key, look: () => {isForeign: boolean}, aim: {isForeign: boolean}}[]} */
  #held = [];
  /** Keys that followed each other at a machine's pace, held or told, and whether one ends a scan. */
  #run = { count: 0, hasEnd: false };
  /** @type {any} */
  #timer = null;
  #last = -Infinity;
  #swallowsUntil = -Infinity;
  #swallowed = 0;
  /** What a scanner with a sign of its own has read so far. @type {Key[] | null} */
  #read = null;
  /** What it read was told, and its pause is not over. */
  #hasRead = false;
  #by;

  /**
   * @param {object} by
   * @param {(key: Key, aim: any) => boolean} by.typed a key of a person, and what it was for; true when it led elsewhere
   * @param {(read: string[]) => void} by.scanned what a scanner read: by the layout of this machine, and by its own
   * @param {() => void} by.heard a scanner that nobody set up typed something: nothing comes of it
   * @param {(act: () => void, ms: number) => any} [by.later]
   * @param {(timer: any) => void} [by.never]
   * @param {() => number} [by.now] by the clock of the keys
   */
  constructor({ typed, scanned, heard, later = (act, ms) => setTimeout(act, ms), never = (timer) => clearTimeout(timer), now = () => performance.now() }) {
    this.#by = { typed, scanned, heard, later, never, now };
  }

  /** A scanner is at work: a key that comes at this time is its own. @param {number} at */
  isBusyAt(at) {
    return at <= this.#swallowsUntil;
  }

  /**
   * @param {Key} key
   * @param {() => {isForeign: boolean}} look what it is for once the keys before it are done, and whether no such sign belongs there
   * @param {boolean} [isOfPage] the page itself does it at once, where it is no scanner's: it is not told
   */
  take(key, look, isOfPage = false) {
    const gap = key.at - this.#last;
    this.#last = key.at;
    const isBusy = this.isBusyAt(key.at);
    // Behind the end of one scan another may follow at once.
    if (this.start !== "" && isSign(key, this.start) && (!isBusy || this.#hasRead)) {
      this.flush();
      this.#hasRead = false;
      this.#read = [];
      this.#swallowsUntil = key.at + PAUSE_MS;
      this.#wait(PAUSE_MS, key.at, () => this.#tellRead());
      return;
    }
    if (isBusy) {
      this.#swallow(key);
      return;
    }
    this.#hasRead = false;
    // A scanner's end may be late; what else comes later than that begins something else.
    if (gap > (ENDS.includes(key.name) ? this.#patience() : BURST_MS)) {
      this.flush();
      this.#run = { count: 0, hasEnd: false };
    }
    const aim = look();
    this.#run.count += 1;
    this.#run.hasEnd ||= ENDS.includes(key.name);
    if (aim.isForeign || this.#isScan()) {
      this.#drop(key.at);
      return;
    }
    if (!isOfPage) this.#held.push({ key, look, aim });
    if (isOfPage || ENDS.includes(key.name)) this.flush();
    else this.#wait(this.#patience(), key.at, () => this.flush());
  }

  /** What is held waits so long for what follows. */
  #patience() {
    return this.#run.count >= LEAST ? PAUSE_MS : BURST_MS;
  }

  #isScan() {
    return this.#run.count >= LEAST_OPEN || (this.#run.count >= LEAST && this.#run.hasEnd);
  }

  /** Waits for the next key, and longer where the machine was late with this one. @param {number} ms @param {number} at @param {() => void} act */
  #wait(ms, at, act) {
    this.#by.never(this.#timer);
    this.#timer = this.#by.later(act, ms + ON_ITS_WAY_MS + Math.min(PAUSE_MS, Math.max(0, this.#by.now() - at)));
  }

  /** A scanner goes on. @param {Key} key */
  #swallow(key) {
    this.#swallowsUntil = key.at + PAUSE_MS;
    if (this.#read === null) {
      this.#tellHeard(1);
      return;
    }
    if (ENDS.includes(key.name)) {
      this.#tellRead();
      return;
    }
    this.#read.push(key);
    this.#wait(PAUSE_MS, key.at, () => this.#tellRead());
  }

  #tellRead() {
    this.#by.never(this.#timer);
    const read = this.#read ?? [];
    this.#read = null;
    this.#hasRead = true;
    // What comes up to the pause is more of the same: it is swallowed, and nobody has to be told.
    this.#swallowed = LEAST_TOLD;
    if (read.length > 0) this.#by.scanned([read.map(({ text }) => text).join(""), read.map(byPlace).join("")]);
  }

  /** @param {number} at */
  #drop(at) {
    this.#by.never(this.#timer);
    // What a person typed beside a stray sign is lost, and that is said at once.
    const lost = this.#held.length > 0 ? LEAST_TOLD : 1;
    this.#held = [];
    this.#swallowsUntil = at + PAUSE_MS;
    this.#swallowed = 0;
    this.#tellHeard(lost);
  }

  /** @param {number} more */
  #tellHeard(more) {
    const before = this.#swallowed;
    this.#swallowed += more;
    if (before < LEAST_TOLD && this.#swallowed >= LEAST_TOLD) this.#by.heard();
  }

  /** Tells what is held. */
  flush() {
    if (this.#read !== null) return;
    this.#by.never(this.#timer);
    const held = this.#held;
    this.#held = [];
    let hasLed = false;
    // Where one has led elsewhere, the next ones were for what it led to.
    for (const { key, look, aim } of held) hasLed = this.#by.typed(key, hasLed ? look() : aim) || hasLed;
  }
}
