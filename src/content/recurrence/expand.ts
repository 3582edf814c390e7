import { RRuleTemporal } from 'rrule-temporal';

/** A rule and the wall-clock time from which it counts. */
export interface WallSeries {
  /** The value of an RRULE (RFC 5545 3.3.10) whose parts have been checked; an UNTIL in it must end in `Z`. */
  rule: string;
  start: Temporal.PlainDateTime;
}

/** The most periods to search before giving up on a rule that has no dates. */
const STEPS_AT_MOST = 20_000;

/**
 * Returns the wall-clock times of a series in order, from `from` to `until`, both inclusive. A start that the rule does
 * not hit is not included. No time zone is involved: resolve the results later, so that clock changes drop no time.
 * @throws Error for a rule that cannot be read, or one finer than DAILY that takes too many steps
 */
export function expandWalls(
  { rule, start }: WallSeries,
  from: Temporal.PlainDateTime,
  until: Temporal.PlainDateTime,
): Temporal.PlainDateTime[] {
  if (Temporal.PlainDateTime.compare(from, until) > 0) return [];
  // With a named zone the library would leave out times that a clock change skips.
  const series = new RRuleTemporal({
    rruleString: `RRULE:${rule}`,
    dtstart: start.toZonedDateTime('UTC'),
    maxIterations: STEPS_AT_MOST,
    cache: false,
  });
  const hits = series.between(from.toZonedDateTime('UTC'), until.toZonedDateTime('UTC'), true);
  return hits.map((hit) => hit.toPlainDateTime());
}
