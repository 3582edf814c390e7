import type { EventBody } from '#content/events/body.ts';
import { listEventDates } from '#content/events/dates.ts';
import { EVENT } from '#content/events/kind.ts';
import { listPublished } from '#content/records/published.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { listIcalEvents } from './shown.ts';

/** Two events with the same title whose starts are at most this far apart are treated as duplicates. */
const WITHIN = 30 * MINUTE;
const DAYS_AHEAD = 400;

/** Where the duplicate is, in words. */
const WHERE = {
  own: t('content-admin.list.double_own'),
  ical: t('content-admin.list.double_ical'),
  workspace: t('content-admin.list.double_workspace'),
} as const;

/**
 * Finds events that the screens or the calendar also have from elsewhere: same title, starts within 30 minutes.
 * @param workspace the workspace's events
 * @returns where the duplicate comes from, by record id
 */
export function findDuplicates(
  ctx: Context,
  records: readonly { id: string; body: EventBody }[],
  workspace: readonly Started[],
): ReadonlyMap<string, Words> {
  const { TIME_ZONE: zone } = ctx.config;
  const today = localDate(ctx.now(), zone);
  const datesOf = (body: EventBody) => listEventDates(body, today, daysAfter(today, DAYS_AHEAD), zone);
  const calendars = [...listIcalEvents(ctx, 'screens'), ...listIcalEvents(ctx, 'calendar')];
  const published = Map.groupBy(listPublished(ctx, EVENT), ({ body }) => keyOf(body));
  const places = [
    [WHERE.workspace, Map.groupBy(workspace, keyOf)],
    [WHERE.ical, Map.groupBy(calendars, keyOf)],
  ] as const;
  const found = new Map<string, Words>();
  for (const { id, body } of records) {
    const starts = datesOf(body).map(({ start }) => start);
    const isNear = (others: readonly { start: number }[]) =>
      others.some((other) => starts.some((start) => Math.abs(start - other.start) <= WITHIN));
    const own = published.get(keyOf(body))?.filter((other) => other.id !== id) ?? [];
    const place = places.find(([, others]) => isNear(others.get(keyOf(body)) ?? []));
    if (place) found.set(id, place[0]);
    else if (isNear(own.flatMap((other) => datesOf(other.body)))) found.set(id, WHERE.own);
  }
  return found;
}

export interface Started {
  title: string;
  /** In milliseconds. */
  start: number;
}

const keyOf = ({ title }: { title: string }): string =>
  title.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
