// A printer that goes wrong, before a sale and in the middle of a paper. Whatever the clerk answers,
// at most one paper can be paid, and the record says the same as the papers.
// @ts-check
import { counterOf, expect, test as base } from "./house.js";
import { Printer } from "./printer.js";

/** Where a paper breaks off: its claim code is printed after that, its last line too. */
const MIDDLE = "MISE TOTALE";

const test = base.extend(
  /** @type {import("@playwright/test").Fixtures<{ printer: Printer }, {}, import("./house.js").Ours & import("@playwright/test").PlaywrightTestArgs>} */ ({
    printer: async ({}, use) => {
      const printer = new Printer();
      await printer.plugIn();
      await use(printer);
      printer.unplug();
    },
    counter: async ({ house, page, printer }, use) => {
      await house.open();
      const counter = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
      await counter.signOn();
      // The neighbour's clerk checks what is brought to be paid.
      await house.keno("sign-on");
      await use(counter);
    },
  }),
);

/** @typedef {import("./house.js").Counter} Counter */

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
 * @param {import("./house.js").House} house @param {Printer} printer
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
  // Nothing else is taken for an answer.
  await counter.press("Enter", "Escape", "F3", "2");
  await counter.mode("doubt");
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
  // Money and paper are told, until the clerk goes on.
  await expect(counter.work).toContainText("Billet annulé");
  await expect(counter.work).toContainText("6,00\u00a0$");
  await counter.picture("printing-cancelled");
  // Even if that paper is whole, it is worth nothing now.
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
  await counter.nothingOpen();
  await expect(counter.total).not.toContainText("émis");
  await counter.picture("printing-cancelled-2");
  await sells(counter);
  await isIssued(counter);
  expect(await counts(house, printer)).toEqual({ sold: 2, cancelled: 1, confirmed: 1, payable: 1 });
});

test("a line that dies in the middle of a paper", async ({ counter, house, printer }) => {
  printer.breaks("unplugged", MIDDLE);
  await sells(counter);
  await counter.mode("doubt");
  await counter.picture("printing-unplugged-1-asked");
  expect(printer.papers.map((paper) => paper.isWhole)).toEqual([false]);
  await printer.plugIn();
  await counter.press("0");
  await counter.picture("printing-unplugged-2-cancelled");
  await counter.nothingOpen();
  expect(await counts(house, printer)).toEqual({ sold: 1, cancelled: 1, confirmed: 0, payable: 0 });
});
