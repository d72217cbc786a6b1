// The hall monitor. It keeps what central said, asks `derive` what that means now, and writes only
// what changed.
import { Live } from "./live.js";
import { after, derive, isOfficial, modelOf } from "./board-state.js";
import { countdown, drawNumber, fill, hour, two } from "./format.js";

const $ = (id) => document.getElementById(id);
const stage = $("stage");
const cells = [...$("cells").children];
const sheetLast = $("sheet-last");
const sheets = [sheetLast, ...document.querySelectorAll("[data-prizes]")];
const sentences = new Map();
for (const row of $("sentences").content.children) {
  const [fr, en] = [row.querySelector("b").textContent, row.querySelector("[lang]").textContent];
  sentences.set(row.dataset.key, { fr, en, shape: row.dataset.shape });
}
const clock = new Intl.DateTimeFormat("fr-CA", {
  timeZone: stage.dataset.zone, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});
const SHIFT_MS = 180000;
const PAST_ROWS = 5;
const RELOAD_AFTER_MS = 12 * 3600 * 1000;

let model = null;
let stale = false;

/** Writes `text` if it is not there yet: a board of 8 hours should touch the page little. */
function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const said = (key, values = {}) => {
  const row = sentences.get(key);
  return { fr: fill(row.fr, values), en: fill(row.en, values) };
};

/** Both languages into a node: French bold, English smaller beside it. */
function putBoth(node, words) {
  const text = words ? `${words.fr}\n${words.en}` : "";
  if (node.dataset.said === text) return;
  node.dataset.said = text;
  if (!words) return node.replaceChildren();
  const fr = document.createElement("b");
  fr.textContent = words.fr;
  const en = document.createElement("span");
  en.lang = "en";
  en.textContent = words.en;
  node.replaceChildren(fr, " ", en);
}

const timeOf = (ms) => {
  const parts = Object.fromEntries(clock.formatToParts(ms).map((part) => [part.type, part.value]));
  return { short: `${parts.hour}:${parts.minute}`, long: `${parts.hour}:${parts.minute}:${parts.second}` };
};

function putNumbers(node, balls) {
  const text = balls.join(" ");
  if (node.dataset.said === text) return;
  node.dataset.said = text;
  node.replaceChildren(...balls.map((ball) => {
    const span = document.createElement("span");
    span.textContent = two(ball);
    return span;
  }));
}

const ascending = (balls) => [...balls].sort((a, b) => a - b);

function fitPool(pool) {
  while (cells.length > pool) cells.pop().remove();
  while (cells.length < pool) {
    const cell = document.createElement("li");
    cell.dataset.number = cell.textContent = String(cells.length + 1);
    cells.push(cell);
    $("cells").append(cell);
  }
}

function showBoard(draw, state) {
  const balls = draw ? draw.balls : [];
  if (draw) fitPool(draw.pool);
  const lit = new Set(balls);
  const newest = state === "drawing" ? balls.at(-1) : undefined;
  for (const cell of cells) {
    const number = Number(cell.dataset.number);
    cell.classList.toggle("lit", lit.has(number));
    cell.classList.toggle("newest", number === newest);
  }
  const slots = $("order").children;
  for (let place = 0; place < slots.length; place += 1) {
    put(slots[place], place < balls.length ? two(balls[place]) : "");
    slots[place].classList.toggle("newest", newest !== undefined && place === balls.length - 1);
  }
  put($("order-number"), draw && balls.length ? drawNumber(draw.draw.draw) : "");
  putBoth($("source"), draw ? said(draw.source === "balls" ? "by_balls" : "by_computer") : null);
}

function showNow(now) {
  const { state, draw } = now;
  const panel = $("panel-now");
  const ball = $("now-ball");
  let title = null;
  let words = null;
  let number = "";
  if (state === "drawing") {
    const count = draw.balls.length;
    number = count ? two(draw.balls[count - 1]) : "\u2013";
    title = said("ball", { n: String(count), total: String(draw.drawn) });
  } else if (state === "verifying") words = said("verifying_words");
  else if (state === "closed") words = said("closed_words");
  else if (state === "suspended" || state === "sales_suspended" || state === "cancelled") words = said(`${state}_words`);
  else if (state === "official" && now.officialAtMs) words = said("official_at", { time: timeOf(now.officialAtMs).short });
  else if (state === "stale" && draw && now.officialAtMs) words = said("official_at", { time: timeOf(now.officialAtMs).short });
  panel.hidden = !title && !words;
  panel.classList.toggle("plain", !title);
  $("now-title").hidden = !title;
  putBoth($("now-title"), title);
  putBoth($("now-words"), words);
  if (ball.textContent !== number) {
    put(ball, number);
    ball.classList.remove("fresh");
    void ball.offsetWidth;
    if (number) ball.classList.add("fresh");
  }
}

function showNext(now) {
  const { state, next } = now;
  const panel = $("panel-next");
  const title = $("next-title");
  const lost = state === "stale" || state === "connecting";
  const counted = !lost && next && state !== "sales_suspended" && !(state === "closed" && now.draw === next);
  panel.classList.toggle("wide-words", !counted);
  title.hidden = lost || !next;
  if (next && !lost) {
    const words = said("next");
    putBoth(title, { fr: `${words.fr} ${drawNumber(next.draw.draw)}`, en: words.en });
  }
  put($("countdown"), counted ? countdown(now.leftMs) : "");
  const closesIn = said("closes_in");
  if (lost) putBoth($("next-words"), state === "stale" ? said("stale_where") : null);
  else if (!next) putBoth($("next-words"), said("no_next"));
  else {
    const at = said("at", { time: `${hour(next.draw.local)} ${next.draw.zone_mark}`.trim() });
    putBoth($("next-words"), counted ? closesIn : at);
  }
}

function showLast(last) {
  const row = last[0];
  put($("last-number"), row ? drawNumber(row.draw.draw) : "");
  putNumbers($("last-numbers"), row ? ascending(row.balls) : []);
  putBoth($("last-words"), row ? null : said("no_draw_yet"));
}

function showPast(last) {
  const rows = last.slice(0, PAST_ROWS);
  const text = rows.map((row) => row.draw.draw).join(" ");
  if ($("past").dataset.said === text) return;
  $("past").dataset.said = text;
  $("past").replaceChildren(...rows.map((row) => {
    const item = document.createElement("li");
    const when = document.createElement("p");
    when.className = "when";
    const number = document.createElement("b");
    number.textContent = drawNumber(row.draw.draw);
    const time = document.createElement("span");
    time.textContent = hour(row.draw.local);
    when.append(number, time);
    const numbers = document.createElement("p");
    numbers.className = "numbers";
    putNumbers(numbers, ascending(row.balls));
    item.append(when, numbers);
    return item;
  }));
}

function show() {
  const nowMs = live.now();
  const now = derive(model, nowMs, stale, sheets.length);
  if (stage.dataset.state !== now.state) {
    stage.dataset.state = now.state;
    $("state-shape").setAttribute("href", `#shape-${sentences.get(now.state).shape}`);
  }
  stage.toggleAttribute("data-dim", now.dim);
  stage.toggleAttribute("data-soon", now.soon === true);
  const left = now.leftMs === null || now.leftMs === undefined ? "" : countdown(now.leftMs);
  putBoth($("state-words"), said(now.state, { left }));
  // The title over the numbers is that of their draw; while sales are open it is the last one, and
  // says so. The draw that can be played is named beside its countdown.
  const selling = now.state === "open" || now.state === "closing";
  const named = now.draw ?? now.next;
  const title = said(selling && now.draw ? "last_title" : "draw_title");
  put($("draw-label"), title.fr);
  put($("draw-label-en"), title.en);
  put($("draw-number"), named ? drawNumber(named.draw.draw) : "\u2013");
  put($("clock"), nowMs === null || now.state === "stale" ? "" : timeOf(nowMs).long);
  const last = now.last.filter(isOfficial);
  showBoard(now.draw, now.state);
  showNow(now);
  $("side").classList.toggle("busy", !$("panel-now").hidden && now.state !== "official" && now.state !== "stale");
  showNext(now);
  const others = named ? last.filter((row) => row.draw.draw !== named.draw.draw) : last;
  // The first result of all is also the last one: nothing beside it says that there is none.
  showLast((selling || others.length === 0) && now.draw ? [now.draw, ...others].filter(isOfficial) : others);
  showPast(last);
  $("cells").hidden = now.view > 0;
  sheets.forEach((sheet, place) => { sheet.hidden = now.view !== place + 1; });
  if (now.state === "open" && nowMs !== null && performance.now() > RELOAD_AFTER_MS && timeOf(nowMs).short === "05:00") location.reload();
}

const live = new Live(stage.dataset.live, {
  snapshot(data) {
    stale = false;
    model = modelOf(data);
    show();
  },
  event(name, data) {
    const next = model && after(model, name, data, live.now());
    if (!next) return live.reopen(0);
    model = next;
    show();
  },
  stale() {
    stale = true;
    show();
  },
});
live.start();
setInterval(show, 200);
let shift = 0;
setInterval(() => {
  shift = (shift + 1) % 4;
  stage.dataset.shift = String(shift);
}, SHIFT_MS);
