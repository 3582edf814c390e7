// In which order a round has its slides, and how often.

const PRIORITIES = ['urgent', 'high', 'normal', 'low'];
/** How many urgent slides are repeated, and after how many others. */
const URGENT = 3;
const OTHERS = 4;
/** Of slides that are not urgent, every third has the priority high. */
const BETWEEN_HIGH = 2;
/** A code follows so many slides that are none, and so many times its own time: it has a tenth of both at most. */
const BETWEEN_CODES = 9;

/** @import { Slide } from './slide.js' */

/**
 * The order of a round, which shows everything at least once. The urgent slides come first, and again after every four
 * others; those of priority high are every third of the rest. Codes have at most a tenth of the slides and of the time:
 * until all of them had their turn, the other slides come again.
 * @param {readonly Slide[]} slides
 * @param {readonly Slide[]} codes
 * @param {(slide: Slide) => number} holdOf for how long a slide is shown
 * @returns {Slide[]}
 */
export function inOrder(slides, codes, holdOf) {
  const own = [...slides].sort((a, b) => rankOf(a) - rankOf(b));
  const { urgent, high, rest } = tiersOf(own);
  if (rest.length === 0) return [...codes];
  const urgents = turnsOf(urgent);
  const highs = turnsOf(high);
  const others = turnsOf(rest);
  const scans = turnsOf(codes);
  /** @type {Slide[]} */
  const round = [];
  const betweenHigh = Math.min(BETWEEN_HIGH, rest.length);
  /** How many slides came since an urgent one, since one of priority high, since a code. */
  let sinceUrgent = OTHERS;
  let sinceHigh = betweenHigh;
  let sinceCode = 0;
  let msSinceCode = 0;
  while (!(urgents.isDone() && highs.isDone() && scans.isDone() && others.isDone() && others.isAtStart())) {
    const scan = scans.isDone() ? undefined : scans.peek();
    if (urgent.length > 0 && sinceUrgent >= OTHERS) {
      for (const slide of urgents.take(round.length === 0 ? urgent.length : URGENT)) show(slide);
      sinceUrgent = 0;
    } else if (high.length > 0 && sinceHigh >= betweenHigh) {
      for (const slide of highs.take(1)) show(slide);
      sinceHigh = 0;
      sinceUrgent += 1;
    } else {
      const isCode = scan && sinceCode >= BETWEEN_CODES && msSinceCode >= BETWEEN_CODES * holdOf(scan);
      for (const slide of (isCode ? scans : others).take(1)) show(slide);
      if (isCode) sinceCode = msSinceCode = 0;
      sinceHigh += 1;
      sinceUrgent += 1;
    }
  }
  return round;

  /** @param {Slide} slide */
  function show(slide) {
    round.push(slide);
    sinceCode += 1;
    msSinceCode += holdOf(slide);
  }
}

/** The urgent slides, those of priority high, and all others: what there is none of has no turns of its own. @param {Slide[]} slides */
function tiersOf(slides) {
  const urgent = slides.filter((slide) => isOf(slide, 'urgent'));
  const high = slides.filter((slide) => isOf(slide, 'high'));
  const rest = slides.filter((slide) => !urgent.includes(slide) && !high.includes(slide));
  if (rest.length > 0) return { urgent, high, rest };
  return high.length > 0 ? { urgent, high: [], rest: high } : { urgent: [], high: [], rest: urgent };
}

/** Slides that take turns. @param {readonly Slide[]} slides */
function turnsOf(slides) {
  let count = 0;
  return {
    peek: () => slides[count % slides.length],
    isAtStart: () => count % slides.length === 0,
    /** Whether each was shown. */
    isDone: () => count >= slides.length,
    /** @param {number} most */
    take(most) {
      const taken = [];
      while (taken.length < Math.min(most, slides.length)) {
        const slide = slides[count % slides.length];
        if (slide) taken.push(slide);
        count += 1;
      }
      return taken;
    },
  };
}

/** Announcements by priority, then all others, each in the order of the feed. @param {Slide} slide */
function rankOf({ type, priority = '' }) {
  if (type === 'welcome') return -1;
  if (type !== 'announcement') return PRIORITIES.length + 1;
  const rank = PRIORITIES.indexOf(priority);
  return rank < 0 ? PRIORITIES.length : rank;
}

/** @param {Slide} slide @param {string} priority */
const isOf = ({ type, priority: own }, priority) => type === 'announcement' && own === priority;
