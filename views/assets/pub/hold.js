// A button that is held for a second, for what must not happen by a slip. A key leads to its page that asks first.
import { send } from '../base/live.js';

const HELD_MS = 1_000;
let timer = 0;

/** @param {Event} event */
const heldOf = ({ target }) =>
  target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('[data-hold]')) : null;

document.addEventListener('pointerdown', (event) => {
  const button = heldOf(event);
  const form = button?.closest('form');
  if (!button || !form || event.button !== 0) return;
  release();
  button.classList.add('holding');
  // A phone opens a menu over a link that is held, which would end the press.
  button.dataset.href = button.getAttribute('href') ?? '';
  button.removeAttribute('href');
  timer = window.setTimeout(() => {
    release();
    navigator.vibrate?.(100);
    send(button.dataset.hold ?? '', { form, submitter: button });
  }, HELD_MS);
});

for (const end of ['pointerup', 'pointercancel', 'dragstart', 'scroll'])
  document.addEventListener(end, release, { capture: true, passive: true });
document.addEventListener('click', (event) => {
  if (heldOf(event) && event.detail > 0) event.preventDefault();
});

function release() {
  clearTimeout(timer);
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.holding'))) {
    button.classList.remove('holding');
    button.setAttribute('href', button.dataset.href ?? '');
  }
}
