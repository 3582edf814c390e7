// Hides the rows that a search does not find, while somebody types, and follows what is sold out and what it costs.

import { t } from '../base/texts.js';

/** Guests see within ten seconds what staff have changed. */
const EVERY_MS = 8_000;
const PATIENCE_MS = 6_000;

const form = document.querySelector('[data-menu-search]');
const field = form?.querySelector('input[type=search]');
const count = form?.querySelector('[data-menu-count]');
const list = document.querySelector('[data-menu-now]');
/** The list as it came last: a search changes it on the page. */
let shown = list?.innerHTML;
let asking = false;

/** As views/pub/menu.ts folds the words of the rows. @param {string} text */
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

if (form && field instanceof HTMLInputElement) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
  });
  field.addEventListener('input', show);
  // A page that was limited by the service has not all rows.
  if (field.value === '') addEventListener('pageshow', show);
}

function show() {
  if (!(field instanceof HTMLInputElement)) return;
  const parts = fold(field.value.trim()).split(/\s+/);
  let found = 0;
  for (const section of document.querySelectorAll('[data-menu-section]')) {
    let inSection = 0;
    for (const row of section.querySelectorAll('[data-menu-item]')) {
      const words = row.getAttribute('data-menu-item') ?? '';
      const isFound = parts.every((part) => words.includes(part));
      row.toggleAttribute('hidden', !isFound);
      if (isFound) inSection += 1;
    }
    section.toggleAttribute('hidden', inSection === 0);
    found += inSection;
  }
  document.querySelector('[data-menu-none]')?.toggleAttribute('hidden', found > 0);
  if (count) count.textContent = field.value.trim() === '' ? '' : t('pub.menu.found', { found });
}

/** Asks for the list, unless nobody looks; the service answers in short while it is the same. */
async function follow() {
  if (document.hidden || asking) return;
  asking = true;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(location.pathname + location.search, {
      headers: { accept: 'text/html' },
      signal: late.signal,
    });
    if (answer.ok) replace(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // Without a network the page stays as it is, with the time that it names.
  } finally {
    clearTimeout(timer);
    asking = false;
  }
}

/** Shows the list of another page; open rows and the focus stay. @param {Document} next */
function replace(next) {
  const fresh = next.querySelector('[data-menu-now]');
  // A row that is replaced while it is pressed would not open: it waits for the next answer.
  if (!list || !fresh || fresh.innerHTML === shown || list.querySelector(':active')) return;
  shown = fresh.innerHTML;
  const opened = [...list.querySelectorAll('details[open]')].map(({ id }) => id);
  const { activeElement } = document;
  const focused = list.contains(activeElement)
    ? (activeElement?.closest('details')?.id ?? activeElement?.getAttribute('href'))
    : undefined;
  list.replaceChildren(...document.adoptNode(fresh).childNodes);
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
  const again = focused?.startsWith('#')
    ? list.querySelector(`a[href="${focused}"]`)
    : document.getElementById(focused ?? '')?.querySelector('summary');
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  const lede = document.querySelector('main .lede');
  const said = next.querySelector('main .lede');
  if (lede && said) lede.textContent = said.textContent;
  if (field instanceof HTMLInputElement && field.value.trim() !== '') show();
}

if (list) {
  setInterval(follow, EVERY_MS);
  document.addEventListener('visibilitychange', follow);
}
