// A visit at the kiosk: scan or type, read the verdict, finish. Nothing of a visit outlives it.
import { date, drawNumber, fill, hour, masked, money, two } from "./format.js";

const $ = (id) => document.getElementById(id);
const kiosk = $("kiosk");
const code = $("code");
const hideFrom = Number(kiosk.dataset.hideFrom);

/** Without a touch for so long, a visible count starts; then the visit ends. */
const QUIET_S = 25;
const COUNT_S = 15;
const ANSWER_MS = 5000;
/** A scanner types faster than a person. */
const SCAN_GAP_MS = 100;
const CODE_MIN = 8;
/** So many unknown numbers within a minute look like guessing. */
const UNKNOWN_MAX = 5;
const UNKNOWN_WINDOW_MS = 60000;

const sentences = new Map();
for (const row of $("sentences").content.children) {
  sentences.set(row.dataset.key, {
    fr: row.querySelector(".fr").textContent, en: row.querySelector(".en").textContent,
    shape: row.dataset.shape, tone: row.dataset.tone,
  });
}
const looks = new Map([...$("tones").content.children].map((row) => [row.dataset.key, row.dataset]));

let visit = 0;
let quietS = 0;
let unknownAt = [];
let pausedUntil = 0;

/** An element with a class and children; text is never read as markup. */
function make(tag, name, ...children) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Both languages; the page's language decides which is seen. */
function both(words) {
  const of = (lang) => {
    const span = make("span", lang, words[lang]);
    span.lang = lang;
    return span;
  };
  const fragment = document.createDocumentFragment();
  fragment.append(of("fr"), of("en"));
  return fragment;
}

const say = (key, values = () => ({})) => {
  const row = sentences.get(key);
  return { fr: fill(row.fr, values("fr")), en: fill(row.en, values("en")) };
};

function shape(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "shape");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#shape-${name}`);
  svg.append(use);
  return svg;
}

function verdictLine(key, look, words) {
  const title = make("h1", "", both(words));
  title.tabIndex = -1;
  const line = make("div", `verdict tone-${look.tone}`, shape(look.shape), title);
  line.dataset.code = key;
  return line;
}

const numbersOf = (selection) => [...selection.kings, ...selection.groups.flat()];
const marks = (numbers, others) => numbers.map((number) => make("span", others.includes(number) ? "hit" : "", two(number)));

function prizeOf(draw) {
  const paid = (lang) => (sentences.get(`pay_${draw.payment}`) ?? { fr: draw.payment, en: draw.payment })[lang];
  const amount = (lang) => ({ amount: money(draw.payable_cents, lang), before: money(draw.computed_cents, lang) });
  const withPaid = (words) => ({ fr: `${words.fr}, ${paid("fr")}`, en: `${words.en}, ${paid("en")}` });
  if (draw.state === "void") return draw.kind === "refund" ? withPaid(say("refund", amount)) : say("void");
  if (draw.state === "to_come") return say("to_come", () => ({ time: hour(draw.draw.local) }));
  if (draw.state === "settled" && draw.kind === "prize") {
    if (draw.payable_cents < draw.computed_cents) return withPaid(say("capped", amount));
    return withPaid({ fr: money(draw.payable_cents, "fr"), en: money(draw.payable_cents, "en") });
  }
  // Not settled, or a state this page does not know: never read as a loss.
  return draw.state === "settled" ? say("nothing") : say("being_verified");
}

function drawItem(draw, selections) {
  const mine = selections.flatMap(numbersOf);
  const time = `${hour(draw.draw.local)} ${draw.draw.zone_mark}`.trim();
  const item = make("li", `state-${draw.state}`,
    make("p", "what", make("b", "", drawNumber(draw.draw.draw)), " ", make("span", "", time)),
    make("p", "prize", both(prizeOf(draw))));
  const balls = draw.balls ?? [];
  selections.forEach((selection, place) => {
    const numbers = numbersOf(selection);
    const caught = draw.caught?.[place];
    item.append(make("p", "mine", make("b", "", String.fromCharCode(65 + place)), ...marks(numbers, balls),
      make("em", "", caught === undefined ? "" : `${caught}/${numbers.length}`)));
  });
  if (balls.length) {
    const sorted = [...balls].sort((a, b) => a - b);
    item.append(make("details", "", make("summary", "", both(say("all_numbers"))), make("p", "balls", ...marks(sorted, mine))));
  }
  return item;
}

function claimList(reply, covered) {
  const cents = reply.payable_cents;
  const amount = both({ fr: money(cents, "fr"), en: money(cents, "en") });
  const by = { fr: date(reply.ticket.claim_by, "fr"), en: date(reply.ticket.claim_by, "en") };
  const row = (key, value, name = "") => make("div", name, make("dt", "", both(say(key))), make("dd", "", value));
  // The verdict itself sends a large winner to the cage: no second place beside it.
  const atCage = reply.verdict.code === "winner_at_cage";
  return make("dl", "claim",
    row("to_claim", covered ? make("details", "", make("summary", "", both(say("show"))), amount) : amount, "amount"),
    atCage ? null : row("where", both(reply.ticket.claim_place)),
    row("by", both(by)));
}

function answer(reply) {
  const key = reply.verdict.code;
  const look = looks.get(key) ?? looks.get("in_doubt");
  const winner = key === "winner" || key === "winner_at_cage";
  const cents = reply.payable_cents ?? null;
  const covered = cents !== null && cents >= hideFrom;
  const selections = reply.ticket?.selections ?? [];
  const nodes = [verdictLine(key, look, covered && winner ? say("winner") : reply.verdict.sentence)];
  if (winner && cents === null) nodes.push(make("p", "hint big", both(say("scan_for_amount"))));
  if (cents > 0 && reply.ticket) nodes.push(claimList(reply, covered));
  // Amounts by draw would uncover what the button covers.
  if (reply.draws?.length && !covered) nodes.push(make("ol", "perdraw", ...reply.draws.map((draw) => drawItem(draw, selections))));
  if (reply.ticket) nodes.push(make("p", "masked", both(say("ticket")), " ", make("b", "", masked(reply.ticket.control_number))));
  nodes.push(make("p", "help", both(say("help"))));
  return nodes;
}

function show(nodes) {
  $("result").replaceChildren(...nodes);
  kiosk.dataset.phase = "result";
  scrollTo(0, 0);
  $("result").querySelector("h1")?.focus({ preventScroll: true });
  touched();
}

const own = (key) => [verdictLine(key, sentences.get(key), say(key)), make("p", "help", both(say("help")))];

async function check(text) {
  const asked = text.replace(/[\s\u00a0-]/g, "").toUpperCase();
  code.value = "";
  visit += 1;
  const mine = visit;
  if (performance.now() < pausedUntil) return show(own("pause"));
  show([verdictLine("working", sentences.get("working"), say("working"))]);
  let nodes;
  try {
    const response = await fetch("/api/v1/checks", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code: asked }),
      signal: AbortSignal.timeout(ANSWER_MS), cache: "no-store", credentials: "same-origin",
    });
    if (response.ok) {
      const reply = await response.json();
      noteUnknown(reply.verdict.code);
      nodes = answer(reply);
    } else if (response.status === 429) nodes = own("pause");
    else nodes = own(response.status < 500 ? "unreadable" : "central_down");
  } catch {
    nodes = own("central_down");
  }
  // A second scan, or the end of the visit, makes an older answer nobody's business.
  if (mine === visit) show(nodes);
}

function noteUnknown(verdict) {
  if (verdict !== "not_found") return;
  const now = performance.now();
  unknownAt = [...unknownAt.filter((at) => now - at < UNKNOWN_WINDOW_MS), now];
  if (unknownAt.length >= UNKNOWN_MAX) {
    pausedUntil = now + UNKNOWN_WINDOW_MS;
    unknownAt = [];
  }
}

function speak(lang) {
  document.documentElement.lang = lang;
  $("form-lang").value = lang;
}

/** Ends the visit: no answer, no digits, no language of the last person stays. */
function end() {
  visit += 1;
  $("result").replaceChildren();
  code.value = "";
  kiosk.dataset.phase = "idle";
  document.documentElement.classList.remove("larger");
  $("larger").setAttribute("aria-pressed", "false");
  speak("fr");
  if (location.search) history.replaceState(null, "", location.pathname);
  touched();
  code.focus({ preventScroll: true });
}

function touched() {
  quietS = 0;
  $("count").hidden = true;
  $("more").hidden = true;
}

setInterval(() => {
  const fresh = kiosk.dataset.phase === "idle" && document.documentElement.lang === "fr" && !code.value
    && !document.documentElement.classList.contains("larger");
  if (fresh) return;
  quietS += 1;
  if (quietS < QUIET_S) return;
  const left = QUIET_S + COUNT_S - quietS;
  if (left <= 0) return end();
  $("count").hidden = kiosk.dataset.phase !== "result";
  $("more").hidden = kiosk.dataset.phase !== "result";
  $("seconds").textContent = String(left);
}, 1000);

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (code.value.trim()) check(code.value);
});
$("end").addEventListener("click", (event) => {
  event.preventDefault();
  end();
});
$("more").addEventListener("click", touched);
$("tongue").addEventListener("click", (event) => {
  event.preventDefault();
  speak(document.documentElement.lang === "fr" ? "en" : "fr");
});
$("larger").hidden = false;
$("larger").addEventListener("click", () => {
  const on = document.documentElement.classList.toggle("larger");
  $("larger").setAttribute("aria-pressed", String(on));
});
for (const name of ["pointerdown", "keydown", "wheel", "touchmove"]) addEventListener(name, touched, { passive: true });

// A scanner is a keyboard that types fast and ends with Enter, wherever the focus is.
let scanned = "";
let scannedAt = 0;
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.timeStamp - scannedAt > SCAN_GAP_MS) scanned = "";
  scannedAt = event.timeStamp;
  if (event.key === "Enter" && scanned.length >= CODE_MIN) {
    event.preventDefault();
    const text = scanned;
    scanned = "";
    check(text);
  } else if (/^[0-9A-Za-z]$/.test(event.key)) scanned += event.key;
}, { capture: true });

// Going back must not bring a visit back.
addEventListener("pageshow", (event) => {
  if (event.persisted) end();
});
if (kiosk.dataset.phase === "idle" && matchMedia("(pointer: fine)").matches) code.focus({ preventScroll: true });
