// An agent as its own pages ask it, for what a test does beside the page that it looks at.
// @ts-check
import { expect } from "./test.js";

export class Agent {
  /** @param {import("@playwright/test").Page} page @param {string} address */
  constructor(page, address) {
    this.page = page;
    this.address = address;
  }

  /** @param {string} what @param {object} [data] */
  async post(what, data) {
    // An office asks where a form comes from.
    const headers = { "Boulier-Page": "1", Origin: this.address, "Sec-Fetch-Site": "same-origin" };
    const answer = await this.page.request.post(`${this.address}/agent/${what}`, { headers, data });
    return answer.json();
  }

  /** @param {string} what */
  async get(what) {
    return (await this.page.request.get(`${this.address}/agent/${what}`)).json();
  }

  /** Signs on once central is trusted. @param {{badge: string, pin: string}} who @param {number} [float_cents] */
  async signOn(who, float_cents) {
    await expect.poll(async () => (await this.get("state")).central.state).toBe("trusted");
    /** @type {any} */
    let ended = null;
    // A busy machine may keep the agent from hearing central just then: it is asked again.
    const exit = async () => {
      ended = await this.post("sign-on", { ...who, ...(float_cents === undefined ? {} : { float_cents }) });
      return ended.exit ?? ended.name;
    };
    await expect.poll(exit, "how the sign-on ends").not.toMatch(/^central_|^in_doubt/);
    expect(ended.exit, JSON.stringify(ended)).toBe("done");
  }
}
