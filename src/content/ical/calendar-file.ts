import { DAY } from '#kernel/clock.ts';
import { CalendarZones } from './calendar-zones.ts';
import { type Component, lineOf, parseComponents, UnreadableFile } from './components.ts';
import { type Entry, isBusyOnly, readEntry, UnreadableEvent } from './entries.ts';
import { RuleRefused } from './rules.ts';
import { type FoundDate, ownDate, seriesDates, type Window } from './series.ts';
import { lineText } from './text.ts';
import { parseDuration, toMs } from './times.ts';
import { unfoldBytes } from './unfold.ts';

/** The content of a calendar file. */
export interface CalendarFile {
  /** The program that wrote it. */
  product: string;
  /** The refresh interval that it asks for, in milliseconds. */
  refreshMs: number | undefined;
  /** The number of VEVENTs, and how many of them could not be read. */
  events: number;
  bad: number;
  /** The reasons for the first few unreadable ones, in words. */
  faults: string[];
  /** Ordered by start. */
  dates: FoundDate[];
}

const FAULTS_TOLD = 3;
const TITLE_TOLD = 60;

/**
 * Reads a calendar file (RFC 5545), tolerating deviations of common programs. Leaves out private events and those that
 * only say `Busy`; counts an event that cannot be read and keeps the others.
 * @param clubZone IANA name; the zone of times without a zone
 * @throws UnreadableFile if the file is not a calendar or is cut off
 */
export function readCalendarFile(
  bytes: Uint8Array,
  { window, clubZone }: { window: Window; clubZone: string },
): CalendarFile {
  const calendars = parseComponents(unfoldBytes(bytes));
  const file: CalendarFile = {
    product: lineText(calendars.map((one) => lineOf(one, 'PRODID')?.value ?? '').find(Boolean)),
    refreshMs: refreshOf(calendars),
    events: 0,
    bad: 0,
    faults: [],
    dates: [],
  };
  const byUid = new Map<string, Entry[]>();
  for (const calendar of calendars) {
    const zones = new CalendarZones(calendar, clubZone, window);
    for (const component of calendar.parts) {
      if (component.name !== 'VEVENT') continue;
      file.events += 1;
      tolerate(file, component, () => {
        const entry = readEntry(component, zones);
        const same = byUid.get(entry.uid);
        if (same) same.push(entry);
        else byUid.set(entry.uid, [entry]);
      });
    }
  }
  for (const entries of byUid.values())
    tolerate(file, entries[0]!.component, () => {
      for (const date of datesOf(entries, window)) file.dates.push(date);
    });
  file.dates.sort((a, b) => a.start - b.start || a.end - b.end);
  return file;
}

/** Returns the dates of all entries with one UID: several events, series and changes of their dates. */
function datesOf(entries: readonly Entry[], window: Window): FoundDate[] {
  const alone = entries.filter(({ recurrence }) => !recurrence);
  const newest = alone.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
  const starts = new Set<number>();
  const series = alone.filter(({ sequence, start }) => {
    if (sequence !== newest) return false;
    // Some exports contain the same event twice.
    const at = start.zone.toInstant(start.wall);
    return !starts.has(at) && starts.add(at);
  });
  const changes = newestChanges(entries);
  const [first] = series;
  const future = first ? changes.filter(({ andFuture }) => andFuture) : [];
  const single = changes.filter((entry) => !future.includes(entry));
  const dates = [
    ...series.flatMap((one) => seriesDates(one, window, future, single)),
    ...single.flatMap((entry) => ownDate(entry, first, window)),
  ];
  return dates.filter(({ entry }) => !(entry.isPrivate ?? first?.isPrivate) && !isBusyOnly(entry));
}

/** Keeps, for each date, the change with the highest SEQUENCE; among equals the last. */
function newestChanges(entries: readonly Entry[]): Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    if (!entry.recurrence) continue;
    const { wall, zone, isDate } = entry.recurrence;
    const key = `${isDate ? wall : zone.toInstant(wall)} ${entry.andFuture}`;
    const known = newest.get(key);
    if (!known || known.sequence <= entry.sequence) newest.set(key, entry);
  }
  return [...newest.values()];
}

function tolerate(file: CalendarFile, component: Component, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    file.bad += 1;
    if (file.faults.length >= FAULTS_TOLD) return;
    const known = error instanceof UnreadableEvent || error instanceof RuleRefused;
    file.faults.push(`${titleTold(component)}: ${known ? error.message : 'it cannot be read'}`);
  }
}

/** Returns the title for a message, unless the event is private or may be a change of a private one. */
function titleTold(component: Component): string {
  const isPublic = /^(?:PUBLIC)?$/i.test(lineOf(component, 'CLASS')?.value ?? '');
  const title = lineText(lineOf(component, 'SUMMARY')?.value).slice(0, TITLE_TOLD);
  return isPublic && title && !lineOf(component, 'RECURRENCE-ID') ? `“${title}”` : 'An event';
}

function refreshOf(calendars: readonly Component[]): number | undefined {
  for (const calendar of calendars)
    for (const name of ['REFRESH-INTERVAL', 'X-PUBLISHED-TTL']) {
      const length = parseDuration(lineOf(calendar, name)?.value ?? '');
      if (length) return Math.min(toMs(length), DAY);
    }
  return undefined;
}
