// Finds known songs while the user types: each is a button that requests it, or votes for a pending one.
import { released } from '../base/replace-main.js';

const PAUSE_MS = 200;
const SHORTEST = 2;
/** @import { Suggestion } from '#pub/requests/suggest.ts' */
/** @type {Record<string, string>} */
const WHY = {
  recent: 'Played a short while ago',
  artist: 'This artist was just on, or waits already',
};

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
    if (!response.ok) return tell('The songs cannot be searched just now.', []);
    const { items } = await response.json();
    await released();
    if (signal.aborted) return;
    const own = document.querySelector('[data-song-own]') ? ' Ask in your own words below.' : '';
    const found = items.length === 1 ? 'One song found.' : `${items.length} songs found.`;
    tell(items.length === 0 ? `No such song was played here yet.${own}` : found, items);
  } catch {
    if (!signal.aborted) tell('The house cannot be reached just now.', []);
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
  const why = blocked === null ? 'Not your turn yet' : WHY[blocked];
  element.append(
    part('', part('song-title', title), part('song-artist', artist)),
    free ? part('found-do', waits ? 'Vote' : 'Ask') : part('found-why', why ?? ''),
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
