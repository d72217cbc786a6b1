// Central falls silent in the middle of a command.
// @ts-check
import { AWAY, SUPERVISOR, codeOn, expect, test } from "./house.js";
import { Hands, looks } from "./round.js";

test("a sale in doubt is put aside, central goes on, and the clerk's key ends it", { tag: AWAY }, async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.putAside();
  const envelope = await house.paper(1);
  expect(envelope).toContain("NON VALIDE COMME BILLET");
  expect(envelope).toMatch(/^REÇU DU JOUEUR +6,00\s\$$/m);

  house.central.goOn();
  await counter.trusted();
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("Vente non enregistrée");
  await expect(counter.doubt).toContainText("(enveloppe)");
  await expect(counter.doubt).toContainText("6,00\u00a0$");
  await expect(counter.doubt).toContainText("RENDEZ l’argent au joueur.");
  await counter.picture("doubt-3-to-tell");
  // Nothing else is done before, and only the clerk's key ends it: a page that is opened anew
  // still asks for it.
  await counter.press("F3", "Enter", "Escape");
  await counter.mode("doubt");
  // Nor is it answered by a number that was meant for the next slip: pressed here in the moment in which
  // the doubt comes, however slow the machine is.
  await page.addInitScript(() => {
    const early = { isOver: false, answers: 0 };
    Object.assign(globalThis, { early });
    const ask = fetch;
    globalThis.fetch = (path, how) => {
      if (path === "/agent/acknowledge") early.answers += 1;
      return ask(path, how);
    };
    new MutationObserver((_, watch) => {
      if (!document.querySelector(".doubt")) return;
      watch.disconnect();
      for (const key of ["1", "8"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code: `Digit${key}`, bubbles: true, cancelable: true }));
      // Keys that a scanner could have sent are told a little later; this comes after them.
      setTimeout(() => (early.isOver = true), 400);
    }).observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  const early = () => page.evaluate(() => /** @type {any} */ (globalThis).early);
  await expect.poll(async () => (await early()).isOver).toBe(true);
  expect((await early()).answers, "answers of a number that came too early").toBe(0);
  await counter.done();
  await counter.picture("doubt-4-done");
  expect(await counter.journal()).toContain("1 commandes, 0 en suspens");
});

test("by the keyboard alone: whatever was in doubt is said, and what to do with the money", { tag: AWAY }, async ({ counter, house, page }) => {
  const hands = await new Hands(page).begin();
  const { central, line } = house;
  const pid = central.child.pid;
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  /** What was asked of central and not answered is put aside, and told once central goes on. @param {string} name @param {string} title */
  const isTold = async (name, title) => {
    await expect(counter.doubt).toContainText("Le central n’a pas répondu");
    await looks(page, `doubt-asking-${name}`, { central: "away" });
    await counter.answers("1");
    await expect(counter.strip).toContainText("En suspens : 1");
    central.goOn();
    await counter.trusted();
    await expect(counter.doubt).toContainText(title);
    await looks(page, `doubt-told-${name}`);
    await counter.done();
  };

  // A cancellation that did not come to central: the ticket is as good as before.
  await counter.scan(code);
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  line.falls("/cancellations", pid);
  await hands.press("F11", "1", "Enter");
  await isTold("cancellation", "Annulation non enregistrée");
  await hands.press("Escape");
  await counter.scan(code);
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  await hands.press("Escape");

  // Cash that two people were moving.
  await page.keyboard.press("Alt+c");
  line.falls("/shifts/movements", pid);
  await hands.press("1");
  await hands.answers(counter.box, "50", SUPERVISOR.badge, SUPERVISOR.pin);
  await isTold("movement", "Mouvement non enregistré");
  await hands.press("Escape");
  await counter.mode("sale");

  // A sale that central took, and whose answer nobody heard: its ticket comes out afterwards.
  const papers = house.texts().length;
  await counter.draft();
  line.isTakenUnheard("/sales", pid);
  await hands.press("Enter");
  await isTold("sale", "Vente enregistrée");
  expect(house.texts().slice(papers).filter((text) => text.includes("ORIGINAL"))).toHaveLength(1);
  expect((await house.record()).filter((kind) => kind === "TicketSold")).toHaveLength(2);
});
