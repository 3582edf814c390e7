import { formatNumber } from '#kernel/locale.ts';

/** A number with thousands separators. */
export function count(value: number): string {
  return formatNumber(value);
}

/** The share of a part in the whole; 0 where the whole is 0. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
