// The page of a counter, as its clerk uses it.
// @ts-check
import path from "node:path";
import { test, expect } from "@playwright/test";
import { CLERK, House, Program, START_SIGN, SUPERVISOR } from "./house.js";
import { plant } from "./planted.js";

/** What each page complained of: a test that wants a refusal takes it out. @type {WeakMap<import("@playwright/test").Page, string[]>} */
export const COMPLAINTS = new WeakMap();

/** Takes out what Chromium says of an answer that ended as it may. @param {string[]} complaints @param {string} path */
const forgives = (complaints, path) => complaints.splice(0, complaints.length, ...complaints.filter((one) => !(one.includes("status of 503") && one.includes(path))));

/** A person does not press four keys faster; a scanner does. */
export const PACE_MS = 55;

/** Types as a person does; what is long comes at once, as if it were pasted. @param {import("@playwright/test").Page} page @param {string} text */
export const types = (page, text) => (text.length > 20 ? page.keyboard.insertText(text) : page.keyboard.type(text, { delay: PACE_MS }));

/** The page of a counter, as a clerk uses it. */
export class Counter {
  /** Keys that the clerk has pressed since it was asked for last. */
  keys = 0;
  /** Its clerk was on duty before the test began. */
  isOnDuty = false;

  /** @param {import("@playwright/test").Page} page @param {House} house @param {Program} agent @param {string} address */
  constructor(page, house, agent, address) {
    this.page = page;
    this.house = house;
    this.agent = agent;
    this.address = address;
    /** What the page complained of. */
    this.complaints = COMPLAINTS.get(page) ?? [];
    this.work = page.locator("#work");
    this.total = page.locator("#total");
    this.strip = page.locator("#strip");
    this.told = page.locator(".told");
    this.box = page.locator("#ask");
    this.doubt = page.locator(".doubt");
  }

  async open() {
    await this.page.goto(`${this.address}/`);
    await this.trusted();
  }

  /** The player's screen of this counter, behind it. */
  async player() {
    const player = await this.page.context().newPage();
    await plant(player);
    await player.goto(`${this.address}/customer`);
    await this.page.bringToFront();
    return player;
  }

  /** Waits until central is there, and proven. */
  async trusted() {
    await this.central("trusted");
  }

  /** @param {string} state */
  async central(state) {
    await expect(this.page.locator("body")).toHaveAttribute("data-central", state);
  }

  /** What has the keys. @param {string} mode */
  async mode(mode) {
    await expect(this.page.locator("body")).toHaveAttribute("data-mode", mode);
  }

  /** Presses keys as a person does. @param {...string} keys */
  async press(...keys) {
    for (const key of keys) {
      // A screen that has just opened takes no key, and a doubt no answer at once; a person reads it first.
      await expect(this.page.locator("body")).not.toHaveAttribute("data-keys", "held");
      await expect(this.page.locator("body")).not.toHaveAttribute("data-scanner", "busy");
      if (["0", "1"].includes(key) && (await this.doubt.count()) > 0) await expect(this.doubt).toHaveAttribute("data-armed", "true");
      // Held as long as a finger holds it: the next one comes so much later.
      await this.page.keyboard.press(key, { delay: PACE_MS });
      this.keys += 1;
    }
  }

  /** Types as a person does. @param {string} text */
  async type(text) {
    await expect(this.page.locator("body")).not.toHaveAttribute("data-scanner", "busy");
    for (const letter of text) await this.page.keyboard.press(letter, { delay: PACE_MS });
  }

  /**
   * Reads a code as a scanner does that is set as the settings say: its start sign, a key a millisecond,
   * Shift around each capital, and Enter at the end.
   * @param {string} code
   */
  async scan(code) {
    const keys = [...START_SIGN, ...code, "Enter"].map((name, at) => {
      const isCapital = /^[A-Z]$/.test(name);
      const code = /^\d$/.test(name) ? `Digit${name}` : isCapital ? `Key${name}` : name === START_SIGN ? "Backquote" : name;
      return { name, code, shift: isCapital || name === START_SIGN, at };
    });
    await this.strike(keys);
  }

  /**
   * Presses keys at their own times, however busy the machine is that reads them, and waits for no answer.
   * @param {{name: string, code: string, shift: boolean, at: number}[]} keys with milliseconds from now
   */
  async strike(keys) {
    const keyboard = await this.page.context().newCDPSession(this.page);
    const begun = Date.now();
    const sent = keys.flatMap(({ name, code, shift, at }) => {
      /** @param {string} type @param {object} key */
      const send = (type, key) => keyboard.send("Input.dispatchKeyEvent", /** @type {any} */ ({ type, timestamp: (begun + at) / 1000, ...key }));
      const key = { key: name, code, windowsVirtualKeyCode: { Enter: 13, Tab: 9 }[name] ?? name.charCodeAt(0), modifiers: shift ? 8 : 0 };
      const text = name === "Enter" ? { text: "\r" } : name.length === 1 ? { text: name } : {};
      const shiftKey = { key: "Shift", code: "ShiftLeft", windowsVirtualKeyCode: 16 };
      return [
        ...(shift ? [send("rawKeyDown", { ...shiftKey, modifiers: 8 })] : []),
        send("keyDown", { ...key, ...text }),
        send("keyUp", key),
        ...(shift ? [send("keyUp", shiftKey)] : []),
      ];
    });
    await Promise.all(sent);
    await keyboard.detach();
  }

  /** How many keys were pressed since this was asked last. */
  counted() {
    const { keys } = this;
    this.keys = 0;
    return keys;
  }

  /** @param {string} float in dollars; empty for a session without a till */
  async signOn(float = "200,00") {
    if (this.isOnDuty) return this.sells();
    await this.mode("off");
    await this.page.getByLabel("Insigne").fill(CLERK.badge);
    await this.page.getByLabel("NIP").fill(CLERK.pin);
    const field = this.page.getByLabel("Fonds de caisse, $");
    if (float !== "") await field.fill(float);
    await (float === "" ? field : this.page.getByLabel("NIP")).press("Enter");
    // On a busy machine central may answer too late, though it has signed on who asks, or be away just
    // then: what the page says is true, and the person tries again once central is there.
    const isLate = this.page.locator("#sign-on .told", { hasText: /refaites la commande|Le central/ });
    const isOn = this.page.locator('body[data-mode="sale"]');
    for (;;) {
      await expect(isLate.or(isOn)).toBeVisible();
      if (await isOn.count()) break;
      await this.trusted();
      forgives(this.complaints, "/agent/sign-on");
      await this.page.getByLabel("NIP").fill(CLERK.pin);
      await this.page.getByLabel("NIP").press("Enter");
    }
    await this.sells();
  }

  /** What the house sells is known before the first key. */
  async sells() {
    await this.mode("sale");
    await expect(this.page.locator("#express button")).toHaveCount(8);
    await expect(this.page.locator("body")).toHaveAttribute("data-keys", "taken");
  }

  /** Waits until the draft has this price. @param {string} amount */
  async costs(amount) {
    await expect(this.total.locator("output").first()).toHaveText(amount);
    await expect(this.total.locator("#sell, .confirm")).toBeVisible();
  }

  /** Says yes to what is to be confirmed by another key; a person reads first what it is. */
  async confirms() {
    await expect(this.total.locator(".confirm")).toBeVisible();
    await this.press("1");
  }

  /** Makes a draft of 2,00 $ a draw: an express pick of F5. @param {number} draws of at most nine */
  async draft(draws = 3) {
    await this.press("F5", String(draws));
    await this.costs(`${2 * draws},00\u00a0$`);
  }

  /** Sells such a draft, and gives the text of its paper. @param {number} number of that paper @param {number} draws */
  async sell(number, draws = 3) {
    await this.draft(draws);
    await this.press("Enter");
    return this.sold(number);
  }

  /** What was sold: the text of its paper. @param {number} number of that paper */
  async sold(number) {
    const text = await this.house.paper(number);
    await expect(this.total).toContainText("émis");
    await this.nothingOpen();
    return text;
  }

  /** A sale during which central freezes, put aside. */
  async putAside() {
    const { central, line } = this.house;
    await this.draft();
    line.falls("/sales", central.child.pid);
    await this.press("Enter");
    await this.mode("doubt");
    await expect(this.doubt).toContainText("Le central n’a pas répondu");
    await expect(this.doubt).toContainText("6,00\u00a0$");
    await expect(this.doubt).toContainText("Gardez l’argent à part.");
    await this.picture("doubt-1-asked");
    await this.answers("1");
    await expect(this.strip).toContainText("Vente de côté, 6,00\u00a0$ dans l’enveloppe");
    await this.mode("sale");
    await this.central("away");
    await this.picture("doubt-2-aside");
  }

  /** Leaves this terminal, and gives the code that it shows then. */
  async leave() {
    await this.page.keyboard.press("Alt+p");
    await this.page.getByRole("button", { name: "Laisser ce terminal" }).click();
    await this.box.getByRole("button", { name: "Oui, laisser ce terminal" }).click();
    await this.mode("left");
    const code = this.page.locator("#code-text");
    await expect(code).toContainText("KH2");
    return code.innerText();
  }

  /** Fills the box that asks, and says yes. @param {Record<string, string>} fields @param {string} yes */
  async answer(fields, yes) {
    for (const [label, value] of Object.entries(fields)) await this.box.getByLabel(label, { exact: true }).fill(value);
    await this.box.getByRole("button", { name: yes }).click();
  }

  /** Badge and PIN of the supervisor, for the box. */
  static second(pin = SUPERVISOR.pin) {
    return { "Insigne de la deuxième personne": SUPERVISOR.badge, "NIP de la deuxième personne": pin };
  }

  /** Answers a doubt, once it takes an answer. @param {string} key */
  async answers(key) {
    await this.mode("doubt");
    await this.press(key);
  }

  /** The clerk's key that ends what is open. */
  async done() {
    await this.answers("1");
    await this.nothingOpen();
  }

  async nothingOpen() {
    await expect(this.doubt).toHaveCount(0);
    await expect(this.strip).toContainText("En suspens : 0");
  }

  /** What its journal says at the command line, which has it when the agent is at work no more. */
  async journal() {
    await this.page.goto("about:blank");
    await this.agent.stop();
    return this.house.command("terminal-2.toml", ["status"]);
  }

  /** A picture of how it stands now, for people. @param {string} name */
  async picture(name) {
    await picture(this.page, name);
  }
}

/** The page of T02 in an open house. @param {House} house @param {import("@playwright/test").Page} page @param {NodeJS.ProcessEnv} [more] */
export const counterOf = async (house, page, more) => {
  const { program, address } = await house.agent(more);
  const counter = new Counter(page, house, program, address);
  await counter.open();
  return counter;
};

/** A picture of how a page stands now, for people who asked for pictures. @param {import("@playwright/test").Page} page @param {string} name */
export const picture = async (page, name) => {
  if (!process.env.BOULIER_PICTURES) return;
  await page.screenshot({ path: path.join(test.info().project.outputDir, "states", `${name}.png`), fullPage: true });
};
