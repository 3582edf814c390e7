import type { SubjectKind } from '#kernel/db/schema.ts';
import { formatNight, parseNight, yearOfNight } from './pub-days.ts';

/** Evenings that are counted together, both ends included. */
export interface Span {
  name: string;
  /** The kinds of subjects that it has totals of. */
  kinds: readonly SubjectKind[];
  from: number;
  to: number;
}

/** The ranges that a reader can ask for; a term is a third of the year. */
export const RANGES = ['7d', '30d', 'term', 'all'] as const;

export type Range = (typeof RANGES)[number];

const NOT_ALBUMS = ['song', 'artist', 'genre'] as const;
const SONGS = ['song'] as const;
const EVERYTHING = ['song', 'artist', 'album', 'genre'] as const;

/** Beyond any evening, and small enough for exact sums. */
const FOREVER = 10_000_000;

/** The span of a range that ends with this evening. */
export function rangeSpan(range: Range, today: number): Span {
  const span = { name: range, kinds: NOT_ALBUMS };
  if (range === 'all') return { ...span, from: -FOREVER, to: FOREVER };
  if (range === 'term') return { ...span, from: termStart(today), to: today };
  const days = Number.parseInt(range, 10);
  return { ...span, from: today - days + 1, to: today };
}

/** The span of the same kind before it; undefined for all time. */
export function previousSpan(range: Range, today: number): Span | undefined {
  if (range === 'all') return undefined;
  const { from, to } = rangeSpan(range, today);
  const start = range === 'term' ? termStart(from - 1) : from - (to - from + 1);
  return { name: `${range} before`, kinds: SONGS, from: start, to: from - 1 };
}

export function yearSpan(year: number): Span {
  return {
    name: String(year),
    kinds: EVERYTHING,
    from: parseNight(`${year}-01-01`),
    to: parseNight(`${year}-12-31`),
  };
}

/** Lists every span that has totals. @param today the current evening @param nights evenings with music */
export function listSpans(today: number, nights: readonly number[]): Span[] {
  const years = [...new Set(nights.map(yearOfNight))].map(yearSpan);
  return [
    ...RANGES.flatMap((range) => [rangeSpan(range, today), previousSpan(range, today) ?? []].flat()),
    ...years,
  ];
}

/** January to April, May to August, September to December. */
function termStart(night: number): number {
  const [year, month] = formatNight(night).split('-').map(Number) as [number, number];
  const first = month - ((month - 1) % 4);
  return parseNight(`${year}-${String(first).padStart(2, '0')}-01`);
}
