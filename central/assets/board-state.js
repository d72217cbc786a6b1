// What the board says at a moment: a function of what central told and of central's time.
const CLOSING_MS = 60000;
/** For this long a fresh official result has the board to itself. */
const OFFICIAL_MS = 45000;
/** How long each page of the rotation stays, in milliseconds. */
const TURN_MS = 15000;

/** The model as a snapshot tells it. */
export function modelOf(snapshot) {
  return {
    current: snapshot.current ?? null,
    next: snapshot.next ?? null,
    last: snapshot.last ?? [],
    salesSuspended: snapshot.sales_suspended,
    officialAtMs: null,
  };
}

/** Whether the numbers of a draw are official. */
export const isOfficial = (draw) => draw.state === "official" || draw.state === "settled";

/** The model after one event; the former model stays as it was. */
export function after(model, name, data, nowMs) {
  if (name === "ball") {
    const current = model.current;
    if (!current || current.draw.draw !== data.draw || current.balls.length !== data.position - 1) return null;
    const state = current.state === "closed" ? "drawing" : current.state;
    return { ...model, current: { ...current, state, balls: [...current.balls, data.number] } };
  }
  const draw = data.draw;
  if (data.role === "next") return { ...model, next: draw };
  if (data.role === "last") {
    const last = [draw, ...model.last.filter((row) => row.draw.draw !== draw.draw.draw)];
    return { ...model, last: last.sort((a, b) => b.draw.draw - a.draw.draw).slice(0, 10) };
  }
  const wasOfficial = model.current && model.current.draw.draw === draw.draw.draw && isOfficial(model.current);
  const officialAtMs = isOfficial(draw) ? (wasOfficial ? model.officialAtMs : nowMs) : null;
  return { ...model, current: draw, officialAtMs };
}

/** When the result of `draw` became official: by the log's leaf, else by the event that was seen. */
function officialAt(model, draw) {
  const leaf = draw?.leaves?.find((row) => /certified$/i.test(row.kind));
  return leaf ? leaf.at_ms : draw && draw === model.current ? model.officialAtMs : null;
}

/**
 * What to show.
 * @param {object|null} model @param {number|null} nowMs central's time @param {boolean} stale
 * @param {number} sheets pages of the rotation besides the board itself
 */
export function derive(model, nowMs, stale, sheets) {
  if (!model) return { state: stale ? "stale" : "connecting", draw: null, next: null, last: [], view: 0, dim: stale };
  const { current, next, last } = model;
  const lastOfficial = current && isOfficial(current) ? current : (last[0] ?? null);
  const base = { next, last, leftMs: null, view: 0, dim: false, officialAtMs: officialAt(model, lastOfficial) };
  if (stale || nowMs === null) {
    return { ...base, state: "stale", draw: lastOfficial, dim: true };
  }
  const leftMs = next ? next.closes_at_ms - nowMs : null;
  // Sales may be about to close while another draw still has the board: the countdown says so.
  const soon = leftMs !== null && leftMs <= CLOSING_MS;
  const show = (state, more) => ({ ...base, state, leftMs, soon, draw: current ?? lastOfficial, ...more });

  if (current) {
    const whole = current.balls.length >= current.drawn;
    if (current.state === "closed") return show("closed");
    if (current.state === "drawing" || (current.state === "drawn" && !whole)) return show("drawing");
    if (current.state === "drawn") return show("verifying");
    if (current.state === "suspended") return show("suspended", { dim: true });
    if (current.state === "void" && !(next && nowMs > current.draw.draws_at_ms + OFFICIAL_MS * 2)) return show("cancelled", { dim: true });
  }
  const shown = current && isOfficial(current) ? current : lastOfficial;
  if (model.salesSuspended) return show("sales_suspended", { draw: shown, dim: true });
  if (leftMs === null) return show("idle", { draw: shown, dim: Boolean(shown) });
  if (leftMs <= 0) return show("closed", { draw: next, leftMs: 0 });
  if (leftMs <= CLOSING_MS) return show("closing", { draw: shown, dim: Boolean(shown) });
  const at = base.officialAtMs;
  if (shown && shown === current && at !== null && nowMs - at < OFFICIAL_MS) return show("official");
  // Every screen of the hall turns its pages by central's clock, so all turn together.
  const view = Math.floor(nowMs / TURN_MS) % (sheets + 1);
  return show("open", { draw: shown, dim: true, view });
}
