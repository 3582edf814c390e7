export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Milliseconds since the epoch. Everything that needs the time takes one of these, so tests can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** ISO 8601 in UTC, `2026-11-21T23:59:00.000Z`. */
export const isoTime = (at: number): string => dateOf(at).toISOString();

/** A Date for the libraries that want one. */
export const dateOf = (at: number): Date => new Date(at);
