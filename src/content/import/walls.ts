import { startOfDate } from '#kernel/local-time.ts';
import { endOf, startOf } from '#kernel/workspace/records.ts';
import type { WallSpan } from '../events/body.ts';
import { resolveSpan, type Span } from '../events/times.ts';
import { daysAfter, daysBetween } from '../recurrence/dates.ts';

/** Said of what is not kept to the second, or on which clocks change. */
export const NOT_EXACT =
  'its times are kept to the minute of the local clock, and differ from those of the page';

/** What clocks on the wall say at a moment, seconds left out. */
export function wallOf(at: number, zone: string): { date: string; time: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

/**
 * The fields of an event that make exactly this span. Where an hour that a clock change repeats has no name of its own,
 * they are those of UTC.
 */
export function spanFields(span: Span, house: string, notes: string[]): WallSpan & { zone: string } {
  const local = { ...fieldsIn(span, house), zone: house };
  if (isSame(resolveSpan(local, house, house), span)) return local;
  const universal = { ...fieldsIn(span, 'UTC'), zone: 'UTC' };
  if (!isSame(resolveSpan(universal, 'UTC', house), span)) {
    notes.push(NOT_EXACT);
    return local;
  }
  notes.push('its times are kept in UTC, because clocks change on that night');
  return universal;
}

function fieldsIn({ start, end, allDay }: Span, zone: string): WallSpan {
  const from = wallOf(start, zone);
  if (allDay) {
    const last = wallOf(end - 1, zone).date;
    return { date: from.date, time: null, end_time: null, end_days: daysBetween(from.date, last) };
  }
  const until = wallOf(end, zone);
  return { ...from, end_time: until.time, end_days: daysBetween(from.date, until.date) };
}

const isSame = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end;

/** From when something is shown, as a date where that is its midnight. */
export function fromField(at: number | null, zone: string, notes: string[]): string | null {
  if (at === null) return null;
  const { date, time } = wallOf(at, zone);
  const text = startOfDate(date, zone) === at ? date : `${date}T${time}`;
  if (startOf(text, zone) !== at) notes.push(NOT_EXACT);
  return text;
}

/** Until when it is shown, as the last date where that ends with it. */
export function untilField(at: number | null, zone: string, notes: string[]): string | null {
  if (at === null) return null;
  const { date, time } = wallOf(at, zone);
  const last = daysAfter(date, -1);
  const text = startOfDate(last, zone, 1) === at ? last : `${date}T${time}`;
  if (endOf(text, zone) !== at) notes.push(NOT_EXACT);
  return text;
}
