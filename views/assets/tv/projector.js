// The projector: full-screen lyrics if they are on and known, else what is showing, else the sign and the time.

import { t } from '../base/texts.js';
import { setText } from '../playing/clock.js';
import { lyricsView } from '../playing/lyrics-view.js';
import { followMusic, part } from '../playing/playing.js';
import { onLayout, shrink } from './fit.js';
import { contact, onScreenChanged, startLife } from './lifecycle.js';
import { streamUrl } from './screen.js';
import { watchShowing } from './showing.js';
import { noticeShown, watchTakeover } from './takeover.js';

const SIZES = [1, 0.86, 0.74, 0.63, 0.54, 0.46, 0.4];

const { stale = '600000' } = document.body.dataset;
const showing = /** @type {HTMLElement} */ (document.querySelector('[data-show=showing]'));
const showLyrics = lyricsView(part('lyrics'));

let fitted = '';

startLife({
  report: () => ({ showing: (noticeShown() || whatIsShown()).slice(0, 120) }),
  isNeeded: () => !part('sung').hidden || !showing.hidden,
});
const decided = watchShowing();
const { opened, take, complete } = watchTakeover();
followMusic(draw, {
  staleMs: Number(stale),
  heard() {
    contact();
    complete();
  },
  opened,
  url: streamUrl('projector'),
  others: { takeover: take, screen: decided, screens: onScreenChanged },
});

onLayout(showing, fitCard);

function fitCard() {
  fitted = showing.textContent ?? '';
  shrink(showing, SIZES);
}

/**
 * @param {import('../playing/playing.js').Music} music
 * @param {import('../playing/playing.js').Scene} scene
 */
function draw(music, { track, lines, line }) {
  const sung = music.wanted.projector && track !== null && lines.length > 0;
  document.body.dataset.state = sung ? 'lyrics' : showing.hidden ? 'idle' : 'showing';
  part('sung').hidden = !sung;
  if (showing.textContent !== fitted) fitCard();
  if (sung) {
    setText(part('title'), track.title);
    setText(part('artist'), track.artist);
    showLyrics(lines, line);
  }
}

/** A few words for the list of screens. */
function whatIsShown() {
  return part('sung').hidden
    ? showing.hidden
      ? t('tv.report.sign_and_time')
      : [...showing.querySelectorAll('[data-show=showing-title], [data-show=showing-note]')]
          .map(({ textContent }) => textContent)
          .filter(Boolean)
          .join(', ')
          .replaceAll('\n', ', ')
    : t('tv.report.lyrics', { title: part('title').textContent ?? '' });
}
