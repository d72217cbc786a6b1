// Redraws a part of the screen. What is as it was stays: it does not vanish under a finger, it keeps
// the focus, and it is not spoken again.
// @ts-check

/** Handlers of the elements: those of the newest drawing are the ones that count. @type {("onclick" | "onsubmit" | "oninput" | "onchange" | "onkeydown")[]} */
const HANDLERS = ["onclick", "onsubmit", "oninput", "onchange", "onkeydown"];

/** What is pressed: another one never takes its place under a finger. */
const PRESSED = "button, a, input, select";

/** @param {Element} element */
const kindOf = (element) => [element.id, element.getAttribute("role"), element.classList[0], element.getAttribute("data-field")].join(" ");

/** The two are the same thing, perhaps with other content. @param {Node} old @param {Node} fresh */
const isSame = (old, fresh) => {
  if (old.nodeName !== fresh.nodeName) return false;
  if (!(old instanceof HTMLElement && fresh instanceof HTMLElement)) return old instanceof Text || old.isEqualNode(fresh);
  // What somebody has typed is not left to the next one.
  if (old instanceof HTMLFormElement) return old.isEqualNode(fresh);
  if (kindOf(old) !== kindOf(fresh)) return false;
  return !old.matches(PRESSED) || old.id !== "" || old.dataset.field !== undefined || old.textContent === fresh.textContent;
};

/** @param {Node} old @param {Node} fresh */
const take = (old, fresh) => {
  if (!(old instanceof HTMLElement && fresh instanceof HTMLElement)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const handler of HANDLERS) old[handler] = /** @type {any} */ (fresh[handler]);
  redraw(old, [...fresh.childNodes]);
};

/** Takes out what stands before a child; all of it before none. @param {Element} zone @param {ChildNode | null} from @param {ChildNode | null} before */
const takeOut = (zone, from, before) => {
  for (let at = from; at !== before && at !== null; ) {
    const gone = at;
    at = at.nextSibling;
    zone.removeChild(gone);
  }
};

/** Whether something with a name between these two is drawn further on. @param {ChildNode | null} from @param {ChildNode} before @param {Set<string>} later */
const isWanted = (from, before, later) => {
  for (let at = from; at !== before && at !== null; at = at.nextSibling) if (at instanceof HTMLElement && later.has(at.id)) return true;
  return false;
};

/** Puts these children in the place of those that are there. @param {Element} zone @param {Node[]} children */
export const redraw = (zone, children) => {
  const later = new Set(children.flatMap((one) => (one instanceof HTMLElement && one.id !== "" ? [one.id] : [])));
  let at = zone.firstChild;
  for (const fresh of children) {
    if (fresh instanceof HTMLElement) later.delete(fresh.id);
    let same = at;
    while (same && !isSame(same, fresh)) same = same.nextSibling;
    if (!same) {
      zone.insertBefore(fresh, at);
      continue;
    }
    // What has changed places with it stays where it is.
    if (isWanted(at, same, later)) zone.insertBefore(same, at);
    else takeOut(zone, at, same);
    take(same, fresh);
    at = same.nextSibling;
  }
  takeOut(zone, at, null);
};
