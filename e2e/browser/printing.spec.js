// A printer that goes wrong, before a sale and in the middle of a paper. Whatever the clerk answers,
// at most one paper can be paid, and the record says the same as the papers.
// @ts-check
import { counterOf } from "./counter.js";
import { expect, test as base } from "./test.js";

/** Where a paper breaks off: its claim code is printed after that, its last line too. */
const MIDDLE = "MISE TOTALE";

const test = base.extend(
  /** @type {import("@playwright/test").Fixtures<{}, {}, import("./test.js").Ours & import("@playwright/test").PlaywrightTestArgs>} */ ({
    counter: async ({ house, page, printer }, use) => {
      await house.open();
      const counter = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
      await counter.signOn();
      // The neighbour's clerk checks what is brought to be paid.
      await house.keno("sign-on", "--float-cents", "20000");
      await use(counter);
    },
  }),
);

/** @typedef {import("./counter.js").Counter} Counter */

/** A sale of 6,00 $ at the page. @param {Counter} counter */
const sells = async (counter) => {
  await counter.draft();
  await counter.press("Enter");
};

/** Waits until the last sale is issued, with nothing left open. @param {Counter} counter */
const isIssued = async (counter) => {
  await counter.mode("sale");
  await expect(counter.total).toContainText("émis");
  await counter.nothingOpen();
};

/**
 * What the record says, and the papers that could be brought to be paid.
 * @param {import("./house.js").House} house @param {import("./printer.js").Printer} printer
 */
const counts = async (house, printer) => {
  const kinds = await house.record();
  const of = (/** @type {string} */ kind) => kinds.filter((one) => one === kind).length;
  let payable = 0;
  for (const paper of printer.papers.filter((one) => one.isTicket)) {
    const said = await house.keno("check", /** @type {string} */ (paper.code));
    if (said.includes("Tirage à venir")) payable += 1;
    else expect(said).toContain("Billet annulé");
  }
  return { sold: of("TicketSold"), cancelled: of("TicketCancelled"), confirmed: of("PrintConfirmed"), payable };
};

test("a printer in trouble stops the sale before the money", async ({ counter, house, printer }) => {
  /** @type {[string, string][]} */
  const troubles = [
    ["cover_open", "Capot ouvert : fermez-le."],
    ["out_of_paper", "Plus de papier : changez le rouleau."],
    ["cutter", "Couteau bloqué"],
    ["unplugged", "Imprimante introuvable"],
  ];
  await counter.draft();
  for (const [index, [trouble, sentence]] of troubles.entries()) {
    if (trouble === "unplugged") printer.unplug();
    else printer.trouble = trouble;
    await counter.press("Enter");
    await expect(counter.told.filter({ hasText: sentence })).toBeVisible();
    await expect(counter.told.filter({ hasText: "Rien n’a été vendu." })).toBeVisible();
    // The strip says so too, and the draft is as it was.
    await expect(counter.strip).toContainText(sentence);
    await counter.costs("6,00\u00a0$");
    await counter.picture(`printing-before-${index + 1}-${trouble}`);
    expect(await counts(house, printer)).toEqual({ sold: index, cancelled: 0, confirmed: index, payable: index });
    if (trouble === "unplugged") await printer.plugIn();
    else printer.mend();
    await counter.press("Enter");
    await isIssued(counter);
    expect(await counts(house, printer)).toEqual({ sold: index + 1, cancelled: 0, confirmed: index + 1, payable: index + 1 });
    await expect(counter.strip).toContainText("L’imprimante est prête.");
    if (index + 1 < troubles.length) await counter.draft();
  }
});

test("a roll near its end is told, and the sale goes on", async ({ counter, house, printer }) => {
  printer.isNearEnd = true;
  await expect(counter.strip).toContainText("Bientôt plus de papier.");
  await counter.picture("printing-near-end");
  await sells(counter);
  await isIssued(counter);
  await expect(counter.strip).toContainText("Bientôt plus de papier.");
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 0, confirmed: 1, payable: 1 });
});

test("a printer that does not confirm: the clerk looks, and the ticket is issued", async ({ counter, house, printer }) => {
  printer.confirms = false;
  await sells(counter);
  await counter.mode("doubt");
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await expect(counter.doubt).toContainText("*** FIN / END");
  await expect(counter.doubt.locator("svg.picture text").last()).toHaveText("*** FIN / END");
  await counter.picture("printing-silent-1-asked");
  // Nothing else is taken for an answer, also when an answer is taken.
  for (const key of ["Enter", "Escape", "F3", "2"]) {
    await expect(counter.doubt).toHaveAttribute("data-armed", "true");
    await counter.press(key);
    // Nothing was begun, and the question is the same.
    await expect(counter.doubt.locator(".working")).toHaveCount(0);
    await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  }
  await counter.press("1");
  await isIssued(counter);
  await counter.picture("printing-silent-2-issued");
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 0, confirmed: 1, payable: 1 });
});

test("a paper that is not whole is cancelled, and sold again under another number", async ({ counter, house, printer }) => {
  printer.confirms = false;
  await sells(counter);
  await counter.mode("doubt");
  printer.confirms = true;
  await counter.press("0");
  // What becomes of money and paper stands there until the clerk goes on.
  await expect(counter.doubt).toContainText("Billet annulé");
  await expect(counter.doubt).toContainText("6,00\u00a0$");
  await expect(counter.doubt).toContainText("L’ancien papier ne vaut plus rien");
  await counter.picture("printing-again-1-cancelled");
  // Even if that paper is whole, it is worth nothing now.
  expect(printer.papers.map((paper) => paper.isTicket)).toEqual([true, false]);
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
  await counter.press("Enter", "F3");
  await expect(counter.doubt).toContainText("Billet annulé");
  await counter.press("1");
  await counter.costs("6,00\u00a0$");
  await counter.picture("printing-again-2-draft");
  await counter.press("Enter");
  await isIssued(counter);
  expect(new Set(printer.papers.flatMap((paper) => paper.code ?? [])).size).toBe(2);
  expect(await counts(house, printer)).toEqual({ sold: 2, cancelled: 1, confirmed: 1, payable: 1 });
});

test("a line that dies in the middle of a paper, and stays away", async ({ counter, house, printer }) => {
  printer.breaks("unplugged", MIDDLE);
  await sells(counter);
  await expect(counter.doubt).toContainText("Imprimante introuvable");
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await counter.picture("printing-unplugged-1-asked");
  expect(printer.papers.map((paper) => paper.isWhole)).toEqual([false]);
  await counter.press("0");
  await expect(counter.doubt).toContainText("Billet annulé");
  await counter.picture("printing-unplugged-2-cancelled");
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
  await counter.press("0");
  // The receipt is still to come, and nothing is sold before.
  await expect(counter.doubt).toContainText("Enregistré, papier à imprimer");
  await counter.picture("printing-unplugged-3-receipt");
  await counter.press("1");
  await expect(counter.told.filter({ hasText: "le papier attend" })).toBeVisible();
  await printer.plugIn();
  await counter.press("1");
  await counter.mode("sale");
  await counter.nothingOpen();
  await expect(counter.total).not.toContainText("émis");
  expect(printer.papers.map((paper) => paper.isWhole)).toEqual([false, true]);
  expect(printer.papers[1].text).toContain("REMBOURS");
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
});

test("a roll that ends in the middle of a paper: mended, the printer finishes it", async ({ counter, house, printer }) => {
  printer.breaks("out_of_paper", MIDDLE);
  await sells(counter);
  await expect(counter.doubt).toContainText("Réglez d’abord l’imprimante");
  await expect(counter.doubt).toContainText("Plus de papier : changez le rouleau.");
  await expect(counter.strip).toContainText("Plus de papier : changez le rouleau.");
  await counter.picture("printing-roll-1-waits");
  // Neither answer is taken while nobody can know.
  await counter.press("1");
  await expect(counter.told.filter({ hasText: "puis répondez" })).toBeVisible();
  await counter.press("0");
  await expect(counter.told.filter({ hasText: "puis répondez" })).toBeVisible();
  await counter.picture("printing-roll-2-refused");
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 0, confirmed: 0, payable: 0 });
  printer.mend({ goesOn: true });
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await counter.picture("printing-roll-3-asked");
  await counter.press("1");
  await isIssued(counter);
  expect(printer.papers.map((paper) => paper.isWhole)).toEqual([true]);
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 0, confirmed: 1, payable: 1 });
});

test("a cover that opens in the middle of a paper: what was left of it is lost", async ({ counter, house, printer }) => {
  printer.breaks("cover_open", MIDDLE);
  await sells(counter);
  await expect(counter.doubt).toContainText("Capot ouvert : fermez-le.");
  await counter.picture("printing-cover-1-waits");
  printer.mend();
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await counter.press("0");
  await expect(counter.doubt).toContainText("Billet annulé");
  await counter.press("1");
  await counter.costs("6,00\u00a0$");
  await counter.press("Enter");
  await isIssued(counter);
  // The torn ticket, the receipt of its cancellation, the ticket.
  expect(printer.papers.map((paper) => paper.isWhole)).toEqual([false, true, true]);
  expect(await counts(house, printer)).toEqual({ sold: 2, cancelled: 1, confirmed: 1, payable: 1 });
});

test("a ticket that was cancelled elsewhere meanwhile: no second refund", async ({ counter, house, printer }) => {
  printer.confirms = false;
  await sells(counter);
  await counter.mode("doubt");
  await house.keno("cancel", printer.papers[0].code ?? "", "--reason", "printed_badly");
  await counter.press("0");
  await expect(counter.doubt).toContainText("Ce billet ne peut plus être annulé");
  await counter.picture("printing-uncancelled");
  await counter.press("0");
  await expect(counter.doubt).toContainText("Ne remboursez rien.");
  await expect(counter.doubt).toContainText("appelez le superviseur");
  await expect(counter.doubt).not.toContainText("6,00");
  await counter.press("1");
  await counter.mode("sale");
  await counter.nothingOpen();
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
});

test("a paper that was at work when the agent died is asked about before anything new", async ({ counter, house, page, printer }) => {
  printer.confirms = false;
  await sells(counter);
  // Its paper is out, and the agent still waits to hear so.
  await expect.poll(() => printer.papers.length).toBe(1);
  await counter.agent.stop("SIGKILL");
  await page.goto("about:blank");
  counter.complaints.splice(0);
  const again = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
  await again.mode("doubt");
  await expect(again.doubt).toContainText("Le billet est-il sorti complet ?");
  await again.press("F3", "Enter", "Escape");
  await again.mode("doubt");
  await again.picture("printing-restart");
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 0, confirmed: 0, payable: 1 });
  printer.confirms = true;
  await again.press("1");
  await again.mode("sale");
  await again.nothingOpen();
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 0, confirmed: 1, payable: 1 });
  await sells(again);
  await isIssued(again);
  expect(await counts(house, printer)).toEqual({ sold: 2, cancelled: 0, confirmed: 2, payable: 2 });
});

test("a cancellation of a paper that is not whole does not come to central: it is asked again, and done once @central-goes-away", async ({ counter, house, printer }) => {
  printer.confirms = false;
  await sells(counter);
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  house.line.falls("/cancellations", house.central.child.pid);
  await counter.press("0");
  await expect(counter.doubt).toContainText("Le central n’a pas répondu");
  await expect(counter.doubt).toContainText("Gardez le billet");
  house.central.goOn();
  await counter.trusted();
  // Nothing is done before the clerk has said again how the paper is.
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await expect(counter.doubt).toContainText("Gardez tous les morceaux");
  await counter.picture("printing-unheard-1-again");
  printer.mend();
  printer.confirms = true;
  await counter.press("0");
  await expect(counter.doubt).toContainText("Billet annulé");
  await counter.press("0");
  // Of the first try nothing is said any more: it would say that the ticket still holds.
  await counter.mode("sale");
  await counter.nothingOpen();
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
});
