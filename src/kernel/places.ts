/** Languages and countries whose formats the runtime knows, and the time zones of the countries. */

/** An entry of a list to choose from, with its English name. */
export interface Named {
  code: string;
  name: string;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** The zone in which most people live, for the countries that have several or, as Kosovo, none in the list of ICU. */
const MAIN_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Ponape',
  GL: 'America/Godthab',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Gaza',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kiev',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  XK: 'Europe/Belgrade',
};

const countries = new Map<string, readonly Named[]>();
const languages = new Map<string, readonly Named[]>();

/** The countries with a time zone, by their names in a language; codes are those of ISO 3166-1, as `IE`. */
export const listCountries = (language = 'en'): readonly Named[] =>
  countries.getOrInsertComputed(language, () => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    return named(
      PAIRS.map((pair) => pair.toUpperCase()),
      (code) => (isCurrent(`und-${code}`) && zoneOf(code) !== undefined ? names.of(code) : undefined),
      language,
    );
  });

/** The languages, by their names in a language; codes are those of ISO 639-1, as `en`. */
export const listLanguages = (language = 'en'): readonly Named[] =>
  languages.getOrInsertComputed(language, () => {
    const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' });
    return named(
      PAIRS,
      (code) =>
        isCurrent(code) && Intl.DateTimeFormat.supportedLocalesOf(code).length > 0
          ? names.of(code)
          : undefined,
      language,
    );
  });

/** The time zone in which most people of a country live; undefined if none is known. */
export const zoneOf = (country: string): string | undefined =>
  MAIN_ZONES[country] ?? new Intl.Locale(`und-${country}`).getTimeZones()?.[0];

/** Names of today for zones that the runtime lists by an earlier one. */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The time zones and the one in use, by the names of today. */
export function listZones(inUse: string): readonly Named[] {
  const all = [...new Set([...Intl.supportedValuesOf('timeZone'), inUse])];
  return named(all, (zone) => (RENAMED[zone] ?? zone).replaceAll('_', ' '));
}

/** A language and the country that it is used in. */
export interface Place {
  language: string;
  country: string;
}

/** The first language of an Accept-Language header, with the country where most people speak it unless it names one. */
export function placeOf(acceptLanguage: string | undefined): Place | undefined {
  const first = /^\s*([a-z]{2}(?:-[a-z0-9]{1,8})*)\s*(?:[;,]|$)/i.exec(acceptLanguage ?? '')?.[1];
  if (first === undefined) return undefined;
  try {
    const { language, region } = new Intl.Locale(first).maximize();
    if (!listLanguages().some(({ code }) => code === language)) return undefined;
    if (region === undefined || !listCountries().some(({ code }) => code === region)) return undefined;
    return { language, country: region };
  } catch {
    return undefined;
  }
}

/** Whether this is how its subtags are spelled today: `und-DD` and `iw` are not. */
const isCurrent = (tag: string): boolean => new Intl.Locale(tag).toString() === tag;

function named(
  codes: readonly string[],
  nameOf: (code: string) => string | undefined,
  language = 'en',
): Named[] {
  const { compare } = new Intl.Collator(language);
  const known = codes.flatMap((code) => {
    const name = nameOf(code);
    return name === undefined ? [] : [{ code, name }];
  });
  return known.sort((a, b) => compare(a.name, b.name));
}
