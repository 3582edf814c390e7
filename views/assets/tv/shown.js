// Counts how often each announcement was shown, by local day, until a heartbeat has told it. An answer that is lost after
// it was stored counts twice.
import { localDate, now } from '../playing/clock.js';
import { keep, kept } from './store.js';

/** How many counts one heartbeat tells. */
const AT_ONCE = 40;
const DAYS_KEPT = 14;
const { zone = 'UTC' } = document.body.dataset;

/** @typedef {Record<string, Record<string, number>>} Shown by day and slide */

/** @param {import('./slide.js').Slide} slide */
export function countShown({ id = '' }) {
  if (!String(id).startsWith('announcement-')) return;
  const all = read();
  const day = localDate(now(), zone);
  all[day] = { ...all[day], [id]: (all[day]?.[id] ?? 0) + 1 };
  for (const old of Object.keys(all).sort().slice(0, -DAYS_KEPT)) delete all[old];
  keep('shown', all);
}

/** What is to be told with the next heartbeat. @returns {Shown | undefined} */
export function shownSince() {
  const counts = Object.entries(read()).flatMap(([day, slides]) =>
    Object.entries(slides).map(([slide, times]) => ({ day, slide, times })),
  );
  /** @type {Shown} */
  const told = {};
  for (const { day, slide, times } of counts.slice(0, AT_ONCE)) told[day] = { ...told[day], [slide]: times };
  return counts.length > 0 ? told : undefined;
}

/** Takes off what was told; more may have been shown meanwhile. @param {Shown} told */
export function toldShown(told) {
  const all = read();
  for (const [day, slides] of Object.entries(told)) {
    const left = Object.entries(all[day] ?? {})
      .map(([slide, times]) => [slide, times - (slides[slide] ?? 0)])
      .filter(([, times]) => Number(times) > 0);
    if (left.length > 0) all[day] = Object.fromEntries(left);
    else delete all[day];
  }
  keep('shown', all);
}

/** @returns {Shown} */
const read = () => kept('shown') ?? {};
