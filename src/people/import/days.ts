import { headerKey } from '#kernel/lists/headers.ts';
import { type Message, say } from '#kernel/messages/messages.ts';
import { isDay } from '#people/roll/standings.ts';

/** Whether the day or the month comes first in `03/04/2026`. */
export type DateOrder = 'dmy' | 'mdy';

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/;

/** Day 0 of Excel. Its numbers below 60 (before March 1900) would be off by one, but no date of a club is that old. */
const EXCEL_DAY_ZERO = Temporal.PlainDate.from('1899-12-30');

export type ReadDay = { ok: true; day: string } | { ok: false; reason: Message };

/**
 * Reads a day in the usual formats: `2026-03-04`, also with a time of day; `4.3.2026`; `04/03/2026` if the order is
 * known; the number of a day in Excel.
 */
export function readDay(given: string, order: DateOrder | undefined): ReadDay {
  const text = withoutTime(given);
  const [, iso] = /^(\d{4}-\d{2}-\d{2})(?:[T ][\d:.Z+-]*)?$/.exec(text) ?? [];
  if (iso) return checked(iso, text);
  const [, day, month, year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? [];
  if (day && month && year) return checked(written(year, month, day), text);
  const slashed = SLASHED.exec(text);
  if (slashed) return readSlashed(slashed, order, text);
  const [, y, m, d] =
    /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (y && m && d) return checked(written(y, m, d), text);
  const named = readNamedMonth(text);
  if (named) return checked(named, text);
  if (/^\d{5}$/.test(text)) return checked(EXCEL_DAY_ZERO.add({ days: Number(text) }).toString(), text);
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2}$/.test(text))
    return refused(say('import_year_of_two_digits', { text }));
  return refused(say('import_not_date', { text }));
}

/** Whether a text is one day or another, by the order of day and month. */
export function isTwoDays(text: string): boolean {
  const [, first, second] = SLASHED.exec(withoutTime(text)) ?? [];
  return (
    first !== undefined && Number(first) !== Number(second) && Number(first) <= 12 && Number(second) <= 12
  );
}

/** Guesses the order from a column of days: undefined if no day is above 12. */
export function guessOrder(texts: Iterable<string>): DateOrder | undefined {
  for (const text of texts) {
    const [, first, second] = SLASHED.exec(withoutTime(text)) ?? [];
    if (Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
  }
  return undefined;
}

/** The time of day after a day, in 12 or 24 hours, and the fraction of a day in Excel. */
const TIME = /[T,\s]+\d{1,2}:\d{2}([:.]\d{2}([.,]\d+)?)?\s*([ap]\.?\s?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;

/** Most characters of a day with its time: what is longer is not looked at. */
const LONGEST_DAY = 100;

const withoutTime = (text: string): string =>
  text.length > LONGEST_DAY
    ? text
    : text
        .trim()
        .replace(TIME, '')
        .replace(/^(\d{5})[.,]\d+$/, '$1')
        .replace(/\s*([/.-])\s*(?=\d)/g, '$1');

/** The months by their names and short names in the languages of the product. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  ['en', 'de', 'fr', 'es', 'nl', 'it'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, at): [string, number] => {
        const day = Temporal.PlainDate.from({ year: 2026, month: at + 1, day: 1 });
        return [headerKey(day.toLocaleString(language, { month })), at + 1];
      }),
    ),
  ),
);

/** `4. März 2020`, `4 de marzo de 2020`, `Mar 4th, 2020`. */
function readNamedMonth(text: string): string | undefined {
  const plain = text.replace(/^\p{L}+\.?,\s*/u, '').replace(/\b(de|of|del)\s/gi, '');
  const [, day, name, year] =
    /^(\d{1,2})(?:\.|st|nd|rd|th|er|º)?[\s.-]*(\p{L}+)\.?,?[\s-]*(\d{4})$/u.exec(plain) ?? [];
  const [, name2, day2, year2] = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u.exec(plain) ?? [];
  const month = monthOf(name ?? name2 ?? '');
  return month === undefined ? undefined : written((year ?? year2)!, String(month), (day ?? day2)!);
}

/** A month by its name, or by a short form that no other month begins with. */
function monthOf(name: string): number | undefined {
  const key = headerKey(name);
  const exact = MONTHS.get(key);
  if (exact !== undefined || key.length < 3) return exact;
  const found = new Set([...MONTHS].flatMap(([long, month]) => (long.startsWith(key) ? [month] : [])));
  return found.size === 1 ? [...found][0] : undefined;
}

function readSlashed(
  [, first = '', second = '', year = '']: RegExpExecArray,
  order: DateOrder | undefined,
  text: string,
): ReadDay {
  if (order === undefined && Number(first) !== Number(second))
    return refused(say('import_may_be_two_days', { text }));
  return checked(order === 'mdy' ? written(year, first, second) : written(year, second, first), text);
}

const written = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

function checked(day: string, text: string): ReadDay {
  return isDay(day) ? { ok: true, day } : refused(say('import_not_date', { text }));
}

const refused = (reason: Message): ReadDay => ({ ok: false, reason });
