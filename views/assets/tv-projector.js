// The projector: lyrics over the whole screen while they are wanted and known, else what is showing, else the house.
import { lyricsView } from './lyrics-view.js';
import { setText } from './tv-clock.js';
import { contact, startLife } from './tv-life.js';
import { followMusic } from './tv-playing.js';
import { watchShowing } from './tv-showing.js';

const { stale = '600000' } = document.body.dataset;
const showing = part('[data-show=showing]');
const showLyrics = lyricsView(part('[data-part=lyrics]'));

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
  part('[data-part=sung]').hidden = !sung;
  if (sung) {
    setText(part('[data-part=title]'), track.title);
    setText(part('[data-part=artist]'), track.artist);
    showLyrics(lines, line);
  }
}

/** @param {string} selector */
function part(selector) {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) return found;
  throw new Error(`no ${selector}`);
}
