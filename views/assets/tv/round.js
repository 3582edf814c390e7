// Which slides a screen shows at a moment, and in which order: by its own clock and names, so that it works offline.

const PRIORITIES = ['urgent', 'high', 'normal', 'low'];
/** How many urgent slides are repeated, and after how many others. */
const URGENT = 3;
const OTHERS = 4;

/**
 * @import { Slide } from './slide.js'
 * @typedef {{ slides: Slide[], laterSlides?: Slide[], linkSlides?: Slide[] }} Slides
 */

/**
 * @param {Slides} feed
 * @param {number} at milliseconds by the server's clock
 * @param {readonly string[]} [names] of this screen: its own and its groups'
 * @returns {{ slides: Slide[], own: number }} in order, and how many of them are not link slides
 */
export function slidesAt({ slides, laterSlides = [], linkSlides = [] }, at, names = []) {
  const mine = [...slides, ...laterSlides].filter((slide) => isHere(slide, names) && isNow(slide, at));
  const own = mine.sort((a, b) => rankOf(a) - rankOf(b));
  const urgent = own.filter(isUrgent);
  return {
    slides: withUrgent(urgent, spread(own.slice(urgent.length), linkSlides)),
    own: own.length,
  };
}

/** Puts the others between the slides, at about equal distances. @param {Slide[]} slides @param {Slide[]} others */
function spread(slides, others) {
  const all = slides.map((slide, index) => ({ slide, place: index + 1 }));
  const step = slides.length / (others.length || 1);
  const between = others.map((slide, index) => ({ slide, place: (index + 1) * step + 0.5 }));
  return [...all, ...between].sort((a, b) => a.place - b.place).map(({ slide }) => slide);
}

/**
 * Whether one of the texts is one of the names, however its letters and spaces are written.
 * @param {readonly string[]} texts
 * @param {readonly string[]} names
 */
export function namesOneOf(texts, names) {
  const keys = new Set(names.map(keyOf));
  return texts.some((text) => keys.has(keyOf(text)));
}

/** @param {string} name */
const keyOf = (name) => name.replace(/\s+/g, ' ').trim().normalize('NFC').toLowerCase();

/** @param {Slide} slide @param {readonly string[]} names */
function isHere({ screens = [] }, names) {
  return screens.length === 0 || namesOneOf(screens, names);
}

/** @param {Slide} slide @param {number} at */
function isNow({ windows }, at) {
  return !windows || windows.some(([start, end]) => at >= Date.parse(start) && at < Date.parse(end));
}

/** Announcements by priority, then all others, each in the order of the feed. @param {Slide} slide */
function rankOf({ type, priority = '' }) {
  if (type !== 'announcement') return PRIORITIES.length + 1;
  const rank = PRIORITIES.indexOf(priority);
  return rank < 0 ? PRIORITIES.length : rank;
}

/** @param {Slide} slide */
const isUrgent = ({ type, priority }) => type === 'announcement' && priority === 'urgent';

/**
 * The urgent slides first, and again after every few others.
 * @param {Slide[]} urgent
 * @param {Slide[]} others
 */
function withUrgent(urgent, others) {
  if (urgent.length === 0 || others.length <= OTHERS) return [...urgent, ...others];
  const again = urgent.slice(0, URGENT);
  return others.flatMap((slide, index) =>
    index % OTHERS > 0 ? [slide] : [...(index === 0 ? urgent : again), slide],
  );
}
