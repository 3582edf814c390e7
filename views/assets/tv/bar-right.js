// The right TV: what is playing, with lyrics if they are on; the sign and the time if nothing is playing.

import { t } from '../base/texts.js';
import { setText } from '../playing/clock.js';
import { lyricsView } from '../playing/lyrics-view.js';
import { coverOf, drawProgress, followMusic, part } from '../playing/playing.js';
import { onLayout, shrink } from './fit.js';
import { contact, onScreenChanged, startLife } from './lifecycle.js';
import { watchNextSong } from './next-song.js';
import { streamUrl } from './screen.js';
import { noticeShown, watchTakeover } from './takeover.js';

/** How far a title and its artist shrink. */
const SIZES = [1, 0.86, 0.74, 0.63, 0.54, 0.46, 0.4, 0.35];

const { stale = '600000' } = document.body.dataset;
const words = part('words');
const cover = /** @type {HTMLImageElement} */ (part('cover'));
const glow = /** @type {HTMLImageElement} */ (part('glow'));
const showLyrics = lyricsView(part('lyrics'));
/** @type {import('#pub/now-playing/tracks.ts').TrackRow | null | undefined} */
let shown;
let withLyrics = false;

startLife({ report: () => ({ showing: (noticeShown() || whatIsShown()).slice(0, 120) }) });
const renewNext = watchNextSong(fitNames);
const { opened, take, complete } = watchTakeover();
followMusic(draw, {
  staleMs: Number(stale),
  heard() {
    contact();
    complete();
  },
  opened,
  url: streamUrl('bar-right'),
  others: { takeover: take, screens: onScreenChanged },
});
onLayout(part('song'), fitNames);

/**
 * @param {import('../playing/playing.js').Music} music
 * @param {import('../playing/playing.js').Scene} scene
 */
function draw(music, { track, position, lines, line }) {
  const visible = music.display ? track : null;
  const sung = visible !== null && music.wanted.barRight && lines.length > 0;
  document.body.dataset.state = visible === null ? 'idle' : sung ? 'lyrics' : 'song';
  part('song').hidden = visible === null;
  part('lyrics').hidden = !sung;
  if (sung) showLyrics(lines, line);
  if (visible) drawProgress(visible, position);
  if (visible?.id === shown?.id && sung === withLyrics) return;
  if (visible?.id !== shown?.id) {
    drawSong(visible);
    // The song that begins may be the one that was next.
    renewNext();
  }
  shown = visible;
  withLyrics = sung;
  fitNames();
}

/** The longest names replace the cover, then take the whole width; if still too long, they are cut off with dots. */
function fitNames() {
  const { dataset } = document.body;
  delete dataset.crowded;
  if (shrink(words, SIZES)) return;
  for (const crowded of ['coverless', 'stacked', 'clamped']) {
    dataset.crowded = crowded;
    if (shrink(words, crowded === 'clamped' ? SIZES.slice(-1) : SIZES)) return;
  }
}

/** @param {import('#pub/now-playing/tracks.ts').TrackRow | null} track */
function drawSong(track) {
  if (!track) return;
  setText(part('title'), track.title);
  setText(part('artist'), track.artist);
  setText(part('album'), track.album ?? '');
  part('album').hidden = !track.album;
  part('requested').hidden = !track.requested;
  void drawCover(coverOf(track));
}

/**
 * Hides the old cover at once, and shows the new one when it has loaded.
 * @param {string} url
 */
async function drawCover(url) {
  cover.dataset.url = url;
  cover.hidden = true;
  glow.hidden = true;
  if (!url) return;
  const loading = new Image();
  loading.src = url;
  const seen = await loading.decode().then(
    () => true,
    () => false,
  );
  // Meanwhile another song may have begun.
  if (!seen || cover.dataset.url !== url) return;
  cover.src = url;
  glow.src = url;
  cover.hidden = false;
  glow.hidden = false;
}

/** A few words for the list of screens. */
function whatIsShown() {
  return shown ? `${shown.title}, ${shown.artist}` : t('tv.report.sign_and_time');
}
