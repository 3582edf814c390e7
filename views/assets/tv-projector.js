// The projector: lyrics over the whole screen while they are wanted and known, else what is showing, else the house.
import { lyricsView } from './lyrics-view.js';
import { setText } from './tv-clock.js';
import { contact, startLife } from './tv-life.js';
import { followMusic, part } from './tv-playing.js';
import { watchShowing } from './tv-showing.js';

const { stale = '600000' } = document.body.dataset;
const showing = /** @type {HTMLElement} */ (document.querySelector('[data-show=showing]'));
const showLyrics = lyricsView(part('lyrics'));

startLife();
watchShowing();
followMusic(draw, { staleMs: Number(stale), heard: contact });

/**
 * @param {import('./tv-playing.js').Music} music
 * @param {import('./tv-playing.js').Scene} scene
 */
function draw(music, { track, lines, line }) {
  const sung = music.wanted.projector && track !== null && lines.length > 0;
  document.body.dataset.state = sung ? 'lyrics' : showing.hidden ? 'house' : 'showing';
  part('sung').hidden = !sung;
  if (sung) {
    setText(part('title'), track.title);
    setText(part('artist'), track.artist);
    showLyrics(lines, line);
  }
}
