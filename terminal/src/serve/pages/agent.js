// The page of a kiosk or a display: it asks its own agent, and never central.
// @ts-check

// The agent answers within two seconds, changed or not.
const PATIENCE_MS = 4000;
const AGAIN_MS = 500;
/** A verdict is its patron's: it is gone after so long, and when the next code comes. */
const VERDICT_MS = 25_000;

/** @param {string} id */
const at = (id) => document.getElementById(id);

/**
 * An element with text, French first.
 * @param {string} tag @param {string} fr @param {string} [en]
 */
const words = (tag, fr, en) => {
  const element = document.createElement(tag);
  element.append(fr);
  if (en) {
    const second = document.createElement("span");
    second.className = "en";
    second.lang = "en";
    second.append(en);
    element.append(second);
  }
  return element;
};

/** @param {string} path @param {unknown} [body] */
const post = async (path, body) => {
  try {
    const answer = await fetch(`/agent/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Boulier-Page": "1" },
      body: JSON.stringify(body ?? {}),
    });
    const reply = await answer.json();
    if (reply.title) {
      return { exit: "refused", said: [reply.title] };
    }
    return reply;
  } catch {
    return { exit: "failed", said: [{ fr: "Ce terminal ne répond pas.", en: "This terminal does not answer." }] };
  }
};

/** @type {number | undefined} */
let forgetting;

/** How many patrons came: what was asked for an earlier one is shown to nobody. */
let patrons = 0;

/** What the last patron was told is shown to nobody else. */
const forget = () => {
  patrons += 1;
  clearTimeout(forgetting);
  const said = at("said");
  if (!said) return;
  delete said.dataset.exit;
  said.textContent = "";
};

/** Sentences alone: names of refusals and of fields are for programs. @param {{exit: string, said: {fr: string, en: string}[]}} ended @param {() => void} forgotten */
const say = (ended, forgotten) => {
  const said = at("said");
  if (!said) return;
  said.dataset.exit = ended.exit;
  said.textContent = [...new Set(ended.said.flatMap(({ fr, en }) => [fr, en]))].join("\n");
  clearTimeout(forgetting);
  forgetting = setTimeout(() => {
    forget();
    forgotten();
  }, VERDICT_MS);
};

/** @param {any} state */
const showDraws = (state) => {
  const section = at("draws");
  const last = state.last_draw;
  if (!section || !last) return;
  section.hidden = false;
  const told = new Date(state.draws_at_ms).toLocaleTimeString("fr-CA", { hour12: false });
  const number = String(last.draw.draw).padStart(6, "0");
  at("draw")?.replaceChildren(
    `${number.slice(0, 3)} ${number.slice(3)}, ${last.draw.local}`,
    words("span", "", `reçu à / received at ${told}`),
  );
  at("balls")?.replaceChildren(
    ...last.balls.map((/** @type {number} */ ball) => words("li", String(ball).padStart(2, "0"))),
  );
};

/**
 * How central stands. Its sentence is spoken when it is another; how long it has been so changes each
 * second, and is not.
 * @param {string} name @param {{fr: string, en: string}} sentence @param {string} since
 */
const tellCentral = (name, sentence, since) => {
  const [central, said, silence] = ["central", "sentence", "silence"].map(at);
  if (!central || !said || !silence) return;
  central.dataset.state = name;
  const fresh = words("div", sentence.fr, sentence.en);
  if (!said.firstChild?.isEqualNode(fresh)) said.replaceChildren(fresh);
  silence.textContent = since;
};

/** @param {any} state */
const showCentral = (state) => {
  const seconds = Math.floor((state.central.since_ms + performance.now() - seenAt) / 1000);
  // Only silence has a length that a clerk can use.
  const isSilent = ["away", "unproven"].includes(state.central.state);
  tellCentral(state.central.state, state.central.sentence, isSilent ? `${seconds} s` : "");
};

/** @param {any} state */
const show = (state) => {
  showCentral(state);
  // What is asked while a check is under way has its turn after it.
  const may = ["trusted", "skewed"].includes(state.central.state);
  for (const element of document.querySelectorAll("form button")) {
    /** @type {HTMLButtonElement} */ (element).disabled = !may;
  }
  const about = at("about");
  if (about) {
    const size = state.central.log_size ?? "–";
    about.textContent = `Appareil ${state.device}, version ${state.version}, registre prouvé : ${size} faits`;
  }
  showDraws(state);
};

const gone = () => {
  const sentence = {
    fr: "Le programme de ce terminal ne répond pas : appelez le technicien.",
    en: "The program of this terminal does not answer: call the technician.",
  };
  tellCentral("gone", sentence, "");
};

/** @type {any} */
let seen = null;
let seenAt = 0;

const watch = async () => {
  try {
    const path = seen ? `/agent/state?after=${seen.change}` : "/agent/state";
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    seen = await answer.json();
    seenAt = performance.now();
    show(seen);
    setTimeout(watch, 0);
  } catch {
    seen = null;
    gone();
    setTimeout(watch, AGAIN_MS);
  }
};

// How long central has been silent goes on counting between two answers.
setInterval(() => seen && showCentral(seen), 1000);

for (const form of document.querySelectorAll('form[data-command="check"]')) {
  const page = /** @type {HTMLFormElement} */ (form);
  const field = /** @type {HTMLInputElement} */ (page.elements.namedItem("code"));
  let checks = Promise.resolve();
  // The second of two Enters has no code, and is none.
  page.noValidate = true;
  form.addEventListener("input", forget);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const code = field.value.trim();
    if (code === "") return;
    forget();
    const patron = patrons;
    // A scanner types behind what stands there, and whoever reads the code can claim by it.
    page.reset();
    checks = checks.then(async () => {
      if (patron !== patrons) return;
      const ended = await post("checks", { code });
      if (patron !== patrons) return;
      // What was mistyped is put right, or forgotten with its answer.
      if (ended.exit !== "done") field.value = code;
      say(ended, () => page.reset());
    });
  });
}

watch();
