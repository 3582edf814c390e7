import { isDay } from '#people/roll/standings.ts';

/** Whether the day or the month comes first in `03/04/2026`. */
export type DateOrder = 'dmy' | 'mdy';

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/;

/** Day 0 of Excel. Its numbers below 60 (before March 1900) would be off by one, but no date of a club is that old. */
const EXCEL_DAY_ZERO = Temporal.PlainDate.from('1899-12-30');

export type ReadDay = { ok: true; day: string } | { ok: false; reason: string };

/**
 * Reads a day in the usual formats: `2026-03-04`, also with a time of day; `4.3.2026`; `04/03/2026` if the order is
 * known; the number of a day in Excel.
 */
export function readDay(text: string, order: DateOrder | undefined): ReadDay {
  const [, iso] = /^(\d{4}-\d{2}-\d{2})(?:[T ][\d:.Z+-]*)?$/.exec(text) ?? [];
  if (iso) return checked(iso, text);
  const [, day, month, year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? [];
  if (day && month && year) return checked(written(year, month, day), text);
  const slashed = SLASHED.exec(text);
  if (slashed) return readSlashed(slashed, order, text);
  if (/^\d{5}$/.test(text)) return checked(EXCEL_DAY_ZERO.add({ days: Number(text) }).toString(), text);
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2}$/.test(text)) return refused(`“${text}” has a year of two digits`);
  return refused(`“${text}” is no day`);
}

/** Guesses the order from a column of days: undefined if no day is above 12. */
export function guessOrder(texts: Iterable<string>): DateOrder | undefined {
  for (const text of texts) {
    const [, first, second] = SLASHED.exec(text) ?? [];
    if (Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
  }
  return undefined;
}

function readSlashed(
  [, first = '', second = '', year = '']: RegExpExecArray,
  order: DateOrder | undefined,
  text: string,
): ReadDay {
  if (order === undefined && Number(first) !== Number(second))
    return refused(`“${text}” may be two days: say whether the day or the month comes first`);
  return checked(order === 'mdy' ? written(year, first, second) : written(year, second, first), text);
}

const written = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

function checked(day: string, text: string): ReadDay {
  return isDay(day) ? { ok: true, day } : refused(`“${text}” is no day`);
}

const refused = (reason: string): ReadDay => ({ ok: false, reason });
