import { daysAfter } from '../recurrence/dates.ts';
import { isSeries } from './body.ts';
import { type CalendarEntry, calendarEntriesOf, type DateWindow, type EventRecord } from './shown.ts';

/** Some calendars lose events of a longer file (above about 1,100 events or 1 MB). */
const FEED = { events: 900, bytes: 900_000 };
const DAYS = { back: 30, ahead: 400 };
/** A description may have so many characters where not all dates fit. */
const SHORT_DESCRIPTION = 500;
/** The calendar's own lines and its time zone. */
const FRAME_BYTES = 10_000;
/** What the entries may take, in numbers and in octets. */
export const FEED_ROOM = { events: FEED.events, bytes: FEED.bytes - FRAME_BYTES };

/** What of the club's own events goes into the calendar. */
export interface CalendarContent {
  entries: CalendarEntry[];
  /** For so many days from today the dates of series are in it; null while there are no series. */
  horizon: number | null;
}

/**
 * What an event may bring into the calendar: its dates in all the days that it reaches, if there is room.
 * @param window of starts, for single events
 */
export function possibleEntries({
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
 * The entries of the club's own events. Single ones are all there; the dates of series reach as many days ahead, 400 at
 * most, as the file can hold, all series alike. Descriptions of series are cut before dates are left out.
 * @param others what else is in the calendar
 * @param entriesOf see `possibleEntries`
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

  const short = all.map((entry) => ({ ...entry, description: shorten(entry.description) }));
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

/** No less than what an entry takes in the file: its texts, with what escaping and folding add, and its other lines. */
export function bytesOf({ id, title, location, description, url }: CalendarEntry): number {
  const texts = [id, title, location, description, url ?? ''].join('');
  const octets = Buffer.byteLength(texts) + (texts.match(/[\\;,\n]/g)?.length ?? 0);
  return 480 + Math.ceil((octets * 78) / 74);
}

function shorten(text: string): string {
  if (text.length <= SHORT_DESCRIPTION) return text;
  const cut = text.slice(0, SHORT_DESCRIPTION - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}…`;
}

const startOf = (date: string, zone: string) =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
