// What has just come takes no answer at once: a tap or a key that was meant for what was there before
// is none.
// @ts-check

/** So long nothing is answered. */
const ARMS_MS = 800;

export class Arming {
  #at = 0;
  #changed;

  /** @param {() => void} changed told once an answer is taken again */
  constructor(changed) {
    this.#changed = changed;
  }

  /** No answer is taken from now on, for a short while. */
  disarm() {
    this.#at = performance.now() + ARMS_MS;
    setTimeout(() => this.#changed(), ARMS_MS + 20);
  }

  get isArmed() {
    return performance.now() >= this.#at;
  }
}
