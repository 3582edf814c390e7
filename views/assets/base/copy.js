// Copy buttons: shown only where copying works; the result is shown on the button and announced to screen readers.
import { t } from './texts.js';

/** @type {WeakMap<Element, number>} */
const timers = new WeakMap();

const status = document.createElement('p');
status.className = 'visually-hidden';
status.setAttribute('role', 'status');
document.body.append(status);

/** Shows the buttons, also those of content inserted later. */
function showButtons() {
  for (const button of document.querySelectorAll('[data-copy][hidden]')) button.removeAttribute('hidden');
}

/**
 * @param {HTMLElement} button
 * @param {string} label
 */
function say(button, label) {
  const text = button.firstChild;
  if (!(text instanceof Text)) return;
  button.dataset.label ??= text.data;
  text.data = label;
  status.textContent = label;
  clearTimeout(timers.get(button));
  const restore = () => {
    text.data = button.dataset.label ?? '';
    status.textContent = '';
  };
  timers.set(button, window.setTimeout(restore, 3000));
}

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null;
  if (!(button instanceof HTMLElement)) return;
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source) return;
  const value =
    source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement
      ? source.value
      : source.textContent;
  try {
    await navigator.clipboard.writeText(value.trim());
    say(button, t('common.copy.copied'));
  } catch {
    getSelection()?.selectAllChildren(source);
    say(button, t('common.copy.selected'));
  }
});

document.addEventListener('main-replaced', showButtons);
showButtons();
