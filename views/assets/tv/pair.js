// The page that makes a TV one of the club’s screens: it shows a code until staff used it.
import { t } from '../base/texts.js';
import { setText, showClock } from '../playing/clock.js';
import { askForPairing, inThrees } from './pairing.js';
import { drift, fitScreen, stayAwake } from './screen.js';

const { zone = 'UTC' } = document.body.dataset;
const query = new URLSearchParams(location.search);
const place = /** @type {HTMLElement} */ (document.querySelector('[data-pairing]'));
/** @param {string} name */
const part = (name) => /** @type {HTMLElement} */ (place.querySelector(`[data-part=${name}]`));
const qr = /** @type {HTMLImageElement} */ (part('qr'));

// What the server wrote for browsers that do not run this.
for (const plain of document.querySelectorAll('[data-stage], [data-day], [data-foot]')) plain.remove();
place.hidden = false;
fitScreen();
drift();
stayAwake();
showClock(zone);
if (query.has('ended')) setText(part('title'), t('tv.pair.ended'));

askForPairing({
  code: query.get('code') ?? undefined,
  shown(code) {
    setText(part('code'), code === undefined ? t('tv.pair.one_moment') : inThrees(code));
    qr.hidden = code === undefined;
    if (code !== undefined) qr.src = `/api/screens/pairings/qr?code=${code}`;
  },
});
setInterval(() => {
  document.body.dataset.alive = String(performance.now());
}, 60_000);
