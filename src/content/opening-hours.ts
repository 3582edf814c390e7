import type { HoursBody } from './kinds/hours.ts';
import type { RosterBody } from './kinds/roster.ts';
import type { SpecialBody } from './kinds/special.ts';
import { WEEKDAYS } from './records/fields.ts';
import type { Published } from './records/published.ts';

/** A shift in milliseconds: when tenders work, and when the pub is open. */
export interface OpenShift {
  start: number;
  end: number;
  opens: number;
  closes: number;
  /** Ids of tenders. */
  tenders: string[];
}

/** The published records that opening hours come from. */
export interface HoursRecords {
  hours: readonly Published<HoursBody>[];
  specials: readonly Published<SpecialBody>[];
  rosters: readonly Published<RosterBody>[];
}

/** When tenders work, independent of the opening hours. */
type Crew = Pick<OpenShift, 'start' | 'end' | 'tenders'>;

interface Range {
  opens: string;
  closes: string;
  before?: number | undefined;
  after?: number | undefined;
  tenders?: string[] | undefined;
}

const MINUTE_MS = 60_000;

/** Returns `days` consecutive dates, beginning with `first`. */
export function datesFrom(first: string, days: number): string[] {
  const start = Temporal.PlainDate.from(first);
  return Array.from({ length: days }, (_, index) => start.add({ days: index }).toString());
}

/** Whether a special day of the club's own, not an imported one, covers a date: then other hours are ignored. */
export function hasOwnDay({ specials }: HoursRecords, date: string): boolean {
  return specials.some((special) => special.origin === null && covers(special.body, date));
}

/** Returns the tenders who work during the whole opening of a date; undefined if no roster says so. */
export function wholeCrewOn({ rosters }: Pick<HoursRecords, 'rosters'>, date: string): string[] | undefined {
  const whole = rosters.filter(({ body }) => body.date === date && body.range === null);
  return whole.length > 0 ? [...new Set(whole.flatMap(({ body }) => body.tenders))] : undefined;
}

/**
 * Returns the shifts that begin on a date. A special day replaces the week's hours, and a roster replaces its crew.
 * @param others crews from elsewhere, who also work within these hours
 */
export function shiftsOn(
  records: HoursRecords,
  date: string,
  zone: string,
  others: readonly Crew[] = [],
): OpenShift[] {
  const rosters = records.rosters.filter(({ body }) => body.date === date).map(({ body }) => body);
  const crews = [
    ...rosters.flatMap((roster) => crewOf(roster, zone)),
    ...(hasOwnDay(records, date) ? importedCrews(records, date, zone) : []),
    ...others,
  ];
  const ranges = rangesOn(records, date);
  // If no hours are known, the pub is open while somebody works.
  if (!ranges) return crews.map((crew) => ({ ...crew, opens: crew.start, closes: crew.end }));
  const open = ranges
    .map((range) => toShift(date, range, zone))
    .filter(({ opens, closes }) => closes > opens)
    .sort((a, b) => a.opens - b.opens);
  const whole = wholeCrewOn(records, date);
  return open.flatMap((shift, index) => {
    const inside = crews.filter((crew) => crew.start < shift.end && crew.end > shift.start);
    const [before, after] = [open[index - 1], open[index + 1]];
    return [
      { ...shift, tenders: whole ?? (inside.length > 0 ? [] : shift.tenders) },
      ...inside.map((crew) => ({
        // If a crew works through a break, each shift is limited to its own time before and after the opening hours.
        start: before && crew.start < before.end ? Math.max(crew.start, shift.start) : crew.start,
        end: after && crew.end > after.start ? Math.min(crew.end, shift.end) : crew.end,
        opens: Math.min(Math.max(crew.start, shift.opens), shift.closes),
        closes: Math.max(Math.min(crew.end, shift.closes), shift.opens),
        tenders: crew.tenders,
      })),
    ];
  });
}

/** The reason of the special day that closes a date, empty if it has none; undefined if none closes it. */
export function closureOn(specials: readonly Published<SpecialBody>[], date: string): string | undefined {
  const [newest] = specialsOn(specials, date);
  return newest?.body.closed ? newest.body.reason : undefined;
}

/** The special days that decide a date, the newest first: the club's own before imported ones, then the shortest. */
function specialsOn(specials: readonly Published<SpecialBody>[], date: string): Published<SpecialBody>[] {
  const days = ({ body }: Published<SpecialBody>) =>
    Temporal.PlainDate.from(body.from).until(body.to ?? body.from).days;
  const covering = specials.filter(({ body }) => covers(body, date));
  const own = covering.filter(({ origin }) => origin === null);
  const special = own.length > 0 ? own : covering;
  const fewest = Math.min(...special.map(days));
  return special
    .filter((one) => days(one) === fewest)
    .sort((a, b) => b.published_at - a.published_at || Number(b.body.closed) - Number(a.body.closed));
}

/** Returns the hours of a date, empty if closed; undefined if none are known. */
function rangesOn({ hours, specials }: HoursRecords, date: string): Range[] | undefined {
  const deciding = specialsOn(specials, date);
  if (deciding[0]?.body.closed) return [];
  if (deciding.length > 0)
    return specials.filter((one) => deciding.includes(one)).flatMap(({ body }) => body.ranges);
  const [valid] = hours
    .filter(({ body }) => body.from <= date)
    .toSorted((a, b) => b.body.from.localeCompare(a.body.from) || b.published_at - a.published_at);
  const weekday = WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? 'mon';
  return valid?.body.week[weekday];
}

/** Returns the crews of imported shifts on a date whose hours come from a special day of the club's own. */
const importedCrews = ({ specials }: HoursRecords, date: string, zone: string): Crew[] =>
  specials
    .filter(({ origin, body }) => origin !== null && covers(body, date))
    .flatMap(({ body }) => body.ranges.map((range) => toShift(date, range, zone)));

const covers = ({ from, to }: SpecialBody, date: string): boolean => from <= date && date <= (to ?? from);

function toShift(date: string, range: Range, zone: string): OpenShift {
  const { before = 0, after = 0, tenders = [] } = range;
  const { opens, closes } = momentsOf(date, range, zone);
  return { start: opens - before * MINUTE_MS, end: closes + after * MINUTE_MS, opens, closes, tenders };
}

function crewOf({ date, range, tenders }: RosterBody, zone: string): Crew[] {
  if (range === null) return [];
  const { opens, closes } = momentsOf(date, range, zone);
  return closes > opens ? [{ start: opens, end: closes, tenders }] : [];
}

/** If a clock change repeats a time, takes the first for opening, the last for closing; skipped times move forward. */
export function momentsOf(
  date: string,
  { opens, closes }: Pick<Range, 'opens' | 'closes'>,
  zone: string,
): { opens: number; closes: number } {
  const day = Temporal.PlainDate.from(date);
  const end = closes > opens ? day : day.add({ days: 1 });
  const at = (on: Temporal.PlainDate, time: string, disambiguation: 'compatible' | 'later') =>
    on.toPlainDateTime(time).toZonedDateTime(zone, { disambiguation }).epochMilliseconds;
  return { opens: at(day, opens, 'compatible'), closes: at(end, closes, 'later') };
}
