// States of the pages that no flow of keyboard.spec.js comes by: by the rules of WCAG 2.2 AA, at twice
// the size, in both languages.
// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import { counterOf, picture, types } from "./counter.js";
import { codeOn } from "./house.js";
import { Hands, fits, isWhole, looks } from "./round.js";
import { AWAY, expect, test } from "./test.js";

test("every state of the technician's pages fits everybody", { tag: AWAY }, async ({ counter, house, page, context }) => {
  const hands = await new Hands(page).begin();
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  // From the counter to each page and back, by the keyboard.
  const goes = async (/** @type {string} */ name) => {
    await page.keyboard.press("Alt+p");
    await hands.goesTo(page.getByRole("link", { name }));
    await hands.press("Enter");
  };
  await goes("Page du technicien");
  await expect(page.locator("#central dd.good")).toBeVisible();
  await looks(page, "technician", { mayScroll: true, central: "" });
  await hands.goesTo(page.locator("#judge"));
  await hands.press("Enter");
  await expect(page.locator("#stays")).toBeVisible();
  await hands.press("Escape");
  await counter.trusted();
  await goes("Essai de l’imprimante");
  await expect(page.locator("#state")).toContainText("L’imprimante est prête.");
  await hands.press("1");
  await expect(page.locator("#state")).toContainText("Confirmé après");
  await looks(page, "trial-printer", { mayScroll: true, language: "F9", central: "" });
  await hands.press("Escape");
  await counter.trusted();
  await goes("Essai du lecteur");
  await expect(page.locator("#typed")).toBeFocused();
  await types(page, code);
  await page.keyboard.press("Enter");
  await expect(page.locator("#state")).toContainText("Code du billet complet.");
  await looks(page, "trial-scanner", { mayScroll: true, language: "F9", central: "" });
  await hands.press("Escape");
  await counter.trusted();
  await expect(page.locator("#express button")).toHaveCount(8);
  await counter.putAside();
  await looks(page, "aside", { central: "away" });
  await page.goto(`${counter.address}/technician`);
  await expect(page.locator("#central dd.bad")).toBeVisible();
  await hands.goesTo(page.locator("#judge"));
  await hands.press("Enter");
  await expect(page.locator("#stays")).toBeVisible();
  await looks(page, "technician-stays", { mayScroll: true, central: "" });

  // A device that nobody knows yet.
  const settings = path.join(house.data, "new.toml");
  const folder = path.join(house.folder, "new");
  writeFileSync(settings, [`central = "https://127.0.0.1:9"`, `journal = "${folder}/journal"`, `trust = "${folder}/trust"`, ""].join("\n"));
  const agent = house.start("keno-terminal", ["--config", settings, "serve"], { BOULIER_LISTEN: "127.0.0.1:0" });
  await page.goto((await agent.says(/page at (http:\/\/[\d.:]+)\//))[1]);
  await hands.goesTo(page.locator("#enrol"));
  await hands.press("Enter");
  await expect(page.locator(".told.bad")).toBeVisible();
  await expect(page.locator("#enrol")).toBeEnabled();
  await looks(page, "technician-not-enrolled", { mayScroll: true, central: "" });
  // A board and a kiosk, which speak both languages at once.
  for (const role of /** @type {const} */ (["display", "kiosk"])) {
    const other = await house.screen(role);
    const shown = await context.newPage();
    await shown.goto(`${other.address}/`);
    await expect(shown.locator("#about")).not.toBeEmpty();
    await fits(shown, role);
    await isWhole(shown, role);
    await shown.close();
  }
});

test("every state of a paper in doubt fits everybody", { tag: AWAY }, async ({ house, page, printer }) => {
  await house.open();
  const counter = await counterOf(house, page, { BOULIER_PRINTER_ADDRESS: printer.address });
  await counter.signOn();
  printer.breaks("out_of_paper", "MISE TOTALE");
  await counter.draft();
  await counter.press("Enter");
  await expect(counter.doubt).toContainText("Réglez d’abord l’imprimante");
  // What is wrong is said in words and drawn.
  await expect(counter.doubt.locator(".printer svg")).toBeVisible();
  await looks(page, "paper-waits");
  printer.mend();
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  await looks(page, "paper-asked");
  await counter.press("0");
  await expect(counter.doubt).toContainText("Billet annulé");
  await looks(page, "paper-cancelled");
  await counter.press("0");
  await counter.mode("sale");
  // The knife, and a line that dies.
  printer.trouble = "cutter";
  await expect(counter.strip).toContainText("Couteau bloqué");
  await looks(page, "printer-trouble");
  printer.mend();
  await expect(counter.strip).toContainText("L’imprimante est prête.");
  printer.breaks("unplugged", "MISE TOTALE");
  await counter.draft();
  await counter.press("Enter");
  await expect(counter.doubt).toContainText("Imprimante introuvable");
  await looks(page, "paper-unplugged");
  await counter.press("0");
  await expect(counter.doubt).toContainText("Billet annulé");
  await counter.press("0");
  await expect(counter.doubt).toContainText("Enregistré, papier à imprimer");
  await looks(page, "paper-to-print");
  await printer.plugIn();
  await counter.press("1");
  await counter.mode("sale");
  // Central goes away before it heard that a paper is not whole: it is asked about still.
  printer.confirms = false;
  await counter.draft();
  await counter.press("Enter");
  await expect(counter.doubt).toContainText("Le billet est-il sorti complet ?");
  house.central.freeze();
  await counter.central("away");
  await counter.press("0");
  await expect(counter.told.first()).toContainText("Le central ne répond pas");
  await looks(page, "paper-central-away", { central: "away" });
  house.central.goOn();
  printer.confirms = true;
  await counter.trusted();
  await counter.press("0");
  await expect(counter.doubt).toContainText("Billet annulé");
});

test("no page asks for anything but this device", async ({ counter, page }) => {
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await counter.signOn();
  await counter.draft();
  await page.goto(`${counter.address}/customer`);
  await page.locator("#shown").innerText();
  const own = `${counter.address}/`;
  expect(asked.filter((url) => !url.startsWith(own))).toEqual([]);
  expect(asked.length).toBeGreaterThan(10);
});

test("the player's screen shows the draft field for field", async ({ counter, page }) => {
  const customer = await counter.player();
  await customer.setViewportSize({ width: 1280, height: 800 });
  const shown = customer.locator("#shown");
  await expect(shown).toContainText("Ce comptoir est fermé");
  await expect(shown).toContainText("This counter is closed");
  await counter.signOn();
  await expect(shown).toContainText("Bienvenue au Keno");
  // The mentions of s. 77, in both languages, before anything is sold.
  const mentions = customer.locator("#mentions");
  for (const words of ["De 1 à 10 numéros par sélection.", "1 to 10 numbers per selection.", "Comptoir et borne Keno", "Keno counter and kiosk", "Maximum payable en lots par tirage : 50\u00a0000\u00a0$.", "Maximum payable in prizes per draw: $50,000."]) {
    await expect(mentions).toContainText(words);
  }
  await counter.press("0", "7", "1", "8", "+", "/", "0", "3", "1", "4", "Enter", "4", "0", "5", "1", "Enter", "Enter", "1");
  await counter.costs("3,00\u00a0$");
  // What each shows of a field is the same.
  const numbers = async (/** @type {import("@playwright/test").Locator} */ where) => (await where.locator("b").allInnerTexts()).map((one) => one.trim());
  const own = await numbers(page.locator(".selections"));
  expect(own).toEqual(["07", "18", "03", "14", "40", "51"]);
  await expect(async () => expect(await numbers(customer.locator(".selections"))).toEqual(own)).toPass();
  await expect(shown).toContainText("Simple");
  await expect(shown).toContainText("Combinaison");
  await expect(shown).toContainText("2 × 2 numéros à 1,00\u00a0$");
  await expect(shown.locator(".total output")).toHaveText(["3,00\u00a0$"]);
  await page.locator('#total [data-field="draws"]').click();
  await counter.press("5");
  await counter.costs("15,00\u00a0$");
  await expect(shown).toContainText("5 tirages");
  await expect(shown.locator(".total output")).toHaveText(["15,00\u00a0$"]);
  await page.getByRole("button", { name: "20\u00a0$" }).click();
  await expect(shown.locator(".total output")).toHaveText(["15,00\u00a0$", "5,00\u00a0$"]);
  await picture(customer, "customer-1-draft");
  await counter.press("Enter", "1");
  const code = codeOn(await counter.sold(1));
  await expect(shown).toContainText("émis");
  await expect(shown.locator(".total output")).toHaveText(["15,00\u00a0$", "5,00\u00a0$"]);
  await picture(customer, "customer-2-sold");
  // The verdict of every inquiry, and nothing of it once the ticket is handed back.
  await counter.scan(code);
  await expect(shown).toContainText("Tirage à venir");
  await expect(shown).toContainText("Draw to come");
  await picture(customer, "customer-3-verdict");
  await counter.press("Escape");
  await expect(shown).toContainText("Bienvenue au Keno");
  await counter.press("0", "7", "F12");
  await expect(shown).toContainText("Ce comptoir est fermé");
  // Of a device that is gone nobody is told when the next draw is.
  const next = customer.locator("#draw");
  await expect(next).toContainText("Prochain tirage");
  const before = counter.complaints.length;
  await page.goto("about:blank");
  await counter.agent.stop("SIGKILL");
  await expect(next).toBeEmpty();
  await expect(shown).toContainText("Ce comptoir est fermé");
  await customer.close();
  counter.complaints.splice(before);
});
