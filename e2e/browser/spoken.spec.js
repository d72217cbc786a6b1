// What a screen reader speaks: what has changed, and nothing again.
// @ts-check
import { expect, test, testOnDuty } from "./test.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{live: string, text: string}} Spoken */

/** Notes what changes in the parts that are spoken. @param {Page} page */
const listen = (page) =>
  page.evaluate(() => {
    const LIVE = "[aria-live], [role=alert], [role=status], [role=alertdialog], output";
    /** @type {Spoken[]} */
    const spoken = [];
    Object.assign(globalThis, { spoken });
    const note = (/** @type {Node} */ node) => {
      const element = node instanceof Element ? node : node.parentElement;
      const live = element?.closest(LIVE);
      if (live && node.textContent) spoken.push({ live: live.getAttribute("role") ?? live.localName, text: node.textContent });
    };
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) (type === "characterData" ? [target] : [...addedNodes]).forEach(note);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });

/** What was spoken since it was asked last. @param {Page} page @returns {Promise<Spoken[]>} */
const spoken = (page) => page.evaluate(() => /** @type {any} */ (globalThis).spoken.splice(0));

/** Waits until a page has drawn itself again: it does so with each answer of its device, changed or not. @param {Page} page */
const drawnAgain = async (page) => {
  // The last one is drawn when the next has come, and two pages ask at the same time.
  for (let time = 0; time < 5; time += 1) await page.waitForResponse((answer) => answer.url().includes("/agent/state"));
};

testOnDuty("only what has changed is spoken", async ({ counter, page }) => {
  await counter.signOn();
  const player = await counter.player();
  await counter.draft();
  const theirs = player.locator("#shown .total output");
  await expect(theirs).toHaveText("6,00\u00a0$");
  for (const one of [page, player]) await listen(one);
  await Promise.all([drawnAgain(page), drawnAgain(player)]);
  for (const one of [page, player]) expect(await spoken(one), "what was spoken again").toEqual([]);

  // A digit: the amounts are other ones, the words beside them are not.
  await counter.press("-", "4");
  await counter.costs("8,00\u00a0$");
  await expect(theirs).toHaveText("8,00\u00a0$");
  const ours = await spoken(page);
  for (const words of ["Tirages", "Mode de paiement", "Comptant"]) expect(ours.filter((one) => one.text.includes(words)), "what was spoken again").toEqual([]);
  expect(ours.map((one) => one.text)).toContain("8,00\u00a0$");
  const played = await spoken(player);
  for (const words of ["Simple", "Vérifiez"]) expect(played.filter((one) => one.text.includes(words)), "what was spoken again").toEqual([]);
  expect(played.map((one) => one.text)).toContain("8,00\u00a0$");

  // Why a sale is confirmed is an alert; what is typed then is not, and does not speak it again.
  await counter.press("Escape", "Escape", "Escape", "F8", "2", "0");
  await counter.costs("100,00\u00a0$");
  await spoken(page);
  await counter.press("Enter");
  await expect(counter.total.locator(".confirm")).toBeVisible();
  expect((await spoken(page)).filter((one) => one.text.includes("montant"))).toHaveLength(1);
  await counter.press("1", "0", "0");
  await expect(counter.total.locator(".confirm .half")).toHaveText("100_");
  expect((await spoken(page)).filter((one) => one.live === "alert" || one.text.includes("montant")), "what was spoken again").toEqual([]);
  await counter.press("Escape");
});

testOnDuty("two pages that ask the same do not wait for one another", async ({ counter, page }) => {
  await counter.signOn();
  const player = await counter.player();
  await Promise.all([drawnAgain(page), drawnAgain(player)]);
  /** Questions for the state, by a clock of both pages: when each was asked, when it left, and when its answer came. @param {Page} one */
  const questionsOf = (one) =>
    one.evaluate(() => {
      const all = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"));
      const at = (/** @type {number} */ ms) => performance.timeOrigin + ms;
      return all
        .filter((question) => question.name.includes("/agent/state?"))
        .map(({ name, fetchStart, requestStart, responseStart }) => ({ name, asked: at(fetchStart), left: at(Math.max(fetchStart, requestStart)), answered: at(responseStart) }));
    });
  const [ours, theirs] = await Promise.all([questionsOf(page), questionsOf(player)]);
  for (const [some, others] of [[ours, theirs], [theirs, ours]]) {
    // One that waits for the other page leaves when the same question of that page has its answer, which
    // the device keeps for a while; how fast this machine is does not matter.
    const waited = some.filter((one) =>
      others.some((other) => other.name === one.name && other.answered - other.left > 500 && one.asked > other.left - 1 && one.asked < (other.left + other.answered) / 2 && one.left > other.answered - 1),
    );
    expect(some.length, "questions").toBeGreaterThan(2);
    expect(waited, "questions that waited for those of the other page").toEqual([]);
  }
});

test("a kiosk says once that central is away, and does not count aloud", async ({ house, page }) => {
  await house.open();
  const kiosk = await house.screen("kiosk");
  await page.goto(`${kiosk.address}/`);
  const central = page.locator("#central");
  await expect(central).toHaveAttribute("data-state", "trusted");
  await listen(page);
  house.central.freeze();
  await expect(central).toHaveAttribute("data-state", "away");
  // The seconds go on.
  const silence = async () => Number(/^(\d+) s$/.exec(await page.locator("#silence").innerText())?.[1] ?? -1);
  await expect.poll(silence).toBeGreaterThan(0);
  const before = await silence();
  await expect.poll(silence).toBeGreaterThan(before + 1);
  const said = await spoken(page);
  expect(said.map((one) => one.text), "what was spoken").toHaveLength(1);
  expect(said[0].text).toContain("Le central ne répond pas");
});
