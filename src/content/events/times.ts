import { HOUR } from '#kernel/clock.ts';
import { nameKey } from '#kernel/names.ts';
import { OPEN_END } from '#kernel/workspace/event-times.ts';
import type { WallSpan } from './body.ts';

/** In milliseconds; all-day events last from midnight to the midnight after the last day. */
export interface Span {
  start: number;
  end: number;
  allDay: boolean;
  /** Present only when no end was entered: `end` is then the latest one that it can have, see `closedBy`. */
  openEnded?: true;
}

/** A date as far as its end depends on others. */
export interface Timed {
  start: number;
  end: number;
  allDay: boolean;
  /** Present only when no end was entered. The pub's closing ends one that takes place in the pub. */
  openEnded?: OpenEnded | undefined;
  cancelled?: boolean | undefined;
}
export type OpenEnded = (typeof OPEN_ENDED)[number];
export const OPEN_ENDED = ['pub', 'elsewhere'] as const;

/** What ends events that have no end of their own. */
export interface Closers {
  /** The starts of timed events that take place, by the key of their place, in ascending order. */
  starts: ReadonlyMap<string, readonly number[]>;
  /** The first closing of the pub after an instant; undefined if none is known. */
  closingAfter(at: number): number | undefined;
}

/** The least time that an event without an end is held to last. */
const SHORTEST = HOUR;

/**
 * Returns an event whose end nobody entered with the one that it is held to have: the start of the next event at its
 * place, the closing, or four hours, whichever is first, at least one hour. Any other event is returned as it is.
 */
export function closedBy<E extends Timed>(closers: Closers, event: E, place: string): E {
  const { starts, closingAfter } = closers;
  if (event.openEnded === undefined) return event;
  const { start } = event;
  const next = starts.get(nameKey(place))?.find((other) => other > start);
  const closing = event.openEnded === 'pub' ? closingAfter(start) : undefined;
  const end = Math.min(
    start + OPEN_END,
    next ?? Number.POSITIVE_INFINITY,
    closing ?? Number.POSITIVE_INFINITY,
  );
  return { ...event, end: Math.max(end, start + SHORTEST) };
}

/** Collects the starts of events by place. One without a place, without a time, or cancelled ends no other. */
export function startsByPlace(
  events: Iterable<{ event: Pick<Timed, 'start' | 'allDay' | 'cancelled'>; place: string }>,
): Map<string, readonly number[]> {
  const starts = new Map<string, number[]>();
  for (const { event, place } of events) {
    const key = nameKey(place);
    if (key !== '' && !event.allDay && !event.cancelled) starts.getOrInsert(key, []).push(event.start);
  }
  for (const times of starts.values()) times.sort((a, b) => a - b);
  return starts;
}

/**
 * Returns the instants of a span. If a clock change repeats a time, the earlier one is used for a start and the later
 * one for an end; a time that is skipped moves forward. The end is always after the start.
 * @param zone IANA name of the zone that its times are in
 * @param house the zone for all-day events
 */
export function resolveSpan(span: WallSpan, zone: string, house: string): Span {
  const { date, time, end_time, end_days } = span;
  const lastDay = Temporal.PlainDate.from(date).add({ days: end_days });
  if (time === null) {
    const start = Temporal.PlainDate.from(date).toZonedDateTime(house);
    const end = lastDay.add({ days: 1 }).toZonedDateTime(house);
    return { start: start.epochMilliseconds, end: end.epochMilliseconds, allDay: true };
  }
  const from = Temporal.PlainDate.from(date).toPlainDateTime(time);
  const start = from.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
  if (end_time === null) return { start, end: start + OPEN_END, allDay: false, openEnded: true };
  const until = lastDay.toPlainDateTime(end_time);
  const end = until.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;
  // If the start has moved forward past the end, the planned length is kept.
  const asLong = from.until(until).total({ unit: 'milliseconds' });
  return { start, end: end > start ? end : start + Math.max(asLong, 1), allDay: false };
}

/** Returns the length of a span in wall-clock minutes; of one without an end the shortest. */
export function minutesOf({ time, end_time, end_days }: WallSpan): number {
  if (time === null) return (end_days + 1) * 1_440;
  if (end_time === null) return 60;
  return end_days * 1_440 + minuteOfDay(end_time) - minuteOfDay(time);
}

const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
