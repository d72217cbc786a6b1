// The page of a device: it asks its own agent, and never central.
// @ts-check

// The agent answers within two seconds, changed or not.
const PATIENCE_MS = 4000;
const AGAIN_MS = 500;

/** @param {string} id */
export const at = (id) => document.getElementById(id);

/** @param {number} cents */
export const french = (cents) =>
  `${(cents / 100).toLocaleString("fr-CA", { minimumFractionDigits: 2 })} $`;

/**
 * An element with text, French first.
 * @param {string} tag @param {string} fr @param {string} [en]
 */
export const words = (tag, fr, en) => {
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
export const post = async (path, body) => {
  try {
    const answer = await fetch(`/agent/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Boulier-Page": "1" },
      body: JSON.stringify(body ?? {}),
    });
    const reply = await answer.json();
    if (reply.title) {
      return { exit: "refused", told: [], noted: [reply.title.fr, reply.title.en] };
    }
    return reply;
  } catch {
    return {
      exit: "failed",
      told: [],
      noted: ["Ce terminal ne répond pas.", "This terminal does not answer."],
    };
  }
};

/** @param {{exit: string, told: string[], noted: string[]}} ended */
export const say = (ended) => {
  const said = at("said");
  if (!said) return;
  said.dataset.exit = ended.exit;
  said.textContent = [...ended.told, ...ended.noted].join("\n");
};

export const KINDS = {
  sale: ["Vente", "Sale"],
  cancellation: ["Annulation", "Cancellation"],
  payment: ["Paiement de lot", "Prize payment"],
  till_movement: ["Mouvement de caisse", "Till movement"],
  lost_refund: ["Remboursement d’un billet perdu", "Refund of a lost ticket"],
};

/** How a command is called where people talk of it. @param {any} item @param {any} state */
export const keyOf = (item, state) => `${item.device ?? state.device}-${item.key.session}-${item.key.counter}`;

/** What is to be done about a command, in both languages. @param {any} item */
const advice = (item) => {
  const parked = item.parked;
  switch (item.stage) {
    case "asking":
      return ["Le central n’a pas répondu. Gardez l’argent à part.", "Central has not answered. Keep the money apart."];
    case "parked":
      return ["Mise de côté : l’argent reste dans l’enveloppe.", "Put aside: the money stays in the envelope."];
    case "to_tell": {
      const back = {
        sale: [`Non enregistrée : RENDEZ ${french(item.received_cents)} au joueur.`, "Not recorded: give the money back to the player."],
        cancellation: ["Non enregistrée : le billet vaut toujours, ne remboursez rien.", "Not recorded: the ticket still stands, refund nothing."],
        payment: ["Non enregistré : ne remettez rien.", "Not recorded: hand over nothing."],
        till_movement: [`Non enregistré : remettez ${french(item.total_cents)} où il était.`, "Not recorded: put the cash back where it was."],
        lost_refund: ["Non enregistré : ne remettez rien.", "Not recorded: hand over nothing."],
      }[item.kind];
      return parked ? [`${back[0]} (enveloppe)`, `${back[1]} (envelope)`] : back;
    }
    case "to_print":
      return ["Enregistré, à imprimer.", "Recorded, to be printed."];
    case "to_hand_over": {
      const cash = french(item.owed_cents);
      return {
        sale: [`Enregistrée : remettez le billet, monnaie ${cash}.`, "Recorded: give the ticket, and the change."],
        cancellation: [`Annulé : rendez ${cash} et gardez le papier.`, "Cancelled: give the refund, and keep the paper."],
        payment: [`Payé : remettez ${cash}.`, "Paid: hand over the prize."],
        till_movement: [`Mouvement de ${cash} enregistré.`, "The movement is recorded."],
        lost_refund: [`Billet perdu, remboursé : rendez ${cash} et gardez le papier.`, "Lost ticket, refunded: give the refund, and keep the paper."],
      }[item.kind];
    }
    case "torn":
      return ["Le papier est déchiré : gardez tous les morceaux. Le billet est à annuler, puis à vendre de nouveau.", "The paper is torn: keep all pieces. The ticket is to be cancelled, then sold again."];
    case "paper_in_doubt":
      return ["Le papier est-il sorti complet, avec « *** FIN / END » au bas ?", "Did the paper come out whole, with \"*** FIN / END\" at the bottom?"];
    default:
      return ["Le central apprend que le papier est sorti.", "Central is being told that the paper came out."];
  }
};

/** @param {string} fr @param {() => Promise<any>} act @param {string} [kind] */
const button = (fr, act, kind) => {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = fr;
  if (kind) element.className = kind;
  element.addEventListener("click", async () => {
    element.disabled = true;
    say(await act());
    element.disabled = false;
  });
  return element;
};

let shown = "";

/** @param {any} state */
const showOpen = (state) => {
  const list = at("open");
  const section = at("doubts");
  if (!list || !section) return;
  // What a code that was written down says is done at the neighbour, and not here too.
  section.hidden = state.handed_out || (state.open.length === 0 && state.busy !== "asking");
  // Built anew only when something changed: a button must not vanish under a finger.
  const now = JSON.stringify([state.open, state.busy, state.asking]);
  if (now === shown) return;
  shown = now;
  list.replaceChildren(
    ...state.open.map((/** @type {any} */ item) => {
      const row = document.createElement("li");
      const [fr, en] = KINDS[item.kind];
      row.append(words("div", `${fr} ${keyOf(item, state)}, ${french(item.total_cents)}`, en));
      const [adviceFr, adviceEn] = advice(item);
      const strong = words("strong", adviceFr);
      row.append(strong, words("span", "", adviceEn));
      if (item.stage === "asking") {
        row.append(button("Mettre de côté", () => post("park", { key: item.key })));
      }
      if (item.stage === "to_tell" || item.stage === "to_hand_over") {
        row.className = "act";
        row.append(button("C’est fait", () => post("acknowledge", { key: item.key })));
      }
      if (item.stage === "torn") {
        row.className = "act";
        row.append(button("Annuler le billet", () => post("resolve")));
      }
      if (item.stage === "to_print") {
        row.append(button("Imprimer", () => post("resolve")));
      }
      if (item.stage === "paper_in_doubt") {
        row.className = "act";
        row.append(
          button("1 Oui", () => post("paper", { key: item.key, whole: true })),
          " ",
          button("0 Non", () => post("paper", { key: item.key, whole: false }), "quiet"),
        );
      }
      return row;
    }),
  );
  if (state.busy === "asking") {
    const row = document.createElement("li");
    row.append(
      words("strong", `Le central est interrogé (${state.asked})… Gardez l’argent à part.`, "Central is being asked… Keep the money apart."),
      button("Mettre de côté", () => post("park", { key: state.asking })),
    );
    list.append(row);
  }
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

/** @param {any} state */
const showCentral = (state) => {
  const central = at("central");
  if (!central) return;
  central.dataset.state = state.central.state;
  const seconds = Math.floor((state.central.since_ms + performance.now() - seenAt) / 1000);
  // Only silence has a length that a clerk can use.
  const since = ["away", "unproven"].includes(state.central.state) ? ` (${seconds} s)` : "";
  central.replaceChildren(
    words("div", state.central.sentence.fr + since, state.central.sentence.en),
  );
};

/** Whose badge is signed on; nobody's is null. @type {string | null | undefined} */
let onDuty;

/** What one clerk had in hand is not paid, cancelled or sold by the next. */
const forget = () => {
  priced = null;
  checked = null;
  for (const id of ["sell", "pay", "cancel"]) {
    const key = /** @type {HTMLButtonElement | null} */ (at(id));
    if (key) key.disabled = true;
  }
  const pay = at("pay");
  if (pay) pay.textContent = "Payer";
  for (const form of document.querySelectorAll("#counter form")) {
    /** @type {HTMLFormElement} */ (form).reset();
  }
};

/** @param {any} state */
const show = (state) => {
  showCentral(state);
  const may = state.central.state === "trusted" && !state.busy;
  for (const element of document.querySelectorAll("#counter button, form button")) {
    if (element.id === "sell") continue;
    if (element.id === "pay" || element.id === "cancel") continue;
    /** @type {HTMLButtonElement} */ (element).disabled = !may;
  }
  if (onDuty !== undefined && onDuty !== state.badge) forget();
  onDuty = state.badge;
  const isOn = Boolean(state.badge);
  const signOn = at("sign-on");
  const counter = at("counter");
  if (signOn) signOn.hidden = isOn;
  if (counter) counter.hidden = !isOn;
  const who = at("who");
  if (who) who.textContent = isOn ? `En service : ${state.badge}` : "Personne en service";
  const about = at("about");
  if (about) {
    const size = state.central.log_size ?? "–";
    about.textContent = `Appareil ${state.device}, version ${state.version}, registre prouvé : ${size} faits`;
  }
  showOpen(state);
  showDraws(state);
  document.dispatchEvent(new CustomEvent("boulier-state", { detail: state }));
};

const gone = () => {
  const central = at("central");
  if (!central) return;
  central.dataset.state = "gone";
  central.replaceChildren(
    words("div", "Le programme de ce terminal ne répond pas : appelez le technicien.", "The program of this terminal does not answer: call the technician."),
  );
};

/** @type {any} */
let seen = null;
let seenAt = 0;

const watch = async () => {
  try {
    const path = seen ? `/agent/state?after=${seen.change}` : "/agent/state";
    const answer = await fetch(path, { signal: AbortSignal.timeout(PATIENCE_MS) });
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

/** Cents of an amount typed by a person; NaN when it is none. @param {string} text */
const cents = (text) => {
  const clean = text.trim().replace(/[\s $]/g, "").replace(",", ".");
  return /^\d+(\.\d{1,2})?$/.test(clean) ? Math.round(Number(clean) * 100) : Number.NaN;
};

/** @param {string} fr @param {string} en */
export const refuse = (fr, en) => say({ exit: "refused", told: [], noted: [fr, en] });

/** @type {any} */
let priced = null;
/** @type {any} */
let checked = null;

/** The slip whose price was told and which is not sold yet. */
export const slipInHand = () => priced?.slip ?? null;

/** Tells the price of a slip; then it can be sold. @param {any} slip */
export const offer = async (slip) => {
  const ended = await post("prices", { slip });
  say(ended);
  priced = ended.exit === "done" ? { slip, total_cents: ended.amount_cents } : null;
  /** @type {HTMLButtonElement} */ (at("sell")).disabled = priced === null;
};

/**
 * What each form does, with its fields as they were when it was sent. The PIN is gone from the page
 * by the time that an answer comes.
 * @type {Record<string, (form: FormData, page: HTMLFormElement) => Promise<void>>}
 */
export const COMMANDS = {
  /** @param {FormData} form @param {HTMLFormElement} page */
  "sign-on": async (form, page) => {
    const float = String(form.get("float") ?? "").trim();
    const float_cents = float === "" ? null : cents(float);
    if (Number.isNaN(float_cents)) {
      refuse("Le fonds de caisse n’est pas un montant.", "The float is not an amount.");
      return;
    }
    const ended = await post("sign-on", { badge: form.get("badge"), pin: form.get("pin"), float_cents });
    say(ended);
    // Badge and float of who comes next are not those of who was here.
    if (ended.exit === "done") page.reset();
  },
  /** @param {FormData} form */
  price: async (form) => {
    const spots = Number(form.get("spots"));
    const draws = Number(form.get("draws"));
    const wager = cents(String(form.get("wager")));
    if (!Number.isInteger(spots) || !Number.isInteger(draws) || Number.isNaN(wager)) {
      refuse("Les numéros, la mise ou les tirages ne sont pas des nombres.", "Spots, wager or draws are not numbers.");
      return;
    }
    const slip = {
      selections: [{ type: "straight", quick_pick: spots, wager_cents: wager }],
      draws,
    };
    await offer(slip);
  },
  /** @param {FormData} form @param {HTMLFormElement} page */
  check: async (form, page) => {
    const code = String(form.get("code")).trim();
    const ended = await post("checks", { code });
    say(ended);
    // A scanner types behind what stands there, and whoever reads the code can claim by it.
    if (ended.exit === "done") page.reset();
    checked = ended.exit === "done" ? { code, payable_cents: ended.amount_cents } : null;
    const pay = /** @type {HTMLButtonElement | null} */ (at("pay"));
    const cancel = /** @type {HTMLButtonElement | null} */ (at("cancel"));
    if (pay) {
      pay.disabled = !(checked?.payable_cents > 0);
      pay.textContent = checked?.payable_cents > 0 ? `Payer ${french(checked.payable_cents)}` : "Payer";
    }
    if (cancel) cancel.disabled = checked === null;
  },
  /** @param {FormData} form @param {HTMLFormElement} page */
  "lost-refund": async (form, page) => {
    const amount_cents = cents(String(form.get("amount")));
    if (Number.isNaN(amount_cents)) {
      refuse("Le prix n’est pas un montant.", "The price is not an amount.");
      return;
    }
    const field = (/** @type {string} */ name) => String(form.get(name)).trim();
    const ended = await post("lost-refunds", {
      code: field("code"),
      amount_cents,
      tender: field("tender"),
      reason: field("reason"),
      second: { badge: field("badge"), pin: field("pin") },
    });
    say(ended);
    if (ended.exit === "done") page.reset();
  },
};

for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    COMMANDS[form.dataset.command ?? ""]?.(new FormData(form), form);
    const pin = form.querySelector("input[type=password]");
    if (pin) /** @type {HTMLInputElement} */ (pin).value = "";
  });
}
at("sell")?.addEventListener("click", async () => {
  const sale = priced;
  priced = null;
  /** @type {HTMLButtonElement} */ (at("sell")).disabled = true;
  if (sale) say(await post("sales", sale));
});
at("pay")?.addEventListener("click", async () => {
  const ticket = checked;
  checked = null;
  /** @type {HTMLButtonElement} */ (at("pay")).disabled = true;
  if (ticket) say(await post("payments", { code: ticket.code, total_cents: ticket.payable_cents }));
});
at("cancel")?.addEventListener("click", async () => {
  const ticket = checked;
  checked = null;
  /** @type {HTMLButtonElement} */ (at("cancel")).disabled = true;
  if (ticket) say(await post("cancellations", { code: ticket.code, reason: "changed_mind" }));
});
at("sign-off")?.addEventListener("click", async () => say(await post("sign-off")));

watch();
