/**
 * How long to wait after the n-th failure in a row, in milliseconds: `first`, then twice as long each time, at most
 * `longest`.
 */
export function backoff(failures: number, first: number, longest = Number.POSITIVE_INFINITY): number {
  return Math.min(first * 2 ** Math.max(0, failures - 1), longest);
}
