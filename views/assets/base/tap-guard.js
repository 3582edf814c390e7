// Ignores the second half of a double tap, and a tap that meets something which has just come under the finger.
const WITHIN_MS = 700;
/** Fingers do not hit the same point twice. */
const AROUND_PX = 12;
const CONTROLS = 'button, a, summary, label, input, select';

/** The last tap that sent a form. @type {{ at: number, id: string, box: DOMRect | undefined }} */
let tapped = { at: -WITHIN_MS, id: '', box: undefined };
/** Where the controls were before the page was last redrawn. @type {{ at: number, places: [id: string, box: DOMRect][], top?: number }} */
let redrawn = { at: -WITHIN_MS, places: [] };

/** To be called before the page is redrawn. */
export function rememberPlaces() {
  const { innerHeight } = window;
  /** @type {[id: string, box: DOMRect][]} */
  const places = [];
  for (const control of document.querySelectorAll('main :is(button, a, summary)')) {
    const box = control.getBoundingClientRect();
    if (box.bottom > 0 && box.top < innerHeight && box.height > 0) places.push([control.id, box]);
  }
  redrawn = { at: performance.now(), places };
}

/**
 * Keeps a control where it is on the screen while the page is redrawn.
 * @param {() => void} redraw
 */
export function keepingPlace(redraw) {
  const { innerHeight } = window;
  const ids = [document.activeElement?.id, ...redrawn.places.map(([id]) => id)];
  const anchor = ids
    .map((id) => document.getElementById(id || '-'))
    .find((one) => {
      const box = one?.getBoundingClientRect();
      return box && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
    });
  const before = anchor?.getBoundingClientRect().top;
  redraw();
  const after = document.getElementById(anchor?.id ?? '-')?.getBoundingClientRect();
  if (before !== undefined && after && after.height > 0)
    scrollBy({ top: after.top - before, behavior: 'auto' });
  redrawn.top = scrollY;
}

document.addEventListener(
  'click',
  (event) => {
    const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
    if (!control) return;
    const box = control.getBoundingClientRect();
    // A key has no point: it counts as one in the middle.
    const point =
      event.detail === 0
        ? { x: box.left + box.width / 2, y: box.top + box.height / 2 }
        : { x: event.clientX, y: event.clientY };
    const now = performance.now();
    // Enter in a field presses the form's button, wherever that is: only the same one is a second time.
    const isInField = event.detail === 0 && document.activeElement instanceof HTMLInputElement;
    const isAgain = isInField ? tapped.id === control.id : isIn(tapped.box, point);
    if (now - tapped.at < WITHIN_MS && isAgain) return ignore(event);
    const [id] = redrawn.places.find(([, place]) => isIn(place, point, 0)) ?? [];
    // After scrolling another place is meant.
    const isStill = scrollY === (redrawn.top ?? scrollY);
    if (isStill && now - redrawn.at < WITHIN_MS && event.detail > 0 && id !== undefined && id !== control.id)
      return ignore(event);
    if (control.closest('form[data-quiet]') && control instanceof HTMLButtonElement)
      tapped = { at: now, id: control.id, box };
  },
  true,
);

/** @param {DOMRect | undefined} box @param {{ x: number, y: number }} point @param {number} [around] */
function isIn(box, { x, y }, around = AROUND_PX) {
  if (!box) return false;
  const { left, right, top, bottom } = box;
  return x >= left - around && x <= right + around && y >= top - around && y <= bottom + around;
}

/** @param {Event} event */
function ignore(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
