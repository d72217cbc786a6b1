// A clerk's sales, with the keys that they take, and what becomes of the tickets.
// @ts-check
import { between, holdsNext } from "./between.js";
import { Counter, counterOf } from "./counter.js";
import { CLERK, OTHER_CLERK, codeOn } from "./house.js";
import { expect, test, testOnDuty } from "./test.js";

test("a ticket is sold, its paper comes out, it is checked and cancelled", async ({ counter, house, page }) => {
  await counter.picture("counter-1-nobody-on-duty");
  await counter.signOn();
  await counter.picture("counter-2-on-duty");
  await counter.draft();
  await counter.picture("counter-3-priced");
  await counter.press("Enter");
  const text = await counter.sold(1);
  await counter.picture("counter-4-sold");
  expect(text).toContain("3 TIRAGES / DRAWS");
  expect(text).toMatch(/^MISE TOTALE +6,00\s\$$/m);
  expect(text).toMatch(/^T02 +C143 .*ORIGINAL$/m);
  expect(text).toContain("*** FIN / END");

  await counter.scan(codeOn(text));
  await counter.mode("ticket");
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  await expect(page.locator("#pay")).toHaveCount(0);
  await counter.picture("counter-5-checked");
  counter.counted();
  await counter.press("F11", "1");
  await counter.picture("counter-6-reason");
  await counter.press("Enter");
  expect(counter.counted(), "keys of a cancellation, with the scan").toBe(3);
  const receipt = await house.paper(2);
  expect(receipt).toMatch(/^REMBOURSÉ, comptant +6,00\s\$$/m);
  await expect(counter.total).toContainText("RENDEZ");
  await expect(counter.total).toContainText("6,00\u00a0$");
  await expect(page.locator("#verdict")).toHaveText("Billet annulé");
  await expect(page.locator("#cancel")).toHaveCount(0);
  await counter.picture("counter-7-cancelled");
  await counter.scan(codeOn(text));
  await expect(page.locator("#verdict")).toContainText("Billet annulé le");
  // What can no longer be done is not offered.
  for (const key of ["#cancel", "#pay", "#unpaid", "#duplicate"]) await expect(page.locator(key)).toHaveCount(0);
  await counter.picture("counter-8-checked-again");
  await counter.press("Escape");
  await counter.mode("sale");

  await page.keyboard.press("Alt+c");
  await counter.mode("till");
  await counter.press("6");
  await counter.mode("off");
  // Whoever comes next does not sign on with what this clerk typed.
  for (const label of ["Insigne", "NIP"]) await expect(page.getByLabel(label)).toHaveValue("");
  await expect(page.locator("body")).not.toContainText("6,00");
  await counter.picture("counter-9-off-duty");
  expect(await counter.journal()).toContain("2 commandes, 0 en suspens");
  expect(house.texts()).toHaveLength(2);
});

testOnDuty("a sale takes as few keys as it can", async ({ counter, house }) => {
  await counter.signOn();
  /** @type {[string, string[], number, RegExp][]} */
  const sales = [
    ["express pick", ["F3", "Enter"], 2, /^MISE TOTALE +2,00/m],
    ["express pick at five draws", ["F3", "5", "Enter"], 3, /^5 TIRAGES/m],
    ["quick pick of another count", ["*", "4", "Enter"], 3, /^A\s+SIMPLE,\s4\sNUMÉROS/m],
    ["five numbers", ["0", "7", "1", "8", "3", "3", "4", "2", "7", "1", "Enter"], 11, /^\s+07\s+18\s+33\s+42\s+71$/m],
  ];
  let papers = 0;
  for (const [name, keys, count, seen] of sales) {
    counter.counted();
    await counter.press(...keys);
    expect(counter.counted(), name).toBe(count);
    papers += 1;
    expect(await counter.sold(papers), name).toMatch(seen);
  }
  // A replay: the ticket is scanned, then two keys.
  await counter.scan(codeOn(house.texts()[3]));
  await counter.mode("ticket");
  counter.counted();
  await counter.press("F10");
  await expect(counter.total.locator(".confirm")).toContainText("billet rejoué");
  await counter.picture("replay");
  // Enter is not the key of a replay.
  await counter.press("Enter");
  counter.counted();
  await counter.press("1");
  papers += 1;
  expect(await counter.sold(papers)).toMatch(/^\s+07\s+18\s+33\s+42\s+71$/m);
  expect(house.texts()).toHaveLength(papers);
});

test("Enter twenty times at once sells one ticket", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.draft();
  await page.evaluate(() => {
    /** @type {any} */ (window).pressed = [];
    addEventListener("keyup", (event) => /** @type {any} */ (window).pressed.push(event.timeStamp), { capture: true });
  });
  // Sent without waiting for one another, with the times at which a hand would have pressed them: how
  // fast this machine is does not matter.
  const keyboard = await page.context().newCDPSession(page);
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 };
  const begun = Date.now();
  const pressed = Array.from({ length: 20 }, (_, time) => {
    const timestamp = (begun + 5 * time) / 1000;
    return [
      keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", text: "\r", timestamp, ...enter }),
      keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", timestamp, ...enter }),
    ];
  });
  await Promise.all(pressed.flat());
  const times = await page.evaluate(() => /** @type {any} */ (window).pressed);
  expect(times).toHaveLength(20);
  expect(times[19] - times[0], "milliseconds from the first to the last").toBeLessThan(200);
  await counter.sold(1);
  // Whatever those keys began has ended when the next sale has.
  await counter.sell(2);
  expect(await counter.journal()).toContain("2 commandes, 0 en suspens");
  expect(house.texts()).toHaveLength(2);
});

testOnDuty("a scan types into no field, whatever has the focus", async ({ counter, house, page }) => {
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  await counter.press("0", "7", "1", "8");
  await page.locator('[data-field="wager"]').click();
  const wager = page.locator('[data-field="wager"] .value');
  await expect(wager).toHaveText("1,00\u00a0$");
  const numbers = page.locator('[data-field="numbers"] .value');
  await expect(numbers).toHaveText("0718");
  await counter.scan(code);
  await counter.mode("ticket");
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  // Digits alone, as from the bars on the ticket.
  await counter.press("Escape");
  await expect(wager).toHaveText("1,00\u00a0$");
  await expect(numbers).toHaveText("0718");
  await counter.scan(code.slice(3, 19));
  await counter.mode("ticket");
  await expect(page.locator("#verdict")).toContainText("Tirage à venir");
  await counter.press("Escape");
  await expect(wager).toHaveText("1,00\u00a0$");
  await expect(numbers).toHaveText("0718");
  // Nor into the field of a box; a code that is none is said to be none.
  await page.keyboard.press("Alt+c");
  await counter.press("1");
  const amount = counter.box.getByLabel("Montant, $");
  await amount.focus();
  await counter.scan("998877665544332211");
  await expect(amount).toHaveValue("");
  await counter.type("12,50");
  await expect(amount).toHaveValue("12,50");
  await counter.press("Escape", "Escape");
  await counter.scan("HTTPSWWWEXAMPLEORG");
  await counter.mode("ticket");
  await expect(counter.told).toContainText("ne peut pas être lu");
  await counter.picture("scan-unreadable");
  expect(house.texts()).toHaveLength(1);
});

testOnDuty("what is big is confirmed by another key, or typed", async ({ counter, house }) => {
  await counter.signOn();
  // 25,00 $: another key than Enter.
  await counter.press("F8", "5");
  await counter.costs("25,00\u00a0$");
  await counter.press("Enter", "Enter", "Enter");
  await expect(counter.total.locator(".confirm")).toContainText("montant");
  await counter.picture("confirm-key");
  await counter.press("0");
  await expect(counter.total.locator(".confirm")).toHaveCount(0);
  await counter.press("Enter", "1");
  await counter.sold(1);
  // Ten draws, however cheap.
  await counter.press("F1", "1", "0");
  await counter.costs("10,00\u00a0$");
  await counter.press("Enter", "Enter");
  await expect(counter.total.locator(".confirm")).toContainText("nombre de tirages");
  await counter.press("1");
  await counter.sold(2);
  // 100,00 $: the total is typed.
  await counter.press("F8", "2", "0");
  await counter.costs("100,00\u00a0$");
  await counter.press("Enter", "Enter", "1", "Enter");
  await expect(counter.told).toContainText("Ce n’est pas la mise totale");
  await counter.picture("confirm-mistyped");
  await counter.press("1", "0", "0");
  await counter.picture("confirm-typed");
  await counter.press("Enter");
  expect(await counter.sold(3)).toMatch(/^MISE TOTALE +100,00/m);
  expect(house.texts()).toHaveLength(3);
});

testOnDuty("the device refuses what was not confirmed, whatever the page says", async ({ counter, house, page }) => {
  await counter.signOn();
  const slip = (/** @type {number} */ draws) => ({ selections: [{ type: "straight", quick_pick: 10, wager_cents: 500 }], draws });
  const refused = async (/** @type {object} */ sale) =>
    page.evaluate(async (body) => {
      const answer = await fetch("/agent/sales", { method: "POST", headers: { "Content-Type": "application/json", "Boulier-Page": "1" }, body: JSON.stringify(body) });
      return (await answer.json()).name ?? "";
    }, sale);
  // Chromium says of each refusal that it is one; that is what is wanted here.
  const before = counter.complaints.length;
  expect(await refused({ slip: slip(5), total_cents: 2500 })).toBe("confirm_needed");
  expect(await refused({ slip: slip(20), total_cents: 10000, confirm: "key" })).toBe("confirm_needed");
  expect(await refused({ slip: slip(20), total_cents: 10000, confirm: "typed", typed_cents: 1000 })).toBe("total_mistyped");
  expect(await refused({ slip: slip(1), total_cents: 500, replay_of: 3 })).toBe("confirm_needed");
  counter.complaints.splice(before);
  expect(house.texts()).toHaveLength(0);
});

testOnDuty("ways are shown, counted and ticked, and split where the groups do not generate them", async ({ counter, page }) => {
  await counter.signOn();
  // Two groups of four: 2 x 4 and 1 x 8.
  await counter.press("/", ..."03142229", "Enter", ..."40516680", "Enter", "Enter");
  const lines = page.locator(".ways li");
  await expect(lines).toHaveText([/1.*2 × 4 numéros/, /2.*1 × 8 numéros/]);
  await counter.press("1", "2");
  await counter.costs("3,00\u00a0$");
  await counter.picture("ways-ticked");
  await counter.press("Enter", "Enter");
  await expect(counter.total.locator(".confirm")).toContainText("combinaison");
  // What is to be confirmed does not change any more.
  await lines.last().getByRole("button").click();
  await counter.costs("3,00\u00a0$");
  await expect(lines.last().getByRole("button")).toHaveAttribute("aria-pressed", "true");
  await counter.press("1");
  const text = await counter.sold(1);
  expect(text).toContain("COMBINAISON");
  expect(text).toMatch(/\(03\s+14\s+22\s+29\)/);

  // Four pairs generate six ways of four; the player wrote two.
  await counter.press("/", ..."0102", "Enter", ..."0304", "Enter", ..."0506", "Enter", ..."0708", "Enter", "Enter");
  await expect(lines).toHaveText([/4 × 2 numéros/, /6 × 4 numéros/, /4 × 6 numéros/, /1 × 8 numéros/]);
  await counter.press("1", "4", "*", "2", "/", "4", "Enter");
  await expect(page.locator(".selection .why")).toBeVisible();
  await counter.picture("ways-not-generated");
  await counter.press("Enter");
  await expect(counter.told).toBeVisible();
  // Its key is one in the field of the ways alone; elsewhere it is a digit.
  const split = page.getByRole("button", { name: "Scinder en deux sélections" });
  await expect(split.locator("kbd")).toHaveText("0");
  await counter.press("ArrowDown");
  await expect(page.locator('.selection [data-field="wager"]')).toHaveAttribute("aria-current", "true");
  await expect(split).toBeVisible();
  await expect(split.locator("kbd")).toHaveCount(0);
  await split.click();
  await expect(page.locator(".selection")).toHaveCount(2);
  await counter.costs("7,00\u00a0$");
  await counter.picture("ways-split");
  await counter.press("Enter", "1");
  expect(await counter.sold(2)).toMatch(/\(01\s+02\s+03\s+04\)\s+\(05\s+06\s+07\s+08\)/);

  // A king: a number alone that joins any group.
  await counter.press("/", "/", ..."10", "Enter", ..."2021", "Enter", "Enter");
  await expect(page.locator(".group.king")).toHaveText("10");
  await expect(lines).toHaveText([/1 × 1 numéro/, /1 × 2 numéros/, /1 × 3 numéros/]);
  await counter.press("3", "Enter");
  await counter.confirms();
  expect(await counter.sold(3)).toContain("ROI");
});

testOnDuty("tender, what is received, and change", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.draft();
  await page.getByRole("button", { name: "20\u00a0$" }).click();
  await expect(counter.total.locator(".change .value")).toHaveText("14,00\u00a0$");
  await counter.picture("change");
  await counter.press("Enter");
  const text = await counter.sold(1);
  expect(text).toContain("MISE TOTALE");
  await expect(counter.total).toContainText("Monnaie à rendre");
  await expect(counter.total).toContainText("14,00\u00a0$");
  // Not enough is not sold.
  await counter.draft();
  await page.locator('#total [data-field="received"]').click();
  await counter.press("5", ",", "5", "0", "Enter");
  await expect(counter.told).toContainText("Il manque 0,50\u00a0$.");
  await counter.press("-", "1", "0", "Enter");
  await counter.sold(2);
  await expect(counter.total).toContainText("4,00\u00a0$");
  // A coupon.
  await counter.draft();
  await page.getByRole("button", { name: /Mode de paiement/ }).click();
  await counter.press("Enter");
  expect(await counter.sold(3)).toMatch(/coupon/i);
  expect(house.texts()).toHaveLength(3);
});

test("Enter goes from badge to PIN to float, and a till is opened from the menu", async ({ counter, page }) => {
  await counter.mode("off");
  await counter.type(CLERK.badge);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("NIP")).toBeFocused();
  await counter.type(CLERK.pin);
  let asked = 0;
  await between(page, "**/agent/sign-on", (route) => {
    asked += 1;
    return route.continue();
  });
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Fonds de caisse, $")).toBeFocused();
  await counter.picture("sign-on-float");
  expect(asked, "signed on before the float was typed").toBe(0);
  // Whoever wants none says so by an empty field.
  await page.keyboard.press("Enter");
  await counter.mode("sale");
  await expect(counter.strip).toContainText("Aucun tiroir");
  await page.keyboard.press("Alt+c");
  await counter.picture("till-none");
  await counter.press("1");
  await counter.answer({ "Fonds de caisse, $": "200", NIP: "0000" }, "Ouvrir un tiroir");
  await expect(counter.told.first()).toContainText("ne convient pas");
  await counter.press("1");
  await counter.answer({ "Fonds de caisse, $": "200", NIP: CLERK.pin }, "Ouvrir un tiroir");
  await expect(counter.strip).toContainText("Tiroir ouvert");
});

test("a locked screen keeps the draft and waits for its clerk", async ({ counter, page }) => {
  await counter.signOn();
  await counter.press("0", "7", "1", "8");
  await counter.press("F12");
  await counter.mode("locked");
  await expect(page.locator("body")).not.toContainText("MISE TOTALE");
  await counter.picture("locked");
  // Nothing is done meanwhile, and another PIN opens nothing.
  await counter.type("0000");
  await page.keyboard.press("Enter");
  await expect(counter.told).toContainText("ne convient pas");
  await counter.mode("locked");
  await counter.picture("locked-wrong-pin");
  await counter.type(CLERK.pin);
  await page.keyboard.press("Enter");
  await counter.mode("sale");
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("0718");
  await counter.costs("1,00\u00a0$");
  // A page that is opened anew is no way around it.
  await counter.press("F12");
  await counter.mode("locked");
  await page.reload();
  await counter.mode("locked");
  // And no other badge: two people end the session, one of them a supervisor.
  await page.locator("#relieve").click();
  await counter.picture("locked-relief");
  const two = { "Insigne de la personne qui reste": OTHER_CLERK.badge, "NIP de la personne qui reste": OTHER_CLERK.pin };
  await counter.answer({ ...two, "Insigne de la deuxième personne": CLERK.badge, "NIP de la deuxième personne": CLERK.pin }, "Terminer sa session");
  await expect(counter.told.first()).toContainText("deux personnes");
  await counter.mode("locked");
  await page.locator("#relieve").click();
  await counter.answer({ ...two, ...Counter.second() }, "Terminer sa session");
  await counter.mode("sale");
  await expect(page.locator("#who")).toContainText(OTHER_CLERK.badge);
});

testOnDuty("a key that is held down, and one that is pressed too early, do nothing", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.press("0", "7");
  await page.locator('[data-field="wager"]').click();
  const keyboard = await page.context().newCDPSession(page);
  const one = { key: "1", code: "Digit1", windowsVirtualKeyCode: 49, text: "1" };
  await keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", ...one });
  for (let time = 0; time < 5; time += 1) await keyboard.send("Input.dispatchKeyEvent", { type: "keyDown", autoRepeat: true, ...one });
  await keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", ...one });
  await counter.costs("1,00\u00a0$");
  // A point is the next field, also behind a number that ended by itself.
  await counter.press("Escape", "Escape", "Escape", "1", "8", ".", "3");
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("18");
  await counter.costs("3,00\u00a0$");
  // What a key could not do is read before anything is sold.
  await counter.press("Escape", "Escape", "Escape", "F3", "5", "0");
  await expect(counter.told).toContainText("De 1 à 20 tirages.");
  await counter.press("Enter");
  await expect(counter.told).toHaveCount(0);
  expect(house.texts()).toHaveLength(0);
  // Keys while a sale is at work are no slip: it is held until they were pressed.
  await counter.press("Escape", "Escape", "Escape", "F3");
  await counter.costs("2,00\u00a0$");
  const sale = await holdsNext(page, "sales");
  await page.keyboard.press("Enter");
  const held = await sale.arrived;
  for (const key of ["F3", "1", "0"]) await page.keyboard.press(key);
  await held.continue();
  await counter.sold(1);
  await counter.sell(2);
});

test("a counter that nobody touches locks itself, and the draft is there afterwards", async ({ house, page }) => {
  await house.open();
  const counter = await counterOf(house, page, { BOULIER_LOCK_AFTER_SECONDS: "2" });
  await counter.signOn();
  await counter.press("0", "7", "1", "8");
  await counter.mode("locked");
  await counter.type(CLERK.pin);
  await page.keyboard.press("Enter");
  await counter.mode("sale");
  await expect(page.locator('[data-field="numbers"] .value')).toHaveText("0718");
});

testOnDuty("a refund of a ticket that no restore lost is refused in words", async ({ counter, house, page }) => {
  await counter.signOn();
  const code = codeOn(await counter.sell(1));
  await page.keyboard.press("Alt+p");
  await counter.press("3");
  await counter.answer({ "Code du billet": code, "Prix sur le papier, $": "6,00", Motif: "Prix lu sur le papier", ...Counter.second() }, "Rembourser à deux");
  await expect(counter.work).toContainText("Rien n’a été remboursé.");
  await expect(counter.work).toContainText("Tirage à venir");
  await expect(counter.box.locator("input")).toHaveCount(0);
  await counter.picture("refund-refused");
  expect(house.texts()).toHaveLength(1);
});

test("the till is filled, dropped, counted blind and closed", async ({ counter, house, page }) => {
  await counter.signOn();
  await counter.sell(1);
  await page.keyboard.press("Alt+c");
  await counter.picture("till-1");
  await counter.press("1");
  await counter.picture("till-2-fill");
  await counter.answer({ "Montant, $": "50", ...Counter.second("0000") }, "Approvisionner");
  await expect(counter.told.first()).toContainText("ne convient pas");
  await counter.press("1");
  await counter.answer({ "Montant, $": "50", ...Counter.second() }, "Approvisionner");
  await expect(counter.told.first()).toContainText("Mettez 50,00");
  await house.paper(2);
  await counter.press("2");
  await counter.answer({ "Montant, $": "20,50", ...Counter.second() }, "Déposer");
  await expect(counter.told.first()).toContainText("Sortez 20,50");
  await house.paper(3);
  // In the middle of the shift, for a dispute: the till stays open.
  await counter.press("3");
  await counter.answer({ "Compté, $": "235,50", Motif: "désaccord sur une monnaie", ...Counter.second() }, "Compter à deux");
  await expect(page.locator("#count")).toContainText("Juste");
  await house.paper(4);
  await expect(counter.strip).toContainText("Tiroir ouvert");
  await counter.press("4");
  await expect(counter.box).not.toContainText("235");
  await counter.answer({ "Compté, $": "235,00" }, "Compter et fermer");
  // 200,00 + 6,00 + 50,00 - 20,50.
  await expect(page.locator("#count")).toContainText("235,50");
  await expect(page.locator("#count")).toContainText("Manque");
  await expect(page.locator("#count")).toContainText("0,50");
  // The sheet comes after the count, on the screen and on paper.
  const paper = await house.paper(5);
  expect(paper).toContain("FEUILLE");
  const sheet = page.locator("#sheet");
  for (const words of [/Fonds de caisse.*200,00/, /Mises\s*1\s*6,00/, /Approvisionnements\s*1\s*50,00/, /Dépôts\s*1\s*20,50/]) await expect(sheet).toContainText(words);
  await counter.picture("till-3-counted");
  await counter.press("5");
  await counter.answer({}, "Imprimer de nouveau");
  expect(await house.paper(6)).toMatch(/Réimpression/i);
  await counter.press("6");
  await counter.mode("off");
});
