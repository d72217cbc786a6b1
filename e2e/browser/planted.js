// Faults of the pages that the tests must see, planted on the way between agent and browser when
// BOULIER_PLANTED names one. `npm run prove` plants them all, one after the other.
// @ts-check
import { OF_BALL_LINE } from "./planted/ball_line.js";
import { OF_DESK } from "./planted/desk.js";
import { OF_DEVICE } from "./planted/device.js";
import { OF_DOUBT } from "./planted/doubt.js";
import { OF_ENTERING } from "./planted/entering.js";
import { OF_WHAT_IS_LATE } from "./planted/late.js";
import { OF_PAGES } from "./planted/page.js";
import { OF_PAPER } from "./planted/paper.js";
import { OF_ROOM } from "./planted/room.js";
import { OF_SALE } from "./planted/sale.js";
import { OF_SHIFT } from "./planted/shift.js";
import { OF_STAFF } from "./planted/staff.js";
import { OF_STATES } from "./planted/states.js";
import { OF_TICKETS } from "./planted/ticket.js";
import { OF_WALL } from "./planted/wall.js";

/**
 * @typedef {object} Planted
 * @property {string} path the file of the pages
 * @property {string} from what stands there, exactly once
 * @property {string} to what stands there instead
 * @property {string} [more] what stands at the end of the file
 * @property {string} [before] a script before all others, instead: a file that is looked into is never kept by the browser
 * @property {number} [status] how the answer ends instead
 * @property {string} test which test must see it
 * @property {RegExp} seen how it must be seen: in what the failure says of itself, not in the lines around it
 */

const PARTS = [OF_SALE, OF_SHIFT, OF_TICKETS, OF_DOUBT, OF_PAPER, OF_DESK, OF_BALL_LINE, OF_ROOM, OF_DEVICE, OF_STAFF, OF_WALL, OF_PAGES, OF_STATES, OF_WHAT_IS_LATE, OF_ENTERING];

/** Every fault, by its name; of two with one name the second would hide the first. @type {Record<string, Planted>} */
export const PLANTED = Object.fromEntries(PARTS.flatMap((part) => Object.entries(part)));

/** How many faults the parts have. */
export const COUNT = PARTS.reduce((sum, part) => sum + Object.keys(part).length, 0);

/** @param {import("@playwright/test").Page} page */
export const plant = async (page) => {
  const name = process.env.BOULIER_PLANTED;
  if (!name) return;
  const { path, from, to, more = "", before, status } = PLANTED[name];
  if (before) {
    await page.addInitScript(before);
    return;
  }
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      if (status) {
        await route.fulfill({ response, status });
        return;
      }
      const parts = (await response.text()).split(from);
      // The test must not pass because the page has changed.
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${from}`);
      await route.fulfill({ response, body: parts.join(to) + more });
    },
  );
};
