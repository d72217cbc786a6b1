// A scanner that types like a keyboard, told from a person by its pace. Its keys reach no field.
// @ts-check

/** A person does not press two keys within this; a scanner does. */
const GAP_MS = 30;
/** Fewer keys at that pace are a person's: a bounce, or two fingers. */
const LEAST = 6;
/** Keys are judged by when they were pressed; one that a busy machine brings late is waited for. */
const HOLD_MS = 45;
/** So much longer at most, where the machine was late with the key before. */
const LATE_MS = 300;
/** A scanner that has begun makes a pause of less. */
const PAUSE_MS = 300;
/** Its Enter, which ends it, may be held up by the machine: it is waited for so long. */
const HELD_UP_MS = 2000;

/**
 * Takes keys with their times, and tells scans from typing. A key of a person is told after
 * `HOLD_MS`, or with the next one.
 */
export class Wedge {
  /** @type {{key: string, event: any, at: number}[]} */
  #held = [];
  /** @type {any} */
  #timer = null;
  #told;
  #scanned;
  #later;
  #never;
  #now;

  /**
   * @param {object} by
   * @param {(key: string, event: any) => void} by.typed a key of a person
   * @param {(text: string) => void} by.scanned what a scanner read
   * @param {(act: () => void, ms: number) => any} [by.later]
   * @param {(timer: any) => void} [by.never]
   * @param {() => number} [by.now] by the clock of the keys
   */
  constructor({ typed, scanned, later = setTimeout, never = clearTimeout, now = () => performance.now() }) {
    this.#told = typed;
    this.#scanned = scanned;
    this.#later = (/** @type {() => void} */ act, /** @type {number} */ ms) => later(act, ms);
    this.#never = (/** @type {any} */ timer) => never(timer);
    this.#now = now;
  }

  /** A key that a scanner could have sent: a digit, a capital letter, or Enter. @param {string} key */
  static isOfScanner(key) {
    return /^[0-9A-Za-z]$/.test(key) || key === "Enter";
  }

  /** @param {string} key @param {() => any} aim its event, once what a person pressed before it is done @param {number} at milliseconds of any clock that does not jump */
  take(key, aim, at) {
    const last = this.#held[this.#held.length - 1];
    if (last && at - last.at > this.#gap()) this.flush();
    const event = aim();
    // A scan does not begin with its end: the key that sells is not held up.
    if (key === "Enter" && this.#held.length === 0) {
      this.#told(key, event);
      return;
    }
    this.#never(this.#timer);
    this.#held.push({ key, event, at });
    // The end of a scan; Enter of a person follows nothing so soon.
    if (key === "Enter" && this.#isScan()) {
      this.flush();
      return;
    }
    const late = Math.min(LATE_MS, Math.max(0, this.#now() - at));
    this.#timer = this.#later(() => this.flush(), this.#isScan() ? HELD_UP_MS : HOLD_MS + late);
  }

  /** The next key comes within this of the last one, or begins something else. */
  #gap() {
    return this.#isScan() ? PAUSE_MS : GAP_MS;
  }

  #isScan() {
    return this.#held.filter((one) => one.key !== "Enter").length >= LEAST;
  }

  /** Tells what is held. */
  flush() {
    this.#never(this.#timer);
    const held = this.#held;
    const isScan = this.#isScan();
    this.#held = [];
    if (isScan) {
      this.#scanned(held.filter((one) => one.key !== "Enter").map((one) => one.key.toUpperCase()).join(""));
      return;
    }
    for (const { key, event } of held) this.#told(key, event);
  }
}
