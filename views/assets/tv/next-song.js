// The next song that guests asked for, and the code to ask for one.
import { setText } from '../playing/clock.js';
import { part } from '../playing/playing.js';
import { follow } from './feed.js';
import { onLayout, shrink } from './fit.js';
import { isReachable } from './screen.js';

const EVERY_MS = 20_000;
const SIZES = [1, 0.85, 0.7, 0.6];
const CODE = '/api/image/link-qr/requests';

/**
 * Shows them while songs can be requested; nothing where requests are switched off.
 * @param {() => void} changed called when the rest of the page has more or less space
 * @returns {() => void} asks for it at once
 */
export function watchNextSong(changed) {
  if (!document.querySelector('[data-part=next]')) return () => undefined;
  const place = part('next');
  const words = part('next-words');
  const code = part('next-code');
  const image = /** @type {HTMLImageElement} */ (part('next-qr'));
  const fit = () => {
    words.removeAttribute('data-clamped');
    // Names that are longer still end in dots.
    if (!shrink(words, SIZES)) words.setAttribute('data-clamped', '');
  };
  /** @param {boolean} isShown */
  const show = (isShown) => {
    place.hidden = !isShown;
    document.body.toggleAttribute('data-asks', isShown);
    fit();
    changed();
  };

  image.addEventListener('error', () => {
    code.hidden = true;
  });
  image.addEventListener('load', () => {
    code.hidden = !isReachable(place.dataset.url ?? '');
  });
  // It is also laid out again when the longest names no longer take its place.
  onLayout(place, fit);
  return follow('/api/setlist/requests/next', {
    every: EVERY_MS,
    on(/** @type {import('#pub/requests/next.ts').NextSong} */ { open, next }) {
      setText(part('next-title'), next?.title ?? '');
      setText(part('next-artist'), next?.artist ?? '');
      words.hidden = next === null;
      // Also after a failure.
      if (open && image.naturalWidth === 0) image.src = CODE;
      show(open);
    },
    failed: () => show(false),
  });
}
