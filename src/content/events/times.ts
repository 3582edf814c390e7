import { HOUR } from '#kernel/clock.ts';
import type { WallSpan } from './body.ts';

/** In milliseconds; all-day events last from midnight to the midnight after the last day. */
export interface Span {
  start: number;
  end: number;
  allDay: boolean;
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
  if (end_time === null) return { start, end: start + HOUR, allDay: false };
  const until = lastDay.toPlainDateTime(end_time);
  const end = until.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds;
  // If the start has moved forward past the end, the planned length is kept.
  const asLong = from.until(until).total({ unit: 'milliseconds' });
  return { start, end: end > start ? end : start + Math.max(asLong, 1), allDay: false };
}

/** Returns the length of a span in wall-clock minutes. */
export function minutesOf({ time, end_time, end_days }: WallSpan): number {
  if (time === null) return (end_days + 1) * 1_440;
  if (end_time === null) return 60;
  return end_days * 1_440 + minuteOfDay(end_time) - minuteOfDay(time);
}

const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
