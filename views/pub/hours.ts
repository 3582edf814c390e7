import { type Html, html } from '#kernel/html.ts';
import { atLineStart, formatDay } from '#kernel/local-time.ts';
import type { DayAhead } from '#pub/display/ahead.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { definitionList } from '#views/components/structure.ts';

/** How old content may be before a page says so. */
const OLD_MS = 10 * 60_000;

/** The hours of the next days, today first; null where there are none. */
export function hoursAhead(
  days: readonly DayAhead[],
  { hoursKnown }: Pick<EventsFeed, 'hoursKnown'>,
): Html | null {
  if (!hoursKnown || days.every(({ hours, reason }) => hours === null && !reason)) return null;
  return html`<section class="panel" id="hours"><h2>Opening hours</h2>${definitionList(
    days.map(({ date, hours, reason }, index) => {
      // Noon in UTC, formatted in UTC, is always on that date.
      const day = formatDay(Date.parse(`${date}T12:00:00Z`), 'UTC');
      const value = hours === null ? closedFor(reason) : atLineStart(hours);
      return index === 0
        ? ([`Today, ${day}`, html`<strong>${value}</strong>`] as const)
        : ([day, value] as const);
    }),
  )}</section>`;
}

/** `Closed: boiler broken` */
export const closedFor = (reason = ''): string => (reason ? `Closed: ${reason}` : 'Closed');

/** Whether the feed is old enough to say so; `now` in milliseconds. */
export function isOld(
  { stale, lastUpdated }: Pick<EventsFeed, 'stale' | 'lastUpdated'>,
  now: number,
): boolean {
  return stale && now - Date.parse(lastUpdated) > OLD_MS;
}
