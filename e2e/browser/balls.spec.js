// Figures at the desk are never lost and never move, however long central is silent: in a time of their
// own, and in Chromium.
// @ts-check
import { between } from "./between.js";
import { randomOf } from "./bursts.js";
import { PACE_MS, types } from "./counter.js";
import { BALLS_AT_NOON, draws, sits } from "./desks.js";
import { MARKER } from "./house.js";
import { plantedTextOf } from "./planted.js";
import { expect, test } from "./test.js";

/** Runs in the time of their own: the long form has 10,000. */
const RUNS = Number(process.env.BOULIER_RUNS ?? 3000);
const DRAWN = 20;
/** A key each so many milliseconds. */
const KEY_MS = 90;
/** The page looks so often, and so fine is the time. */
const [LOOK_MS, STEP_MS] = [390, 30];

/** @typedef {{position: number, number: number, isAgain: boolean}} Ball */

/** Central, silent for a while at each ball, and another person who asks for balls again. @param {ReturnType<typeof randomOf>} random */
const centralOf = (random) => {
  /** @type {(number | undefined)[]} */
  const entered = [];
  const next = () => {
    const place = Array.from({ length: DRAWN }, (_, index) => index).find((index) => !entered[index]);
    return place === undefined ? null : place + 1;
  };
  return {
    entered,
    next,
    silence: () => (random.next() < 0.3 ? random.between(200, 3001) : random.between(1, 40)),
    /** Refused for a ball that is not the next one. @param {Ball} ball */
    enter: ({ position, number }) => {
      if (position !== next()) return undefined;
      entered[position - 1] = number;
      return next();
    },
    /** The other did not see the same. */
    asksAgain: () => {
      const there = entered.flatMap((number, index) => (number ? [index] : []));
      if (there.length > 0) entered[random.pick(there)] = 0;
    },
  };
};

/**
 * A person types each ball that the screen asks for. Says what stands wrong at the end, or was lost without a word.
 * @param {any} Balls @param {ReturnType<typeof randomOf>} random
 */
const run = async (Balls, random) => {
  const numbers = Array.from({ length: 80 }, (_, index) => index + 1).sort(() => random.next() - 0.5).slice(0, DRAWN);
  const central = centralOf(random);
  /** What the page knows. */
  let [next, entered] = [central.next(), [...central.entered]];
  /** @type {{at: number, act: () => void}[]} */
  const events = [];
  let [now, typed, said] = [0, 0, 0];
  const look = () => ([next, entered] = [central.next(), [...central.entered]]);
  const balls = new Balls({
    enter: (/** @type {Ball} */ ball) =>
      new Promise((answered) => {
        events.push({
          at: now + central.silence(),
          act: () => {
            const reply = central.enter(ball);
            // A refusal is said by itself.
            if (reply === undefined) said += 2;
            look();
            answered(reply);
          },
        });
      }),
    after: (/** @type {number} */ position) => Array.from({ length: DRAWN }, (_, index) => index + 1).find((of) => of > position && !entered[of - 1]) ?? null,
    dropped: (/** @type {number} */ _, /** @type {number} */ count) => (said += count),
  });
  /** The number in hand, and its second figure. @type {string | null} */
  let second = null;
  const asks = random.next() < 0.5 ? random.between(500, 5000) : Infinity;
  let hasAsked = false;
  for (; now < 120_000; now += STEP_MS) {
    while (events[0]?.at <= now) {
      const [event] = events.splice(0, 1);
      event.act();
      // What follows an answer has been done before the next key.
      for (let turn = 0; turn < 8; turn += 1) await null;
    }
    if (!hasAsked && now >= asks && central.next() !== null) {
      hasAsked = true;
      central.asksAgain();
    }
    if (now % LOOK_MS === 0 && events.length === 0) {
      look();
      balls.heard(next);
    }
    if (now % KEY_MS !== 0) continue;
    // What was dropped is begun anew: the screen says so.
    if (balls.typed === "") second = null;
    const position = balls.position(next);
    if (position === null) {
      if (central.next() === null && balls.waiting.length === 0) break;
      continue;
    }
    const figures = String(numbers[position - 1]).padStart(2, "0");
    balls.type(second ?? figures[0], position, false);
    second = second === null ? figures[1] : null;
    typed += 1;
  }
  const isRight = numbers.every((number, index) => central.entered[index] === number);
  // Each figure is one of a ball that stands, one that was asked again, or one that was said to be dropped.
  const kept = 2 * (DRAWN + (hasAsked ? 1 : 0));
  return isRight && typed - said <= kept && typed >= 2 * DRAWN ? null : `${central.entered.join(" ")} for ${numbers.join(" ")}: ${typed} typed, ${said} said to be dropped`;
};

test("figures wait in order for a silent central, each for the position that was shown", async () => {
  const { Balls } = await import(`data:text/javascript,${encodeURIComponent(plantedTextOf("counter/balls.js"))}`);
  const random = randomOf(20261202);
  const wrong = [];
  for (let done = 0; done < RUNS && wrong.length < 3; done += 1) {
    const fault = await run(Balls, random);
    if (fault) wrong.push(fault);
  }
  expect(wrong, "recorded as typed, or said").toEqual([]);
});

test("balls that are typed while central is silent are entered, and said where they are not", async ({ house, page }) => {
  await house.open(BALLS_AT_NOON);
  await sits(house, page, "desk.toml", MARKER);
  await draws(house);
  await expect(page.locator("#state")).toHaveText("tirage en cours", { timeout: 45_000 });
  /** @type {(() => void)[]} */
  const held = [];
  let isSilent = true;
  await between(page, "**/agent/draws/1/balls", async (route) => {
    if (isSilent) await new Promise((goOn) => held.push(() => goOn(null)));
    await route.continue();
  });
  await expect(page.locator(".typed")).toContainText("1");
  await page.keyboard.type("48596071", { delay: PACE_MS });
  // Each stands at its place already, and waits.
  for (const [index, number] of ["48", "59", "60", "71"].entries()) await expect(page.locator(`#tube-${index + 1}`)).toContainText(number);
  await expect(page.locator(".typed")).toContainText("5");
  expect(held, "one at a time").toHaveLength(1);
  // None is said to be entered before it is.
  for (const at of [1, 4]) await expect(page.locator(`#tube-${at} .sign`)).toHaveText("→");
  await expect(page.locator("#tube-1")).toHaveAccessibleName(/pas encore inscrite/);
  isSilent = false;
  for (const goOn of held) goOn();
  await expect(page.locator(".enterers")).toContainText("Vous (M101) : 4 sur 20");
  await expect(page.locator("#tube-4 .sign")).toHaveText("…");
  for (const [index, number] of ["48", "59", "60", "71"].entries()) await expect(page.locator(`#tube-${index + 1}`)).toContainText(number);
  // A number that came already is refused, and what was typed behind it for places that do not follow is said.
  isSilent = true;
  await types(page, "48");
  await types(page, "0722");
  isSilent = false;
  for (const goOn of held) goOn();
  await expect(page.locator("#told")).toContainText("à partir de la boule 6 (4 chiffres)");
  await expect(page.locator("#tube-5")).toContainText("–");
  await expect(page.locator(".typed")).toContainText("5");
});
