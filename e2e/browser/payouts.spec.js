// Prizes that one person at the counter does not pay alone, or not at all.
// @ts-check
import { writeFileSync } from "node:fs";
import path from "node:path";
import { counterOf } from "./counter.js";
import { CLERK, SUPERVISOR, codeOn } from "./house.js";
import { openBeforeDraw, scannedUntil } from "./near_draw.js";
import { RULES, publish } from "./published.js";
import { Hands, looks, looksAtPlayer } from "./round.js";
import { expect, test } from "./test.js";

/** Two people from 20,00 $ on, the main cage from 200,00 $ on. */
const LIMITS = RULES.replace("version = 1", "version = 2").replace('second_person = "1000.00"', 'second_person = "20.00"').replace('cage = "5000.00"', 'cage = "200.00"');

/** Every number alone: twenty of them are drawn, whatever is drawn, and each pays three times its wager. @param {number} wager_cents */
const everyNumber = (wager_cents) => ({
  selections: [{ type: "way", groups: Array.from({ length: 80 }, (_, at) => [at + 1]), ways: [{ ways: 80, spots: 1, wager_cents }] }],
  draws: 1,
});

test("a prize above the limit is paid by two people, and one above the next by the cage", async ({ house, page }) => {
  await openBeforeDraw(house);
  const nextDraw = async () => (await (await fetch(`http://${house.address}/api/v1/draws/next`)).json()).draw?.draw;
  await expect.poll(nextDraw).toBeDefined();
  await publish(house, LIMITS, await nextDraw());
  // Sold at the neighbour's.
  await house.keno("sign-on", "--float-cents", "20000");
  const codes = [];
  for (const [paper, wager_cents] of [50, 500].entries()) {
    const slip = path.join(house.folder, `every-${wager_cents}.json`);
    writeFileSync(slip, JSON.stringify(everyNumber(wager_cents)));
    await house.keno("sell", slip, "--yes");
    codes.push(codeOn(await house.paper(paper + 1)));
  }
  const counter = await counterOf(house, page);
  const player = await counter.player();
  await counter.signOn("500,00");
  const hands = await new Hands(page).begin();

  await scannedUntil(counter, codes[0], "Billet gagnant : 30,00\u00a0$");
  await hands.press("F9");
  await expect(counter.box).toContainText("deuxième personne");
  await looks(page, "above-the-limit", { language: "" });
  // Nobody is the second person for themselves, and nothing is paid.
  await hands.answers(counter.box, CLERK.badge, CLERK.pin);
  await expect(counter.told.first()).toContainText(/quelqu.un d.autre/);
  expect(house.texts()).toHaveLength(2);
  await hands.press("F9");
  await hands.answers(counter.box, SUPERVISOR.badge, SUPERVISOR.pin);
  await expect(counter.total).toContainText("REMETTEZ");
  await expect(counter.total).toContainText("30,00\u00a0$");
  expect(await house.paper(3)).toMatch(/^T02 +C143 \+ S007 /m);
  await hands.press("Escape");

  await scannedUntil(counter, codes[1], "Gagnant : présentez-vous à la caisse principale");
  await expect(page.locator("#pay")).toHaveCount(0);
  await expect(counter.total).toContainText("Rien ne se paie ici");
  await hands.press("F9");
  await expect(counter.box).toBeHidden();
  await looks(page, "winner-at-cage");
  // The player reads where, and nothing of here and now.
  await expect(player.locator(".total")).toContainText("À LA CAISSE PRINCIPALE");
  await expect(player.locator(".total")).toContainText("AT THE MAIN CAGE");
  await expect(player.locator(".total output")).toHaveText("300,00\u00a0$");
  await expect(player.locator("main")).not.toContainText(/À PAYER MAINTENANT|TO PAY NOW/);
  await looksAtPlayer(player, "winner-at-cage");
  expect(house.texts()).toHaveLength(3);
  expect((await house.record()).filter((kind) => kind === "PrizePaid")).toHaveLength(1);
});
