import { type Html, html } from '#kernel/html.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { definitionList } from '#views/components/structure.ts';

/** How old content may be before a page says so. */
const OLD_MS = 10 * 60_000;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The hours of this week; nothing while there are none. `today` is a local date, `2026-11-21`. */
export function hoursOfWeek({ pubHoursWeek, hoursKnown }: EventsFeed, today: string): Html | null {
  if (!hoursKnown || pubHoursWeek.every(({ open }) => !open)) return null;
  return html`<section class="panel" id="hours"><h2>Opening hours this week</h2>${definitionList(
    pubHoursWeek.map(({ date, hours }, index) => {
      const value = hours ?? 'Closed';
      return [DAYS[index] ?? date, date === today ? html`<strong>${value}</strong> (today)` : value] as const;
    }),
  )}</section>`;
}

/** Whether the feed is old enough to say so; `now` in milliseconds. */
export function isOld(
  { stale, lastUpdated }: Pick<EventsFeed, 'stale' | 'lastUpdated'>,
  now: number,
): boolean {
  return stale && now - Date.parse(lastUpdated) > OLD_MS;
}
