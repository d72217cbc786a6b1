// A demonstration house: central, the agents of its devices, and a printer whose papers are files. Every
// program listens where the system has a free port, and is stopped by its process id.
// @ts-check
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { Line } from "./line.js";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.dirname(path.dirname(HERE));
export const BINARIES = path.resolve(process.env.BOULIER_BINARIES ?? path.join(ROOT, "target/debug"));

/** A slip for the command line. */
export const SLIP = path.join(ROOT, "samples/slips/en-quick-pick.json");

/** The sign with which the scanner of each terminal begins. */
export const START_SIGN = "~";

/** People of the demonstration. */
export const ADMINISTRATOR = { badge: "D001", pin: "147028" };
export const OTHER_ADMINISTRATOR = { badge: "D002", pin: "074129" };
export const CLERK = { badge: "C143", pin: "864297" };
export const OTHER_CLERK = { badge: "C142", pin: "246813" };
export const AUDITOR = { badge: "A300", pin: "357924" };
export const MARKER = { badge: "M101", pin: "319702" };
export const VERIFIER = { badge: "V102", pin: "620819" };
export const SUPERVISOR = { badge: "S007", pin: "135792" };

/** How a command ends that central refuses. */
export const REFUSED = 2;

/**
 * Whoever runs the tests may have settings of their own.
 * @param {NodeJS.ProcessEnv} more
 */
const environment = (more) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BOULIER_"))),
  ...more,
});

/** A long-lived program and what it said. */
export class Program {
  said = "";
  /** @type {string} Its name, for people. */
  name;

  /** @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} [more] */
  constructor(program, args, more = {}) {
    this.name = `${program} ${args.find((one) => !one.startsWith("-")) ?? ""}`;
    this.child = spawn(path.join(BINARIES, program), args, {
      env: environment(more),
      stdio: ["ignore", "pipe", "pipe"],
    });
    /** @type {Promise<never>} */
    this.ended = new Promise((_, fail) => {
      this.child.once("error", fail);
      this.child.once("exit", (code, signal) => fail(new Error(`${this.name} ended (${code ?? signal}):\n${this.said}`)));
    });
    // Its end is looked at where it is waited for; at the end of a test it is meant.
    this.ended.catch(() => {});
    /** @type {((line: string) => void)[]} */
    this.listeners = [];
    for (const stream of [this.child.stdout, this.child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        this.said += `${line}\n`;
        for (const listener of this.listeners) listener(line);
      });
    }
    process.once("exit", this.kill);
  }

  kill = () => this.child.kill("SIGKILL");

  /** Waits for a line that says this, and gives what it says. @param {RegExp} pattern */
  async says(pattern) {
    const line = new Promise((told) => {
      const look = (/** @type {string} */ text) => {
        const found = pattern.exec(text);
        if (found) told(found);
      };
      this.said.split("\n").forEach(look);
      this.listeners.push(look);
    });
    return /** @type {RegExpExecArray} */ (await Promise.race([line, this.ended]));
  }

  freeze() {
    this.child.kill("SIGSTOP");
  }

  goOn() {
    this.child.kill("SIGCONT");
  }

  /** @param {NodeJS.Signals} [signal] */
  async stop(signal = "SIGTERM") {
    process.off("exit", this.kill);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, "exit");
    this.child.kill(signal);
    const tooLong = setTimeout(this.kill, 20_000);
    await exit;
    clearTimeout(tooLong);
  }
}

/** Where houses stand: in memory, if there is such a folder, since a disk that another program keeps busy lets everybody wait. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** By the clock of the house a test begins so long after midnight of UTC: at noon in Montréal, in winter. */
const NOON_MS = 17 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Bytes of a number of milliseconds in the file of a clock. */
const MILLISECONDS = 8;

/** Houses that were begun in this process, by what they are. @type {Map<string, Promise<string>>} */
const BEGUN = new Map();
/** A house that goes on was begun so much before, by its clock. */
const EARLIER_MS = 30_000;

let clockLibrary = "";
/** The clock of the houses, built when the first of a process is opened. */
const clock = () => {
  if (!clockLibrary) {
    const folder = mkdtempSync(path.join(MEMORY, "boulier-clock-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const library = path.join(folder, "clock.so");
    execFileSync("cc", ["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", library, path.join(HERE, "clock.c")]);
    clockLibrary = library;
  }
  return clockLibrary;
};

/** Draws so far away that none closes while a test is at work: the first is half an hour after noon. */
const QUIET = { every_minutes: 60, first: '"00:30"', last: '"23:30"' };

/** What a clock in Montréal says so many minutes after noon of the house. @param {number} minutes */
export const afterNoon = (minutes) => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return new Date(today + NOON_MS + minutes * 60_000).toLocaleTimeString("en-GB", { timeZone: "America/Toronto", hour: "2-digit", minute: "2-digit" });
};

/** A draw each minute, the first at noon. */
export const EACH_MINUTE = { every_minutes: 1, first: `"${afterNoon(0)}"`, last: '"23:59"', close_before_seconds: 5, ball_interval_ms: 500, start_lead_ms: 100 };

/**
 * @typedef {object} HouseOptions
 * @property {Record<string, string | number>} [schedule] lines of `[schedule]`
 * @property {number} [beforeNoonMs] how long before noon the house is opened
 * @property {boolean | string} [balls] whether balls are drawn, all day, or from when
 * @property {boolean} [tls] whether central listens with TLS too
 * @property {string[]} [ballMachine] how a simulated machine is started that reads its balls
 * @property {string} [readsAt] where a machine listens that reads its balls, where the test has one of its own
 * @property {boolean} [follower] whether it names a follower, which never answers
 */

export class House {
  /** @type {Program[]} */
  programs = [];
  /** So many papers came out before they were counted. */
  #before = 0;
  /** The environment of programs with the clock of the house. @type {NodeJS.ProcessEnv} */
  #clock = {};
  /** When it is noon by the clock of the house, if nobody puts it forward. */
  #noon = 0;
  /** By how much it is to be put forward, and by how much it was: `clock.c`. */
  #forward = 0;
  /** Once it is open. */
  central = /** @type {Program} */ (/** @type {unknown} */ (null));
  line = new Line();
  /** Where central listens with TLS, if it does. */
  secure = "";
  /** Where everybody comes with TLS, a device that is not enrolled among them. */
  everybody = "";
  folder = mkdtempSync(path.join(MEMORY, "boulier-browser-"));
  data = path.join(this.folder, "data");
  papers = path.join(this.folder, "papers");

  /** @param {HouseOptions} [options] */
  async open({ schedule = QUIET, beforeNoonMs = 0, tls = false, balls = false, ballMachine, readsAt, follower = false } = {}) {
    this.#clock = this.#atNoon(beforeNoonMs);
    // The demonstration's own house file, with other draws.
    let text = readFileSync(path.join(ROOT, "central/service/src/central/house_file/demonstration.toml"), "utf8");
    for (const [name, value] of Object.entries(schedule)) {
      const line = new RegExp(`^${name} = \\S+`, "m");
      if (!line.test(text)) throw new Error(`the house file has no line ${name}`);
      text = text.replace(line, `${name} = ${value}`);
    }
    const from = balls === true ? "00:00" : balls;
    if (from) text = text.replace(/^start_lead_ms = .*$/m, `$&\nballs_from = "${from}"\nballs_until = "23:58"`);
    if (tls) text += '\n[tls]\nlisten = "127.0.0.1:0"\nnames = ["127.0.0.1"]\n';
    // It never answers: nobody listens at that port.
    if (follower) text += `\n[follower]\naddress = "127.0.0.1:1"\nkey = "${this.#followerKey()}"\n`;
    if (ballMachine) {
      this.machine = this.start("keno-draw-machine", ["simulate", "--listen", "127.0.0.1:0", ...ballMachine]);
      readsAt = (await this.machine.says(/^listening\t([\d.:]+)/))[1];
    }
    if (readsAt) text += `\n[ball_machine]\nname = "b-1"\naddress = "${readsAt}"\n`;
    // A house that names nothing which is this test's alone is begun once.
    if (tls || follower || readsAt) this.#founds(text);
    else cpSync(await House.#begun(text, beforeNoonMs), this.data, { recursive: true });
    const printer = this.start("keno-terminal", ["virtual-printer", "--print", "127.0.0.1:0", "--web", "127.0.0.1:0", "--folder", this.papers]);
    this.central = this.start("keno-central", ["demo", "--data", this.data, "--listen", "127.0.0.1:0"]);
    this.printer = (await printer.says(/^Virtual printer: ([\d.:]+),/))[1];
    this.address = (await this.central.says(/API +http:\/\/([\d.:]+)\//))[1];
    if (tls) {
      this.secure = (await this.central.says(/listens with TLS on (https:\/\/[\d.:]+)\//))[1];
      this.everybody = (await this.central.says(/the public comes by (https:\/\/[\d.:]+)\//))[1];
    }
    // The last words of its welcome: the terminals' settings are written by then.
    await this.central.says(/Ctrl-C stops the house/);
    await this.line.lay(this.address);
    return this;
  }

  /** @param {string} text of its house file */
  #founds(text) {
    mkdirSync(this.data);
    writeFileSync(path.join(this.data, "house.toml"), text);
  }

  /** The data of a house that was begun a little earlier by its clock, and stopped. @param {string} text of its house file @param {number} beforeNoonMs */
  static #begun(text, beforeNoonMs) {
    const begins = async () => {
      const house = new House();
      process.once("exit", () => rmSync(house.folder, { recursive: true, force: true }));
      house.#clock = house.#atNoon(beforeNoonMs + EARLIER_MS);
      house.#founds(text);
      const central = house.start("keno-central", ["demo", "--data", house.data, "--listen", "127.0.0.1:0"]);
      await central.says(/Ctrl-C stops the house/);
      await central.stop();
      closeSync(house.#forward);
      // They name where their journal is, and are written anew for whoever has none.
      for (const name of readdirSync(house.data)) if (/^(terminal|desk|office|audit).*\.toml$/.test(name)) rmSync(path.join(house.data, name));
      return house.data;
    };
    const day = Math.floor((Date.now() + beforeNoonMs - NOON_MS) / DAY_MS);
    const what = `${day} ${beforeNoonMs}\n${text}`;
    const data = BEGUN.get(what) ?? begins();
    BEGUN.set(what, data);
    return data;
  }

  /** The public half of a follower's key. */
  #followerKey() {
    const made = execFileSync(path.join(BINARIES, "keno-audit"), ["key", "--folder", path.join(this.folder, "follower"), "--host", "audit-office"]);
    return (String(made).match(/audit-office\+[\w+/=]+/) ?? [""])[0];
  }

  /** A clock that is slow by less than a day, and says noon so soon. @param {number} inMs */
  #atNoon(inMs) {
    this.#noon = Date.now() + inMs;
    const behind = (this.#noon - NOON_MS) % DAY_MS;
    const file = path.join(this.folder, "clock");
    writeFileSync(file, Buffer.alloc(2 * MILLISECONDS));
    this.#forward = openSync(file, "r+");
    return { LD_PRELOAD: clock(), BOULIER_CLOCK_BEHIND_MS: String(behind), BOULIER_CLOCK_FILE: file };
  }

  /** Puts the clock of the house forward to so long after noon, if it is not later already. @param {number} ms */
  async until(ms) {
    const put = () => {
      const now = Buffer.alloc(2 * MILLISECONDS);
      readSync(this.#forward, now, 0, now.length, 0);
      return { wanted: now.readBigInt64LE(0), done: now.readBigInt64LE(MILLISECONDS) };
    };
    const wanted = Buffer.alloc(MILLISECONDS);
    const passed = BigInt(this.#noon + ms - Date.now());
    if (passed > put().wanted) {
      wanted.writeBigInt64LE(passed);
      writeSync(this.#forward, wanted, 0, wanted.length, 0);
    }
    await expect.poll(() => put().done >= passed, { message: `the clock of the house, at noon and ${ms} ms`, intervals: [50] }).toBe(true);
  }

  /** @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} [more] */
  start(program, args, more) {
    const started = new Program(program, args, { ...this.#clock, ...more });
    this.programs.push(started);
    return started;
  }

  /** Starts an agent, that of T02 when nothing else is said, and tells where its page is. @param {NodeJS.ProcessEnv} [more] @param {string} [settings] */
  async agent(more = {}, settings = "terminal-2.toml") {
    const program = this.start("keno-terminal", ["--config", path.join(this.data, settings), "serve"], {
      BOULIER_LISTEN: "127.0.0.1:0",
      BOULIER_CENTRAL: `http://${this.line.address}`,
      BOULIER_SCANNER_START: START_SIGN,
      ...("BOULIER_PRINTER_ADDRESS" in more ? {} : this.#printing()),
      ...more,
    });
    return { program, address: (await program.says(/pages at (http:\/\/[\d.:]+)\//))[1] };
  }

  /**
   * The printer of the house. It draws a picture of each paper before it says that the paper is out: on
   * a busy machine that takes longer than the slowest printer would, and the clerk would be asked.
   */
  #printing() {
    return { BOULIER_PRINTER_ADDRESS: this.printer, BOULIER_PRINTING_MILLIMETRES_PER_SECOND: "20" };
  }

  /** Starts the agent of an office; central has proven its record to it. @param {string} settings */
  async #officeOf(settings) {
    const agent = await this.agent({}, settings);
    const stands = async () => (await (await fetch(`${agent.address}/agent/state`)).json()).central?.state;
    await expect.poll(stands, `how central stands to ${settings}`).toBe("trusted");
    return agent;
  }

  /** Starts the agent of a board or a kiosk. @param {"display" | "kiosk"} role */
  screen(role) {
    const device = { kiosk: 3, display: 4 }[role];
    return this.agent({
      BOULIER_ROLE: role,
      BOULIER_DEVICE: String(device),
      BOULIER_DEVICE_KEY: this.keyOf(device),
      BOULIER_JOURNAL: path.join(this.folder, role),
    });
  }

  /** Starts the agent of the audit office. */
  office() {
    return this.agent({}, "audit.toml");
  }

  /** Starts the agent of a draw desk. @param {"desk.toml" | "desk-2.toml"} settings */
  desk(settings) {
    return this.#officeOf(settings);
  }

  /** Starts the agent of the back office. */
  backOffice() {
    return this.#officeOf("office.toml");
  }

  /** Does a command of counter T01 at the command line; it must end well. @param {...string} args */
  keno(...args) {
    return this.command("terminal.toml", args);
  }

  /** @param {string} settings @param {string[]} args @param {number} [exit] how it must end */
  async command(settings, args, exit = 0) {
    // Codes and PINs are typed: the program takes neither as an argument.
    const isCode = (/** @type {string} */ one) => one.startsWith("KT2");
    const words = args.filter((one) => !isCode(one));
    const child = spawn(path.join(BINARIES, "keno-terminal"), ["--config", path.join(this.data, settings), ...words], {
      env: environment({ ...this.#clock, ...this.#printing() }),
      stdio: ["pipe", "pipe", "pipe"],
    });
    // A command that asks nothing has no reader.
    child.stdin.on("error", () => {});
    child.stdin.end([...args.filter(isCode), SUPERVISOR.pin, ""].join("\n"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
    const [code] = await once(child, "close");
    expect(code, `keno-terminal ${args[0]} said:\n${said}`).toBe(exit);
    return said;
  }

  /** The key of a device of the demonstration. @param {number} device */
  keyOf(device) {
    const text = readFileSync(path.join(this.data, "devices.toml"), "utf8");
    const found = new RegExp(`number = ${device}\\n[^[]*key = "(\\w+)"`).exec(text);
    if (!found) throw new Error(`device ${device} has no key`);
    return found[1];
  }

  /** From here on papers are counted anew. */
  countsFromHere() {
    this.#before += this.texts().length;
  }

  /** Texts of the papers that came out, in their order. A paper whose image is there is whole. */
  texts() {
    if (!existsSync(this.papers)) return [];
    return readdirSync(this.papers)
      .filter((name) => name.endsWith(".png"))
      .sort()
      .slice(this.#before)
      .map((name) => readFileSync(path.join(this.papers, name.replace(".png", ".txt")), "utf8"));
  }

  /** Waits for paper number so much and gives its text. @param {number} number */
  async paper(number) {
    await expect.poll(() => this.texts().length, { message: "papers that came out" }).toBe(number);
    return this.texts()[number - 1];
  }

  /** The kinds of the leaves of the record, in their order, as central shows them to everybody. */
  async record() {
    const [, size] = (await (await fetch(`http://${this.address}/log/checkpoint`)).text()).split("\n");
    // One after the other: central lets a stranger have so many connections, and ends what is more.
    /** @type {string[]} */
    const kinds = [];
    for (let index = 0; index < Number(size); index++) {
      kinds.push((await (await fetch(`http://${this.address}/log/entries/${index}`)).json()).kind);
    }
    return kinds;
  }

  /** Forgets the house. Nothing in it is wanted any more, so that no program is waited for. */
  async close() {
    await Promise.all(this.programs.map((program) => program.stop("SIGKILL")));
    this.line.close();
    if (this.#forward) closeSync(this.#forward);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The claim code on a paper. @param {string} text */
export const codeOn = (text) => {
  const code = /^QR: (\w+)$/m.exec(text);
  if (!code) throw new Error(`no claim code on this paper:\n${text}`);
  return code[1];
};
