import { formatNumber } from '#kernel/locale.ts';

/** A number with thousands separators. */
export function count(value: number): string {
  return formatNumber(value);
}

/** `1 ballot`, `2 ballots`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** The share of a part in the whole; 0 where the whole is 0. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
