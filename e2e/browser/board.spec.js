// What a board and a kiosk show of the draws.
// @ts-check
import { picture } from "./counter.js";
import { EACH_MINUTE } from "./house.js";
import { DRAWN_MS, openBeforeDraw } from "./near_draw.js";
import { expect, test } from "./test.js";

/** The sales of the second draw end soon. */
const CLOSING_MS = 40_000;

test("board and kiosk show the last draw", async ({ house, page }) => {
  await openBeforeDraw(house, { schedule: EACH_MINUTE });
  const balls = page.locator("#balls > li");

  const board = await house.screen("display");
  await page.goto(`${board.address}/`);
  await expect(page.locator("#central")).toHaveAttribute("data-state", "trusted");
  await house.until(DRAWN_MS);
  await expect(page.locator("#draws")).toBeVisible();
  await expect(page.locator("#draw")).toContainText(/^000 001, /);
  await expect(balls).toHaveCount(20);
  const drawn = await balls.allInnerTexts();
  const shown = await page.locator("#draw").innerText();
  for (const ball of drawn) expect(ball).toMatch(/^\d\d$/);
  expect(new Set(drawn).size).toBe(20);
  await picture(page, "board");
  // The hall's monitor, in the last minute of the next draw's sales: the numbers of the past are dim,
  // and the title over them is theirs.
  await house.until(CLOSING_MS);
  await page.goto(`http://${house.address}/board`);
  const stage = page.locator("#stage");
  await expect(stage).toHaveAttribute("data-state", "closing");
  await expect(stage).toHaveAttribute("data-dim", "");
  await expect(page.locator("#cells .lit")).toHaveCount(20);
  const title = await page.locator("#draw-number").innerText();
  await expect(page.locator("#draw-label")).toHaveText("DERNIER TIRAGE");
  expect(title).toBe(await page.locator("#last-number").innerText());
  expect(title).toBe(await page.locator("#order-number").innerText());
  await expect(page.locator("#next-title")).not.toContainText(title);
  const isWithin = () => stage.evaluate((one) => [...one.querySelectorAll(".bar > *")].every((part) => part.getBoundingClientRect().right <= one.getBoundingClientRect().right));
  expect(await isWithin(), "the head is within the board").toBe(true);
  await picture(page, "board-closing");

  const kiosk = await house.screen("kiosk");
  await page.clock.install();
  await page.goto(`${kiosk.address}/`);
  await expect(page.locator("#central")).toHaveAttribute("data-state", "trusted");
  await expect(page.locator("#draws")).toBeVisible();
  // The draw that the board showed, or one that came meanwhile.
  await expect(balls).toHaveCount(20);
  const since = await page.locator("#draw").innerText();
  if (since === shown) expect(await balls.allInnerTexts()).toEqual(drawn);
  await picture(page, "kiosk");
  const form = page.locator('form[data-command="check"]');
  await form.getByLabel("Numéro de contrôle").fill("1234567890123456");
  await form.getByRole("button", { name: "Vérifier" }).click();
  await expect(page.locator("#said")).toContainText("pas écrit comme sur le billet");
  await picture(page, "kiosk-mistyped");
  // No name of a program stands there, and what one patron was told is not shown to the next.
  const said = page.locator("#said");
  await expect(said).not.toContainText(/[a-z]_[a-z]|Champ|Field/);
  const field = form.getByLabel("Numéro de contrôle");
  await field.press("5");
  await expect(said, "at the next code").toBeEmpty();
  await field.fill("1234567890123456");
  await field.press("Enter");
  await expect(said).toContainText("pas écrit comme sur le billet");
  await page.clock.fastForward(24_000);
  await expect(said).toContainText("pas écrit comme sur le billet");
  await page.clock.fastForward(2_000);
  await expect(said, "after a while").toBeEmpty();
  await expect(field).toHaveValue("");
});
