import { type Reader, readingNow, type Words } from './language/words.ts';

/** The reader of what the club shows to everybody: TVs, prints, feeds. A process serves one club. */
let club: Reader = { language: 'en', locale: 'en-US' };
let clubTag = club.locale;

export const clubReader = (): Reader => club;

/** A text as the club shows it to everybody. */
export const forClub = (text: Words): string => text.for(club);

/** The reader for whom a value is being written, else the club's. */
export const readerNow = (): Reader => readingNow() ?? club;

/**
 * The locale (BCP 47) of the reader for whom a value is being written, else that of the club: how dates, times, numbers
 * and lists of names are written for people.
 */
export const locale = (): string => readerNow().locale;

/**
 * Changes the club's reader, see `applySettings`.
 * @param tag the locale that the club has set: that of the reader may be of another language, and without a country
 */
export function setClubReader(reader: Reader, tag = reader.locale): void {
  club = reader;
  clubTag = tag;
}

/** The locale (BCP 47) that the club has set, for what its country decides: the currency, units. No reader changes that. */
export const clubLocale = (): string => clubTag;

/** The formatters of each locale: creating one takes longer than using it a hundred times. */
const made = new Map<string, Map<string, unknown>>();

/** Makes a value once for the locale in use. */
export const perLocale = <Value>(key: string, make: (locale: string) => Value): Value =>
  perTag(locale(), key, make);

/** Makes a value once for the locale of the club, see `clubLocale`. */
export const perClubLocale = <Value>(key: string, make: (locale: string) => Value): Value =>
  perTag(clubTag, key, make);

function perTag<Value>(tag: string, key: string, make: (locale: string) => Value): Value {
  return made
    .getOrInsertComputed(tag, () => new Map<string, unknown>())
    .getOrInsertComputed(key, () => make(tag)) as Value;
}

/** `1,234.5` as the locale writes it; `options` are those of Intl.NumberFormat. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = `number ${JSON.stringify(options)}`;
  return perLocale(key, (tag) => new Intl.NumberFormat(tag, options)).format(value);
}

/** A number as a person types it into a field: `4,9` in de-DE, `4.9` in en-GB. */
export const typedNumber = (value: number): string =>
  formatNumber(value, { useGrouping: false, numberingSystem: 'latn' });

/** A share of 0 to 1: `33%`, in some locales `33 %`. @param digits at most so many after the point */
export const formatPercent = (share: number, digits = 0): string =>
  formatNumber(share, { style: 'percent', maximumFractionDigits: digits });

/** Orders names as the locale does: `2` before `10`, small and capital letters alike. */
export function compareNames(a: string, b: string): number {
  const options = { sensitivity: 'base', numeric: true } as const;
  return perLocale('names', (tag) => new Intl.Collator(tag, options)).compare(a, b);
}

/** The first day of a week, 1 for Monday to 7 for Sunday. */
function firstWeekday(): number {
  return perLocale('week', (tag) => new Intl.Locale(tag).getWeekInfo().firstDay);
}

/** The days of a week, 1 for Monday to 7 for Sunday, in the order of the locale. */
export const weekdays = (): number[] =>
  Array.from({ length: 7 }, (_, index) => ((firstWeekday() - 1 + index) % 7) + 1);

/** The name of a weekday, 1 for Monday to 7 for Sunday. */
export function formatWeekday(day: number, weekday: 'long' | 'short' = 'long'): string {
  const format = perLocale(
    `weekday ${weekday}`,
    (tag) => new Intl.DateTimeFormat(tag, { weekday, timeZone: 'UTC' }),
  );
  return format.format(Date.UTC(2024, 0, day));
}

/** Whether the locale uses a 12-hour clock. */
export function hasTwelveHours(): boolean {
  return perLocale('hours', (tag) => {
    const { hour12 } = new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions();
    return hour12 === true;
  });
}

/** The size of a file, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  const [size, unit] =
    bytes < 1e6
      ? [bytes / 1e3, 'kilobyte']
      : bytes < 1e9
        ? [bytes / 1e6, 'megabyte']
        : [bytes / 1e9, 'gigabyte'];
  return formatNumber(size, { style: 'unit', unit, maximumFractionDigits: size < 10 ? 1 : 0 });
}
