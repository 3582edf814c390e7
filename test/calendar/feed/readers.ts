// Reads a feed with two independent parsers.
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import type { Program } from '#calendar/feed/programme.ts';
import { DAY, HOUR } from '#kernel/clock.ts';

/** An event as a parser read it; an all-day event has dates such as `2026-12-05`. */
export interface ReadEvent {
  uid: string;
  summary: string;
  description: string;
  location: string;
  url: string | undefined;
  start: number | string;
  end: number | string;
  cancelled: boolean;
}

export function readWithIcalJs(feed: string): ReadEvent[] {
  const calendar = new ICAL.Component(ICAL.parse(feed));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const at = (time: ICAL.Time) => (time.isDate ? time.toString() : time.toUnixTime() * 1_000);
    const url = component.getFirstPropertyValue('url');
    return {
      uid: event.uid,
      summary: event.summary,
      description: event.description ?? '',
      location: event.location ?? '',
      url: url === null ? undefined : String(url),
      start: at(event.startDate),
      end: at(event.endDate),
      cancelled: component.getFirstPropertyValue('status') === 'CANCELLED',
    };
  });
}

export function readWithNodeIcal(feed: string): ReadEvent[] {
  const found = Object.values(nodeIcal.sync.parseICS(feed));
  return found.flatMap((event) => {
    if (event?.type !== 'VEVENT') return [];
    const text = (value: unknown) =>
      typeof value === 'object' && value !== null && 'val' in value ? String(value.val) : String(value ?? '');
    // The parser returns a date as midnight in the time zone of this machine.
    const at = (date: Date) => (event.datetype === 'date' ? localDay(date) : date.getTime());
    return [
      {
        uid: event.uid,
        summary: text(event.summary),
        description: text(event.description),
        location: text(event.location),
        url: event.url === undefined ? undefined : text(event.url),
        start: at(event.start),
        end: at(event.end!),
        cancelled: event.status === 'CANCELLED',
      },
    ];
  });
}

/** The event that a parser should read for a program. */
export function expected(program: Program, zone: string): ReadEvent {
  const { id, title, description, location, url, start, end, allDay, cancelled } = program;
  const at = (ms: number) =>
    allDay
      ? Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString()
      : ms;
  const times = { start: at(start), end: at(end) };
  return {
    uid: `${id}@publichouse`,
    summary: title,
    description,
    location,
    url: url ?? undefined,
    ...times,
    cancelled,
  };
}

/** A program with default values, overridden by `fields`. */
export function program(fields: Partial<Program> = {}): Program {
  const start = fields.start ?? Date.UTC(2026, 10, 28);
  return {
    id: 'a0',
    title: 'Quiz night',
    start,
    end: start + (fields.allDay ? DAY : 3 * HOUR),
    allDay: false,
    location: 'The back room',
    description: 'Teams of four.',
    url: 'https://club.example/quiz',
    cancelled: false,
    editedAt: Date.UTC(2026, 10, 20, 12),
    ...fields,
  };
}

function localDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
