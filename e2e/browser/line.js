// The line from the agents to central, on a thread of its own: whatever a test is busy with, an agent
// hears central. A command can be made to fall on a central that has just fallen silent: nothing at
// the page could be so exact, because the price is asked a moment before.
// @ts-check
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {object} Fall
 * @property {string} path of the command that falls
 * @property {number} pid of central, which falls silent at that
 * @property {boolean} isTaken central has taken the command, and its answer is lost
 */

export class Line {
  address = "";
  /** @type {Worker | null} */
  #worker = null;

  /** @param {string} central */
  async lay(central) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: central });
    [this.address] = await once(this.#worker, "message");
  }

  /** The next command of this kind does not come to central, which falls silent. @param {string} path @param {number | undefined} pid */
  falls(path, pid) {
    this.#worker?.postMessage({ fall: { path, pid, isTaken: false } });
  }

  /** Central takes the next command of this kind and falls silent before anybody hears its answer. @param {string} path @param {number | undefined} pid */
  isTakenUnheard(path, pid) {
    this.#worker?.postMessage({ fall: { path, pid, isTaken: true } });
  }

  /** Central takes the next command of this kind; nobody hears its answer, nor anything else until the line is mended. @param {string} path */
  isCutAfter(path) {
    this.#worker?.postMessage({ cutAfter: path });
  }

  mends() {
    this.#worker?.postMessage({ isMended: true });
  }

  /** Whether the agents hear what is on sale. @param {boolean} isHidden */
  hidesWhatIsOnSale(isHidden) {
    this.#worker?.postMessage({ isHidden });
  }

  async close() {
    await this.#worker?.terminate();
  }
}

const serve = async () => {
  const [host, port] = String(workerData).split(":");
  /** @type {Fall | null} */
  let fall = null;
  let isHidden = false;
  /** @type {string | null} */
  let cutAfter = null;
  let isCut = false;
  parentPort?.on("message", (told) => {
    if (told.fall) fall = told.fall;
    else if (told.cutAfter) cutAfter = told.cutAfter;
    else if (told.isMended) isCut = false;
    else isHidden = told.isHidden;
  });
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    let isLost = false;
    /** @type {Fall | null} */
    let unheard = null;
    // What is cut after is heard whole: its body may come behind its head.
    let isLast = false;
    near.on("data", (bytes) => {
      if (isCut && !isLast) isLost = true;
      if (cutAfter && bytes.includes(`POST /api/v1${cutAfter} `)) {
        cutAfter = null;
        isCut = true;
        isLast = true;
      }
      if (fall && bytes.includes(`POST /api/v1${fall.path} `)) {
        if (fall.isTaken) unheard = fall;
        else {
          isLost = true;
          process.kill(fall.pid, "SIGSTOP");
        }
        fall = null;
      }
      if (isHidden && bytes.includes("GET /api/v1/counter ")) isLost = true;
      if (!isLost) far.write(bytes);
    });
    far.on("data", (bytes) => {
      if (isCut) near.destroy();
      else if (unheard) {
        process.kill(unheard.pid, "SIGSTOP");
        near.destroy();
      } else near.write(bytes);
    });
    for (const [one, other] of [[near, far], [far, near]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  parentPort?.postMessage(`127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`);
};

if (!isMainThread) await serve();
