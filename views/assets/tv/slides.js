// Two slides that take turns: the hidden one is filled and its pictures decoded before the two cross-fade.
import { menuHoldMs } from './menu/slide.js';
import { closePage, fillSlide, fitSlide } from './slide.js';

/** A turn that comes later than this shows that the browser is exhausted. */
const LATE_MS = 5_000;
/** How long before its turn a slide is prepared. */
const PREPARE_MS = 3_000;

/** @import { Part, Slide } from './slide.js' */

/**
 * How long a slide is shown, in milliseconds: its own duration, else its reading time. Each part of a divided text gets
 * its share of that duration, but at least its reading time.
 * @param {Slide} slide
 * @param {Part} [part]
 */
export function holdFor({ type, durationMs, title = '', body = '', imageUrl }, part) {
  const { text = body, pages = 1, rows = 0 } = part ?? {};
  if (type === 'menu') return menuHoldMs(rows);
  const words = `${title} ${text}`.trim().split(/\s+/).length;
  const reading = (pages > 1 ? 4_000 : 8_000) + words * 300;
  // A part that is too short to read is as bad as a text that is cut.
  const own = durationMs ?? 0;
  if (own > 0 && pages > 1) return clamp((own * text.length) / body.length, reading);
  if (own > 0) return clamp(own, 5_000);
  if (type === 'link') return 12_000;
  return type === 'announcement' ? clamp(reading, imageUrl ? 12_000 : 0) : 15_000;
}

/** @param {number} ms @param {number} least */
const clamp = (ms, least) => Math.min(Math.max(ms, least), 120_000);

/**
 * A slideshow on a stage that holds two slides. Nothing moves until `run`.
 * @param {HTMLElement} stage
 * @param {(slide: Slide) => void} [onShown] called for each slide that is shown, once for all parts of its text
 */
export function slideshow(stage, onShown = (_slide) => {}) {
  const [first, second] = stage.querySelectorAll('[data-slide]');
  if (!(first instanceof HTMLElement) || !(second instanceof HTMLElement))
    throw new Error('two slides needed');
  let front = first;
  let back = second;
  /** @type {Slide[]} */
  let slides = [];
  /** @type {Slide | undefined} Shown when none of the others can be. */
  let fallback;
  /** Those that take turns in the corner of other slides. @type {readonly Slide[]} */
  let codes = [];
  let corners = 0;
  /** @type {{ slide: Slide, part: Part } | undefined} What is on the screen. */
  let shown;
  /** The place of the shown slide in the round. It is not looked up by the slide: an urgent one has several places. */
  let place = -1;
  let wake = () => {};
  let late = 0;
  /** @type {(() => void)[]} */
  let waiting = [];

  /** Addresses of pictures that failed to load the last time. */
  const missing = new Set();

  return {
    set,
    advance,
    run,
    refit,
    boundary,
    current: () => shown?.slide,
    failedPictures: () => missing.size,
    lateTurns: () => late,
  };

  /**
   * Sets the current slides. If the shown one is no longer among them, it leaves the screen at once.
   * @param {Slide[]} next
   * @param {Slide} otherwise
   * @param {readonly Slide[]} [inCorners] slides with codes, to be shown in the corner of others one by one
   */
  function set(next, otherwise, inCorners = []) {
    place = placeIn(next, slides, place);
    slides = next;
    fallback = otherwise;
    codes = inCorners;
    const shownNow = new Set(slides.map(({ imageUrl }) => imageUrl));
    for (const url of missing) if (!shownNow.has(url)) missing.delete(url);
    if (!isCurrent(shown?.slide)) wake();
  }

  /** Shows the slides in turn, for ever. */
  async function run() {
    for (;;) {
      await stand((shown ? holdFor(shown.slide, shown.part) : 0) - PREPARE_MS);
      const next = await prepare();
      await stand(PREPARE_MS);
      const due = waiting;
      waiting = [];
      for (const resolve of due) resolve();
      if (next && isCurrent(next.slide)) flip(next);
    }
  }

  /**
   * Waits while the slide on the screen may stay there.
   * @param {number} ms
   */
  function stand(ms) {
    const idle = slides.length === 0 && !fallback;
    return isCurrent(shown?.slide) || idle ? pause(ms) : pause(0);
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

  /** Fits the shown slide again after the screen was resized. */
  function refit() {
    if (shown) shown.part = fitSlide(front, shown.slide, shown.part.page);
  }

  /**
   * Fills the hidden slide with the next part of the text on the screen, else with the next slide that can be shown.
   * @returns {Promise<{ slide: Slide, part: Part } | undefined>} undefined when the one on the screen stays
   */
  async function prepare() {
    const now = shown;
    if (now && isCurrent(now.slide) && now.part.page + 1 < now.part.pages) {
      const { part } = await fillSlide(back, now.slide, now.part.page + 1);
      if (part) return { slide: now.slide, part };
    }
    const corner = codes[corners % codes.length];
    for (const slide of [...slides.slice(place + 1), ...slides.slice(0, place + 1)]) {
      // It stays for another turn.
      if (now?.part.pages === 1 && isSame(slide, now.slide)) return now;
      const { part, failed } = await fillSlide(back, slide, 0, corner);
      if (failed) missing.add(slide.imageUrl);
      else missing.delete(slide.imageUrl);
      if (part) return { slide, part };
    }
    if (!fallback || isCurrent(now?.slide)) return undefined;
    const { part } = await fillSlide(back, fallback, 0, corner);
    return part && { slide: fallback, part };
  }

  /** @param {Slide | undefined} slide */
  function isCurrent(slide) {
    return [fallback, ...slides].some((one) => isSame(one, slide));
  }

  /** @param {{ slide: Slide, part: Part }} next */
  function flip(next) {
    if (next.part.page === 0) place = nextPlace(slides, place, next.slide);
    if (next === shown) return;
    if (next.part.page === 0) onShown(next.slide);
    if (next.part.isCornered) corners += 1;
    [front, back] = [back, front];
    shown = next;
    front.toggleAttribute('data-shown', true);
    front.removeAttribute('aria-hidden');
    back.toggleAttribute('data-shown', false);
    back.setAttribute('aria-hidden', 'true');
    closePage(back);
  }

  /** @param {number} ms */
  function pause(ms) {
    const due = performance.now() + Math.max(0, ms);
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          if (performance.now() - due > LATE_MS && !document.hidden) late += 1;
          resolve(undefined);
        },
        Math.max(0, ms),
      );
      wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }
}

/**
 * The place of a slide in a changed round: the same copy of it, else that of the last slide before it that is left.
 * @param {Slide[]} next
 * @param {Slide[]} last
 * @param {number} place in `last`
 */
function placeIn(next, last, place) {
  for (let at = place; at >= 0; at--) {
    const copies = placesOf(next, last[at]);
    const copy = placesOf(last.slice(0, at), last[at]).length;
    if (copies.length > 0) return copies[Math.min(copy, copies.length - 1)] ?? -1;
  }
  return -1;
}

/**
 * The first place of a slide after another place, past the end of the round if need be.
 * @param {Slide[]} round
 * @param {number} place
 * @param {Slide} slide
 */
function nextPlace(round, place, slide) {
  const places = placesOf(round, slide);
  return places.find((at) => at > place) ?? places[0] ?? place;
}

/** @param {Slide[]} round @param {Slide | undefined} slide */
function placesOf(round, slide) {
  return [...round.keys()].filter((at) => isSame(round[at], slide));
}

/**
 * Whether two slides show the same, whenever and wherever.
 * @param {Slide | undefined} slide
 * @param {Slide | undefined} other
 */
function isSame(slide, other) {
  return slide !== undefined && other !== undefined && shownPart(slide) === shownPart(other);
}

/** @type {WeakMap<Slide, string>} */
const shownParts = new WeakMap();

/** @param {Slide} slide */
function shownPart(slide) {
  let part = shownParts.get(slide);
  if (part === undefined) {
    const { windows, screens, ...rest } = slide;
    part = JSON.stringify(rest);
    shownParts.set(slide, part);
  }
  return part;
}
