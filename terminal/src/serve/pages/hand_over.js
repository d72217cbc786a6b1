// A terminal that is left in the middle of a shift, and the neighbour that goes on.
// @ts-check

import { COMMANDS, KINDS, at, french, keyOf, offer, post, refuse, say, slipInHand, words } from "/agent.js";

let isCodeShown = false;

/** Shows the code of this terminal, which does nothing any more. @param {any} slip */
const showCode = async (slip) => {
  // Before the answer: the page hears of the new state meanwhile, and need not ask again.
  isCodeShown = true;
  const answer = await post("hand-out", { draft: slip });
  if (!answer.code) {
    isCodeShown = false;
    say(answer);
    return;
  }
  const image = new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement;
  at("code-image")?.replaceChildren(image);
  const code = at("code-text");
  if (code) code.textContent = answer.code.replace(/(.{8})/g, "$1 ");
};

at("leave")?.addEventListener("click", () => {
  const sure = at("leave-sure");
  if (sure) sure.hidden = false;
  sure?.querySelector("button")?.focus();
});

at("leave-no")?.addEventListener("click", () => {
  const sure = at("leave-sure");
  if (sure) sure.hidden = true;
});

at("leave-yes")?.addEventListener("click", async () => {
  const sure = at("leave-sure");
  if (sure) sure.hidden = true;
  await showCode(slipInHand());
});

at("take-back")?.addEventListener("click", async () => say(await post("take-back")));

COMMANDS["take-over"] = async (fields, form) => {
  const device = Number(fields.get("device"));
  if (!Number.isInteger(device) || device < 1) {
    refuse("Le numéro du terminal n’est pas un nombre.", "The number of the terminal is not a number.");
    return;
  }
  const code = String(fields.get("code") ?? "").trim();
  const ended = await post("take-over", {
    device,
    reason: fields.get("reason"),
    code: code === "" ? null : code,
    second: { badge: fields.get("badge"), pin: fields.get("pin") },
  });
  say(ended);
  if (ended.told?.length > 0) form.reset();
};

/** What a slip is, in a line. @param {any} slip */
const inWords = (slip) =>
  slip.selections
    .map((/** @type {any} */ one) => {
      const numbers = one.numbers ? one.numbers.join(" ") : `mise-éclair ${one.quick_pick ?? ""}`;
      return one.wager_cents ? `${numbers}, ${french(one.wager_cents)}` : numbers;
    })
    .join(" ; ");

/** What the neighbour may know by the record alone: told here while this one is locked. @param {any} state */
const showLeft = (state) => {
  const section = at("left");
  if (!section) return;
  section.hidden = state.left.length === 0 || state.central.state !== "handed_over";
  at("left-items")?.replaceChildren(
    ...state.left.map((/** @type {any} */ item) => {
      const row = document.createElement("li");
      const [fr, en] = KINDS[item.kind];
      row.append(words("div", `${fr} ${keyOf(item, state)}, ${french(item.total_cents)}`, en));
      return row;
    }),
  );
};

document.addEventListener("boulier-state", (event) => {
  const state = /** @type {CustomEvent} */ (event).detail;
  const left = at("handed-out");
  if (left) left.hidden = !state.handed_out;
  const isOver = state.handed_out || state.central.state === "handed_over";
  for (const id of ["sign-on", "counter", "leaving"]) {
    const section = at(id);
    if (section && isOver) section.hidden = true;
  }
  const leaving = at("leaving");
  if (leaving && !isOver) leaving.hidden = false;
  if (!state.handed_out) isCodeShown = false;
  else if (!isCodeShown) showCode(null);
  showLeft(state);
  const draft = at("draft");
  if (draft) {
    draft.hidden = !state.draft;
    const slip = state.draft;
    if (slip) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Dire la mise totale du brouillon";
      button.addEventListener("click", () => offer(slip));
      draft.replaceChildren(
        words("h2", "Brouillon repris, non enregistré", "Draft taken over, not registered"),
        words("p", `${inWords(slip)} ; ${slip.draws} tirage(s)`),
        button,
      );
    }
  }
});
