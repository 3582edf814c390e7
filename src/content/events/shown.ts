import { listDates } from '#content/recurrence/dates.ts';
import { type EventBody, isSeries } from './body.ts';
import { type EventDate, listEventDates, toEventDate } from './dates.ts';
import type { OpenEnded } from './times.ts';

/** A published event. */
export interface EventRecord {
  id: string;
  /** The prefix of the calendar ids of its dates; both parts of a split series have the same one. */
  uid_base: string;
  body: EventBody;
}

/** An event for the screens, with more details for its page; times in milliseconds. */
export interface ScreenEvent {
  /** The same as in the calendar. */
  id: string;
  title: string;
  /** The title without the word “Cancelled”. */
  name: string;
  start: number;
  end: number;
  allDay: boolean;
  openEnded?: OpenEnded | undefined;
  rcTag: EventBody['tag'];
  place: string;
  description: string;
  url: string | null;
  editedAt: number;
  cancelled?: true;
  /** If it has a picture: the picture's id, and the id of the event under which it is served. */
  picture?: { id: string; of: string };
}

/** Returns the path of an event's page, by its id in the calendar. */
export const eventPath = (id: string): string => `/events/${encodeURIComponent(id)}`;

/** An entry of the members' calendar; times in milliseconds. */
export interface CalendarEntry {
  id: string;
  title: string;
  start: number;
  end: number;
  allDay: boolean;
  openEnded?: OpenEnded | undefined;
  location: string;
  description: string;
  url: string | null;
  cancelled: boolean;
  editedAt: number;
}

/** Local dates, both inclusive. */
export interface DateWindow {
  from: string;
  until: string;
}

/** Whether a row of the workspace takes place in the pub. For the club's own events their tick alone decides. */
export const isInPub = (place: string): boolean => /pub/i.test(place);

/** Returns an event's dates that start in a window, for the screens. */
export function screenEventsOf(record: EventRecord, window: DateWindow, house: string): ScreenEvent[] {
  const { body } = record;
  return body.in_pub ? datesOf(body, window, house).map((date) => toScreenEvent(record, date)) : [];
}

/** Enough for two that take place, also where some are cancelled or over. */
const ANNOUNCED_DATES = 12;

/** Returns the dates of an announced event from the local date `from` on, for the screens; none if it is not announced. */
export function announcedDatesOf(record: EventRecord, from: string, house: string): ScreenEvent[] {
  const { body } = record;
  if (!body.in_pub || body.announce_from === null) return [];
  const dates = isSeries(body)
    ? nextDates(body, from, ANNOUNCED_DATES, house)
    : datesOf(body, { from, until: body.date }, house);
  return dates.map((date) => toScreenEvent(record, date));
}

function toScreenEvent(record: EventRecord, date: EventDate): ScreenEvent {
  const { tag, picture } = record.body;
  const { location: place, cancelled, title: name, ...entry } = toEntry(record, date);
  return {
    ...entry,
    name,
    place,
    rcTag: tag,
    title: name,
    ...(cancelled && { cancelled }),
    ...(picture !== null && { picture: { id: picture, of: record.id } }),
  };
}

/** Returns an event's dates that start in a window, for the calendar; each date of a series has its own id. */
export function calendarEntriesOf(record: EventRecord, window: DateWindow, house: string): CalendarEntry[] {
  const { body } = record;
  return body.in_calendar ? datesOf(body, window, house).map((date) => toEntry(record, date)) : [];
}

function toEntry({ body, uid_base }: EventRecord, date: EventDate): CalendarEntry {
  return {
    id: isSeries(body) ? `${uid_base}-${date.original.replaceAll('-', '')}` : uid_base,
    title: date.title,
    start: date.start,
    end: date.end,
    allDay: date.allDay,
    ...(date.openEnded && { openEnded: body.in_pub ? 'pub' : 'elsewhere' }),
    location: date.place,
    description: [date.note, body.description].filter(Boolean).join('\n\n'),
    url: body.url || null,
    cancelled: date.cancelled,
    editedAt: date.stamp,
  };
}

/** Returns the next dates of an event, moved and cancelled ones included, for the preview of a form. */
export function nextDates(body: EventBody, from: string, count: number, house: string): EventDate[] {
  const start = Temporal.PlainDate.from(from);
  for (const years of [1, 11]) {
    const until = start.add({ years }).toString();
    const found = listEventDates(body, from, until, house);
    if (found.length >= count || years > 1) return found.slice(0, count);
  }
  return [];
}

/** Returns the dates of an event that begin within a window. */
export function datesOf(body: EventBody, { from, until }: DateWindow, house: string): EventDate[] {
  if (isSeries(body)) return listEventDates(body, from, until, house);
  const [only] = listDates(body, from, until);
  return only === undefined ? [] : [toEventDate(body, only, house)];
}
