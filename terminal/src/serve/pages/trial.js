// Trials of printer and scanner. What a scanner reads is text for the eye and nothing else: it is
// never made into elements.
// @ts-check
import { watch } from "/device.js";
import { hear } from "/keys.js";

const LANGUAGE = "boulier-trial-language";

/** @param {string} id */
const at = (id) => document.getElementById(id);

const isEnglish = () => document.documentElement.lang.startsWith("en");

/** What was last said, to be said again in the other language. */
let repeat = () => {};

/** @param {string} lang */
const speak = (lang) => {
  document.documentElement.lang = lang;
  sessionStorage.setItem(LANGUAGE, lang);
  repeat();
};

/** @param {{fr: string, en: string}} sentence */
const pick = (sentence) => (isEnglish() ? sentence.en : sentence.fr);

const GONE = {
  name: "gone",
  title: {
    fr: "Le programme de ce terminal ne répond pas : appelez le technicien.",
    en: "The program of this terminal does not answer: call the technician.",
  },
};

/** @param {string} path @param {unknown} [body] */
const post = async (path, body) => {
  try {
    const answer = await fetch(`/agent/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Boulier-Page": "1" },
      body: JSON.stringify(body ?? {}),
    });
    return await answer.json();
  } catch {
    return GONE;
  }
};

/** @param {string} kind @param {string} strong @param {string[]} lines */
const state = (kind, strong, lines) => {
  const place = at("state");
  if (!place) return;
  place.dataset.state = kind;
  const head = document.createElement("strong");
  head.textContent = strong;
  place.replaceChildren(
    head,
    ...lines.map((line) => {
      const row = document.createElement("div");
      row.textContent = line;
      return row;
    }),
  );
};

/** @param {string} exit @param {{fr: string, en: string}[]} said */
const say = (exit, said) => {
  const place = at("said");
  if (!place) return;
  place.dataset.exit = exit;
  place.textContent = said.map(pick).join("\n");
};

const WAIT = { fr: "Un instant…", en: "One moment…" };
const NEAR_END = { fr: "Le rouleau achève.", en: "The roll is near its end." };
const DRAWER = {
  open: { fr: "Le tiroir-caisse est ouvert.", en: "The cash drawer is open." },
  shut: { fr: "Le tiroir-caisse est fermé.", en: "The cash drawer is closed." },
};

/** @param {any} printer @param {number | null} confirmedMs */
const showPrinter = (printer, confirmedMs) => {
  const isWell = printer.state === "ready" || printer.state === "silent";
  const lines = [];
  if (printer.near_end) lines.push(pick(NEAR_END));
  if (printer.drawer_open !== null) {
    lines.push(pick(printer.drawer_open ? DRAWER.open : DRAWER.shut));
  }
  if (confirmedMs !== null) {
    lines.push(pick({ fr: `Confirmé après ${confirmedMs} ms.`, en: `Confirmed after ${confirmedMs} ms.` }));
  }
  const kind = !isWell ? "trouble" : printer.near_end ? "near_end" : printer.state;
  state(kind, pick(printer.sentence), lines);
};

let isAtWork = false;

/** Does one thing at a time; buttons rest meanwhile. @param {() => Promise<any>} act */
const once = async (act) => {
  if (isAtWork) return null;
  isAtWork = true;
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".acts button, form button"));
  for (const button of buttons) button.disabled = true;
  repeat = () => state("unproven", pick(WAIT), []);
  repeat();
  const reply = await act();
  for (const button of buttons) button.disabled = false;
  isAtWork = false;
  return reply;
};

/** @param {string} path */
const tryPrinter = async (path) => {
  say("", []);
  const reply = await once(() => post(path));
  if (reply === null) return;
  repeat = () => {
    if (reply.title) {
      state("near_end", pick(reply.title), []);
    } else if (!reply.printer) {
      state("trouble", reply.said?.map((/** @type {any} */ line) => `${line.fr} ${line.en}`).join(" ") ?? pick(GONE.title), []);
    } else {
      showPrinter(reply.printer, reply.confirmed_ms);
      // What the state says already is not said twice.
      const own = reply.printer.sentence.fr;
      say(reply.exit, reply.said.filter((/** @type {any} */ line) => line.fr !== own));
    }
  };
  repeat();
};

const AFFIX = {
  none: { fr: "aucun n’est réglé", en: "none is set" },
  there: { fr: "présent", en: "there" },
  missing: { fr: "ABSENT", en: "MISSING" },
};

/** @param {boolean | null} has */
const affix = (has) => pick(has === null ? AFFIX.none : has ? AFFIX.there : AFFIX.missing);

/** @param {any} scan */
const showScan = (scan) => {
  if (scan.title) {
    state("near_end", pick(scan.title), []);
    return;
  }
  const isGood = scan.meaning === "claim_code" || scan.meaning === "control_number";
  const kind = isGood ? "ready" : scan.meaning ? "near_end" : "silent";
  state(kind, pick(scan.sentence), scan.meaning ? [scan.meaning] : []);
  const bytes = at("bytes");
  if (bytes) bytes.hidden = scan.meaning === null;
  const count = isEnglish() ? `${scan.bytes} bytes` : `${scan.bytes} octets`;
  for (const [id, text] of [
    ["text", scan.text],
    ["hexadecimal", scan.bytes ? `${scan.hexadecimal} (${count})` : ""],
    ["prefix", affix(scan.has_prefix)],
    ["suffix", affix(scan.has_suffix)],
  ]) {
    const place = at(id);
    if (place) place.textContent = text;
  }
};

/** @param {string} typed */
const tryScanner = async (typed) => {
  const bytes = at("bytes");
  if (bytes) bytes.hidden = true;
  const reply = await once(() => post("scanner-test", { typed }));
  if (reply === null) return;
  repeat = () => showScan(reply);
  repeat();
};

/** @type {Record<string, () => void>} */
const ACTS = {
  language: () => speak(isEnglish() ? "fr-CA" : "en-CA"),
  back: () => location.assign("/"),
  print: () => tryPrinter("printer-test"),
  ask: () => tryPrinter("printer-state"),
  drawer: () => tryPrinter("drawer"),
  listen: () => tryScanner(""),
};

/** @type {Record<string, string>} */
const KEYS = { F9: "language", Escape: "back", 1: "print", 2: "ask", 3: "drawer" };

for (const element of document.querySelectorAll("[data-act]")) {
  element.addEventListener("click", (event) => {
    event.preventDefault();
    ACTS[/** @type {HTMLElement} */ (element).dataset.act ?? ""]?.();
  });
}

const isScanner = document.body.dataset.trial === "scanner";

const startScanner = async () => {
  let isTyped = true;
  try {
    const scanner = await (await fetch("/agent/scanner")).json();
    isTyped = scanner.class !== "owned" && ["wedge", "off"].includes(scanner.kind);
  } catch {
    state("trouble", pick(GONE.title), []);
  }
  const form = /** @type {HTMLFormElement} */ (at("scan"));
  const typed = /** @type {HTMLInputElement} */ (at("typed"));
  form.hidden = !isTyped;
  const listen = at("listen");
  if (listen) listen.hidden = isTyped;
  repeat = () => {
    const ready = isTyped
      ? { fr: "Prêt : ce que le lecteur tape est lu ici.", en: "Ready: what the scanner types is read here." }
      : { fr: "Appuyez sur 1, puis présentez un code.", en: "Press 1, then show a code." };
    state("silent", pick(ready), []);
  };
  repeat();
  if (!isTyped) {
    KEYS[1] = "listen";
    return;
  }
  typed.focus();
  // A scanner types wherever the focus is: it stays in the field.
  document.addEventListener("click", () => typed.focus());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = typed.value;
    typed.value = "";
    await tryScanner(text);
    typed.focus();
  });
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const isField = event.target instanceof HTMLInputElement;
  if (isField && event.key.length === 1) return;
  const act = KEYS[event.key];
  if (!act || (isScanner && ["print", "ask", "drawer"].includes(act))) return;
  event.preventDefault();
  ACTS[act]();
});

const kept = sessionStorage.getItem(LANGUAGE);
if (kept) document.documentElement.lang = kept;
if (isScanner) startScanner();
else {
  // A scanner prints nothing here, and opens no drawer.
  watch(() => {}, () => {});
  hear();
  tryPrinter("printer-state");
}
