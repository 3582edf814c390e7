// Two slides that take turns: the hidden one is filled and its pictures decoded before the two cross-fade.
import { fillSlide } from './slide.js';

/** So long before its turn the next slide is made ready. */
const PREPARE_MS = 3_000;

/** @typedef {import('./slide.js').Slide} Slide */

/**
 * How long a slide stands, in milliseconds: its own duration, else as long as it takes to read.
 * @param {Slide} slide
 */
export function holdFor({ type, durationMs, title = '', body = '', imageUrl }) {
  if (durationMs > 0) return Math.min(Math.max(durationMs, 5_000), 120_000);
  if (type !== 'announcement') return 15_000;
  const words = `${title} ${body}`.trim().split(/\s+/).length;
  return Math.min(Math.max(8_000 + words * 300, imageUrl ? 12_000 : 0), 120_000);
}

/**
 * A slideshow on a stage that holds two slides. Nothing moves until `run`.
 * @param {HTMLElement} stage
 */
export function slideshow(stage) {
  const [first, second] = stage.querySelectorAll('[data-slide]');
  if (!(first instanceof HTMLElement) || !(second instanceof HTMLElement))
    throw new Error('two slides needed');
  let front = first;
  let back = second;
  /** @type {Slide[]} */
  let slides = [];
  /** @type {Slide | undefined} Stands in when none of the others can be shown. */
  let fallback;
  /** @type {Slide | undefined} What is on the screen. */
  let shown;
  let index = -1;
  let wake = () => {};
  /** @type {(() => void)[]} */
  let waiting = [];

  /** Pictures that did not come the last time, by their addresses. */
  const missing = new Set();

  return { set, advance, run, boundary, failedPictures: () => missing.size };

  /**
   * Takes the slides as they are now. One that is no longer among them leaves the screen without delay.
   * @param {Slide[]} next
   * @param {Slide} otherwise
   */
  function set(next, otherwise) {
    slides = next;
    fallback = otherwise;
    const shownNow = new Set(slides.map(({ imageUrl }) => imageUrl));
    for (const url of missing) if (!shownNow.has(url)) missing.delete(url);
    // An urgent slide stands there several times: its place in the round stays.
    const at = isSame(slides[index], shown) ? index : slides.findIndex((slide) => isSame(slide, shown));
    if (at >= 0) index = at;
    else if (!shown || !isCurrent(shown)) wake();
  }

  /** Shows the slides in turn, for ever. */
  async function run() {
    for (;;) {
      await stand((shown ? holdFor(shown) : 0) - PREPARE_MS);
      const next = await prepare();
      await stand(PREPARE_MS);
      const due = waiting;
      waiting = [];
      for (const resolve of due) resolve();
      if (next && isCurrent(next)) flip(next);
    }
  }

  /**
   * Waits while the slide on the screen may stay there.
   * @param {number} ms
   */
  function stand(ms) {
    const idle = slides.length === 0 && !fallback;
    return (shown && isCurrent(shown)) || idle ? pause(ms) : pause(0);
  }

  /** Shows the next slide as soon as it is ready. */
  async function advance() {
    const next = await prepare();
    if (next) flip(next);
  }

  /** Resolves between two slides. */
  function boundary() {
    return /** @type {Promise<void>} */ (new Promise((resolve) => waiting.push(resolve)));
  }

  /**
   * Fills the hidden slide with the next one that can be shown.
   * @returns {Promise<Slide | undefined>} undefined when the one on the screen stays
   */
  async function prepare() {
    const from = index;
    for (let step = 1; step <= slides.length; step++) {
      const at = (from + step) % slides.length;
      const slide = slides[at];
      if (!slide || isSame(slide, shown)) continue;
      const { fits, failed } = await fillSlide(back, slide);
      if (failed) missing.add(slide.imageUrl);
      else missing.delete(slide.imageUrl);
      if (!fits) continue;
      index = at;
      return slide;
    }
    if (!fallback || (shown && isCurrent(shown))) return undefined;
    await fillSlide(back, fallback);
    return fallback;
  }

  /** @param {Slide} slide */
  function isCurrent(slide) {
    return [fallback, ...slides].some((one) => one && isSame(one, slide));
  }

  /** @param {Slide} slide */
  function flip(slide) {
    [front, back] = [back, front];
    shown = slide;
    front.toggleAttribute('data-shown', true);
    front.removeAttribute('aria-hidden');
    back.toggleAttribute('data-shown', false);
    back.setAttribute('aria-hidden', 'true');
  }

  /** @param {number} ms */
  function pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms));
      wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }
}

/**
 * Whether two slides show the same; when they do so is another matter.
 * @param {Slide | undefined} slide
 * @param {Slide | undefined} other
 */
function isSame(slide, other) {
  return slide !== undefined && other !== undefined && shownPart(slide) === shownPart(other);
}

/** @param {Slide} slide */
const shownPart = ({ windows, screens, ...rest }) => JSON.stringify(rest);
