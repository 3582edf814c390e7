import { DAY } from '#kernel/clock.ts';
import { OPEN_END } from '#kernel/workspace/event-times.ts';
import { dayOf, instantOf, type Moment, wallIn } from './calendar-zones.ts';
import { linesOf } from './components.ts';
import { type Entry, lengthOf } from './entries.ts';
import type { Fault } from './faults.ts';
import { expandRule, RuleRefused } from './rules.ts';
import { type Length, parseDuration, type WrittenTime, wallMs } from './times.ts';
import { UTC } from './zones.ts';

/** The events to read: those that start from `from` to `until`, series from `seriesFrom`; in milliseconds. */
export interface Window {
  from: number;
  seriesFrom: number;
  until: number;
}

/** One date of an event. */
export interface FoundDate {
  /** The entry that has its texts. */
  entry: Entry;
  /** The wall-clock time in the series that it replaces; unchanged when the date is moved. */
  original: Temporal.PlainDateTime;
  start: number;
  end: number;
  /** Present only when the file gives no end. */
  openEnded?: true;
  cancelled: boolean;
}

/** Enough for two dates a day in the longest window. */
const DATES_A_SERIES = 1_000;
const RULES_AT_MOST = 10;
/** The most extra dates, and the most exceptions, of one series. */
const LISTED_AT_MOST = 5_000;
const WIDEST_SHIFT = 366 * DAY;

/**
 * Returns the dates of a series, or of a single event.
 * @param future changes that apply from a date on
 * @param replaced the entries that each replace one date
 * @param report is called with the reason if some of the dates are missing
 */
export function seriesDates(
  series: Entry,
  window: Window,
  future: readonly Entry[],
  replaced: readonly Entry[],
  report: (fault: Fault) => void,
): FoundDate[] {
  const { start } = series;
  const shifts = future
    .map((entry) => ({ entry, from: entry.recurrence!, ...shiftOf(series, entry) }))
    .sort((a, b) => instantOf(a.from) - instantOf(b.from));
  const widest = Math.max(0, ...shifts.map(({ ms }) => Math.abs(ms)));
  const isReplaced = matcher(
    series,
    replaced.map(({ recurrence }) => recurrence!),
  );
  const dates = [...expand(series, window, widest, report)]
    .filter(([, { wall }]) => !isReplaced(wall))
    .map(([, { wall, length }]): FoundDate => {
      const shift = shifts.findLast(({ from }) => isFrom(series, wall, from));
      const entry = shift?.entry ?? series;
      const moved = shift ? wall.add({ milliseconds: shift.ms }) : wall;
      const span = length ?? lengthOf(entry, series);
      return { entry, original: wall, ...spanOf(start, moved, span), cancelled: entry.cancelled };
    });
  const shown = dates
    .filter((date) => date.start >= window.from && date.start < window.until)
    .sort((a, b) => a.start - b.start);
  if (shown.length > DATES_A_SERIES) report({ is: 'too_many', most: DATES_A_SERIES });
  return shown.slice(0, DATES_A_SERIES);
}

/** Returns whether a series excludes the date that an entry changes. */
export function excludedFrom(series: Entry): (change: Entry) => boolean {
  const isExcepted = matcher(series, listMoments(series, 'EXDATE'));
  return ({ recurrence }) => isExcepted(wallIn(series.start.zone, recurrence!));
}

/** Returns the date of an entry that changes one date of a series; the series itself may be missing. */
export function ownDate(entry: Entry, series: Entry | undefined, window: Window): FoundDate[] {
  const original = wallIn(series?.start.zone ?? entry.start.zone, entry.recurrence!);
  const date = {
    entry,
    original,
    ...spanOf(entry.start, entry.start.wall, lengthOf(entry, series)),
    cancelled: entry.cancelled || (series?.cancelled ?? false),
  };
  return date.start >= window.from && date.start < window.until ? [date] : [];
}

function spanOf(
  { zone, isDate }: Moment,
  wall: Temporal.PlainDateTime,
  length: Length | undefined,
): { start: number; end: number; openEnded?: true } {
  const start = zone.toInstant(wall);
  if (!length) return { start, end: start + OPEN_END, openEnded: true };
  const { days, ms } = length;
  // An all-day event ends where the next day begins, even if a clock change skips that midnight.
  const end = zone.toInstant(wall.add({ days })) + (isDate ? 0 : ms);
  return { start, end };
}

type Walls = Map<number, { wall: Temporal.PlainDateTime; length?: Length | undefined }>;

function expand(series: Entry, window: Window, widest: number, report: (fault: Fault) => void): Walls {
  const { component, start, zones } = series;
  const { zone } = start;
  const walls = followRules(series, window, widest, report);
  let listed = 0;
  for (const { value, params } of linesOf(component, 'RDATE')) {
    for (const text of value.split(',', LISTED_AT_MOST - listed)) {
      listed += 1;
      const [first = '', second = ''] = text.split('/');
      const moment = zones.read(first, params, zone);
      if (!moment) continue;
      const wall = start.isDate ? moment.wall.with({ hour: 0, minute: 0, second: 0 }) : wallIn(zone, moment);
      walls.set(wallMs(wall), { wall, length: periodLength(series, moment, second) });
    }
  }
  const isExcepted = matcher(series, listMoments(series, 'EXDATE'));
  for (const [key, { wall }] of walls) if (isExcepted(wall)) walls.delete(key);
  return walls;
}

/** Returns the dates of RRULE without those of EXRULE; the start alone without a rule that can be followed. */
function followRules(series: Entry, window: Window, widest: number, report: (fault: Fault) => void): Walls {
  const { component, start } = series;
  const startAlone: Walls = new Map([[wallMs(start.wall), { wall: start.wall }]]);
  const rulesOf = (name: string) =>
    // Some programs write a rule without content for a single event.
    linesOf(component, name)
      .filter(({ value }) => value.includes('='))
      .slice(0, RULES_AT_MOST);
  const rules = rulesOf('RRULE');
  if (rules.length === 0) return startAlone;
  const range: [Temporal.PlainDateTime, Temporal.PlainDateTime] = [
    start.zone.toWall(window.seriesFrom - widest - DAY),
    start.zone.toWall(window.until + widest + DAY),
  ];
  const datesOf = ({ value }: { value: string }) =>
    expandRule(value, start.wall, range, (until) => lastWallOf(series, until));
  try {
    const found = rules.map(datesOf).filter((dates) => dates !== undefined);
    const walls: Walls = found.length > 0 ? startAlone : new Map();
    for (const wall of found.flat()) walls.set(wallMs(wall), { wall });
    for (const wall of rulesOf('EXRULE').flatMap((rule) => datesOf(rule) ?? [])) walls.delete(wallMs(wall));
    return walls;
  } catch (error) {
    if (!(error instanceof RuleRefused)) throw error;
    report({ is: 'rule', why: error.why, part: error.part });
    return new Map([[wallMs(start.wall), { wall: start.wall }]]);
  }
}

/** Returns the length of a PERIOD, whose end is a time or a duration. */
function periodLength({ start, zones }: Entry, from: Moment, text: string): Length | undefined {
  if (text === '' || start.isDate) return undefined;
  const end = zones.read(text, {}, from.zone);
  if (!end) return parseDuration(text);
  const ms = instantOf(end) - instantOf(from);
  return ms > 0 && ms <= WIDEST_SHIFT ? { days: 0, ms } : undefined;
}

function listMoments({ component, start, zones }: Entry, name: string): Moment[] {
  const moments: Moment[] = [];
  for (const { value, params } of linesOf(component, name))
    for (const text of value.split(',', LISTED_AT_MOST - moments.length)) {
      const moment = zones.read(text, params, start.zone);
      if (moment) moments.push(moment);
    }
  return moments;
}

/** Returns a function that matches wall-clock times against moments: by instant, or by day if either is a date. */
function matcher(
  { start, zones }: Entry,
  moments: readonly Moment[],
): (wall: Temporal.PlainDateTime) => boolean {
  const instants = new Set<number>();
  const days = new Set<string>();
  for (const moment of moments) {
    if (start.isDate || moment.isDate) days.add(dayOf(moment, zones.club));
    else instants.add(instantOf(moment));
  }
  return (wall) =>
    (days.size > 0 && days.has(wall.toPlainDate().toString())) ||
    (instants.size > 0 && instants.has(start.zone.toInstant(wall)));
}

function isFrom({ start, zones }: Entry, wall: Temporal.PlainDateTime, from: Moment): boolean {
  if (start.isDate || from.isDate) return wall.toPlainDate().toString() >= dayOf(from, zones.club);
  return start.zone.toInstant(wall) >= instantOf(from);
}

/** Returns how far a change moves the dates after it. */
function shiftOf({ start }: Entry, { start: moved, recurrence }: Entry): { ms: number } {
  const from = wallIn(start.zone, recurrence!);
  const to = wallIn(start.zone, moved);
  const ms = wallMs(to) - wallMs(recurrence!.isDate && !start.isDate ? to.with(dateOf(from)) : from);
  return { ms: Math.abs(ms) <= WIDEST_SHIFT ? ms : 0 };
}

const dateOf = ({ year, month, day }: Temporal.PlainDateTime) => ({ year, month, day });

/** Converts UNTIL, in any of its notations, to the last wall-clock time of a series. */
function lastWallOf({ start, zones }: Entry, until: WrittenTime): Temporal.PlainDateTime {
  const { zone } = start;
  const moment = { wall: until.wall, isDate: until.isDate, zone: until.isUtc ? UTC : zone };
  if (start.isDate) return Temporal.PlainDate.from(dayOf(moment, zones.club)).toPlainDateTime();
  if (until.isDate) return until.wall.with({ hour: 23, minute: 59, second: 59 });
  return until.isUtc ? zone.toWall(instantOf(moment)) : until.wall;
}
