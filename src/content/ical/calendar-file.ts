import { DAY } from '#kernel/clock.ts';
import { CalendarZones } from './calendar-zones.ts';
import { type Component, lineOf, parseComponents, UnreadableFile } from './components.ts';
import { type Entry, isBusyOnly, readEntry, UnreadableEvent } from './entries.ts';
import type { EventFault, Fault } from './faults.ts';
import { excludedFrom, type FoundDate, ownDate, seriesDates, type Window } from './series.ts';
import { lineText } from './text.ts';
import { parseDuration, toMs } from './times.ts';
import { unfoldBytes } from './unfold.ts';

/** The content of a calendar file. */
export interface CalendarFile {
  /** The program that wrote it. */
  product: string;
  /** The refresh interval that it asks for, in milliseconds. */
  refreshMs: number | undefined;
  /** The number of VEVENTs, and how many of them could not be read, or not in full. */
  events: number;
  bad: number;
  /** Why the first few of them could not be read. */
  faults: EventFault[];
  /** Ordered by start. */
  dates: FoundDate[];
}

const FAULTS_TOLD = 3;
const TITLE_TOLD = 60;

/**
 * Reads a calendar file (RFC 5545), tolerating deviations of common programs. Leaves out private events and those that
 * only say `Busy`; counts an event that cannot be read and keeps the others.
 * @param clubZone IANA name; the zone of times without a zone
 * @param charset of the Content-Type
 * @throws UnreadableFile if the file is not a calendar or is cut off
 */
export function readCalendarFile(
  bytes: Uint8Array,
  { window, clubZone, charset }: { window: Window; clubZone: string; charset?: string | undefined },
): CalendarFile {
  const calendars = parseComponents(unfoldBytes(bytes, charset));
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
      const report = (fault: Fault) => addFault(file, entries[0]!.component, fault);
      for (const date of datesOf(entries, window, report)) file.dates.push(date);
    });
  file.dates.sort((a, b) => a.start - b.start || a.end - b.end);
  return file;
}

/** Returns the dates of all entries with one UID: several events, series and changes of their dates. */
function datesOf(entries: readonly Entry[], window: Window, report: (fault: Fault) => void): FoundDate[] {
  const alone = entries.filter(({ recurrence }) => !recurrence);
  const newest = alone.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
  const current = alone.filter(({ sequence }) => sequence === newest);
  // Some exports contain the same event twice: of those, the one edited last counts.
  const series = newestOf(current, ({ start }) => String(start.zone.toInstant(start.wall)));
  const changes = newestChanges(entries);
  const [first] = series;
  const future = first ? changes.filter(({ andFuture }) => andFuture) : [];
  // A change that is older than its series may be of a date that was removed since.
  const older = first ? changes.filter(({ sequence }) => sequence < first.sequence) : [];
  const removed = first && older.length > 0 ? older.filter(excludedFrom(first)) : [];
  const single = changes.filter((entry) => !future.includes(entry) && !removed.includes(entry));
  const dates = [
    ...series.flatMap((one) => seriesDates(one, window, future, single, report)),
    ...single.flatMap((entry) => ownDate(entry, first, window)),
  ];
  return dates.filter(({ entry }) => !(entry.isPrivate ?? first?.isPrivate) && !isBusyOnly(entry));
}

function newestChanges(entries: readonly Entry[]): Entry[] {
  return newestOf(
    entries.filter(({ recurrence }) => recurrence),
    ({ recurrence, andFuture }) => {
      const { wall, zone, isDate } = recurrence!;
      return `${isDate ? wall : zone.toInstant(wall)} ${andFuture}`;
    },
  );
}

/** Keeps of the entries with one key that with the highest SEQUENCE, then the latest edit (RFC 5546 2.1.5). */
function newestOf(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const known = newest.get(key);
    const isNewer = (than: Entry) =>
      entry.sequence - than.sequence || (entry.editedAt ?? 0) - (than.editedAt ?? 0);
    if (!known || isNewer(known) >= 0) newest.set(key, entry);
  }
  return [...newest.values()];
}

function tolerate(file: CalendarFile, component: Component, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    addFault(file, component, error instanceof UnreadableEvent ? error.fault : { is: 'event' });
  }
}

function addFault(file: CalendarFile, component: Component, fault: Fault): void {
  file.bad += 1;
  if (file.faults.length < FAULTS_TOLD) file.faults.push({ ...titleTold(component), fault });
}

/** Returns the title for a message, unless the event is private or may be a change of a private one. */
function titleTold(component: Component): { title?: string } {
  const isPublic = /^(?:PUBLIC)?$/i.test(lineOf(component, 'CLASS')?.value ?? '');
  const title = lineText(lineOf(component, 'SUMMARY')?.value).slice(0, TITLE_TOLD);
  return isPublic && title && !lineOf(component, 'RECURRENCE-ID') ? { title } : {};
}

function refreshOf(calendars: readonly Component[]): number | undefined {
  for (const calendar of calendars)
    for (const name of ['REFRESH-INTERVAL', 'X-PUBLISHED-TTL']) {
      const length = parseDuration(lineOf(calendar, name)?.value ?? '');
      if (length) return Math.min(toMs(length), DAY);
    }
  return undefined;
}
