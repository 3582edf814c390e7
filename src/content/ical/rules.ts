import { RRuleTemporal } from 'rrule-temporal';
import { ownValue } from '#kernel/own-value.ts';
import type { RuleFault } from './faults.ts';
import { parseTime, type WrittenTime } from './times.ts';

/** Thrown for a recurrence rule that is not supported. */
export class RuleRefused extends Error {
  readonly why: RuleFault;
  readonly part: string | undefined;

  constructor(why: RuleFault, part?: string) {
    super(why);
    this.why = why;
    this.part = part;
  }
}

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const TOO_OFTEN: Readonly<Record<string, RuleFault>> = {
  HOURLY: 'hourly',
  MINUTELY: 'minutely',
  SECONDLY: 'secondly',
};
/** The allowed numbers in each list, and whether negative ones, counted from the end (`-1`), are. */
const LISTS: Record<string, { lowest: number; highest: number; signed: boolean }> = {
  BYMONTH: { lowest: 1, highest: 12, signed: false },
  BYMONTHDAY: { lowest: 1, highest: 31, signed: true },
  BYYEARDAY: { lowest: 1, highest: 366, signed: true },
  BYWEEKNO: { lowest: 1, highest: 53, signed: true },
  BYSETPOS: { lowest: 1, highest: 366, signed: true },
  BYHOUR: { lowest: 0, highest: 23, signed: false },
  BYMINUTE: { lowest: 0, highest: 59, signed: false },
  BYSECOND: { lowest: 0, highest: 59, signed: false },
};
const WEEKDAY = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/;
/** The most times per day, by BYHOUR, BYMINUTE and BYSECOND. */
const TIMES_A_DAY = 24;
const LONGEST_RULE = 2_000;
/** The most iterations of the library from the first date, for rules with COUNT. */
const STEPS_AT_MOST = 20_000;

/**
 * Returns the dates of a rule from `from` to `until` as wall-clock times; the zone is applied later, so that a clock
 * change skips no date. The start counts as a date whether or not the rule gives it.
 * @param lastWall converts UNTIL to the last wall-clock time of the series
 * @returns undefined for a rule that ends before its start: programs leave such a remainder of a series that was
 * deleted from its first date on
 * @throws RuleRefused for a rule that cannot be read or repeats hourly or more often
 */
export function expandRule(
  text: string,
  start: Temporal.PlainDateTime,
  [from, until]: [Temporal.PlainDateTime, Temporal.PlainDateTime],
  lastWall: (until: WrittenTime) => Temporal.PlainDateTime,
): Temporal.PlainDateTime[] | undefined {
  const { rule, last } = readRule(text, lastWall);
  const end = last && Temporal.PlainDateTime.compare(last, until) < 0 ? last : until;
  if (last && Temporal.PlainDateTime.compare(last, start) < 0) return undefined;
  if (Temporal.PlainDateTime.compare(end, from) < 0) return [];
  try {
    const made = new RRuleTemporal({
      rruleString: rule,
      dtstart: start.toZonedDateTime('UTC'),
      includeDtstart: true,
      cache: false,
      maxIterations: STEPS_AT_MOST,
    });
    const dates = made.between(from.toZonedDateTime('UTC'), end.toZonedDateTime('UTC'), true);
    return dates.map((date) => date.toPlainDateTime());
  } catch {
    throw new RuleRefused('not_followed');
  }
}

/**
 * Returns the rule with its supported parts only; the library is less strict. A COUNT below 1 says nothing, so UNTIL
 * counts; a part that is not supported would give other dates.
 */
function readRule(
  text: string,
  lastWall: (until: WrittenTime) => Temporal.PlainDateTime,
): { rule: string; last: Temporal.PlainDateTime | undefined } {
  if (text.length > LONGEST_RULE) throw new RuleRefused('too_long');
  const parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2).map((side) => side.trim()) as [string, string | undefined])
      .filter(([, value]) => value),
  );
  const frequency = parts.get('FREQ') ?? '';
  const tooOften = ownValue(TOO_OFTEN, frequency);
  if (tooOften) throw new RuleRefused(tooOften);
  if (!FREQUENCIES.includes(frequency)) throw new RuleRefused('other');
  const said = [`FREQ=${frequency}`];
  let timesADay = 1;
  for (const [name, value = ''] of parts) {
    const list = LISTS[name];
    if (list) {
      said.push(`${name}=${numbers(value, list)}`);
      if (/^BY(?:HOUR|MINUTE|SECOND)$/.test(name)) timesADay *= value.split(',').length;
    } else if (name === 'BYDAY') said.push(`BYDAY=${weekdays(value, frequency)}`);
    else if (name === 'WKST' && WEEKDAY.test(value)) said.push(`WKST=${value.slice(-2)}`);
    else if (name === 'INTERVAL') said.push(`INTERVAL=${Math.max(1, wholeNumber(value))}`);
    else if (name === 'COUNT' && /^(?:-\d+|0+)$/.test(value) && parts.has('UNTIL')) continue;
    else if (name === 'COUNT') said.push(`COUNT=${Math.max(1, wholeNumber(value))}`);
    else if (name === 'RSCALE' && value !== 'GREGORIAN') throw new RuleRefused('other_calendar');
    else if (/^(?:BY|SKIP$)/.test(name) && value !== 'OMIT')
      throw new RuleRefused('unknown_part', name.slice(0, 20));
  }
  if (timesADay > TIMES_A_DAY) throw new RuleRefused('too_often');
  const written = parts.get('UNTIL');
  const until = written === undefined ? undefined : parseTime(written);
  if (written !== undefined && !until) throw new RuleRefused('end');
  return { rule: said.join(';'), last: until && lastWall(until) };
}

function numbers(text: string, { lowest, highest, signed }: (typeof LISTS)[string]): string {
  const values = text.split(',').map((value) => {
    const number = /^[+-]?\d{1,3}$/.test(value) ? Number(value) : Number.NaN;
    const size = signed ? Math.abs(number) : number;
    if (!(size >= lowest && size <= highest)) throw new RuleRefused('other');
    return number;
  });
  return [...new Set(values)].join(',');
}

function weekdays(text: string, frequency: string): string {
  const values = text.split(',').map((value) => {
    const [, nth, day] = WEEKDAY.exec(value.trim()) ?? [];
    if (!day || Math.abs(Number(nth ?? 1)) > 53 || Number(nth ?? 1) === 0) throw new RuleRefused('other');
    // "The second Tuesday" has no meaning in a weekly rule.
    return ['MONTHLY', 'YEARLY'].includes(frequency) && nth ? `${Number(nth)}${day}` : day;
  });
  return [...new Set(values)].join(',');
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new RuleRefused('other');
  return Number(text);
}
