import { DAY } from '#kernel/clock.ts';
import { CalendarZones } from './calendar-zones.ts';
import { type Component, lineOf, parseComponents, UnreadableFile } from './components.ts';
import { type Entry, isBusyOnly, readEntry, UnreadableEvent } from './entries.ts';
import { RuleRefused } from './rules.ts';
import { type FoundDate, ownDate, seriesDates, type Window } from './series.ts';
import { lineText } from './text.ts';
import { parseDuration, toMs } from './times.ts';
import { unfoldBytes } from './unfold.ts';

/** What a calendar file holds. */
export interface CalendarFile {
  /** The program that wrote it. */
  product: string;
  /** How often it asks to be read, in milliseconds. */
  refreshMs: number | undefined;
  /** VEVENTs in it, and how many of them could not be read. */
  events: number;
  bad: number;
  /** Why, in words, of the first few. */
  faults: string[];
  /** In the order of their start. */
  dates: FoundDate[];
}

const FAULTS_TOLD = 3;
const TITLE_TOLD = 60;

/**
 * Reads a calendar file (RFC 5545) as the programs of the world write it. Private events and those that only say
 * `Busy` are left out; an event that cannot be read is counted, and the others stay.
 * @param clubZone IANA name; the zone of times that name none
 * @throws UnreadableFile where the file is no calendar or is cut off
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

/** The dates of all entries with one UID, which may be several events, series and changes of their dates. */
function datesOf(entries: readonly Entry[], window: Window): FoundDate[] {
  const alone = entries.filter(({ recurrence }) => !recurrence);
  const newest = alone.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
  const starts = new Set<number>();
  const series = alone.filter(({ sequence, start }) => {
    if (sequence !== newest) return false;
    // The same event twice, as some exports have it.
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

/** Of several changes of one date that with the highest SEQUENCE; of equals the last. */
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

/** The title for a message, unless the event is private or may be a change of a private one. */
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
