// The projector: lyrics over the whole screen while they are wanted and known, else what is showing, else the sign and the time.

import { setText } from '../playing/clock.js';
import { lyricsView } from '../playing/lyrics-view.js';
import { followMusic, part } from '../playing/playing.js';
import { contact, startLife } from './lifecycle.js';
import { watchShowing } from './showing.js';
import { watchTakeover } from './takeover.js';

const { stale = '600000' } = document.body.dataset;
const showing = /** @type {HTMLElement} */ (document.querySelector('[data-show=showing]'));
const showLyrics = lyricsView(part('lyrics'));

startLife();
const decided = watchShowing();
const { opened, take, complete } = watchTakeover();
followMusic(draw, {
  staleMs: Number(stale),
  heard() {
    contact();
    complete();
  },
  opened,
  others: { takeover: take, screen: decided },
});

/**
 * @param {import('../playing/playing.js').Music} music
 * @param {import('../playing/playing.js').Scene} scene
 */
function draw(music, { track, lines, line }) {
  const sung = music.wanted.projector && track !== null && lines.length > 0;
  document.body.dataset.state = sung ? 'lyrics' : showing.hidden ? 'idle' : 'showing';
  part('sung').hidden = !sung;
  if (sung) {
    setText(part('title'), track.title);
    setText(part('artist'), track.artist);
    showLyrics(lines, line);
  }
}
