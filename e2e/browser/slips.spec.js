// Express cards and slips: a scan fills the draft, and one that was made under other rules does not.
// @ts-check
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BINARIES, codeOn } from "./house.js";
import { expect, test } from "./test.js";

/** What the QR code of a PDF says. @param {string} folder @param {string} name */
const codeOf = (folder, name) => {
  const picture = path.join(folder, name.replace(".pdf", ""));
  execFileSync("pdftoppm", ["-r", "300", "-png", "-singlefile", path.join(folder, name), picture]);
  return execFileSync("zbarimg", ["--quiet", "--raw", `${picture}.png`], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
};

test("a card fills the draft, a slip is keyed, and one of other rules is refused with its reason", async ({ counter, house, page }) => {
  await counter.signOn();
  const folder = path.join(house.folder, "slips");
  mkdirSync(folder);
  execFileSync(path.join(BINARIES, "keno-central"), ["slips", "--data", house.data, "--out", folder], { stdio: "ignore" });
  const files = readdirSync(folder).filter((name) => name.endsWith(".pdf"));
  const named = (/** @type {string} */ part) => {
    const found = files.find((name) => name.includes(part));
    if (!found) throw new Error(`no ${part} among ${files.join(", ")}`);
    return found;
  };
  const third = codeOf(folder, named("express-3"));
  const eighth = codeOf(folder, named("express-8"));
  const blank = codeOf(folder, named("blank"));

  // A card: the scan and one key.
  await counter.scan(third);
  await counter.costs("2,00\u00a0$");
  await expect(page.locator('[data-field="count"]')).toContainText("Mise-éclair 5");
  await counter.picture("card-1-scanned");
  counter.counted();
  await counter.press("Enter");
  expect(counter.counted(), "keys after the scan").toBe(1);
  expect(await counter.sold(1)).toMatch(/^A\s+SIMPLE,\s5\sNUMÉROS/m);
  // Two cards are two selections.
  await counter.scan(third);
  await counter.costs("2,00\u00a0$");
  await counter.scan(eighth);
  await counter.costs("7,00\u00a0$");
  await expect(page.locator(".selection")).toHaveCount(2);
  await counter.press("Enter");
  await counter.sold(2);

  // A slip that people marked: its code says under which rules, its numbers are keyed.
  await counter.scan(blank);
  await expect(counter.told).toContainText("saisissez ce que le joueur a marqué");
  await counter.press("0", "7", "1", "8", "Enter");
  expect(await counter.sold(3)).toMatch(/^\s+07\s+18$/m);

  // What the record says of each.
  const intake = (/** @type {string} */ code) =>
    page.evaluate(async (code) => {
      const answer = await fetch("/agent/checks", { method: "POST", headers: { "Content-Type": "application/json", "Boulier-Page": "1" }, body: JSON.stringify({ code }) });
      return (await answer.json()).fact.check.ticket.intake;
    }, code);
  const intakes = [];
  for (const paper of house.texts()) intakes.push(await intake(codeOn(paper)));
  expect(intakes).toEqual(["express", "express", "slip"]);

  // A character misread, and a card of another version.
  const misread = third.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  await counter.scan(misread);
  await expect(counter.told).toBeVisible();
  await counter.picture("card-2-misread");
  await counter.press("Escape", "Escape");
  const text = readFileSync(new URL("../../samples/rules/demonstration.toml", import.meta.url), "utf8");
  const other = path.join(house.folder, "rules.toml");
  writeFileSync(other, text.replace("version = 1", "version = 2"));
  const later = path.join(house.folder, "later");
  mkdirSync(later);
  execFileSync(path.join(BINARIES, "keno-central"), ["slips", "--rules", other, "--out", later], { stdio: "ignore" });
  await counter.scan(codeOf(later, named("express-3").replace("v1", "v2")));
  await expect(counter.told).toContainText(/version\s2/);
  await counter.picture("card-3-other-version");
  expect(house.texts()).toHaveLength(3);
});
