import { formatNight, parseNight } from './pub-days.ts';

/** Evenings that are counted together, both ends included. */
export interface Span {
  from: number;
  to: number;
}

/** The ranges that a reader can ask for; a term is a third of the year. */
export const RANGES = ['7d', '30d', 'term', 'all'] as const;

export type Range = (typeof RANGES)[number];

/** Beyond any evening, and small enough for exact sums. */
const FOREVER = 10_000_000;

export const ALL_TIME: Span = { from: -FOREVER, to: FOREVER };

/** The span of a range that ends with this evening. */
export function rangeSpan(range: Range, today: number): Span {
  if (range === 'all') return ALL_TIME;
  if (range === 'term') return { from: termStart(today), to: today };
  return { from: today - Number.parseInt(range, 10) + 1, to: today };
}

/** The span of the same kind before it; undefined for all time. */
export function previousSpan(range: Range, today: number): Span | undefined {
  if (range === 'all') return undefined;
  const { from, to } = rangeSpan(range, today);
  const start = range === 'term' ? termStart(from - 1) : from - (to - from + 1);
  return { from: start, to: from - 1 };
}

export const yearSpan = (year: number): Span => ({
  from: parseNight(`${year}-01-01`),
  to: parseNight(`${year}-12-31`),
});

/** January to April, May to August, September to December. */
function termStart(night: number): number {
  const [year, month] = formatNight(night).split('-').map(Number) as [number, number];
  const first = month - ((month - 1) % 4);
  return parseNight(`${year}-${String(first).padStart(2, '0')}-01`);
}
