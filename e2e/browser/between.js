// What stands between a page and its device: a test that answers in the device's place, or holds a
// question up.
// @ts-check
import { expect } from "@playwright/test";

/** Asked for by no page, and answered by every device. */
const PROBE = "/agent/state?probe";
const CAUGHT = "caught";

/**
 * From here on the page's questions at an address go to a handler. Chromium lets what a page asks
 * just then still pass, and then the handler would not see the one question that it is there for:
 * so this waits until a question of the page was caught.
 * @param {import("@playwright/test").Page} page
 * @param {string} address
 * @param {(route: import("@playwright/test").Route) => any} handler
 * @param {{times?: number}} [options]
 */
export const between = async (page, address, handler, options) => {
  await page.route(address, handler, options);
  await page.route(
    (url) => url.href.endsWith(PROBE),
    (route) => route.fulfill({ body: CAUGHT }),
  );
  await expect.poll(() => page.evaluate(async (path) => (await fetch(path, { cache: "no-store" })).text(), PROBE), "a question of the page").toBe(CAUGHT);
};

/** @typedef {import("@playwright/test").Route} Route */

/** Holds the next question at an address of the device on its way. @param {import("@playwright/test").Page} page @param {string} path */
export const holdsNext = async (page, path) => {
  /** @type {(route: Route) => void} */
  let take = () => {};
  const arrived = /** @type {Promise<Route>} */ (new Promise((taken) => (take = taken)));
  await between(page, `**/agent/${path}`, (route) => take(route), { times: 1 });
  return { arrived };
};
