import { daysAfter } from '#content/recurrence/dates.ts';
import { shorten } from '#kernel/text.ts';
import { isSeries } from './body.ts';
import { type CalendarEntry, calendarEntriesOf, type DateWindow, type EventRecord } from './shown.ts';

/** Some calendar programs drop events from larger files (above about 1,100 events or 1 MB). */
const FEED = { events: 900, bytes: 900_000 };
const DAYS = { back: 30, ahead: 400 };
/** Maximum description length, in characters, when not all dates fit. */
const SHORT_DESCRIPTION = 500;
/** Reserved for the calendar's own lines and its time zone. */
const FRAME_BYTES = 10_000;
/** The maximum number and size, in bytes, of all entries. */
export const FEED_ROOM = { events: FEED.events, bytes: FEED.bytes - FRAME_BYTES };

/** The part of the club's own events that goes into the calendar. */
export interface CalendarContent {
  entries: CalendarEntry[];
  /** The number of days from today for which it has the dates of series; null if there are no series. */
  horizon: number | null;
}

/**
 * Returns a function that lists all dates of an event that can be in the calendar, if there is room for them.
 * @param window for the starts of single events
 */
export function candidateEntries({
  today,
  window,
  house,
}: {
  today: string;
  window: DateWindow;
  house: string;
}): (record: EventRecord) => CalendarEntry[] {
  const widest = { from: daysAfter(today, -DAYS.back), until: daysAfter(today, DAYS.ahead) };
  return (record) => calendarEntriesOf(record, isSeries(record.body) ? widest : window, house);
}

/**
 * Returns the entries of the club's own events. Single events are all included. Dates of series are included for as
 * many days ahead as fit, at most 400, the same number for every series; descriptions are shortened first.
 * @param others the other entries of the calendar
 * @param entriesOf see `candidateEntries`
 */
export function fillCalendar(
  records: readonly EventRecord[],
  others: readonly CalendarEntry[],
  {
    today,
    house,
    entriesOf,
  }: { today: string; house: string; entriesOf: (record: EventRecord) => CalendarEntry[] },
): CalendarContent {
  const [series, single] = [true, false].map((kind) => records.filter(({ body }) => isSeries(body) === kind));
  const singles = single!.flatMap(entriesOf);
  const all = series!.flatMap(entriesOf);
  if (series!.length === 0) return { entries: singles, horizon: null };
  const taken = [...others, ...singles];
  const room = {
    events: FEED_ROOM.events - taken.length,
    bytes: FEED_ROOM.bytes - sum(taken.map(bytesOf)),
  };
  const fits = (sizes: readonly number[]) => sizes.length <= room.events && sum(sizes) <= room.bytes;
  if (fits(all.map(bytesOf))) return { entries: [...singles, ...all], horizon: DAYS.ahead };

  const short = all.map((entry) => ({
    ...entry,
    description: shorten(entry.description, SHORT_DESCRIPTION),
  }));
  const sized = short.map((entry) => ({ entry, size: bytesOf(entry) }));
  const reach = (days: number) => {
    const from = startOf(daysAfter(today, -Math.min(days, DAYS.back)), house);
    const until = startOf(daysAfter(today, days + 1), house);
    return sized.filter(({ entry: { start } }) => start >= from && start < until);
  };
  let [horizon, tooFar] = [-1, DAYS.ahead + 1];
  while (tooFar - horizon > 1) {
    const days = Math.floor((horizon + tooFar) / 2);
    if (fits(reach(days).map(({ size }) => size))) horizon = days;
    else tooFar = days;
  }
  const kept = horizon < 0 ? [] : reach(horizon).map(({ entry }) => entry);
  return { entries: [...singles, ...kept], horizon: Math.max(horizon, 0) };
}

/** Returns an upper bound of an entry's size in the file: its texts, escaped and folded, and its other lines. */
export function bytesOf({ id, title, location, description, url }: CalendarEntry): number {
  const texts = [id, title, location, description, url ?? ''].join('');
  const octets = Buffer.byteLength(texts) + (texts.match(/[\\;,\n]/g)?.length ?? 0);
  return 480 + Math.ceil((octets * 78) / 74);
}

const startOf = (date: string, zone: string) =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
