// A ticket whose code cannot be read (s. 83): typed by a clerk while a second person looks, and paid;
// or kept, with a receipt and a file that others decide about at the wall.
// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Agent } from "./agent.js";
import { Counter, counterOf, picture } from "./counter.js";
import { CLERK, SUPERVISOR, codeOn } from "./house.js";
import { DRAWN, DRAWN_MS, openBeforeDraw } from "./near_draw.js";
import { looks } from "./round.js";
import { expect, test } from "./test.js";

/** Every number alone: twenty of them are drawn, whatever is drawn, and each pays three times its wager. */
const EVERY = {
  selections: [{ type: "way", groups: Array.from({ length: 80 }, (_, at) => [at + 1]), ways: [{ ways: 80, spots: 1, wager_cents: 50 }] }],
  draws: 1,
};
const ALL = EVERY.selections[0].groups.flat().join(" ");

/** Sells such a ticket at the neighbour's; its control number. @param {import("./house.js").House} house */
const sellEvery = async (house) => {
  await house.keno("sign-on", "--float-cents", "20000");
  const slip = path.join(house.folder, "every.json");
  writeFileSync(slip, JSON.stringify(EVERY));
  await house.keno("sell", slip, "--yes");
  return codeOn(await house.paper(1)).slice(3, 19);
};

/** Types a number alone. @param {Counter} counter @param {string} number */
const typed = async (counter, number) => {
  await counter.page.keyboard.press("Alt+n");
  await counter.answer({ "Numéro de contrôle": number }, "Vérifier");
  await counter.mode("ticket");
};

test("what two people read from a ticket without a code is paid, and anything else is not", async ({ house, page }) => {
  await openBeforeDraw(house);
  const number = await sellEvery(house);
  const counter = await counterOf(house, page);
  await counter.signOn("500,00");
  await house.until(DRAWN_MS);
  await expect(async () => {
    await typed(counter, number);
    await expect(page.locator("#verdict")).toContainText("Billet gagnant", { timeout: 1_000 });
  }).toPass(DRAWN);
  // No amount is seen, and nothing can be paid.
  await expect(counter.total).not.toContainText("$");
  await expect(page.locator("#pay")).toHaveCount(0);
  await page.locator("#read-damaged").click();
  await looks(page, "damaged-reading", { language: "" });
  const read = { "Premier tirage": "1", "Dernier tirage": "1", "Mise totale, $": "40,00", "Terminal imprimé sur le billet": "T01", ...Counter.second() };
  await counter.answer({ ...read, "Tous les numéros d’une sélection": "1 2 3" }, "Lire à deux");
  await expect(counter.work).toContainText("ne concorde avec aucun billet");
  await expect(counter.total).not.toContainText("$");
  await page.locator("#read-damaged").click();
  await counter.answer({ ...read, "Tous les numéros d’une sélection": ALL }, "Lire à deux");
  await expect(counter.total).toContainText("30,00\u00a0$");
  await picture(page, "damaged-read");
  await counter.press("F9");
  await expect(counter.total).toContainText("REMETTEZ");
  expect(await house.paper(2)).toContain("30,00");
  const record = await house.record();
  expect(record.filter((kind) => ["DamagedTicketRead", "PrizePaid"].includes(kind))).toEqual(["DamagedTicketRead", "PrizePaid"]);
});

test("a damaged ticket is kept with a file, its holder has a receipt, and the wall decides no sooner than the rules say", async ({ house, page }) => {
  await house.open();
  const number = await sellEvery(house);
  const counter = await counterOf(house, page);
  await counter.signOn("500,00");
  await page.keyboard.press("Alt+p");
  await page.locator("#damaged").click();
  await looks(page, "damaged-file", { language: "" });
  const legible = `${number.slice(0, 10)}??????`;
  await counter.answer(
    { "Numéro de contrôle, 16 signes, ? pour chaque chiffre illisible": legible, "Premier tirage": "1", "Présenté par": "Porteur", "Ce qui se voit sur le papier": "brûlé à droite" },
    "Ouvrir le dossier et imprimer le reçu",
  );
  await expect(counter.work).toContainText(/Dossier #\d+-\w+ ouvert/);
  const receipt = await house.paper(2);
  expect(receipt).toContain("BILLET ENDOMMAGÉ, REÇU");
  expect(receipt).toContain("Direction des jeux");
  expect(receipt).toContain("10 chiffres sur 16");
  // No digit of the number, no amount, and not whether a ticket was found.
  expect(receipt).not.toContain(number.slice(0, 4));
  await picture(page, "damaged-file-opened");

  const { address } = await house.agent({}, "terminal.toml");
  await house.keno("sign-off").catch(() => null);
  const supervisor = new Agent(page, address);
  await supervisor.signOn(SUPERVISOR);
  await page.goto(`${supervisor.address}/wall`);
  const card = page.locator('[data-name^="file-"]');
  await expect(card).toContainText("Porteur");
  await expect(card).toContainText("attend jusqu’au");
  await card.click();
  await expect(page.getByRole("button", { name: "Décider" })).toHaveCount(0);
  await picture(page, "damaged-wall");
  // A page that offered it all the same is told why not.
  const shown = await (await page.request.get(`${supervisor.address}/agent/damaged/files`)).json();
  const { number: file } = shown.files[0];
  expect(shown.files[0]).not.toHaveProperty("ticket");
  const early = await supervisor.post(`damaged/files/${file}/judgement`, { picture: "00".repeat(32), note: "vu", second: { badge: CLERK.badge, pin: CLERK.pin } });
  expect(early.exit).toBe("refused");
});
