import type { WallSpan } from '#content/events/body.ts';
import { resolveSpan, type Timed } from '#content/events/times.ts';
import { daysAfter, daysBetween } from '#content/recurrence/dates.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { startOfDate } from '#kernel/local-time.ts';
import { endOf, startOf } from '#kernel/workspace/records.ts';

/** The note on times with seconds, or times around a clock change. */
export const NOT_EXACT = t('content-admin.import_note.not_exact');

/** Returns the wall-clock time of an instant, without seconds. */
export function wallOf(at: number, zone: string): { date: string; time: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

/**
 * Returns event fields that resolve to exactly this span. If a clock change makes that impossible in local time, the
 * fields are in UTC.
 */
export function spanFields(span: Timed, house: string, notes: Words[]): WallSpan & { zone: string } {
  const local = { ...fieldsIn(span, house), zone: house };
  if (isSame(resolveSpan(local, house, house), span)) return local;
  const universal = { ...fieldsIn(span, 'UTC'), zone: 'UTC' };
  if (!isSame(resolveSpan(universal, 'UTC', house), span)) {
    notes.push(NOT_EXACT);
    return local;
  }
  notes.push(t('content-admin.import_note.in_utc'));
  return universal;
}

function fieldsIn({ start, end, allDay, openEnded }: Timed, zone: string): WallSpan {
  const from = wallOf(start, zone);
  if (openEnded) return { ...from, end_time: null, end_days: 0 };
  if (allDay) {
    const last = wallOf(end - 1, zone).date;
    return { date: from.date, time: null, end_time: null, end_days: daysBetween(from.date, last) };
  }
  const until = wallOf(end, zone);
  return { ...from, end_time: until.time, end_days: daysBetween(from.date, until.date) };
}

type Ends = Pick<Timed, 'start' | 'end'>;
const isSame = (a: Ends, b: Ends): boolean => a.start === b.start && a.end === b.end;

/** Returns the start of a period in which something is shown; as a date if it is a midnight. */
export function fromField(at: number | null, zone: string, notes: Words[]): string | null {
  if (at === null) return null;
  const { date, time } = wallOf(at, zone);
  const text = startOfDate(date, zone) === at ? date : `${date}T${time}`;
  if (startOf(text, zone) !== at) notes.push(NOT_EXACT);
  return text;
}

/** Returns the end of that period; as the last date if it is the midnight after it. */
export function untilField(at: number | null, zone: string, notes: Words[]): string | null {
  if (at === null) return null;
  const { date, time } = wallOf(at, zone);
  const last = daysAfter(date, -1);
  const text = startOfDate(last, zone, 1) === at ? last : `${date}T${time}`;
  if (endOf(text, zone) !== at) notes.push(NOT_EXACT);
  return text;
}
