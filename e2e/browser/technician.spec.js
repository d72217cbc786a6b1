// The technician's page: what this terminal is, whether it can be taken away, and a device that
// nobody knows yet.
// @ts-check
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { picture } from "./counter.js";
import { ADMINISTRATOR, OTHER_ADMINISTRATOR, BINARIES, CLERK } from "./house.js";
import { AWAY, expect, test } from "./test.js";

/** A value of the page, by the words before it. @param {import("@playwright/test").Page} page @param {string} section @param {string} words */
const value = (page, section, words) => page.locator(`#${section} dt`, { hasText: new RegExp(`^${words}$`) }).locator("xpath=following-sibling::dd[1]");

test("the technician's page says which program this is, with nobody signed on", { tag: AWAY }, async ({ counter, house, page }) => {
  await counter.mode("off");
  await page.getByRole("button", { name: "Autres" }).click();
  await page.getByRole("link", { name: "Page du technicien" }).click();
  const hash = createHash("sha256").update(readFileSync(path.join(BINARIES, "keno-terminal"))).digest("hex");
  await expect(value(page, "program", "Empreinte SHA-256")).toHaveText(hash);
  await expect(value(page, "program", "Version")).toHaveText(/^\d+\.\d+\.\d+$/);
  await expect(page.locator("#device")).toHaveText("Terminal 2, comptoir");
  await expect(value(page, "central", "Adresse")).toHaveText(`http://${house.line.address}`);
  await expect(value(page, "central", "Version")).toHaveText(/^\d+\.\d+\.\d+$/);
  await expect(value(page, "central", "Avance de cette horloge")).toHaveText(/^-?\d+\sms$/);
  await expect(value(page, "central", "Registre prouvé, feuilles")).toHaveText(/^\d+$/);
  await expect(page.locator("#certificate")).toContainText("Aucun");
  await expect(value(page, "journal", "Commandes envoyées")).toHaveText("0");
  await expect(value(page, "devices", "Imprimante")).toHaveText("L’imprimante est prête.");
  await expect(value(page, "devices", "Lecteur")).toHaveText("comme un clavier");
  await picture(page, "technician-1-status");
  for (const [link, heading] of [["Essai de l’imprimante", "Essai de l’imprimante"], ["Essai du lecteur", "Essai du lecteur"]]) {
    await page.getByRole("link", { name: link }).click();
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await page.goBack();
  }
  // Central goes away: the page says so, and why nothing is sold.
  house.central.freeze();
  await expect(value(page, "central", "Liaison")).toHaveClass("bad");
  // Its sign stays with its word.
  await expect(value(page, "central", "Liaison"), "what the device says in French").toHaveText(/ne répond pas\u00a0:/);
  house.central.goOn();
  await expect(value(page, "central", "Liaison")).toHaveClass("good");
  await page.keyboard.press("Alt+l");
  await expect(page.getByRole("heading", { name: "Technician" })).toBeVisible();
  await expect(value(page, "program", "SHA-256 hash")).toHaveText(hash);
  await picture(page, "technician-2-english");
  await page.keyboard.press("Escape");
  await counter.mode("off");
});

test("a terminal stays as long as something is open there", { tag: AWAY }, async ({ counter, house, page }) => {
  const judged = async () => {
    await page.goto(`${counter.address}/technician`);
    // Central may not have said yet how its till stands.
    await expect(async () => {
      await page.getByRole("button", { name: "Peut-il être emporté ?" }).click();
      await expect(page.locator("#stays, #may-leave")).toBeVisible();
      await expect(page.locator("#replacement")).not.toContainText("n’a pas encore dit");
    }).toPass();
  };
  await judged();
  await expect(page.locator("#may-leave")).toContainText("OUI");
  await picture(page, "technician-3-may-leave");
  await page.goto(`${counter.address}/`);
  await counter.signOn();
  await counter.putAside();
  await judged();
  const why = page.locator("#replacement .open").first();
  await expect(why).toContainText("Des commandes sont en suspens");
  await expect(why).toContainText("Le tiroir est ouvert");
  await expect(why).toContainText("Quelqu’un est en service");
  await expect(page.locator("#replacement")).toContainText("Vente 2-1-1 : mise de côté");
  await page.keyboard.press("Alt+l");
  await expect(page.locator("#replacement")).toContainText("Sale 2-1-1: put aside");
  await page.keyboard.press("Alt+l");
  await expect(value(page, "journal", "Commandes envoyées")).toHaveText("1");
  await expect(value(page, "journal", "En suspens")).toHaveText("1");
  await expect(page.locator("#may-leave")).toHaveCount(0);
  await picture(page, "technician-4-stays");

  house.central.goOn();
  await page.getByRole("link", { name: "Au comptoir", exact: true }).click();
  await counter.trusted();
  await counter.done();
  await judged();
  await expect(why).not.toContainText("Des commandes sont en suspens");
  await expect(why).toContainText("Le tiroir est ouvert");
  await page.getByRole("link", { name: "Au comptoir", exact: true }).click();
  await counter.trusted();
  // Left to a neighbour, and not before it was taken over.
  await counter.leave();
  await judged();
  await expect(why).toContainText("personne ne l’a repris");
  await house.keno("sign-on");
  await house.keno("take-over", "2", "--reason", "écran noir", "--second", "S007");
  await expect(value(page, "central", "Liaison")).toContainText("a été remis à l’appareil 1");
  await judged();
  await expect(page.locator("#may-leave")).toContainText("OUI");
  await picture(page, "technician-5-handed-over");
});

test("a device that nobody knows shows a code, is enrolled, and sells", async ({ house, page }) => {
  await house.open({ tls: true });
  const settings = path.join(house.data, "new.toml");
  const folder = path.join(house.folder, "new");
  writeFileSync(settings, [`central = "${house.secure}"`, `enrol_at = "${house.everybody}"`, `printer = "virtual"`, `printer_address = "${house.printer}"`, `journal = "${folder}/journal"`, `trust = "${folder}/trust"`, ""].join("\n"));
  const agent = house.start("keno-terminal", ["--config", settings, "serve"], { BOULIER_LISTEN: "127.0.0.1:0" });
  const address = (await agent.says(/Device not enrolled, page at (http:\/\/[\d.:]+)\//))[1];
  await page.goto(`${address}/`);
  await expect(page.locator("#device")).toHaveText("Appareil non inscrit");
  await expect(page.locator("#enrolment")).toContainText(house.secure);
  await expect(page.locator("body")).not.toContainText("Prise de service");
  await picture(page, "technician-6-not-enrolled");
  await page.getByRole("button", { name: "Montrer un code" }).click();
  const code = page.locator("#enrolment-code");
  await expect(code).toHaveText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  await picture(page, "technician-7-code");
  const shown = await code.innerText();
  const approve = (/** @type {string} */ typed) =>
    fetch(`http://${house.address}/api/v1/enrolments/approve`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Boulier-Console": readFileSync(path.join(house.data, "console.key"), "utf8") },
      body: JSON.stringify({ code: typed, device: 7, name: "T07", role: "counter", ...ADMINISTRATOR, second: OTHER_ADMINISTRATOR }),
    });
  // A wrong code enrols nobody, and the right one stands there still.
  expect((await approve(shown.startsWith("0000") ? "1111-1111" : "0000-0000")).status).not.toBe(200);
  await expect(code).toHaveText(shown);
  expect((await approve(shown)).status).toBe(200);
  // The agent takes the place of the page.
  await agent.says(/Terminal 7, pages at /);
  await expect(page.locator("#device")).toHaveText("Terminal 7");
  await expect(page.locator("body")).toHaveAttribute("data-central", "trusted");
  await expect(page.locator("body")).not.toContainText(shown);
  await page.getByLabel("Insigne").fill(CLERK.badge);
  await page.getByLabel("NIP").fill(CLERK.pin);
  await page.getByLabel("Fonds de caisse, $").fill("200,00");
  await page.getByLabel("NIP").press("Enter");
  await expect(page.locator("#express button")).toHaveCount(8);
  // A key of a slip is taken at once; Enter could be the PIN's.
  await page.keyboard.press("F5");
  await expect(page.locator("#sell")).toBeVisible();
  await expect(page.locator("body")).toHaveAttribute("data-keys", "taken");
  await page.keyboard.press("Enter");
  expect(await house.paper(1)).toMatch(/^T07 +C143 .*ORIGINAL$/m);
  await page.goto(`${address}/technician`);
  await expect(value(page, "certificate", "Pour")).toHaveText("7, T07, counter");
  await expect(value(page, "certificate", "N°\u00a0de série")).toHaveText(/^[0-9a-f]{8,}$/);
  await expect(value(page, "certificate", "Renouvellement")).toHaveText("de lui-même, au dernier tiers de sa vie");
  await expect(value(page, "journal", "Clé et certificat")).toHaveText(`${folder}/trust`);
  await picture(page, "technician-8-certificate");
});

test("a device that central does not answer says so, and begins again", async ({ house, page }) => {
  await house.open({ tls: true });
  const settings = path.join(house.data, "new.toml");
  const folder = path.join(house.folder, "new");
  // Nobody listens there.
  writeFileSync(settings, [`central = "https://127.0.0.1:9"`, `journal = "${folder}/journal"`, `trust = "${folder}/trust"`, ""].join("\n"));
  const agent = house.start("keno-terminal", ["--config", settings, "serve"], { BOULIER_LISTEN: "127.0.0.1:0" });
  const address = (await agent.says(/page at (http:\/\/[\d.:]+)\//))[1];
  // The page hears that it was begun when it has ended already, in the same words as the time before.
  await page.route("**/agent/enrol", async (route) => {
    const response = await route.fetch();
    const state = async () => (await (await page.request.get(`${address}/agent/technician`)).json()).enrolment.state;
    await expect.poll(state).toBe("idle");
    await route.fulfill({ response });
  });
  await page.goto(address);
  const begin = page.getByRole("button", { name: "Montrer un code" });
  for (let time = 0; time < 3; time += 1) {
    await begin.click();
    await expect(page.locator(".told.bad")).toContainText("Le central ne répond pas");
    await expect(begin, "another try").toBeEnabled();
  }
  await picture(page, "technician-9-away");
  await agent.stop();
  expect(agent.child.exitCode).toBe(0);
});
