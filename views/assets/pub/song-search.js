// Finds known songs while the user types: each is a button that requests it, or votes for a pending one.

import { released } from '../base/replace-main.js';
import { t } from '../base/texts.js';

const PAUSE_MS = 200;
const SHORTEST = 2;
/** @import { Suggestion } from '#pub/requests/suggest.ts' */
/** Why a song cannot be asked for now. @param {Suggestion['blocked']} reason */
function whyNot(reason) {
  if (reason === 'recent') return t('pub.requests.recent');
  return reason === 'artist' ? t('pub.requests.artist_recent') : t('pub.requests.not_your_turn');
}

let timer = 0;
/** @type {AbortController | undefined} */
let asking;

/** Shows the search and folds the free-text fields: without script it is hidden and they are open. */
function start() {
  const search = document.querySelector('[data-song-search][hidden]');
  if (!search) return;
  search.removeAttribute('hidden');
  const words = document.querySelector('[data-song-own]');
  if (!document.getElementById('errors')) words?.removeAttribute('open');
}

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'song-search') search(target.value.trim());
});
// When going back, browsers restore the field after this module has run.
addEventListener('pageshow', () => {
  const field = document.getElementById('song-search');
  if (field instanceof HTMLInputElement && field.value !== '') search(field.value.trim());
});

/** @param {string} q */
function search(q) {
  clearTimeout(timer);
  asking?.abort();
  if (q.length < SHORTEST) return tell('', []);
  timer = window.setTimeout(() => void find(q), PAUSE_MS);
}

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  // Enter in the search must not send the form.
  if (key === 'Enter' && target instanceof HTMLInputElement && target.id === 'song-search')
    event.preventDefault();
});

document.addEventListener('reset', () => tell('', []));

/** @param {string} q */
async function find(q) {
  asking = new AbortController();
  const { signal } = asking;
  try {
    const response = await fetch(`/api/setlist/track-suggest?q=${encodeURIComponent(q)}`, { signal });
    if (!response.ok) return tell(t('pub.requests.search_failed'), []);
    const { items } = await response.json();
    await released();
    if (signal.aborted) return;
    const none = document.querySelector('[data-song-own]')
      ? t('pub.requests.none_found_ask_below')
      : t('pub.requests.none_found');
    tell(items.length === 0 ? none : t('pub.requests.found', { songs: items.length }), items);
  } catch {
    if (!signal.aborted) tell(t('pub.requests.not_reached'), []);
  }
}

/**
 * @param {string} sentence
 * @param {Suggestion[]} songs
 */
function tell(sentence, songs) {
  const count = document.getElementById('song-count');
  if (count) count.textContent = sentence;
  document.getElementById('songs-found')?.replaceChildren(...songs.map(row));
}

/** @param {Suggestion} song */
function row({ key, artist, title, blocked }) {
  const waits = blocked === 'pending';
  const outOfTurn = document.querySelector('[data-out-of-turn]') !== null;
  const free = waits || (blocked === null && !outOfTurn);
  const element = document.createElement(free ? 'button' : 'div');
  element.className = 'found-song';
  if (element instanceof HTMLButtonElement) {
    element.name = 'key';
    element.value = key;
    // The free-text fields may be empty.
    element.formNoValidate = true;
  }
  element.append(
    part('', part('song-title', title), part('song-artist', artist)),
    free
      ? part('found-do', waits ? t('pub.requests.vote_short') : t('pub.requests.ask_short'))
      : part('found-why', whyNot(blocked)),
  );
  const item = document.createElement('li');
  item.append(element);
  return item;
}

/**
 * @param {string} className
 * @param {(string | Node)[]} content
 */
function part(className, ...content) {
  const element = document.createElement('span');
  if (className) element.className = className;
  element.append(...content);
  return element;
}

document.addEventListener('live-shown', start);
start();
