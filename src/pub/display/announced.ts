import { EVENT } from '#content/events/kind.ts';
import { announcedDatesOf, type EventRecord } from '#content/events/shown.ts';
import { listShownPictures } from '#content/pictures/shown.ts';
import { listPublished } from '#content/records/published.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { kept } from '#kernel/cache.ts';
import type { Context } from '#kernel/context.ts';
import { localDate, startOfDate } from '#kernel/local-time.ts';
import { beginsSoon } from '#pub/windows.ts';
import { describedEvent, endsOfPub, findPubEvent, type PubEvent } from './events.ts';

/** A date of an event that screens announce from `from` until it ends, in milliseconds. */
export interface AnnouncedDate {
  event: PubEvent;
  from: number;
}

const ANNOUNCED = kept<readonly AnnouncedDate[]>();

/**
 * Lists the dates that are announced, or will be: of a series each once the one before is over. Both parts of a series
 * that was split are one. Returns the same list until the events or the date change.
 */
export function listAnnounced(ctx: Context): readonly AnnouncedDate[] {
  const { TIME_ZONE: zone } = ctx.config;
  const own = listPublished(ctx, EVENT);
  const pictures = listShownPictures(ctx);
  const today = localDate(ctx.now(), zone);
  const announced = own.filter(({ body }) => body.announce_from !== null);
  const ends = announced.some(({ body }) => body.time !== null) ? endsOfPub(ctx) : undefined;
  const datesOf = (record: EventRecord): AnnouncedDate[] => {
    const { announce_from, end_days } = record.body;
    const from = startOfDate(announce_from ?? '', zone) ?? 0;
    // One that began earlier may still be on.
    return announcedDatesOf(record, daysAfter(today, -1 - end_days), zone)
      .filter(({ cancelled }) => !cancelled)
      .map((event) => ({ event: describedEvent(ends?.(event) ?? event, pictures), from }));
  };
  const make = () => {
    return [...Map.groupBy(announced, ({ uid_base }) => uid_base).values()].flatMap((parts) =>
      parts
        .flatMap(datesOf)
        .sort((a, b) => a.event.start - b.event.start)
        .map(({ event, from }, index, dates) => ({
          event,
          from: Math.max(from, dates[index - 1]?.event.end ?? 0),
        })),
    );
  };
  return ctx.cache.get(ANNOUNCED, '', make, [own, pictures, today, zone, ends]);
}

/** Returns the dates that are announced at `now`, those that begin to be soon, and until when both stay the same. */
export function announcedAt(
  dates: readonly AnnouncedDate[],
  now: number,
): { shown: AnnouncedDate[]; later: AnnouncedDate[]; until: number } {
  const moments = dates.flatMap(({ event, from }) => [from, event.end]).filter((moment) => moment > now);
  return {
    shown: dates
      .filter(({ event, from }) => from <= now && event.end > now)
      .sort((a, b) => a.event.start - b.event.start),
    later: dates.filter(({ event, from }) => from < event.end && beginsSoon([[from, event.end]], now)),
    until: Math.min(...moments),
  };
}

/** Lists the events that are announced now, the next one first. */
export const listAnnouncedNow = (ctx: Context): PubEvent[] =>
  announcedAt(listAnnounced(ctx), ctx.now()).shown.map(({ event }) => event);

/** Finds an event that visitors can look up, by its id, in the format of the calendar. */
export const findPublicEvent = (ctx: Context, id: string): ReturnType<typeof findPubEvent> =>
  findPubEvent(ctx, id, listAnnouncedNow(ctx));
