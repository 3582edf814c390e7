// Share buttons: the system's share sheet if there is one, else a copy of the link. Shares are counted, people are not.

import { t } from '../base/texts.js';

/**
 * Counts that a surface of the setlist was shared; nothing waits for it.
 * @param {string} surface
 * @param {string} channel
 */
function count(surface, channel) {
  if (surface === '') return;
  const body = JSON.stringify({ surface, channel });
  if (!navigator.sendBeacon('/api/setlist/share-click', body))
    fetch('/api/setlist/share-click', { method: 'POST', body, keepalive: true }).catch(() => {});
}

/**
 * @param {HTMLElement} bar
 * @param {string} words
 */
function say(bar, words) {
  const said = bar.querySelector('[data-share-said]');
  if (said) said.textContent = words;
}

/**
 * The absolute URL: `data-url` may be relative.
 * @param {HTMLElement} bar
 */
const addressOf = (bar) => new URL(bar.dataset.url ?? '', location.href).href;

/** @param {HTMLElement} bar */
async function copyLink(bar) {
  const { surface = '' } = bar.dataset;
  const url = addressOf(bar);
  try {
    await navigator.clipboard.writeText(url);
    count(surface, 'copy');
    say(bar, t('pub.share.copied'));
  } catch {
    say(bar, t('pub.share.copy_link', { url }));
  }
}

/** @param {HTMLElement} bar */
async function openSheet(bar) {
  const { title = '', text = '', surface = '' } = bar.dataset;
  try {
    // eslint-disable-next-line browsers/features -- Its button is shown where the browser has it.
    await navigator.share({ url: addressOf(bar), title, text });
    count(surface, 'native');
  } catch (error) {
    // Closing the sheet is not an error.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(bar);
  }
}

for (const bar of document.querySelectorAll('[data-share]')) {
  if (!(bar instanceof HTMLElement)) continue;
  for (const button of bar.querySelectorAll('[data-share-by]')) {
    const way = button.getAttribute('data-share-by');
    if (way === 'copy' || (way === 'native' && 'share' in navigator)) button.removeAttribute('hidden');
    button.addEventListener('click', () => {
      if (way === 'native') void openSheet(bar);
      else if (way === 'copy') void copyLink(bar);
      else count(bar.dataset.surface ?? '', 'download');
    });
  }
}

// The setlist’s row of pages scrolls: the current one is in sight, once the widths are known.
addEventListener('load', () =>
  document.querySelector('.surfaces [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
);
