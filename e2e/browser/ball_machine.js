// A machine that reads its own balls, whose balls fall when a test lets them: it answers as
// docs/ball-line.md says, and is silent, stopped or away when it is told to. What the simulated one does
// by its clock is seen as it passes; here each state stands until it has been looked at.
// @ts-check
import { once } from "node:events";
import { createServer } from "node:net";
import { crc32 } from "node:zlib";

/** Where machines listen, and nothing else does: the port of one that is away is not another program's. */
const HOST = "127.0.0.3";
/** The set of balls in it. */
const SET = "B-2";
/** It has no clock. */
const NO_CLOCK = 0;
const DRAWN = 20;

/** A frame as it goes over the wire. @param {...(string | number)} fields */
const frame = (...fields) => {
  const said = fields.join(",");
  return `${said},${crc32(said).toString(16).toUpperCase().padStart(8, "0")}\r`;
};

export class BallMachine {
  /** Balls as they will fall. @type {number[]} */
  balls;
  /** So many have fallen. */
  fallen = 0;
  isSilent = false;
  /** It says of itself that it is stopped. */
  isStopped = false;
  port = 0;
  /** @type {import("node:net").Server | null} */
  #server = null;
  /** @type {Set<import("node:net").Socket>} */
  #wires = new Set();

  /** @param {number[]} balls */
  constructor(balls) {
    this.balls = balls;
  }

  get address() {
    return `${HOST}:${this.port}`;
  }

  /** It is there, at the port that it had before. */
  async plugIn() {
    this.#server = createServer((wire) => {
      this.#wires.add(wire);
      let heard = "";
      wire.on("data", (bytes) => {
        const lines = (heard + bytes.toString("latin1")).split("\r");
        heard = lines.pop() ?? "";
        for (const line of lines) this.#answer(wire, line.trim());
      });
      wire.on("error", () => wire.destroy());
      wire.on("close", () => this.#wires.delete(wire));
    });
    this.#server.listen(this.port, HOST);
    await once(this.#server, "listening");
    this.port = /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
  }

  /** Its wire is cut, and nobody answers where it was. */
  async unplug() {
    const server = this.#server;
    if (!server) return;
    this.#server = null;
    const closed = once(server, "close");
    server.close();
    for (const wire of this.#wires) wire.destroy();
    await closed;
  }

  /** @param {import("node:net").Socket} wire @param {string} line */
  #answer(wire, line) {
    const [asks, draw, next] = line.split(",");
    if (asks !== "Q" || this.isSilent) return;
    // Of no draw it says that it is there.
    const fallen = Number(draw) === 0 ? 0 : this.fallen;
    const standing = this.isStopped ? "X" : fallen === DRAWN ? "E" : "A";
    for (let at = Number(next); at <= fallen; at += 1) wire.write(frame("B", draw, at, this.balls[at - 1], SET, NO_CLOCK));
    wire.write(frame(standing, draw, fallen, SET, NO_CLOCK));
  }
}
