// Which slides a screen shows at a moment: by its own clock and names, so that it works offline.

/**
 * @import { Slide } from './slide.js'
 * @typedef {{ slides: Slide[], laterSlides?: Slide[], linkSlides?: Slide[] }} Slides
 */

/**
 * @param {Slides} feed
 * @param {number} at milliseconds by the server's clock
 * @param {readonly string[]} [names] of this screen: its own and its groups'
 * @returns {{ own: Slide[], codes: Slide[] }} in the order of the feed
 */
export function slidesAt({ slides, laterSlides = [], linkSlides = [] }, at, names = []) {
  const mine = [...slides, ...laterSlides].filter((slide) => isHere(slide, names) && isNow(slide, at));
  return { own: mine, codes: linkSlides };
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
