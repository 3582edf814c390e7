import type { EventBody } from '#content/events/body.ts';
import { checkEvent, completeEvent } from '#content/events/check.ts';
import { listEventDates } from '#content/events/dates.ts';

export const ZONE = 'America/New_York';
/** A moment in November 2026. */
export const NOW = Date.UTC(2026, 10, 21, 17);

/** Quiz night, Tuesday December 8 at eight, as it is stored. */
export function event(fields: Partial<EventBody> = {}): EventBody {
  const body: EventBody = {
    title: 'Quiz night',
    place: 'Pub',
    description: '',
    url: '',
    tag: null,
    picture: null,
    in_pub: true,
    in_calendar: true,
    zone: ZONE,
    date: '2026-12-08',
    time: '20:00',
    end_time: '23:00',
    end_days: 0,
    rule: null,
    until: null,
    extra: [],
    changes: {},
    cancelled: false,
    announce_from: null,
    stamps: null,
    ...fields,
  };
  const problems = checkEvent(body);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return completeEvent(body, { before: undefined, at: NOW, zone: ZONE });
}

/** The same, every Tuesday. */
export const weekly = (fields: Partial<EventBody> = {}): EventBody =>
  event({ rule: 'FREQ=WEEKLY', ...fields });

/** Lists the dates between two days in local time: `2026-12-08 20:00`. */
export function shown(body: EventBody, from: string, until: string): string[] {
  return listEventDates(body, from, until, ZONE).map(
    ({ start, cancelled }) => local(start) + (cancelled ? ' cancelled' : ''),
  );
}

export function local(at: number, zone = ZONE): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();
  return time.toString({ smallestUnit: 'minute' }).replace('T', ' ');
}
