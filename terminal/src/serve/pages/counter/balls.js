// Balls as they are typed at the desk: figures are never lost, and never move. Each belongs to the
// position that was shown when it was typed. Nothing here knows of the page or of time.
// @ts-check

/** @typedef {{position: number, number: number, isAgain: boolean}} Ball a ball of a position, or one that was entered and is typed again */

/**
 * Two figures make a ball; balls wait in order while the one before is on its way. What waits is dropped,
 * and said, once central waits for another position than the one that was shown.
 */
export class Balls {
  /** Figures of a ball so far. */
  typed = "";
  /** Balls that central does not have yet, the first perhaps on its way. @type {Ball[]} */
  waiting = [];
  /** For what `typed` was begun. @type {{position: number, isAgain: boolean} | null} */
  #begun = null;
  #isOnItsWay = false;
  #by;

  /**
   * @param {object} by
   * @param {(ball: Ball) => Promise<number | null | undefined>} by.enter gives a ball to central, and tells the position that central waits for then; undefined when it was not recorded
   * @param {(position: number) => number | null} by.after the position behind another of which nothing was entered
   * @param {(position: number, count: number) => void} by.dropped so many figures from that position on were not entered
   */
  constructor(by) {
    this.#by = by;
  }

  /** The position that is shown, of which the next figures are: behind what waits. @param {number | null} next the position that central waits for */
  position(next) {
    const last = this.waiting.findLast(({ isAgain }) => !isAgain);
    return last ? this.#by.after(last.position) : next;
  }

  /** What a person typed for a position, where central does not have it yet. @param {number} position */
  at(position) {
    return this.waiting.find((ball) => ball.position === position)?.number;
  }

  /** A figure, for the position that is shown. @param {string} figure @param {number} position @param {boolean} isAgain it was entered, and is typed again */
  type(figure, position, isAgain) {
    const begun = (this.#begun ??= { position, isAgain });
    this.typed += figure;
    if (this.typed.length < 2) return;
    const number = Number(this.typed);
    this.erase();
    if (number > 0) this.enter({ ...begun, number });
  }

  /** A ball, whole: typed, or touched. @param {Ball} ball */
  enter(ball) {
    this.erase();
    this.waiting.push(ball);
    this.#goOn();
  }

  /** Figures that are no ball yet are taken back. */
  erase() {
    this.typed = "";
    this.#begun = null;
  }

  /** Whoever typed it is not there any more. */
  forget() {
    this.erase();
    this.waiting = [];
  }

  async #goOn() {
    const [ball] = this.waiting;
    if (this.#isOnItsWay || !ball) return;
    this.#isOnItsWay = true;
    /** @type {number | null | undefined} */
    let next;
    try {
      next = await this.#by.enter(ball);
    } finally {
      this.#isOnItsWay = false;
      // What was forgotten meanwhile is not what waits now.
      if (this.waiting[0] === ball) this.waiting.shift();
      if (next === undefined) this.drop();
      else this.heard(next);
    }
    await this.#goOn();
  }

  /** Central waits for this position now, or for none. @param {number | null} next */
  heard(next) {
    // What is on its way answers for itself.
    if (this.#isOnItsWay) return;
    const shown = this.waiting[0] ?? this.#begun;
    if (shown && !shown.isAgain && shown.position !== next) this.drop();
  }

  /** What waits is not entered, and that is said; what is on its way answers for itself. */
  drop() {
    const left = this.#isOnItsWay ? this.waiting.slice(1) : this.waiting;
    const first = left[0] ?? this.#begun;
    const count = 2 * left.length + this.typed.length;
    this.forget();
    if (first) this.#by.dropped(first.position, count);
  }
}
