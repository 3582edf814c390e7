// Which slides a screen shows at a moment, and in which order: by its own clock and name, so that it is right offline too.

const PRIORITIES = ['urgent', 'high', 'normal', 'low'];
/** So many urgent slides come again, each time after so many others. */
const URGENT = 3;
const OTHERS = 4;

/** @typedef {import('./slide.js').Slide} Slide */

/**
 * @param {{ slides: Slide[], laterSlides?: Slide[] }} feed
 * @param {number} at milliseconds by the server's clock
 * @param {string} [screen] the name of this one
 * @returns {Slide[]}
 */
export function slidesAt({ slides, laterSlides = [] }, at, screen) {
  const mine = [...slides, ...laterSlides].filter((slide) => isHere(slide, screen) && isNow(slide, at));
  return withUrgent(mine.sort((a, b) => rankOf(a) - rankOf(b)));
}

/** @param {Slide} slide @param {string | undefined} screen */
function isHere({ screens = [] }, screen) {
  return screens.length === 0 || screens.includes(screen);
}

/** @param {Slide} slide @param {number} at */
function isNow({ windows }, at) {
  return (
    !windows ||
    windows.some(
      (/** @type {[string, string]} */ [start, end]) => at >= Date.parse(start) && at < Date.parse(end),
    )
  );
}

/** Announcements by priority, then all others, each in the order of the feed. @param {Slide} slide */
function rankOf({ type, priority }) {
  if (type !== 'announcement') return PRIORITIES.length + 1;
  const rank = PRIORITIES.indexOf(priority);
  return rank < 0 ? PRIORITIES.length : rank;
}

/**
 * Puts the urgent slides in again after every few others.
 * @param {Slide[]} slides the urgent ones first
 */
function withUrgent(slides) {
  const urgent = slides.filter(({ type, priority }) => type === 'announcement' && priority === 'urgent');
  const others = slides.slice(urgent.length);
  if (urgent.length === 0 || others.length <= OTHERS) return slides;
  const again = urgent.slice(0, URGENT);
  return others.flatMap((slide, index) =>
    index % OTHERS > 0 ? [slide] : [...(index === 0 ? urgent : again), slide],
  );
}
