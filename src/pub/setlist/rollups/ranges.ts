import type { SubjectKind } from '#kernel/db/schema.ts';
import { dayOf, nightOf, yearOf } from './pub-days.ts';

/** Evenings that are counted together, both ends included. */
export interface Span {
  name: string;
  /** What its totals are asked for; the rest is not summed up. */
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

/** Farther than any evening, and safe to reckon with. */
const FOREVER = 10_000_000;

/** The span of a range that ends with this evening. */
export function spanOf(range: Range, today: number): Span {
  const span = { name: range, kinds: NOT_ALBUMS };
  if (range === 'all') return { ...span, from: -FOREVER, to: FOREVER };
  if (range === 'term') return { ...span, from: termStart(today), to: today };
  const days = Number.parseInt(range, 10);
  return { ...span, from: today - days + 1, to: today };
}

/** The equal span before it; undefined for all time. */
export function spanBefore(range: Range, today: number): Span | undefined {
  if (range === 'all') return undefined;
  const { from, to } = spanOf(range, today);
  const start = range === 'term' ? termStart(from - 1) : from - (to - from + 1);
  return { name: `${range} before`, kinds: SONGS, from: start, to: from - 1 };
}

export function yearSpan(year: number): Span {
  return {
    name: String(year),
    kinds: EVERYTHING,
    from: nightOf(`${year}-01-01`),
    to: nightOf(`${year}-12-31`),
  };
}

/** Every span that totals are kept of, when this evening is the present one and these have music. */
export function spansOf(today: number, nights: readonly number[]): Span[] {
  const years = [...new Set(nights.map(yearOf))].map(yearSpan);
  return [
    ...RANGES.flatMap((range) => [spanOf(range, today), spanBefore(range, today) ?? []].flat()),
    ...years,
  ];
}

/** January to April, May to August, September to December. */
function termStart(night: number): number {
  const [year, month] = dayOf(night).split('-').map(Number) as [number, number];
  const first = month - ((month - 1) % 4);
  return nightOf(`${year}-${String(first).padStart(2, '0')}-01`);
}
