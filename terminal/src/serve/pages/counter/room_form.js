// The forms of the draw room: what one person asks for there. A form is made once and left alone
// while the room around it changes; in another language it is made again with what was typed.
// @ts-check
import { button, el, setWords } from "/dom.js";
import { ball, day, inForce, t } from "/words.js";

/** @typedef {"measure" | "choose" | "open" | "hand_over" | "end" | "incident"} Step */

/** Balls that are named one by one; of more it is said how many. */
const NAMED_MOST = 5;

/** A weight: `2,70 g` or `2.70 g`; what hundredths do not say has thousandths. @param {number} mg */
export const grams = (mg) => {
  const places = mg % 10 === 0 ? 2 : 3;
  const [whole, part] = [Math.trunc(mg / 1000), String(mg % 1000).padStart(3, "0").slice(0, places)];
  return `${whole}${inForce() === "fr" ? "," : "."}${part}\u00a0g`;
};

/** What a scale has typed, or somebody has pasted: whole milligrams, and what is none. @param {string} text */
const weighed = (text) => {
  const words = text.split(/[\s,;]+/).filter((one) => one !== "");
  return {
    masses: words.filter((one) => /^\d{1,7}$/.test(one)).map(Number),
    unread: words.filter((one) => !/^\d{1,7}$/.test(one)),
  };
};

/** Some, and how many more. @param {string[]} all */
const some = (all) => {
  const named = all.slice(0, NAMED_MOST).join(", ");
  return all.length > NAMED_MOST ? t("room.and_more", { some: named, more: all.length - NAMED_MOST }) : named;
};

/** @param {any} room */
const boundsOf = ({ bounds_mg: [least, most] }) => ({ least: grams(least), most: grams(most) });

/** What is said of the weights so far, with its tone. @param {string} text @param {any} room @returns {{tone: string, words: string}[]} */
const weighedWords = (text, room) => {
  const { masses, unread } = weighed(text);
  const [least, most] = room.bounds_mg;
  const out = masses.flatMap((mass, at) => (mass < least || mass > most ? [t("room.ball_weighs", { ball: ball(at + 1), weight: grams(mass) })] : []));
  const isWhole = masses.length === room.balls && unread.length === 0;
  return [
    {
      tone: isWhole ? "good" : masses.length > room.balls ? "bad" : "",
      words: masses.length < room.balls ? t("room.counted_next", { count: masses.length, all: room.balls, next: ball(masses.length + 1) }) : t("room.counted", { count: masses.length, all: room.balls }),
    },
    { tone: "", words: masses.length > 0 ? t("room.extremes", { lightest: grams(Math.min(...masses)), heaviest: grams(Math.max(...masses)) }) : t("room.bounds", boundsOf(room)) },
    unread.length > 0
      ? { tone: "bad", words: t("room.unread", { what: some(unread) }) }
      : out.length > 0
        ? { tone: "bad", words: t("room.out_of_bounds", { which: some(out), ...boundsOf(room) }) }
        : { tone: "good", words: isWhole ? t("room.all_within", boundsOf(room)) : "" },
  ];
};

/** @param {string} name @param {string} words @param {Record<string, any>} [more] */
const field = (name, words, more = {}) => el("label", {}, t(words), el("input", { name, type: "text", autocomplete: "off", spellcheck: "false", required: true, ...more }));

/** Yes or no, and neither before it is said. @param {string} name @param {string} words */
const yesOrNo = (name, words) =>
  el(
    "fieldset",
    {},
    el("legend", {}, t(words)),
    ...["yes", "no"].map((one) => el("label", {}, el("input", { name, type: "radio", value: one, required: true }), t(`room.pass_${one}`))),
  );

/** The weights of all balls, and what they come to. @param {any} room */
const weights = (room) => {
  const lines = [0, 1, 2].map(() => el("span", {}));
  const area = /** @type {HTMLTextAreaElement} */ (el("textarea", { name: "masses", rows: 9, autocomplete: "off", spellcheck: "false", inputmode: "numeric", required: true, "aria-describedby": "weighed" }));
  const look = () => {
    for (const [at, { tone, words }] of weighedWords(area.value, room).entries()) {
      lines[at].dataset.tone = tone;
      setWords(lines[at], words);
    }
    const { masses, unread } = weighed(area.value);
    area.setCustomValidity(area.value === "" || (masses.length === room.balls && unread.length === 0) ? "" : t("room.weigh_all", { all: room.balls }));
  };
  area.oninput = look;
  look();
  return [el("label", { class: "weights" }, t("room.weights", { all: room.balls }), area), el("p", { id: "weighed", role: "status" }, ...lines)];
};

/** The name of a set, and whether the register has it: a name that is typed otherwise is another set. @param {any} room */
const setName = (room) => {
  const note = el("span", { id: "known", role: "status" });
  const label = field("set", "room.set_name", { "aria-describedby": "known" });
  const input = /** @type {HTMLInputElement} */ (label.querySelector("input"));
  const look = () => {
    const known = room.sets.find((/** @type {any} */ one) => one.name === input.value.trim());
    const names = room.sets.map((/** @type {any} */ one) => one.name).join(", ");
    setWords(note, known ? t("room.known_set", { day: day(known.measured_at_local) }) : input.value.trim() !== "" ? t("room.new_set") : names !== "" ? t("room.sets", { sets: names }) : "");
  };
  input.oninput = look;
  look();
  return el("div", { class: "named" }, label, note);
};

/** The fields of a step. @param {Step} step @param {any} room @returns {Node[]} */
const fieldsOf = (step, room) => {
  if (step === "measure") return [setName(room), ...weights(room), yesOrNo("passed", "room.gauge"), field("instruments", "room.instruments")];
  if (step === "choose") return room.choice ? [field("reason", "room.why_not")] : [];
  if (step === "open") return [field("counted", "room.balls_counted", { inputmode: "numeric", pattern: "\\d{1,3}" }), field("camera", "room.tubes_empty")];
  if (step === "incident") return [field("draw", "room.incident_draw", { inputmode: "numeric", pattern: "[\\d\\s]*", required: undefined }), field("text", "room.incident_text"), field("camera", "room.incident_camera", { required: undefined })];
  return [];
};

/** What has to be known before it is asked. @param {Step} step @param {any} room */
const meaning = (step, room) => {
  const set = room.choice?.chosen ?? "";
  if (step === "choose" && set !== "") return t("room.means.choose_again", { set });
  return t(`room.means.${step}`, { set });
};

/**
 * A form of the room.
 * @param {object} about
 * @param {Step} about.step
 * @param {any} about.room
 * @param {() => void} about.send
 * @param {() => void} about.leave
 */
export const roomForm = ({ step, room, send, leave }) =>
  /** @type {HTMLFormElement} */ (
    el(
      "form",
      {
        class: step,
        "aria-labelledby": "form-title",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          send();
        },
      },
      el("h2", { id: "form-title" }, t(`room.act.${step}`)),
      el("p", {}, meaning(step, room)),
      ...fieldsOf(step, room),
      el("p", { class: "keys" }, el("button", { id: "send" }, el("kbd", {}, t("key.enter")), t(step === "incident" ? "room.log" : "room.ask")), button(t("ask.leave"), t("key.escape"), leave, { id: "leave", class: "quiet" })),
    )
  );

/** What stands in a form. @param {HTMLFormElement} form @returns {Record<string, string>} */
export const typedIn = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** Puts it back. @param {HTMLFormElement} form @param {Record<string, string>} typed */
export const fill = (form, typed) => {
  for (const one of form.elements) {
    if (one instanceof HTMLTextAreaElement) {
      one.value = typed[one.name] ?? "";
      one.dispatchEvent(new Event("input"));
    } else if (one instanceof HTMLInputElement && one.type === "radio") one.checked = typed[one.name] === one.value;
    else if (one instanceof HTMLInputElement) one.value = typed[one.name] ?? "";
  }
};

/** The question of a step as central takes it: its path and its body. @param {Step} step @param {Record<string, string>} typed @returns {[string, object]} */
export const question = (step, typed) => {
  const said = (/** @type {string} */ name) => (typed[name] ?? "").trim();
  if (step === "measure") return ["room/measures", { set: said("set"), masses_mg: weighed(said("masses")).masses, passed: typed.passed === "yes", instruments: said("instruments") }];
  if (step === "choose") return ["room/choice", { reason: said("reason") }];
  if (step === "open") return ["room/opening", { counted: Math.min(Number(said("counted")), 255), camera: said("camera") }];
  if (step === "incident") {
    const draw = said("draw").replace(/\s/g, "");
    return ["room/incidents", { draw: draw === "" ? undefined : Number(draw), text: said("text"), camera: said("camera") }];
  }
  return ["room/end", { hands_over: step === "hand_over" }];
};
