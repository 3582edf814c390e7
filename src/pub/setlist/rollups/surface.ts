import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { SubjectKind } from '#kernel/db/schema.ts';
import type { Tx } from '#kernel/db/writes.ts';
import type { Play } from './plays.ts';
import { dayOf } from './pub-days.ts';
import { RANGES, type Range, spanOf } from './ranges.ts';

/** What every surface is made from, in one reading of the counts. There is at least one evening with music. */
export interface House {
  read: Tx;
  zone: string;
  now: number;
  /** The present evening, which may have no music yet. */
  today: number;
  /** Evenings with music, oldest first. */
  nights: readonly Night[];
  /** The newest of them, its plays, and everything that was played on it. */
  latest: Night;
  plays: readonly Play[];
  heard: readonly HeardSubject[];
  /** Whether the pub is open now. */
  open: boolean;
}

export interface Night {
  night: number;
  starts_at: number;
  plays: number;
  songs: number;
  late_plays: number;
  dwell_ms: number;
  /** Plays by the local hour. */
  hours: Record<string, number>;
  first_play_id: number;
  last_play_id: number;
}

/** What was played on the latest evening, with its figures of all time. */
export interface HeardSubject {
  subject: number;
  kind: SubjectKind;
  key: string;
  plays: number;
  first_at: number;
  last_at: number;
  last_play_id: number;
  /** The last evening before this one on which it was played. */
  before: number | null;
  ever_plays: number;
  ever_first_at: number;
}

/** The figures of a surface over a range; `from` and `to` are pub days. */
export interface Figures<Data> {
  from: string;
  to: string;
  label: string;
  /** How many plays they are of. */
  sampleSize: number;
  data: Data;
}

/** One way to look at the setlist. */
export interface Surface<Data = unknown> {
  name: string;
  /** The variable that switches it off. */
  flag: Extract<keyof Config, `SETLIST_${string}_ENABLED`>;
  /** The ranges that are kept; the first is served when none is named. */
  ranges(house: House): readonly string[];
  compute(house: House, range: string): Figures<Data>;
}

/** For surfaces over the present week, month, term and all time. */
export const slidingRanges = () => RANGES;

/** The evenings of a range, and what it is called. */
export function rangeOf(house: House, range: Range) {
  const { from, to } = spanOf(range, house.today);
  const nights = house.nights.filter(({ night }) => night >= from && night <= to);
  const first = range === 'all' ? house.nights[0]!.night : from;
  const last = range === 'all' ? house.today : to;
  return {
    from: dayOf(first),
    to: dayOf(last),
    label: labelOf(range, first),
    nights,
    plays: sum(nights, 'plays'),
  };
}

/** The latest evening alone. */
export function eveningOf({ latest, today }: House) {
  const day = dayOf(latest.night);
  const label = latest.night === today ? 'Tonight' : formatDay(latest.night);
  return { from: day, to: day, label, sampleSize: latest.plays };
}

export function sum<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

/** `Sat, Nov 21, 2026` */
export const formatDay = (night: number): string => DAYS.format(night * DAY);

const DAYS = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});

/** Rounded, so that equal figures are equal texts. */
export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits)) + 0;

function labelOf(range: Range, first: number): string {
  if (range === '7d') return 'Last 7 days';
  if (range === '30d') return 'Last 30 days';
  if (range === 'all') return `Since ${formatDay(first)}`;
  const [year, month] = dayOf(first).split('-');
  return `${TERMS[month as keyof typeof TERMS]} ${year}`;
}

/** By the month in which they begin. */
const TERMS = {
  '01': 'January to April',
  '05': 'May to August',
  '09': 'September to December',
};
