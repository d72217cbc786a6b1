// Central falls silent in the middle of a command.
// @ts-check
import { Agent } from "./agent.js";
import { counterOf, picture } from "./counter.js";
import { CLERK, SUPERVISOR, codeOn } from "./house.js";
import { CLOSED_MS, openBeforeDraw } from "./near_draw.js";
import { Hands, looks } from "./round.js";
import { AWAY, expect, test } from "./test.js";

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
  await expect(counter.doubt).toContainText("RENDEZ l’argent de l’enveloppe au joueur, contre son reçu d’attente.");
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

test("a sale put aside whose money was given back is cancelled by itself, and nobody gets its ticket", { tag: AWAY }, async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.draft();
  house.line.isTakenUnheard("/sales", house.central.child.pid);
  await counter.press("Enter");
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("dites ce que devient l’argent");
  await counter.picture("given-back-1-asked");
  await counter.answers("0");
  await expect(counter.strip).toContainText("Vente de côté, 6,00\u00a0$ rendu au joueur");
  const slip = await house.paper(1);
  expect(slip).toContain("ARGENT RENDU AU JOUEUR");
  expect(slip).not.toContain("ENVELOPPE");
  await expect(counter.told).toContainText("RENDEZ 6,00\u00a0$ au joueur maintenant");
  await expect(counter.told.filter({ hasText: "Gardez l’argent à part" })).toHaveCount(0);
  await counter.picture("given-back-1b-aside");

  house.central.goOn();
  await counter.trusted();
  await expect(counter.doubt).toContainText("Vente enregistrée, puis annulée");
  await expect(counter.doubt).toContainText("(argent rendu)");
  await expect(counter.doubt).toContainText("ne rendez rien de plus");
  // No amount stands there that somebody could give a second time.
  await expect(counter.doubt).not.toContainText("6,00");
  await looks(page, "given-back-2-told");
  await counter.done();
  expect(await house.record()).toContain("TicketCancelled");
  expect(house.texts().filter((text) => text.includes("QR: "))).toEqual([]);
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

/** The draw of a sale closes before anybody is heard again. @param {import("./house.js").House} house */
const isClosedAndMended = async (house) => {
  await house.until(CLOSED_MS);
  const isClosed = async () => {
    const kinds = await house.record();
    const sold = kinds.lastIndexOf("TicketSold");
    // What the record says instead is what a failure shows.
    return (sold >= 0 && kinds.lastIndexOf("DrawClosed") > sold) || kinds.slice(-12).join(" ");
  };
  await expect.poll(isClosed).toBe(true);
  house.line.mends();
};

test("a sale put aside whose draw has closed has no paper, and two people make its duplicate by reference", { tag: AWAY }, async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  await counter.signOn();
  await counter.draft();
  house.line.isCutAfter("/sales");
  await counter.press("Enter");
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("Le central n’a pas répondu");
  await counter.answers("1");
  await expect(counter.strip).toContainText("Vente de côté, 6,00\u00a0$ dans l’enveloppe");
  const papers = house.texts().length;

  await isClosedAndMended(house);
  await counter.trusted();
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("Vente enregistrée, SANS BILLET");
  await expect(counter.doubt).not.toContainText("Remettez le billet");
  const reference = counter.doubt.locator("#reference");
  await expect(reference).toContainText(/^#\d+ · •••• •••• •••• \d{4} · .+ · \d{4}-/);
  const named = await reference.innerText();
  await counter.picture("no-paper-1-told");
  await counter.answers("1");
  await counter.nothingOpen();

  // It keeps nobody up, and stands in the strip until two people have decided.
  await counter.mode("sale");
  await expect(counter.strip).toContainText(`Vente sans billet\u00a0: ${named}`);
  await page.keyboard.press("Alt+d");
  await counter.mode("ticket");
  await expect(page.locator("#reference")).toHaveText(named);
  await counter.picture("no-paper-2-decide");
  await page.locator("#duplicate").click();
  await counter.answer({ Motif: "sans papier", "Insigne de la deuxième personne": SUPERVISOR.badge, "NIP de la deuxième personne": SUPERVISOR.pin }, "Imprimer le duplicata");
  await expect(counter.strip).not.toContainText("Vente sans billet");
  expect(house.texts()).toHaveLength(papers + 1);
  expect(house.texts()[papers]).toContain("DUPLICATA 2");
  expect(await house.record()).toContain("TicketDuplicated");
  await expect(page.locator("#work")).toContainText("L’argent gardé à part va dans le tiroir");
  await counter.picture("no-paper-3-done");
});

test("a sale without paper whose money was given back gets no duplicate, here or at the wall", { tag: AWAY }, async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  await counter.signOn();
  await counter.draft();
  house.line.isCutAfter("/sales");
  await counter.press("Enter");
  await counter.mode("doubt");
  await counter.answers("0");
  await expect(counter.strip).toContainText("rendu au joueur");
  await isClosedAndMended(house);
  await counter.trusted();
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("Vente enregistrée, argent rendu");
  await expect(counter.doubt).toContainText("Aucun billet n’est remis.");
  await counter.picture("given-back-3-no-paper");
  await counter.answers("1");
  await counter.nothingOpen();
  await page.keyboard.press("Alt+d");
  await counter.mode("ticket");
  await expect(page.locator("#unpaid")).toBeVisible();
  await expect(page.locator("#duplicate, #release")).toHaveCount(0);
  await counter.picture("given-back-4-decide");

  // The wall of a supervisor elsewhere shows what the terminal says, and offers no more.
  const supervisor = new Agent(page, (await house.agent({}, "terminal.toml")).address);
  await supervisor.signOn(SUPERVISOR);
  await page.goto(`${supervisor.address}/wall`);
  const card = page.locator('[data-name^="doubt-"]');
  await expect(card).toContainText("Argent rendu au joueur");
  await card.click();
  await expect(page.getByRole("button", { name: "Parti sans payer" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Duplicata" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Libérer" })).toHaveCount(0);
  await picture(page, "given-back-5-wall");
});

test("the wall names a sale without paper by the same reference, and two people decide there", { tag: AWAY }, async ({ house, page }) => {
  await openBeforeDraw(house);
  const clerk = new Agent(page, (await house.agent()).address);
  const supervisor = new Agent(page, (await house.agent({}, "terminal.toml")).address);
  await clerk.signOn(CLERK, 20_000);
  await supervisor.signOn(SUPERVISOR);
  house.line.isCutAfter("/sales");
  const slip = { selections: [{ type: "straight", numbers: [7, 18, 33], wager_cents: 200 }], draws: 1 };
  const selling = clerk.post("sales", { slip, total_cents: 200 });
  await expect.poll(async () => (await clerk.get("state")).busy).toBe("asking");
  const { asking } = await clerk.get("state");
  await clerk.post("park", { key: asking, money: "kept" });
  await selling;
  await isClosedAndMended(house);
  const first = async () => (await clerk.get("state")).open[0];
  await expect.poll(async () => (await first())?.stage, { timeout: 30_000 }).toBe("no_paper");
  const { reference } = await first();

  await page.goto(`${supervisor.address}/wall`);
  const card = page.locator('[data-name^="doubt-"]');
  await expect(card).toContainText(`#${reference.ticket} · ${reference.number}`);
  await card.click();
  await picture(page, "wall-no-paper-1");
  await page.keyboard.press("1");
  const box = page.getByRole("dialog");
  await box.getByLabel("Motif").fill("sans papier");
  await box.getByLabel("Insigne de la deuxième personne").fill(CLERK.badge);
  await box.getByLabel("NIP de la deuxième personne").fill(CLERK.pin);
  const papers = house.texts().length;
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText("Exemplaire 2");
  expect(house.texts()).toHaveLength(papers + 1);
  expect(house.texts()[papers]).toContain("DUPLICATA 2");
  await picture(page, "wall-no-paper-2");
  // What was decided here ends the task there.
  await clerk.post("acknowledge", { key: (await first()).key });
  await expect.poll(async () => {
    await clerk.post("resolve", {});
    return (await clerk.get("state")).open.length;
  }).toBe(0);
});
