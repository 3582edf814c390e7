import { SECOND } from '#kernel/clock.ts';
import { lineOf, numberOf, textOf, uidOf, urlOf } from './ics.ts';
import { unescapeText, unfold } from './ics-text.ts';
import type { Program } from './programme.ts';

/** The properties that an event may have; any other one was injected by a text. */
const PROPERTIES = new Set([
  'UID',
  'SEQUENCE',
  'DTSTAMP',
  'DTSTART',
  'DTEND',
  'SUMMARY',
  'LOCATION',
  'DESCRIPTION',
  'URL',
  'STATUS',
  'TRANSP',
  'LAST-MODIFIED',
  'X-MICROSOFT-CDO-ALLDAYEVENT',
  'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT',
]);

interface Property {
  value: string;
  params: string;
}

/**
 * Parses a feed and compares it with its programs, so that a broken feed never replaces a good one.
 * @returns the fault; undefined without one
 */
export function faultIn(feed: string, programs: readonly Program[], zone: string): string | undefined {
  if (!feed.endsWith('\r\nEND:VCALENDAR\r\n')) return 'it has no proper end';
  if (/[^\P{Cc}\r\n]/u.test(feed) || /\r(?!\n)|(?<!\r)\n/.test(feed)) return 'a control character is in it';
  if (feed.split('\r\n').some((line) => Buffer.byteLength(line) > 75)) return 'a line is too long';
  const events = eventsIn(unfold(feed));
  if (typeof events === 'string') return events;
  if (events.length !== programs.length) return `it has ${events.length} events of ${programs.length}`;
  for (const [index, program] of programs.entries()) {
    const fault = differenceOf(events[index]!, program, zone);
    if (fault) return `${fault} of ${program.id} is not what it should be`;
  }
  return undefined;
}

/** Returns the properties of each event by name, or the fault in the structure of the lines. */
function eventsIn(lines: string[]): Map<string, Property>[] | string {
  const events: Map<string, Property>[] = [];
  const open: string[] = [];
  for (const line of lines) {
    const [, name = '', params = '', value = ''] = /^([A-Z0-9-]+)((?:;[^:;]+)*):(.*)$/.exec(line) ?? [];
    if (name === '') return 'a line is no property';
    if (line.startsWith('BEGIN:')) {
      open.push(value);
      if (value === 'VEVENT') events.push(new Map());
    } else if (line.startsWith('END:')) {
      if (open.pop() !== value) return 'its parts are not closed in order';
    } else if (open.at(-1) === 'VEVENT') {
      if (!PROPERTIES.has(name) || events.at(-1)!.has(name)) return `it has a ${name} that is not ours`;
      events.at(-1)!.set(name, { value, params });
    }
  }
  return open.length === 0 ? events : 'its parts are not closed';
}

/** Returns the name of the first property with a wrong value. */
function differenceOf(event: Map<string, Property>, program: Program, zone: string): string | undefined {
  const text = (name: string) => unescapeText(event.get(name)?.value ?? '');
  const expected: [name: string, found: unknown, wanted: unknown][] = [
    ['UID', text('UID'), uidOf(program)],
    ['SEQUENCE', text('SEQUENCE'), String(numberOf(program))],
    ['SUMMARY', text('SUMMARY'), lineOf(program.title)],
    ['LOCATION', text('LOCATION'), lineOf(program.location)],
    ['DESCRIPTION', text('DESCRIPTION'), textOf(program.description)],
    ['URL', event.get('URL')?.value, urlOf(program)],
    ['STATUS', text('STATUS'), program.cancelled ? 'CANCELLED' : 'CONFIRMED'],
    ['DTSTART', instantOf(event.get('DTSTART'), zone), inSeconds(program.start)],
    ['DTEND', instantOf(event.get('DTEND'), zone), inSeconds(program.end)],
    ['DTSTAMP', instantOf(event.get('DTSTAMP'), zone), inSeconds(program.editedAt)],
  ];
  return expected.find(([, found, wanted]) => found !== wanted)?.[0];
}

const inSeconds = (at: number) => Math.floor(at / SECOND) * SECOND;

/** Returns the instant of a date or time; a date is read in the club's time zone. */
function instantOf(property: Property | undefined, zone: string): number | undefined {
  const { value = '', params = '' } = property ?? {};
  const tzid = /;TZID=([^;]+)/.exec(params)?.[1];
  try {
    if (value.endsWith('Z')) return Temporal.Instant.from(value).epochMilliseconds;
    if (params.includes('VALUE=DATE')) {
      return Temporal.PlainDate.from(value).toZonedDateTime(zone).epochMilliseconds;
    }
    return Temporal.PlainDateTime.from(value).toZonedDateTime(tzid ?? 'no zone').epochMilliseconds;
  } catch {
    return undefined;
  }
}
