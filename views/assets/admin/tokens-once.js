// New tokens are shown once: asks before leaving the page until they were downloaded, printed or copied.

import { t } from '../base/texts.js';

let kept = false;

/** @returns {Element | null} */
function shownOnce() {
  return kept ? null : document.querySelector('[data-once]');
}

/** @param {Element | null} what */
function keep(what) {
  if (kept || !what?.closest('[data-keeps]')) return;
  kept = true;
  say(t('voting-admin.tokens_once.kept'));
}

/** @param {string} words */
function say(words) {
  const status = document.querySelector('[data-once-status]');
  if (status) status.textContent = words;
}

function start() {
  kept = false;
  if (shownOnce()) say(t('voting-admin.tokens_once.not_saved'));
}

// In the capture phase: a download must be noted before other listeners ask whether the page may be left.
document.addEventListener('submit', (event) => keep(/** @type {Element} */ (event.target)), true);
document.addEventListener('click', (event) => keep(/** @type {Element} */ (event.target)), true);
addEventListener('beforeprint', () => keep(document.querySelector('[data-keeps]')));
// eslint-disable-next-line browsers/features -- Safari on iOS leaves without asking.
addEventListener('beforeunload', (event) => {
  if (shownOnce()) event.preventDefault();
});
// A page opened by key is left without an unload.
document.addEventListener('main-leave', (event) => {
  if (shownOnce() && !confirm(t('voting-admin.tokens_once.leave'))) event.preventDefault();
});
document.addEventListener('main-replaced', start);
start();
