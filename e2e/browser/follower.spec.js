// Large payments wait for the second computation: what the counter, the player and the wall are told
// meanwhile, and how two people open them when it does not come.
// @ts-check
import { Agent } from "./agent.js";
import { Counter } from "./counter.js";
import { CLERK, SUPERVISOR, VERIFIER, codeOn } from "./house.js";
import { DRAWN, DRAWN_MS, openBeforeDraw } from "./near_draw.js";
import { RULES, publish } from "./published.js";
import { Hands, looks, looksAtPlayer } from "./round.js";
import { expect, test } from "./test.js";

/** Two people from 20,00 $ on, and a minute's wait for the second computation. */
const WAITS = RULES.replace("version = 1", "version = 2").replace('second_person = "1000.00"', 'second_person = "20.00"\nsecond_computation = 1');
/** Every number alone, at 0,50 $: it wins 30,00 $, whatever is drawn. */
const SLIP = { selections: [{ type: "way", groups: Array.from({ length: 80 }, (_, at) => [at + 1]), ways: [{ ways: 80, spots: 1, wager_cents: 50 }] }], draws: 1 };

/** @param {import("./house.js").House} house @param {import("@playwright/test").Page} page */
const wallAtT01 = async (house, page) => {
  const supervisor = new Agent(page, (await house.agent({}, "terminal.toml")).address);
  await supervisor.signOn(SUPERVISOR);
  await page.goto(`${supervisor.address}/wall`);
};

test("a large prize waits for the second computation, and two people open it when it does not come", async ({ house, page, context }) => {
  await openBeforeDraw(house, { follower: true });
  const nextDraw = async () => (await (await fetch(`http://${house.address}/api/v1/draws/next`)).json()).draw?.draw;
  await expect.poll(nextDraw).toBeDefined();
  const draw = await nextDraw();
  await publish(house, WAITS, draw);
  const { program, address } = await house.agent();
  const clerk = new Agent(page, address);
  await clerk.signOn(CLERK, 50_000);
  const sold = await clerk.post("sales", { slip: SLIP, total_cents: 4_000, confirm: "key" });
  expect(sold.exit, JSON.stringify(sold)).toBe("done");
  const code = codeOn(await house.paper(1));
  const counter = new Counter(page, house, program, address);
  await counter.open();
  const player = await counter.player();
  const hands = await new Hands(page).begin();

  await house.until(DRAWN_MS);
  // While it is drawn the result is being verified, and from its settlement on by the second computation.
  await expect(async () => {
    await counter.scan(code);
    await expect(page.locator("#work")).toContainText("attend le second calcul", { timeout: 1_000 });
  }).toPass(DRAWN);
  await expect(page.locator("#verdict")).toContainText("Résultat en vérification");
  await expect(page.locator("#pay")).toHaveCount(0);
  await looks(page, "waits-for-the-second-computation");
  await expect(player.locator("body")).not.toContainText("30,00");
  await looksAtPlayer(player, "waits-for-the-second-computation");

  const wall = await context.newPage();
  await wallAtT01(house, wall);
  const card = wall.locator(`[data-name="unfollowed-${draw}"]`);
  await expect(card).toContainText("Les gros paiements attendent");
  await expect(card).toContainText("Deux personnes peuvent les ouvrir dès");
  const follower = wall.locator('[data-name="follower"]');
  await expect(follower).toContainText(/sans nouvelles/, { timeout: 60_000 });
  await looks(wall, "wall-awaits-the-follower");
  // The time of the rules passes.
  await house.until(DRAWN_MS + 61_000);
  await expect(card).toContainText("Deux personnes peuvent ouvrir ses paiements.");
  await card.click();
  await wall.keyboard.press("1");
  const box = wall.getByRole("dialog");
  await expect(box).toContainText("Le tirage sera payé sans lui.");
  await looks(wall, "wall-opens-payouts", { language: "" });
  await box.getByLabel("Motif").fill("panne à l’audit interne");
  await box.getByLabel("Insigne").fill(VERIFIER.badge);
  await box.getByLabel("NIP").fill(VERIFIER.pin);
  await wall.keyboard.press("Enter");
  await expect(wall.locator("#told")).toContainText("se paie");
  await expect(card).toHaveCount(0);

  await page.bringToFront();
  await counter.scan(code);
  await expect(page.locator("#verdict")).toContainText("Billet gagnant : 30,00\u00a0$");
  await hands.press("F9");
  await hands.answers(counter.box, SUPERVISOR.badge, SUPERVISOR.pin);
  await expect(counter.total).toContainText("REMETTEZ");
});

test("the wall says how the follower stands, and two people put it on record", async ({ house, page }) => {
  await house.open({ follower: true });
  const draw = { draw: 3, since_local: "2026-11-27 12:04", holds_large: true, may_be_opened: false };
  /** @type {any} */
  let follower = { name: "audit-office", standing: "not_on_record", silent_ms: 400, behind: 12, began: "5f0c1b62a7d8e944".repeat(4) };
  await page.route("**/agent/wall", async (route) => {
    const answer = await route.fetch();
    const wall = await answer.json();
    if (wall.title) return route.fulfill({ response: answer, json: wall });
    const unfollowed = [
      { ...draw, draw: 4, differs: "settlement_root", entry: 812 },
      { ...draw, opens_local: "2026-11-27 13:04" },
      { ...draw, draw: 2, holds_large: false },
    ];
    await route.fulfill({ response: answer, json: { ...wall, follower, unfollowed } });
  });
  await wallAtT01(house, page);
  const card = page.locator('[data-name="follower"]');
  await expect(card).toContainText("répond, et n’est pas inscrit");
  await expect(card).toContainText("12 inscriptions de retard");
  await expect(page.locator('[data-name="unfollowed-4"]')).toContainText("Diffère : settlement_root, inscription 812. Rien n’en est payé.");
  await expect(page.locator('[data-name="unfollowed-2"]')).toContainText("tout en est payé");
  await looks(page, "wall-follower-new");
  await card.click();
  await page.keyboard.press("1");
  const box = page.getByRole("dialog");
  await expect(box).toContainText("5f0c1b62a7d8e944…");
  await looks(page, "wall-puts-on-record", { language: "" });
  await box.getByLabel("Insigne").fill(VERIFIER.badge);
  await box.getByLabel("NIP").fill(VERIFIER.pin);
  await page.keyboard.press("Enter");
  // Nobody answers in truth: central says so, and the wall with it.
  await expect(page.locator("#told")).toContainText("Aucun second calcul ne répond qui ait commencé ainsi");
  for (const [standing, words] of [["at_work", "suit le registre"], ["refuses", "refuse le registre : other_past"], ["away", "sans nouvelles depuis"]]) {
    follower = { name: "audit-office", standing, silent_ms: 400, behind: 0, ...(standing === "refuses" ? { refuses: "other_past" } : {}) };
    await expect(card).toContainText(words);
  }
});
