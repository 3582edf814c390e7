import { DAY } from '#kernel/clock.ts';
import { type CalendarZones, instantOf, isMidnight, type Moment, wallOfDay } from './calendar-zones.ts';
import { type Component, lineOf, linesOf } from './components.ts';
import type { Fault } from './faults.ts';
import { blockText, lineText, unescapeValue } from './text.ts';
import { type Length, parseDuration, wallMs } from './times.ts';

/** Thrown for a VEVENT that cannot be read; the message is the reason in words. */
export class UnreadableEvent extends Error {
  readonly fault: Fault;

  constructor(is: 'change' | 'start') {
    super(is);
    this.fault = { is };
  }
}

/** A VEVENT: an event, a series, or the change of one date of a series. */
export interface Entry {
  component: Component;
  zones: CalendarZones;
  uid: string;
  start: Moment;
  /** As given in the file; undefined if it gives none. */
  length: Length | undefined;
  /** The date of the series that this entry changes. */
  recurrence: Moment | undefined;
  /** Whether it also changes all later dates. */
  andFuture: boolean;
  sequence: number;
  cancelled: boolean;
  /** Undefined if the file does not say: then as the series. */
  isPrivate: boolean | undefined;
  /** LAST-MODIFIED, else DTSTAMP, in milliseconds. */
  editedAt: number | undefined;
}

const LONGEST_DAYS = 366;
const UID_LENGTH = 1_000;

/** @throws UnreadableEvent */
export function readEntry(component: Component, zones: CalendarZones): Entry {
  const recurrenceLine = lineOf(component, 'RECURRENCE-ID');
  const recurrence = recurrenceLine && zones.read(recurrenceLine.value, recurrenceLine.params);
  if (recurrenceLine && !recurrence) throw new UnreadableEvent('change');
  // An entry that only cancels a date may have no start.
  const start = readStart(component, zones) ?? (lineOf(component, 'DTSTART') ? undefined : recurrence);
  if (!start) throw new UnreadableEvent('start');
  const uid = unescapeValue(lineOf(component, 'UID')?.value ?? '')
    .trim()
    .slice(0, UID_LENGTH);
  return {
    component,
    zones,
    uid: uid || `${instantOf(start)} ${lineText(lineOf(component, 'SUMMARY')?.value)}`,
    start,
    length: readLength(component, zones, start),
    recurrence,
    andFuture: /^THISANDFUTURE$/i.test(recurrenceLine?.params.RANGE ?? ''),
    sequence: readSequence(component),
    cancelled: /^CANCELL?ED$/i.test(lineOf(component, 'STATUS')?.value ?? ''),
    isPrivate: readPrivacy(component),
    editedAt: readEdited(component, zones),
  };
}

/**
 * Returns the length of an event. If the file gives none, a date lasts a day. By RFC 5545 (3.6.1) a time then ends when
 * it starts, which says no more than that its end is open: undefined.
 */
export const lengthOf = ({ length, start }: Entry, series?: Entry): Length | undefined =>
  length ?? series?.length ?? (start.isDate ? { days: 1, ms: 0 } : undefined);

/** Whether the entry only says that somebody is busy, without details. */
export const isBusyOnly = ({ component }: Entry): boolean =>
  /^busy$/i.test(lineText(lineOf(component, 'SUMMARY')?.value)) &&
  blockText(lineOf(component, 'DESCRIPTION')?.value) === '';

function readStart(component: Component, zones: CalendarZones): Moment | undefined {
  for (const { value, params } of linesOf(component, 'DTSTART')) {
    const start = zones.read(value, params);
    if (!start) continue;
    const wall = wallOfDay(start, zones.club);
    return isMarkedWholeDay(component) && isMidnight(wall) ? zones.dateOf(wall) : start;
  }
  return undefined;
}

/** Outlook also writes all-day events as times from midnight to midnight, and marks them. */
const isMarkedWholeDay = (component: Component): boolean =>
  /^TRUE$/i.test(lineOf(component, 'X-MICROSOFT-CDO-ALLDAYEVENT')?.value ?? '');

function readLength(component: Component, zones: CalendarZones, start: Moment): Length | undefined {
  const line = lineOf(component, 'DTEND');
  const end = line && zones.read(line.value, line.params, start.zone);
  if (!end) {
    const length = parseDuration(lineOf(component, 'DURATION')?.value ?? '');
    if (!length || length.days > LONGEST_DAYS || length.ms > LONGEST_DAYS * DAY) return undefined;
    return start.isDate ? { days: length.days + Math.ceil(length.ms / DAY), ms: 0 } : length;
  }
  if (start.isDate) {
    const days = Math.ceil((wallMs(wallOfDay(end, zones.club)) - wallMs(start.wall)) / DAY);
    return days > 0 && days <= LONGEST_DAYS ? { days, ms: 0 } : undefined;
  }
  const ms = (end.isDate ? start.zone.toInstant(end.wall) : instantOf(end)) - instantOf(start);
  return ms > 0 && ms <= LONGEST_DAYS * DAY ? { days: 0, ms } : undefined;
}

function readSequence(component: Component): number {
  const text = lineOf(component, 'SEQUENCE')?.value ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** Unknown classes are treated as private (RFC 5545 3.8.1.3). */
function readPrivacy(component: Component): boolean | undefined {
  const value = lineOf(component, 'CLASS')?.value;
  return value ? !/^PUBLIC$/i.test(value) : undefined;
}

function readEdited(component: Component, zones: CalendarZones): number | undefined {
  for (const name of ['LAST-MODIFIED', 'DTSTAMP']) {
    const line = lineOf(component, name);
    const at = line && zones.read(line.value, line.params);
    if (at) return instantOf(at);
  }
  return undefined;
}
