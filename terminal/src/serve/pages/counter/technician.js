// The technician's page: which program this terminal runs and how it stands, whether it can be
// taken away, and the code of a device that nobody knows yet.
// @ts-check
import { commandName, get, post, toldBy } from "/device.js";
import { at, button, el, showTrouble, toldParts } from "/dom.js";
import { frame } from "/frame.js";
import { redraw } from "/redraw.js";
import { onLanguage, say, t } from "/words.js";

const AGAIN_MS = 1000;

/** What the device last said. @type {any} */
let status = null;
let isGone = false;
/** This page was opened before the device was enrolled. */
let wasUnknown = false;
/** Why the terminal cannot be taken away, as it was judged last. @type {string[] | null} */
let stays = null;
/** @type {import("./device.js").Told[]} */
let told = [];
let isBusy = false;

/** A moment as both offices read it. @param {number} ms */
const moment = (ms) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** @param {string} words @param {string | Node | null} value @param {string} [tone] */
const row = (words, value, tone = "") => [el("dt", {}, t(words)), el("dd", { class: tone }, value ?? "–")];

/** @param {string} id @param {string} title @param {...(Node | null)} children */
const section = (id, title, ...children) => el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, t(title)), ...children);

/** @param {...Node[]} rows */
const table = (...rows) => el("dl", {}, ...rows.flat());

const program = () =>
  section(
    "program",
    "tech.program",
    table(
      row("tech.name", status.program.name),
      row("tech.version", status.program.version),
      row("tech.hash", el("span", { class: "hash" }, status.program.sha256 ?? t("tech.hash_unknown"))),
    ),
  );

const central = () => {
  const { central: link } = status.state;
  const isWell = link.state === "trusted";
  return section(
    "central",
    "tech.central",
    table(
      row("tech.address", status.central),
      row("tech.link", say(link.sentence), isWell ? "good" : "bad"),
      ...(link.mistrust || link.denial ? [row("tech.why", link.mistrust ?? link.denial, "bad")] : []),
      row("tech.version", link.version),
      ...(link.mismatch ? [row("tech.mismatch", say(link.mismatch.sentence), "bad")] : []),
      row("tech.skew", link.skew_ms === null ? null : t("tech.milliseconds", { count: link.skew_ms }), link.state === "skewed" ? "bad" : ""),
      row("tech.log", link.log_size === null ? null : String(link.log_size)),
    ),
  );
};

const certificate = () => {
  const one = status.certificate;
  if (!one) return section("certificate", "tech.certificate", el("p", {}, t("tech.no_certificate")));
  const tone = one.has_ended ? "bad" : one.renewal_due ? "warn" : "good";
  return section(
    "certificate",
    "tech.certificate",
    table(
      row("tech.serial", one.serial === null ? null : el("span", { class: "hash" }, one.serial)),
      row("tech.for", `${one.device}, ${one.name}, ${one.role}`),
      row("tech.begins", moment(one.begins_ms)),
      row("tech.ends", moment(one.ends_ms), tone),
      row("tech.renewal", t(one.has_ended ? "tech.ended" : one.renewal_due ? "tech.renewal_due" : "tech.renewal_later"), tone),
    ),
  );
};

const openItems = () => el("ul", { class: "open" }, ...status.state.open.map((/** @type {any} */ item) => el("li", {}, t("tech.open_item", { item: commandName(item, status.state), stage: t(`tech.stage_${item.stage}`) }))));

const journal = () => {
  const { open } = status.state;
  return section(
    "journal",
    "tech.journal",
    table(
      row("tech.commands", String(status.commands)),
      row("tech.open", String(open.length), open.length > 0 ? "warn" : "good"),
      row("tech.on_duty", status.state.badge),
      row("tech.folder", status.journal),
      ...(status.trust ? [row("tech.trust", status.trust)] : []),
    ),
    open.length > 0 ? openItems() : null,
  );
};

/** By touch or mouse: the keyboard that is registered is not known yet. @param {boolean} isBegun */
const register = async (isBegun) => {
  if (isBusy) return;
  isBusy = true;
  const reply = await post("keyboard", { begin: isBegun });
  isBusy = false;
  told = reply.exit ? toldBy(reply) : [];
  await look();
};

/** What types here, and whose the keys of the page may be. @param {any} now */
const inputs = ({ class: of, digits, devices }) => [
  el("p", { id: "class", class: of === "owned" ? "judged good" : "judged" }, t(`tech.class_${of}`)),
  el("ul", { class: "open", id: "inputs" }, ...devices.map((/** @type {any} */ one) => el("li", {}, t(`tech.input_${one.standing}`, { name: one.name })))),
  digits
    ? el("p", { class: "big", id: "type-digits", role: "status" }, t("tech.type_digits", { digits }))
    : null,
  el("p", {}, digits ? button(t("tech.register_leave"), "", () => register(false), { class: "quiet" }) : button(t("tech.register"), "", () => register(true), { id: "register" })),
];

const devices = () => {
  const { printer } = status.state;
  const isWell = printer && ["ready", "silent"].includes(printer.state);
  const { scanner } = status;
  return section(
    "devices",
    "tech.devices",
    table(
      row("tech.printer", printer ? say(printer.sentence) : t("strip.printer_unknown"), printer ? (isWell ? "good" : "bad") : ""),
      ...(printer?.near_end ? [row("tech.roll", say(printer.near_end), "warn")] : []),
      row("tech.scanner", scanner.absence ? say(scanner.absence) : t(`tech.scanner_${scanner.kind}`), scanner.absence ? "bad" : ""),
    ),
    ...inputs(scanner.inputs),
    el("p", {}, el("a", { href: "/printer" }, t("more.printer"))),
    el("p", {}, el("a", { href: "/scanner" }, t("more.scanner"))),
  );
};

const judge = async () => {
  if (isBusy) return;
  isBusy = true;
  show();
  const reply = await post("replacement");
  isBusy = false;
  stays = reply.stays ?? null;
  told = reply.stays ? [] : toldBy(reply);
  show();
};

/** What stands in the way, and the way out of each. */
const judged = () => {
  if (stays === null) return [];
  if (stays.length > 0) {
    return [
      el("p", { class: "judged", id: "stays" }, t("tech.stays")),
      el("ul", { class: "open" }, ...stays.map((one) => el("li", {}, t(`tech.stays_${one}`)))),
      stays.includes("in_doubt") ? openItems() : null,
      el("p", {}, el("a", { href: "/" }, t("tech.to_counter"))),
    ];
  }
  const steps = ["stop", "copy", "key", "start"].map((one) => el("li", {}, t(`tech.step_${one}`, { journal: status.journal })));
  return [el("p", { class: "judged good", id: "may-leave" }, t("tech.may_leave")), el("ol", { class: "steps" }, ...steps)];
};

const replacement = () =>
  section(
    "replacement",
    "tech.replacement",
    el("p", {}, t("tech.replacement_text")),
    el("p", {}, button(t("tech.judge"), "", judge, { id: "judge", disabled: isBusy })),
    el("div", { role: "status" }, ...judged()),
    ...toldParts(told),
  );

const begin = async () => {
  if (isBusy) return;
  isBusy = true;
  show();
  const reply = await post("enrol");
  isBusy = false;
  told = reply.exit ? toldBy(reply) : [];
  // It may have ended as it did before: what was shown meanwhile is not what stands.
  shown = "";
  await look();
};

/** A device that nobody knows yet. */
const enrolment = () => {
  const { enrolment: now, central: address } = status;
  const parts = [el("p", {}, t("tech.not_enrolled", { central: address }))];
  switch (now.state) {
    case "asking":
      parts.push(el("p", { class: "working" }, t("tech.asking")));
      break;
    case "code":
      parts.push(
        el("p", { id: "enrolment-code" }, now.code),
        el("p", { class: "big" }, t("tech.type_code")),
        el("p", {}, el("span", { class: "hash" }, `boulier-central admin device approve --code ${now.code} --number … --name … --role counter --by … --second …`)),
        el("p", {}, t("tech.code_secret")),
      );
      break;
    case "done":
      parts.push(el("p", { class: "judged good" }, t("tech.enrolled")));
      break;
    default:
      parts.push(
        ...now.said.map((/** @type {any} */ one) => el("p", { class: "told bad" }, say(one))),
        el("p", {}, button(t("tech.enrol"), "", begin, { id: "enrol", disabled: isBusy })),
      );
  }
  const whole = section("enrolment", "tech.enrolment", ...parts, ...toldParts(told));
  whole.classList.add("wide");
  whole.setAttribute("aria-live", "polite");
  return whole;
};

const show = () => {
  showTrouble(isGone ? t("alarm.gone") : "");
  if (!status) return;
  at("device").textContent = status.enrolled ? `${t("head.device", { device: status.state.device })}, ${t(`tech.role_${status.state.role}`)}` : t("tech.unknown_device");
  at("back").hidden = !status.enrolled;
  document.body.dataset.enrolled = String(status.enrolled);
  const parts = status.enrolled ? [program(), central(), certificate(), journal(), devices(), replacement()] : [enrolment(), program()];
  redraw(at("parts"), parts);
};

let shown = "";

const look = async () => {
  try {
    status = await get("technician");
    isGone = false;
    if (!status.enrolled) wasUnknown = true;
    else if (wasUnknown) {
      location.assign("/");
      return;
    }
  } catch {
    // While the agent takes this page's place nobody answers.
    isGone = !wasUnknown || status?.enrolment?.state !== "done";
  }
  // What is being read is left alone until something is news.
  const now = JSON.stringify([status, isGone, isBusy, told.length], (name, value) => (["since_ms", "change", "skew_ms"].includes(name) ? undefined : value));
  const isCopied = String(getSelection()) !== "";
  if (now !== shown && !isCopied) {
    shown = now;
    show();
  }
};

const turn = async () => {
  await look();
  setTimeout(turn, AGAIN_MS);
};

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && status?.enrolled) location.assign("/");
});
onLanguage(show);
frame();
turn();
