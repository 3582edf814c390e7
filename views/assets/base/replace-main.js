// Shows the content of another page in this one, without a page load.
import { ONCE } from './request.js';

/** A release may be missed, for example outside the window. */
const HELD_AT_MOST_MS = 2_000;

/** Called once nothing is pressed any more; undefined while nothing is. @type {(() => void)[] | undefined} */
let waiting;
let timer = 0;

/**
 * Resolves once no pointer and no key is down. A button that is replaced between press and release gets no click, so
 * changes that the user did not ask for wait.
 * @returns {Promise<void>}
 */
export function released() {
  return new Promise((resolve) => {
    if (waiting) waiting.push(resolve);
    else resolve();
  });
}

for (const type of ['pointerdown', 'keydown'])
  addEventListener(
    type,
    () => {
      waiting ??= [];
      clearTimeout(timer);
      timer = window.setTimeout(release, HELD_AT_MOST_MS);
    },
    true,
  );
// The click follows in the same task.
for (const type of ['pointerup', 'pointercancel', 'keyup'])
  addEventListener(type, () => setTimeout(release), true);

function release() {
  clearTimeout(timer);
  for (const resolve of waiting ?? []) resolve();
  waiting = undefined;
}

/** @param {string} text */
export function parsePage(text) {
  return new DOMParser().parseFromString(text, 'text/html');
}

/**
 * Replaces <main> and the title with those of another page. Modules that set up elements of the content
 * listen for `main-replaced`.
 * @param {Document} next
 * @returns {HTMLElement | null} the new main; null if the other page has none, and then nothing has changed
 */
export function replaceMain(next) {
  const main = next.querySelector('main');
  if (!main) return null;
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  document.title = next.title;
  document.dispatchEvent(new Event('main-replaced'));
  return main;
}

/**
 * Makes <main> and the title equal to those of another page, and keeps each element that is in both: its focus, what is
 * typed in it, the finger on it.
 * @param {Document} next
 */
export function updateMain(next) {
  const [own, main] = [document.querySelector('main'), next.querySelector('main')];
  if (!own || !main) return;
  update(own, main);
  document.title = next.title;
  document.dispatchEvent(new Event('main-replaced'));
}

/** @param {ChildNode} node */
const isOnce = (node) => node instanceof HTMLInputElement && node.type === 'hidden' && node.name === ONCE;

/** @param {ChildNode} own @param {ChildNode} next */
function update(own, next) {
  if (own.isEqualNode(next)) return;
  // A form that stays keeps its id.
  if (isOnce(own) && isOnce(next)) return;
  const [before, after] = [[...own.childNodes], [...next.childNodes]];
  const isSame = own.cloneNode().isEqualNode(next.cloneNode());
  if (!isSame || before.length === 0 || before.length !== after.length) return own.replaceWith(next);
  for (const [at, child] of before.entries()) update(child, /** @type {ChildNode} */ (after[at]));
}

/**
 * Shows an error at any scroll position; without a sentence, removes it.
 * @param {string} [sentence]
 */
export function complain(sentence) {
  const known = document.getElementById('away');
  if (!sentence) return known?.remove();
  if (known?.textContent === sentence) return;
  known?.remove();
  const words = document.createElement('p');
  words.id = 'away';
  words.className = 'notice notice-attention away';
  words.setAttribute('role', 'alert');
  words.textContent = sentence;
  document.querySelector('main .wrap')?.prepend(words);
}

/**
 * Moves the focus without scrolling, to an element that need not be focusable.
 * @param {Element | null | undefined} element
 */
export function moveFocus(element) {
  if (!(element instanceof HTMLElement)) return;
  if (!element.matches('input, select, textarea, button, a, [tabindex]')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
