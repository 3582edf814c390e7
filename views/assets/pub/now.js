// The now playing page: keeps the song, its lyrics and the history up to date.

import { parsePage } from '../base/replace-main.js';
import { t } from '../base/texts.js';
import { setText } from '../playing/clock.js';
import { lyricsView } from '../playing/lyrics-view.js';
import { coverOf, drawProgress, followMusic, part } from '../playing/playing.js';

/** All open pages learn of a new song at once; they request the history spread over this time. */
const SPREAD_MS = 3_000;

const place = /** @type {HTMLElement} */ (document.querySelector('[data-now]'));
/** With its blurred copy. */
const covers = place.querySelectorAll('img');
const showLyrics = lyricsView(part('lines'));
/** The id of the song that is shown; empty for none. */
let shown = place.dataset.track ?? '';
let started = false;

for (const cover of covers) cover.onerror = () => cover.toggleAttribute('hidden', true);
followMusic(draw, { staleMs: Number(place.dataset.stale) });
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('[data-more] a') : null;
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented) return;
  if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
  event.preventDefault();
  void showEarlier(link);
});

/**
 * @param {import('../playing/playing.js').Music} music
 * @param {import('../playing/playing.js').Scene} scene
 */
function draw(music, { track, position, lines, line }) {
  // Until the first event of the stream, the content of the page stays.
  started ||= music.heard;
  part('lost').hidden = music.connected;
  if (!started) return;
  part('song').hidden = track === null;
  part('quiet').hidden = track !== null;
  const sung = music.wanted.enabled && lines.length > 0;
  part('lyrics').hidden = !sung;
  if (sung) showLyrics(lines, line);
  if (track) drawProgress(track, position);
  const id = String(track?.id ?? '');
  if (id === shown) return;
  shown = id;
  if (track) drawSong(track);
  setTimeout(() => void readNewer(), Math.random() * SPREAD_MS);
}

/** @param {import('#pub/now-playing/tracks.ts').TrackRow} track */
function drawSong(track) {
  setText(part('title'), track.title);
  setText(part('artist'), track.artist);
  setText(part('album'), track.album ?? '');
  part('album').hidden = !track.album;
  part('requested').hidden = !track.requested;
  const url = coverOf(track);
  for (const cover of covers) Object.assign(cover, { hidden: url === '', src: url });
  setText(part('said'), t('pub.now.playing_said', { title: track.title, artist: track.artist }));
}

/** The song that ended is in the history by now. */
async function readNewer() {
  const news = await read('/now');
  if (news) merge(news, 'prepend');
}

/** @param {HTMLAnchorElement} link */
async function showEarlier(link) {
  link.setAttribute('aria-busy', 'true');
  const past = await read(link.href);
  link.removeAttribute('aria-busy');
  if (!past) return location.assign(link.href);
  const count = merge(past, 'append');
  setText(part('said'), t('pub.now.earlier_said', { songs: count }));
  const next = past.querySelector('[data-more] a');
  if (next instanceof HTMLAnchorElement) link.href = next.href;
  else {
    link.parentElement?.remove();
    document.getElementById('played-title')?.focus();
  }
}

/**
 * Adds the songs of a newer or older copy of this page, at the top or at the bottom.
 * @param {Document} other
 * @param {'prepend' | 'append'} how
 * @returns {number} how many were new
 */
function merge(other, how) {
  const evenings = /** @type {HTMLElement} */ (document.querySelector('[data-evenings]'));
  let count = 0;
  for (const evening of inOrder(other.querySelectorAll('[data-evening]'), how)) {
    const { evening: day = '' } = evening.dataset;
    const own = evenings.querySelector(`[data-evening="${day}"]`);
    const songs = inOrder(evening.querySelectorAll('[data-song]'), how).filter(
      ({ dataset: { song } }) => !evenings.querySelector(`[data-song="${song}"]`),
    );
    count += songs.length;
    const list = own?.querySelector('ol');
    if (list) for (const song of songs) list[how](song);
    else evenings[how](evening);
  }
  const empty = document.querySelector('[data-empty]');
  if (count > 0) empty?.remove();
  else empty?.replaceWith(other.querySelector('[data-empty]') ?? '');
  return count;
}

/**
 * The elements in the order of insertion.
 * @param {NodeListOf<Element>} found
 * @param {'prepend' | 'append'} how
 */
function inOrder(found, how) {
  const all = [...found].filter((element) => element instanceof HTMLElement);
  return how === 'prepend' ? all.reverse() : all;
}

/**
 * @param {string} url
 * @returns {Promise<Document | undefined>}
 */
async function read(url) {
  try {
    const response = await fetch(url, { headers: { accept: 'text/html' }, cache: 'no-cache' });
    return response.ok ? parsePage(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}
