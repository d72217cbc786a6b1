// The lines from the agents to central, on a thread of their own: whatever a test is busy with, an agent
// hears central. One thread has the lines of all houses of a process. A command can be made to fall on a
// central that has just fallen silent: nothing at the page could be so exact, because the price is asked
// a moment before.
// @ts-check
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Worker, isMainThread, parentPort } from "node:worker_threads";

/**
 * @typedef {object} Fall
 * @property {string} path of the command that falls
 * @property {number} pid of central, which falls silent at that
 * @property {boolean} isTaken central has taken the command, and its answer is lost
 */

/** @type {Worker | null} */
let thread = null;
let lines = 0;

/** The thread of the lines, which keeps nobody from ending. */
const theThread = () => {
  thread ??= new Worker(new URL(import.meta.url));
  thread.unref();
  return thread;
};

export class Line {
  address = "";
  #number = (lines += 1);

  /** @param {string} central */
  async lay(central) {
    this.#tell({ central });
    const ours = new Promise((told) => {
      const heard = (/** @type {{ line: number, address: string }} */ { line, address }) => {
        if (line !== this.#number) return;
        theThread().off("message", heard);
        told(address);
      };
      theThread().on("message", heard);
    });
    this.address = await ours;
  }

  /** @param {object} what */
  #tell(what) {
    theThread().postMessage({ line: this.#number, ...what });
  }

  /** The next command of this kind does not come to central, which falls silent. @param {string} path @param {number | undefined} pid */
  falls(path, pid) {
    this.#tell({ fall: { path, pid, isTaken: false } });
  }

  /** Central takes the next command of this kind and falls silent before anybody hears its answer. @param {string} path @param {number | undefined} pid */
  isTakenUnheard(path, pid) {
    this.#tell({ fall: { path, pid, isTaken: true } });
  }

  /** Central takes the next command of this kind; nobody hears its answer, nor anything else until the line is mended. @param {string} path */
  isCutAfter(path) {
    this.#tell({ cutAfter: path });
  }

  mends() {
    this.#tell({ isMended: true });
  }

  /** Whether the agents hear what is on sale. @param {boolean} isHidden */
  hidesWhatIsOnSale(isHidden) {
    this.#tell({ isHidden });
  }

  close() {
    this.#tell({ isClosed: true });
  }
}

/** Lays a line. @param {string} central @returns {Promise<{ address: string, hears: (told: any) => void }>} */
const lay = async (central) => {
  const [host, port] = central.split(":");
  /** @type {Fall | null} */
  let fall = null;
  let isHidden = false;
  /** @type {string | null} */
  let cutAfter = null;
  let isCut = false;
  /** @type {Set<import("node:net").Socket>} */
  const wires = new Set();
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const one of [near, far]) wires.add(one);
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
      one.on("close", () => {
        wires.delete(one);
        other.destroy();
      });
    }
  });
  const hears = (/** @type {any} */ told) => {
    if (told.fall) fall = told.fall;
    else if (told.cutAfter) cutAfter = told.cutAfter;
    else if (told.isMended) isCut = false;
    else if (told.isClosed) {
      server.close();
      for (const wire of wires) wire.destroy();
    } else isHidden = told.isHidden;
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`, hears };
};

/** Hears for all lines what becomes of each. */
const serve = () => {
  /** @type {Map<number, (told: any) => void>} */
  const laid = new Map();
  parentPort?.on("message", async (told) => {
    if (!told.central) {
      laid.get(told.line)?.(told);
      return;
    }
    const { address, hears } = await lay(told.central);
    laid.set(told.line, hears);
    parentPort?.postMessage({ line: told.line, address });
  });
};

if (!isMainThread) serve();
