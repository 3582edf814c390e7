import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Reader } from '#kernel/db/queries.ts';
import type { SubjectKind } from '#kernel/db/schema.ts';
import { t } from '#kernel/language/message.ts';
import { formatDate, formatLocal } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import type { Play } from './counts/plays.ts';
import { formatNight, parseNight } from './counts/pub-days.ts';
import { RANGES, type Range, rangeSpan } from './counts/ranges.ts';
import type { SumUp } from './counts/totals.ts';

/** The input of every surface. It has at least one evening with music. */
export interface SurfaceInput {
  db: Reader;
  zone: string;
  now: number;
  /** The current evening, which may have no music yet. */
  today: number;
  /** Evenings with music, oldest first. */
  nights: readonly Night[];
  /** The newest of them, its plays, and everything that was played on it. */
  latest: Night;
  plays: readonly Play[];
  heard: readonly HeardSubject[];
  sumUp: SumUp;
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

/** A song, artist, album or genre of the latest evening. */
export interface HeardSubject {
  kind: SubjectKind;
  key: string;
  plays: number;
  first_at: number;
  last_at: number;
  last_play_id: number;
  /** Of a song: the last evening before this one on which it was played. */
  before: number | undefined;
  /** Of a song or artist, the figures of all time. */
  ever_plays: number;
  ever_first_at: number;
}

/** The figures of a surface over a range; `from` and `to` are pub days. */
export interface Figures<Data> {
  from: string;
  to: string;
  /** In the language of the club. */
  label: string;
  /** Only for figures of the evening that is on. */
  tonight?: true;
  /** The number of plays behind the figures. */
  sampleSize: number;
  data: Data;
}

/** One view of the setlist: how its figures are computed, for which ranges. */
export interface Surface<Data = unknown> {
  name: string;
  /** The setting that switches it off. */
  flag: Extract<keyof Config, `SETLIST_${string}_ENABLED`>;
  /** The ranges that are stored; the first is served when none is named. */
  ranges(input: SurfaceInput): readonly string[];
  compute(input: SurfaceInput, range: string): Figures<Data>;
}

/** For surfaces over the current week, month, term and all time. */
export const slidingRanges = () => RANGES;

/** Returns the evenings of a range, with its dates and label. */
export function selectRange(input: SurfaceInput, range: Range) {
  const { from, to } = rangeSpan(range, input.today);
  const nights = input.nights.filter(({ night }) => night >= from && night <= to);
  const first = range === 'all' ? input.nights[0]!.night : from;
  const last = range === 'all' ? input.today : to;
  return {
    from: formatNight(first),
    to: formatNight(last),
    label: forClub(rangeInWords(range, formatNight(first))),
    nights,
    plays: sum(nights, 'plays'),
  };
}

/** The dates and the label of the latest evening. */
export function latestEvening({ latest, today }: SurfaceInput) {
  const day = formatNight(latest.night);
  const isTonight = latest.night === today;
  const label = forClub(isTonight ? t('pub.setlist.range_tonight') : formatDay(latest.night));
  return {
    from: day,
    to: day,
    label,
    ...(isTonight && { tonight: true as const }),
    sampleSize: latest.plays,
  };
}

export function sum<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

/** In en-US `Sat, Nov 21, 2026`. */
export const formatDay = (night: number): Words =>
  formatLocal(night * DAY, 'UTC', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/**
 * Rounds half up, so that equal figures give equal texts. The last bits of a sum depend on the order of its parts, so
 * they are dropped first: 0.5625 could otherwise become 0.5624999999999999 and be rounded down.
 */
export const rounded = (value: number, digits = 3): number =>
  Number(Number(value.toPrecision(12)).toFixed(digits)) + 0;

/** A range in words. @param first its first pub day */
export function rangeInWords(range: Range, first: string): Words {
  if (range === '7d') return t('pub.setlist.range_7d');
  if (range === '30d') return t('pub.setlist.range_30d');
  if (range === 'all') return t('pub.setlist.range_all', { day: formatDay(parseNight(first)) });
  const last = Temporal.PlainDate.from(first)
    .add({ months: MONTHS_OF_TERM - 1 })
    .toString();
  const month = (date: string) => formatDate(date, { month: 'long' });
  return t('pub.setlist.range_term', { first: month(first), last: month(last), year: first.slice(0, 4) });
}

const MONTHS_OF_TERM = 4;
