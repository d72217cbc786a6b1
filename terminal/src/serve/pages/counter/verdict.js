// How a verdict looks: a colour, and a sign beside it.
// @ts-check

/** A sign for each colour of a verdict, which never speaks alone. @type {Record<string, string>} */
const SIGNS = {
  winner: "★",
  winner_at_cage: "★",
  not_winner: "–",
  not_yet_drawn: "◷",
  partly_drawn: "◷",
  draw_unofficial: "◷",
  already_paid: "✓",
  cancelled: "✕",
  void_unpaid: "✕",
  replaced: "⇄",
  claim_expired: "⌛",
  central_down: "⚡",
};

/** How a verdict is coloured. @param {string} code */
export const toneOf = (code) => {
  if (["winner", "winner_at_cage"].includes(code)) return "good";
  if (["not_yet_drawn", "partly_drawn", "draw_unofficial"].includes(code)) return "wait";
  if (["void_unpaid", "claim_expired"].includes(code)) return "bad";
  if (["not_winner", "not_found", "unreadable"].includes(code)) return "plain";
  return "warn";
};

/** @param {string} code */
export const signOf = (code) => SIGNS[code] ?? "?";
