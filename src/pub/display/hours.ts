import { closureOn, type HoursRecords } from '#content/opening-hours.ts';
import { mergeOpenings, type Opening, type PubShift } from '#content/shifts.ts';
import { isoTime } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { formatTime, timeInWords } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { localDate, spanInWords, startOfDate } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';

export interface PubHoursDay {
  /** `2026-11-21`. */
  date: string;
  open: boolean;
  /** `5:00 PM – 11:00 PM`; several are joined with commas; null when closed. */
  hours: string | null;
}

/** A day with its openings as half-open ISO 8601 intervals; `hours` is in words. */
export interface PubDay extends PubHoursDay {
  openings: [opens: string, closes: string][];
  /** Why a special day closes it; absent without a reason. */
  reason?: string;
}

export type NoteState = 'upcoming' | 'setup' | 'active' | 'last-call' | 'closed' | 'inactive';

/** The tenders on duty, or next on duty today, and the note about the pub. */
export interface Duty {
  noteState: NoteState;
  /** Whether the pub is open, and until when. */
  note: Words;
  /** The same for a sentence, `Open until midnight`. */
  inWords: Words;
  /** The hours of the opening, with all times in digits and in words; absent when inactive. */
  hours?: { digits: Words; inWords: Words };
  /** Ids of tenders. */
  tenders: string[];
}

/** Returns the week from Sunday to Saturday around `now`. Hours past midnight belong to the day they began on. */
export function pubHoursWeek(shifts: readonly PubShift[], now: number, zone: string): PubHoursDay[] {
  const today = Temporal.PlainDate.from(localDate(now, zone));
  const sunday = today.subtract({ days: today.dayOfWeek % 7 });
  return daysFrom(sunday, 7, shifts, zone, hoursLabel).map(({ openings: _, ...day }) => day);
}

/**
 * Returns yesterday, today and the next eight days: enough for a week of hours on a screen that has been offline since
 * yesterday, and for last night's opening if it is not over.
 */
export function pubDaysAround(
  shifts: readonly PubShift[],
  specials: HoursRecords['specials'],
  now: number,
  zone: string,
): PubDay[] {
  const yesterday = Temporal.PlainDate.from(localDate(now, zone)).subtract({ days: 1 });
  return daysFrom(yesterday, 10, shifts, zone, hoursInWords).map((day) => {
    const reason = day.open ? undefined : closureOn(specials, day.date);
    return reason ? { ...day, reason } : day;
  });
}

function daysFrom(
  first: Temporal.PlainDate,
  count: number,
  shifts: readonly PubShift[],
  zone: string,
  label: (opening: Opening, zone: string) => Words,
): PubDay[] {
  const byDate = Map.groupBy(mergeOpenings(shifts), ({ opens }) => localDate(opens, zone));
  return Array.from({ length: count }, (_, index) => {
    const date = first.add({ days: index }).toString();
    const ofDay = byDate.get(date) ?? [];
    const hours = ofDay.map((opening) => forClub(label(opening, zone))).join(', ') || null;
    const openings = ofDay.map(({ opens, closes }): [string, string] => [isoTime(opens), isoTime(closes)]);
    return { date, open: hours !== null, hours, openings };
  });
}

/** Returns the duty at `now`, and until when it stays the same. */
export function dutyAt(
  shifts: readonly PubShift[],
  { now, zone, lastCallMinutes }: { now: number; zone: string; lastCallMinutes: number },
): Duty & { until: number } {
  const openings = mergeOpenings(shifts);
  const lastCall = ({ opens, closes }: Opening) => Math.max(opens, closes - lastCallMinutes * 60_000);
  const moments = openings.flatMap((opening) => [
    opening.opens,
    lastCall(opening),
    opening.closes,
    ...opening.shifts.flatMap(({ start, end }) => [start, end]),
  ]);
  const today = localDate(now, zone);
  moments.push(startOfDate(today, zone, 1)!);
  const until = Math.min(...moments.filter((moment) => moment > now));

  const current = openings.filter(({ start, end }) => start <= now && now < end);
  const open = current.find(({ opens, closes }) => opens <= now && now < closes);
  const setup = current.find(({ opens }) => now < opens);
  const later = openings.find(({ start }) => start > now && localDate(start, zone) === today);
  const closed = current.at(-1);
  const describe = (noteState: NoteState, notes: Pick<Duty, 'note' | 'inWords'>, opening: Opening) => ({
    noteState,
    ...notes,
    hours: { digits: hoursLabel(opening, zone), inWords: hoursInWords(opening, zone) },
    tenders: listTenders(opening, now),
    until,
  });

  if (open && now >= lastCall(open)) return describe('last-call', always(t('tv.feed.last_call')), open);
  if (open) {
    const at = (time: Words) => t('tv.feed.open_until', { time });
    return describe('active', timed(at, open.closes, zone), open);
  }
  if (setup) return describe('setup', always(t('tv.feed.setting_up')), setup);
  const opensAt = later && timed((time) => t('tv.feed.opens_at', { time }), later.opens, zone);
  if (closed) return describe('closed', opensAt ?? always(t('tv.feed.closed_tonight')), closed);
  if (later && opensAt) return describe('upcoming', opensAt, later);
  return { noteState: 'inactive', ...always(t('tv.feed.no_shift')), tenders: [], until };
}

/** The tenders on shift; before an opening those of its first shifts; in a gap between shifts all of them. */
function listTenders({ start, shifts }: Opening, now: number): string[] {
  const at = Math.max(now, start);
  const present = shifts.filter((shift) => shift.start <= at && at < shift.end);
  return [...new Set((present.length > 0 ? present : shifts).flatMap(({ tenders }) => tenders))];
}

/** A note without a time. */
const always = (note: Words): Pick<Duty, 'note' | 'inWords'> => ({ note, inWords: note });

/** A note about a moment. */
const timed = (note: (time: Words) => Words, at: number, zone: string): Pick<Duty, 'note' | 'inWords'> => ({
  note: note(formatTime(at, zone)),
  inWords: note(timeInWords(at, zone)),
});

const hoursLabel = ({ opens, closes }: Opening, zone: string): Words =>
  formatted((reader) => [opens, closes].map((at) => formatTime(at, zone).for(reader)).join(' – '));

/** Hours in words, `noon – 8:00 PM`. */
export const hoursInWords = ({ opens, closes }: Pick<Opening, 'opens' | 'closes'>, zone: string): Words =>
  formatted(() => spanInWords(opens, closes, zone).join(' – '));
