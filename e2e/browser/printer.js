// A printer on a free port, which says what a real one says and goes wrong when it is told to.
// It answers `DLE EOT` 1 to 4 and `GS ( H` function 48, and keeps the bytes that it printed.
// @ts-check
import { once } from "node:events";
import { createServer } from "node:net";

/** The last line of every paper. */
const LAST_LINE = "*** FIN / END";
/** A state in which nothing is wrong. */
const WELL = 0x12;

/**
 * What is wrong, as it answers the four questions.
 * @type {Record<string, [number, number, number, number]>}
 */
const TROUBLES = {
  cover_open: [0x08, 0x04, 0x00, 0x00],
  out_of_paper: [0x08, 0x20, 0x00, 0x60],
  cutter: [0x08, 0x40, 0x08, 0x00],
};

/** @typedef {keyof typeof TROUBLES | "unplugged"} Break */

/**
 * Where printers listen, and nothing else does: the port of one that was unplugged is free, and
 * another program's would print what is sent to it.
 */
const HOST = "127.0.0.2";

/** What was printed between two cuts. */
export class Paper {
  /** @param {number[]} bytes */
  constructor(bytes) {
    /** Its bytes, a character each. */
    this.text = Buffer.from(bytes).toString("latin1");
  }

  /** It ends as every paper does: a person says that it came out whole. */
  get isWhole() {
    return this.text.includes(LAST_LINE);
  }

  /** The claim code on it, if its image came out. */
  get code() {
    return /KT2\d{16}[0-9A-Z]+/.exec(this.text)?.[0] ?? null;
  }

  /** Somebody could bring it to be paid. */
  get isTicket() {
    return this.isWhole && this.code !== null && !this.text.includes("NON VALIDE COMME BILLET");
  }
}

export class Printer {
  /** Papers in the order in which they came out, torn ones among them. @type {Paper[]} */
  papers = [];
  /** What is wrong with it. @type {string | null} */
  trouble = null;
  isNearEnd = false;
  /** It says when it has printed and cut. */
  confirms = true;
  address = "";

  /** @type {number[]} */
  #hanging = [];
  /** What it took and does not print while something is wrong. @type {number[]} */
  #waiting = [];
  /** @type {number[]} */
  #question = [];
  /** @type {{how: string, at: string} | null} */
  #plan = null;
  #port = 0;
  /** @type {Set<import("node:net").Socket>} */
  #lines = new Set();
  /** @type {import("node:net").Server | null} */
  #server = null;

  /** Switches it on, where it was before. */
  async plugIn() {
    this.#server = createServer((line) => {
      this.#lines.add(line);
      line.on("data", (/** @type {Buffer} */ bytes) => this.#take(line, bytes));
      line.on("error", () => line.destroy());
      line.on("close", () => this.#lines.delete(line));
    });
    this.#server.listen(this.#port, HOST);
    await once(this.#server, "listening");
    this.#port = /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
    this.address = `${HOST}:${this.#port}`;
  }

  /** Pulls its plug: what it took and had not printed is lost. */
  unplug() {
    for (const line of this.#lines) line.resetAndDestroy();
    this.#server?.close();
    this.#waiting = [];
    this.#question = [];
    this.#tear();
  }

  /**
   * Goes wrong once this stands on the paper that is being printed.
   * @param {Break} how @param {string} at
   */
  breaks(how, at) {
    this.#plan = { how: String(how), at };
  }

  /** Somebody mends it. @param {{ goesOn: boolean }} [after] whether it prints what it had taken */
  mend({ goesOn } = { goesOn: false }) {
    this.trouble = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (!goesOn) this.#tear();
    else for (const byte of waiting) this.#print(null, byte);
  }

  #tear() {
    if (this.#hanging.length > 2) this.papers.push(new Paper(this.#hanging));
    this.#hanging = [];
  }

  /** @param {import("node:net").Socket} line @param {Buffer} bytes */
  #take(line, bytes) {
    for (const byte of bytes) {
      this.#question.push(byte);
      const [first, second, third] = this.#question;
      if (first === 0x10 && (second === undefined || (second === 0x04 && third === undefined))) continue;
      if (first === 0x10 && second === 0x04 && third >= 1 && third <= 4) {
        this.#question = [];
        line.write(Uint8Array.of(this.#state(third)));
        continue;
      }
      const plain = this.#question;
      this.#question = [];
      for (const one of plain) {
        if (this.trouble) this.#waiting.push(one);
        else this.#print(line, one);
      }
      if (line.destroyed) return;
    }
  }

  /** @param {number} question */
  #state(question) {
    const bits = this.trouble ? TROUBLES[this.trouble][question - 1] : 0;
    return WELL | bits | (question === 4 && this.isNearEnd ? 0x0c : 0);
  }

  /** @param {import("node:net").Socket | null} line @param {number} byte */
  #print(line, byte) {
    this.#hanging.push(byte);
    const end = this.#hanging.slice(-11);
    const [gs, open, h, low, high, fn, m, ...id] = end;
    if (gs === 0x1d && open === 0x28 && h === 0x48 && low === 6 && high === 0 && fn === 48 && m === 48 && id.length === 4) {
      if (this.confirms) line?.write(Uint8Array.of(0x37, 0x22, ...id, 0x00));
      // The second of them comes after the cut.
      if (id[3] === 0x43) this.#tear();
      return;
    }
    const plan = this.#plan;
    if (plan && Buffer.from(this.#hanging.slice(-plan.at.length)).toString("latin1") === plan.at) {
      this.#plan = null;
      if (plan.how === "unplugged") this.unplug();
      else this.trouble = plan.how;
    }
  }
}
