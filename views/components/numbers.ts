import { formatNumber } from '#kernel/settings/locale.ts';

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return formatNumber(value);
}

/** `1 ballot`, `2 ballots`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share of a whole, 0 where there is no whole. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
