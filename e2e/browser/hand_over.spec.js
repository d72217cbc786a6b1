// A terminal that is left, and the neighbour that goes on with its till.
// @ts-check
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Counter } from "./counter.js";
import { REFUSED, SLIP, SUPERVISOR } from "./house.js";
import { AWAY, expect, test } from "./test.js";

test("a terminal that nobody took over is taken back", async ({ counter, house, page }) => {
  await counter.signOn();
  const code = await counter.leave();
  // What the neighbour's scanner reads is what a person would copy.
  const image = path.join(house.folder, "code.png");
  await page.locator("#code-image svg").screenshot({ path: image });
  expect(execFileSync("zbarimg", ["--quiet", "--raw", image], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()).toBe(code.replaceAll(" ", ""));
  for (const id of ["#sign-on", ".selections", ".doubt", "#express button"]) await expect(page.locator(id)).toHaveCount(0);
  await counter.picture("left-1-code");

  await page.getByRole("button", { name: "Personne ne l’a repris : continuer ici" }).click();
  await counter.mode("sale");
  await counter.sell(1);
  await counter.picture("left-2-taken-back");
});

test("a neighbour is taken over with the supervisor's PIN, and not with a wrong one", async ({ counter, house, page }) => {
  await house.keno("sign-on", "--float-cents", "20000");
  await house.keno("sell", SLIP, "--yes");
  // Who has a till already cannot take another one.
  await counter.signOn("");
  await page.keyboard.press("Alt+p");
  const take = async (/** @type {string} */ pin) => {
    await page.getByRole("button", { name: "Reprendre un terminal laissé" }).click();
    await counter.answer({ "Numéro du terminal": "1", Motif: "écran noir", ...Counter.second(pin) }, "Reprendre, avec son tiroir");
    // A PIN does not stay in the page.
    await expect(counter.box.locator("input")).toHaveCount(0);
  };
  await take("0000");
  await expect(counter.told.first()).toContainText("ne convient pas");
  await counter.picture("taken-1-wrong-pin");
  await house.keno("sell", SLIP, "--yes");

  await take(SUPERVISOR.pin);
  await expect(counter.told.first()).toContainText("T01 repris ici, avec son tiroir");
  await counter.picture("taken-2-taken");
  expect(await house.command("terminal.toml", ["sell", SLIP, "--yes"], REFUSED)).toContain("remis");
  await counter.press("Escape");
  await counter.sell(3);
});

test("a terminal that was taken over lists what was left open there", { tag: AWAY }, async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.putAside();
  const code = path.join(house.folder, "code");
  writeFileSync(code, await counter.leave());
  await counter.picture("neighbour-1-code");
  house.central.goOn();
  await house.keno("sign-on");
  await house.keno("take-over", "2", "--reason", "écran noir", "--code", code, "--second", SUPERVISOR.badge);

  await counter.mode("handed_over");
  await expect(page.locator("#left")).toContainText("Ce terminal a été remis à l’appareil 1 : continuez là-bas.");
  await expect(page.locator("#left-items > li")).toHaveCount(1);
  await expect(page.locator("#left-items")).toContainText("Vente 2-1-1, 6,00\u00a0$");
  for (const id of ["#sign-on", ".selections", ".doubt", "#code-text"]) await expect(page.locator(id)).toHaveCount(0);
  await counter.picture("neighbour-2-left");
});
