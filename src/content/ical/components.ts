import type { FileFault } from './faults.ts';
import { type Line, nameOf, parseLine } from './lines.ts';

/** A part of a calendar file: VCALENDAR, VTIMEZONE, STANDARD, DAYLIGHT or VEVENT. */
export interface Component {
  name: string;
  lines: Line[];
  parts: Component[];
}

/** The properties that are read from each component; all others are skipped. */
const READ: Record<string, Set<string>> = {
  VCALENDAR: new Set(['PRODID', 'X-WR-TIMEZONE', 'REFRESH-INTERVAL', 'X-PUBLISHED-TTL']),
  VTIMEZONE: new Set(['TZID']),
  STANDARD: new Set(['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE']),
  DAYLIGHT: new Set(['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO', 'RRULE', 'RDATE']),
  VEVENT: new Set([
    ...['UID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXRULE', 'EXDATE', 'RECURRENCE-ID'],
    ...['SUMMARY', 'LOCATION', 'DESCRIPTION', 'URL', 'CATEGORIES', 'CLASS', 'STATUS', 'SEQUENCE'],
    ...['LAST-MODIFIED', 'DTSTAMP', 'X-MICROSOFT-CDO-ALLDAYEVENT'],
  ]),
};
const INSIDE_CALENDAR = new Set(['VEVENT', 'VTIMEZONE']);
const DEEPEST = 100;
/** The most lines that are read from one component. */
const LINES_AT_MOST = 2_000;

/** Why a file cannot be read as a whole, in words that follow "it". */
export class UnreadableFile extends Error {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(fault);
    this.fault = fault;
  }
}

/**
 * Parses the calendars of a file.
 * @throws UnreadableFile if it is not a calendar, or cut off: missing events would look as if they had been removed
 */
export function parseComponents(lines: readonly string[]): Component[] {
  const calendars: Component[] = [];
  let open: Component[] = [];
  for (const line of lines) {
    const name = nameOf(line);
    if (/^BEGIN:/i.test(line)) {
      const component: Component = { name: line.slice(6).trim().toUpperCase(), lines: [], parts: [] };
      // Closes an open component whose END line is missing.
      if (INSIDE_CALENDAR.has(component.name))
        open = open.filter((one) => one.name === 'VCALENDAR').slice(-1);
      if (component.name === 'VCALENDAR') calendars.push(component);
      else open.at(-1)?.parts.push(component);
      open.push(component);
      if (open.length > DEEPEST) throw new UnreadableFile('nested');
    } else if (/^END:/i.test(line)) {
      const ended = line.slice(4).trim().toUpperCase();
      const at = open.findLastIndex((one) => one.name === ended);
      if (at >= 0) open = open.slice(0, at);
    } else if (name !== undefined) {
      const of = open.at(-1);
      if (!of || of.lines.length >= LINES_AT_MOST || !READ[of.name]?.has(name)) continue;
      const parsed = parseLine(line, name);
      if (parsed) of.lines.push(parsed);
    }
  }
  if (calendars.length === 0) throw new UnreadableFile('not_calendar');
  if (open.some((one) => one.name === 'VCALENDAR')) throw new UnreadableFile('cut_off');
  return calendars;
}

/** Returns the first line with this name. */
export const lineOf = (component: Component, name: string): Line | undefined =>
  component.lines.find((line) => line.name === name);

/** Returns all lines with this name. */
export const linesOf = (component: Component, name: string): Line[] =>
  component.lines.filter((line) => line.name === name);
