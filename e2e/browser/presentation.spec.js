// Tickets presented one after the other without being paid, as on the last day of a claim period.
// @ts-check
import { between, holdsNext } from "./between.js";
import { counterOf } from "./counter.js";
import { CLERK, SUPERVISOR, codeOn } from "./house.js";
import { DRAWN, DRAWN_MS, openBeforeDraw, scannedUntil } from "./near_draw.js";
import { Hands, fits, isOnTheScreen, isWhole } from "./round.js";
import { expect, test } from "./test.js";

/** What is told of a ticket whose only draw is settled. */
const DONE = /Non gagnant|Billet gagnant/;

test("tickets are presented one after the other, and their receipt is printed", async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  await counter.signOn();
  const codes = [];
  for (const number of [1, 2, 3]) codes.push(codeOn(await counter.sell(number, 1)));
  // The third is given back: it is no claim any more.
  await counter.scan(codes[2]);
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  await counter.press("F11", "1", "Enter");
  await house.paper(4);
  await expect(counter.total).toContainText("RENDEZ");
  await counter.press("Escape");
  // A draw to come cannot be presented.
  for (const code of codes.slice(0, 2)) await scannedUntil(counter, code, DONE);
  await counter.press("Escape");

  // By way of the button: Enter is its, and the next one is the screen's.
  await page.keyboard.press("Alt+p");
  await counter.mode("more");
  await new Hands(page).goesTo(page.locator("#present"));
  await page.keyboard.press("Enter");
  await counter.mode("present");
  await expect(page.locator("#present-print")).toHaveCount(0);
  // Who has a number and no code presents nothing.
  await expect(counter.work).toContainText("payez-le d’abord, à deux, ou appelez le superviseur");
  await expect(page.locator("#keys")).not.toContainText("Alt+N");
  await page.keyboard.press("Alt+n");
  await expect(counter.box).toBeHidden();
  const before = await house.record();
  const rows = page.locator("#presented tbody tr");
  // A scanner does not wait for central.
  for (const code of codes) await counter.scan(code);
  await expect(rows).toHaveCount(2);
  await expect(page.locator("#presented-count")).toHaveText("2 billets présentés");
  await expect(page.locator("#not-presented")).toContainText("Non présentés : 1");
  await expect(page.locator("#not-presented")).toContainText(`${endOf(codes[2])} Ce billet a été annulé.`);
  await expect(rows.first()).toContainText(endOf(codes[1]));
  await expect(rows.first()).toContainText("dans le délai");
  // Once more is no other ticket.
  await counter.scan(codes[0]);
  await expect(rows.first()).toContainText("(déjà présenté)");
  await expect(rows).toHaveCount(2);
  await expect(page.locator("#not-presented")).toContainText("annulé");
  await counter.picture("present-1-scanned");
  await isWhole(page, "presented");
  await isOnTheScreen(page, "presented");
  await fits(page, "presented");
  const since = (await house.record()).slice(before.length);
  expect(since.filter((kind) => kind === "ClaimPresented"), "a repetition writes no second leaf").toHaveLength(2);
  expect(house.texts()).toHaveLength(4);

  await counter.press("Enter");
  const receipt = await house.paper(5);
  expect(receipt).toContain("REÇU DE PRÉSENTATION");
  expect(receipt).not.toContain("RÉIMPRESSION");
  expect(receipt).toMatch(/^Billets présentés \/ Tickets presented +2$/m);
  for (const code of codes.slice(0, 2)) expect(receipt).toMatch(new RegExp(`^${endOf(code)} +\\d{4}-\\d\\d-\\d\\d\\s\\d\\d:\\d\\d:\\d\\d$`, "m"));
  expect(receipt).not.toContain(endOf(codes[2]));
  // Nobody can claim with it.
  expect(receipt).not.toContain("QR:");
  await expect(counter.told.filter({ hasText: "Remettez le reçu" })).toBeVisible();
  await counter.picture("present-2-printed");
  // Enter once more is no other receipt; that has a key of its own.
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await counter.press("Enter");
  // What Enter would have asked comes before this.
  await page.evaluate(() => fetch("/agent/presentations"));
  expect(asked.filter((path) => path === "/agent/presentation-receipts"), "receipts that were asked for").toEqual([]);
  await counter.press("+");
  expect(await house.paper(6)).toContain("RÉIMPRESSION");

  // The next patron's tickets have a receipt of their own.
  await counter.scan(codes[1]);
  await expect(rows).toHaveCount(1);
  await expect(page.locator("#not-presented")).toHaveCount(0);
  await page.keyboard.press("Alt+l");
  await expect(page.locator("#presented-count")).toHaveText("1 ticket presented");
  await counter.picture("present-3-english");
  await isWhole(page, "presented, in English");
  await isOnTheScreen(page, "presented, in English");
  await page.keyboard.press("Alt+l");
  // Whoever asks for the receipt while the last ticket is on its way has both on it.
  const last = await holdsNext(page, "presentations");
  await counter.scan(codes[0]);
  await last.arrived;
  await counter.press("Enter");
  await (await last.arrived).continue();
  expect(await house.paper(7)).toMatch(/^Billets présentés \/ Tickets presented +2$/m);
  await expect(page.locator("#present-again")).toBeVisible();

  // One that is on its way when the clerk leaves is asked about, and is not the next patron's.
  const held = await holdsNext(page, "presentations");
  await counter.scan(codes[1]);
  await held.arrived;
  await counter.press("Escape");
  await expect(counter.box).toContainText("Non présentés\u00a0: 1");
  await counter.press("Escape");
  await expect(counter.box).toBeHidden();
  await counter.mode("present");
  await counter.press("Escape", "Enter");
  await counter.mode("sale");
  await page.keyboard.press("Alt+p");
  await counter.press("4");
  await counter.mode("present");
  await (await held.arrived).fulfill({ json: { name: "central_away", title: { fr: "Le central ne répond pas.", en: "Central does not answer." } } });
  await counter.scan(codes[0]);
  await expect(rows.first()).toContainText(endOf(codes[0]));
  await expect(rows, "tickets of the next patron").toHaveCount(1);
  await counter.press("Escape");
  await counter.mode("sale");
  await counter.sell(8);
});

test("tickets that were presented during an outage are entered by two people with their hour", async ({ house, page }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page);
  await counter.signOn();
  const codes = [codeOn(await counter.sell(1, 1)), codeOn(await counter.sell(2, 1))];
  for (const code of codes) await scannedUntil(counter, code, DONE);
  // The minute after its draw, which the house's clock has not shown before.
  const drawn = await page.locator(".draws tbody tr td").first().innerText();
  const [hours, minutes] = /(\d\d)\D*(\d\d)\s*$/.exec(drawn)?.slice(1).map(Number) ?? [];
  const next = (hours * 60 + minutes + 1) % 1440;
  const hour = `${String(Math.floor(next / 60)).padStart(2, "0")}${String(next % 60).padStart(2, "0")}`;
  await counter.press("Escape");
  await page.keyboard.press("Alt+p");
  await counter.press("4");
  await counter.mode("present");
  await counter.press("*");
  await expect(page.locator("#after-count")).toHaveText("À inscrire après coup\u00a0: 0");
  for (const code of [...codes, codes[0]]) await counter.scan(code);
  await expect(page.locator("#after-count")).toHaveText("À inscrire après coup\u00a0: 2");
  await isWhole(page, "presented during an outage");
  // Nothing is recorded by a scan, nor by one person alone.
  expect((await house.record()).filter((kind) => kind === "ClaimPresented")).toEqual([]);
  await counter.press("Enter");
  await counter.picture("present-after-1-asked");
  await counter.answer({ "Heure (HHMM, ou JJHHMM)": hour, "Insigne de la deuxième personne": CLERK.badge, "NIP de la deuxième personne": CLERK.pin }, "Inscrire");
  await expect(counter.told.first()).toBeVisible();
  await expect(page.locator("#after-count")).toHaveText("À inscrire après coup\u00a0: 2");
  await counter.picture("present-after-2-refused");
  // Before that minute has come it was not yet drawn at that hour, the day before.
  await house.until(60_000 + DRAWN_MS);
  await expect(async () => {
    await counter.press("Enter");
    // The hour that was typed stands there still.
    await expect(counter.box.getByLabel("Heure (HHMM, ou JJHHMM)")).toHaveValue(hour);
    await counter.answer({ "Insigne de la deuxième personne": SUPERVISOR.badge, "NIP de la deuxième personne": SUPERVISOR.pin }, "Inscrire");
    await expect(page.locator("#presented tbody tr")).toHaveCount(2, { timeout: 5_000 });
  }).toPass(DRAWN);
  await expect(page.locator("#presented tbody tr").first()).toContainText("dans le délai");
  await counter.press("Enter");
  const receipt = await house.paper(3);
  expect(receipt).toMatch(/^Billets présentés \/ Tickets presented +2$/m);
  expect(receipt.replaceAll(/\D/g, "")).toContain(`${hour}00`);
  expect((await house.record()).filter((kind) => kind === "ClaimPresented")).toHaveLength(2);
  await counter.picture("present-after-3-printed");
});

test("a receipt that did not come out is printed when the printer is mended @central-goes-away", async ({ house, page, printer }) => {
  await openBeforeDraw(house);
  const counter = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
  await counter.signOn();
  await counter.draft(1);
  await counter.press("Enter");
  await expect(counter.total).toContainText("émis");
  const code = printer.papers[0].code ?? "";
  await counter.press("Escape");
  await scannedUntil(counter, code, DONE);
  await counter.press("Escape");
  const present = async () => {
    await page.keyboard.press("Alt+p");
    await counter.mode("more");
    await counter.press("4");
    await counter.mode("present");
  };
  await present();
  const rows = page.locator("#presented tbody tr");
  const waiting = page.locator("#not-yet-presented");
  // The device is silent for a moment, when it is told of a ticket and when it is asked for the list.
  const before = counter.complaints.length;
  /** @type {Set<string>} */
  const lost = new Set();
  await between(page, "**/agent/presentations", async (route) => {
    const method = route.request().method();
    if (lost.has(method)) return route.fallback();
    lost.add(method);
    return route.abort();
  });
  await counter.scan(code);
  await expect.poll(() => lost.size, "questions that were lost").toBe(2);
  await counter.scan(code);
  await expect(rows, "tickets of the list after it could not be read").toHaveCount(1);
  await expect(waiting).toHaveCount(0);
  counter.complaints.splice(before);
  // One whose answer was lost, and one that is scanned while central is away, are presented when it is
  // back; the first time counts.
  house.line.isTakenUnheard("/presentations", house.central.child.pid);
  await counter.scan(code);
  await expect(waiting).toContainText("En attente du central\u00a0: 1");
  await counter.central("away");
  await counter.scan(code);
  await expect(waiting).toContainText("En attente du central\u00a0: 2");
  // Nobody leaves them by mistake.
  await counter.press("Escape");
  await expect(counter.box).toContainText("Non présentés\u00a0: 2");
  await counter.picture("present-5-leave");
  house.central.goOn();
  // There is nothing left to ask.
  await expect(counter.box).toBeHidden();
  await expect(rows).toContainText("(déjà présenté)");
  await expect(rows).toHaveCount(1);
  await expect(waiting).toHaveCount(0);
  await expect(page.locator("#not-presented")).toHaveCount(0);
  // What was presented for this patron is there when the page is read anew.
  await page.reload();
  await counter.trusted();
  await present();
  await expect(rows).toContainText("dans le délai");
  printer.trouble = "cover_open";
  await counter.press("Enter");
  await expect(counter.told.filter({ hasText: "Capot ouvert : fermez-le." })).toBeVisible();
  await expect(counter.told.filter({ hasText: "le reçu peut être imprimé de nouveau" })).toBeVisible();
  await counter.picture("present-4-cover-open");
  printer.mend();
  await counter.press("Enter");
  await expect(counter.told.filter({ hasText: "Remettez le reçu" })).toBeVisible();
  expect(printer.papers).toHaveLength(2);
  // The first one that came out is no reprint.
  expect(printer.papers[1].text).not.toContain("REPRINT");
  expect(printer.papers[1].isWhole).toBe(true);
});

test("a ticket scanned while central is away is asked about when it is back @central-goes-away", async ({ counter, house, page }) => {
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  house.central.freeze();
  await counter.central("away");
  await counter.scan(code);
  await counter.mode("ticket");
  await expect(counter.told).toContainText("Le central ne répond pas");
  await counter.picture("ticket-away");
  // Read twice, it is the same ticket.
  const asked = page.waitForResponse("**/agent/checks");
  await counter.scan(code);
  await asked;
  await expect(counter.told).toContainText("Le central ne répond pas");
  // The clerk wants the same slip again, and has pressed for it already.
  await counter.press("F10");
  house.central.goOn();
  await expect(counter.total.locator(".confirm")).toContainText("billet rejoué");
  await counter.press("0", "Escape", "Escape");

  house.central.freeze();
  await counter.central("away");
  await counter.scan(code);
  await expect(counter.told).toContainText("Le central ne répond pas");
  // Nobody has to wait.
  await counter.press("Escape");
  await counter.mode("sale");
  await counter.scan(code);
  await expect(counter.told).toContainText("Le central ne répond pas");
  // A clock that is too far off stops sales alone.
  let isHeld = false;
  await page.route("**/agent/state*", async (route) => {
    isHeld = true;
    const response = await route.fetch();
    const state = await response.json();
    if (state.central.state === "trusted") state.central.state = "skewed";
    await route.fulfill({ response, json: state });
  });
  // The question that was on its way is answered as it is.
  await expect.poll(() => isHeld).toBe(true);
  house.central.goOn();
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  await counter.central("skewed");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await counter.press("Escape");
  await counter.trusted();
  const other = codeOn(await counter.sell(2));
  await counter.mode("sale");
  // What is said late of one ticket is not said of another.
  const held = await holdsNext(page, "checks");
  await counter.scan(code);
  const late = await held.arrived;
  await counter.scan(other);
  const title = counter.work.locator("h2");
  await expect(title).toContainText(other.slice(15, 19));
  await Promise.all([page.waitForResponse("**/agent/checks"), late.continue()]);
  // An answer that comes after that one.
  await page.evaluate(async () => (await fetch("/agent/presentations")).json());
  await expect(title, "the ticket that was scanned last").toContainText(other.slice(15, 19));
});

/** How a ticket is named where its number is covered. @param {string} code */
const endOf = (code) => {
  const digits = /^KT\d(\d{16})/.exec(code);
  if (!digits) throw new Error(`no control number in ${code}`);
  return `…${digits[1].slice(-4)}`;
};
