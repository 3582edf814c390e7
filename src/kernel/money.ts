import countryToCurrency from 'country-to-currency';
import { perClubLocale, perLocale } from './locale.ts';

/** What stored prices are in: their currency (ISO 4217), and how many of their digits stand after the point. */
export interface PriceUnit {
  currency: string;
  digits: number;
}

/** The currency that the club has chosen (ISO 4217); null: that of the country of the locale. */
let chosen: string | null = null;
/** That of the prices that are stored; null while there is none. */
let stored: PriceUnit | null = null;

/**
 * The currency of all prices: of those that are stored, else the one that is chosen, else that of the country of the
 * locale. A process has one, because it serves one club.
 */
export const currency = (): string => stored?.currency ?? chosenCurrency();

/** The currency as it would be if no price were stored. */
export const chosenCurrency = (): string => chosen ?? perClubLocale('currency', currencyOf);

/**
 * Changes the currency, see `applySettings`.
 * @param code one that `isCurrency` accepts
 * @param unit that of the stored prices
 */
export function setCurrency(code: string | null, unit: PriceUnit | null): void {
  chosen = code;
  stored = unit;
}

export const isCurrency = (code: string): boolean =>
  code !== UNKNOWN && Intl.supportedValuesOf('currency').includes(code);

/** The currency of the country of a language tag. A tag without a country has none: its language is spoken in several. */
export function currencyOf(tag: string): string {
  const { region } = new Intl.Locale(tag);
  // `es-419` and `en-001` name parts of the world.
  return region && isCountry(region) ? countryToCurrency[region] : UNKNOWN;
}

/** The currency of the country in which a language is spoken most: what earlier versions took for a tag without a country. */
export function likelyCurrencyOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  const country = region && isCountry(region) ? region : new Intl.Locale(language).maximize().region;
  return country && isCountry(country) ? countryToCurrency[country] : UNKNOWN;
}

/** ISO 4217 for no currency. */
const UNKNOWN = 'XXX';

/** Whether prices have a currency. */
export const hasCurrency = (code = currency()): boolean => code !== UNKNOWN;

const isCountry = (region: string): region is keyof typeof countryToCurrency =>
  Object.hasOwn(countryToCurrency, region);

/** The number of digits after the point: 2 for EUR, 0 for JPY. Of stored prices it stays, whatever a new runtime thinks. */
export const fractionDigits = (code = currency()): number =>
  stored?.currency === code ? stored.digits : unitOf(code).digits;

/** A currency with the number of digits that the runtime knows. */
export const unitOf = (code: string): PriceUnit => ({
  currency: code,
  digits:
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
      .maximumFractionDigits ?? 2,
});

/** A price with another number of digits that reads the same, rounded where it has fewer: 5.20 becomes 5. */
export const inDigits = (minor: number, from: number, to: number): number =>
  to >= from ? minor * 10 ** (to - from) : Math.round(minor / 10 ** (from - to));

/** A price in whole minor units as the locale writes it, with plain spaces: `5,20 €`, `£5.20`. */
export function formatPrice(minor: number, code = currency(), digits = fractionDigits(code)): string {
  const format = perLocale(`price ${code} ${digits}`, (tag) => priceFormat(tag, code, digits));
  return format(minor / 10 ** digits).replace(/[\u00a0\u202f]/g, ' ');
}

/**
 * Writes prices with the marks that the locale has for them. For English in most of Europe CLDR gives prices the marks of
 * Britain and all other numbers those of the country (en-DE: `€4.80` beside `0,33 l`): there a price has those of numbers,
 * as it is typed. Swiss French writes `4.80` and `0,33` on purpose.
 */
function priceFormat(tag: string, code: string, digits: number): (price: number) => string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
    ...fraction,
  });
  if (new Intl.Locale(tag).language !== 'en') return (price) => format.format(price);
  const numbers = new Intl.NumberFormat(tag, fraction).formatToParts(-12_345.5);
  const marks = new Map(numbers.map(({ type, value }) => [type, value]));
  const isMark = (type: string) => type === 'decimal' || type === 'group';
  return (price) =>
    format
      .formatToParts(price)
      .map(({ type, value }) => (isMark(type) && marks.get(type)) || value)
      .join('');
}

/** A price as a person types it into a field, without the currency: `5,20` in de-DE, `5.20` in en-GB. */
export function typedPrice(minor: number | null, code = currency()): string {
  if (minor === null) return '';
  const digits = fractionDigits(code);
  const format = perLocale(
    `typed ${digits}`,
    (tag) =>
      new Intl.NumberFormat(tag, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false,
        numberingSystem: 'latn',
      }),
  );
  return format.format(minor / 10 ** digits);
}

/** The highest price, in minor units. */
export const PRICE_AT_MOST = 100_000_000;

/** Why a typed price is refused, as the code of its sentence. */
export type PriceProblem = 'price_with_words' | 'price_unclear' | 'price_decimals' | 'not_price';

/**
 * Reads a price as people type it: `5`, `5.2`, `5,20`, `5,–`, `£5.20`, `5,20 €`, `5€50`, `50p`, `65:-`, `1.234,50`, `1'234.50`,
 * `1 234,50`, and in a currency without decimals `1,200円`. An empty text is null: the price is not known. A number with one
 * separator and three digits after it is refused where the currency has decimals: `1,234` is two prices.
 * @returns whole minor units, or why it cannot be read
 */
export function readPrice(text: string, code = currency()): { price: number | null } | PriceProblem {
  // Raised digits are the small coin: `5⁵⁰`. Made equal to the others they would be read as 550.
  const level = text.trim().replace(RAISED_COIN, '$1.$2');
  if (RAISED.test(level.replace(/\.[⁰¹²³⁴-⁹]{2}(?=\D*$)/u, ''))) return 'not_price';
  const typed = level.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (typed === '') return { price: null };
  const minor = readMinor(typed, code);
  if (minor !== undefined) return minor <= PRICE_AT_MOST ? { price: minor } : 'not_price';
  // `5,–`, `5.-` and `65:-` are whole prices.
  const bare = withoutCurrency(typed, code)
    .replace(/^(\d+)[.,:]\p{Pd}{1,2}$/u, '$1')
    .replace(/^\d{1,3}(?:['’]\d{3})+(?=$|[.,])|^\d{1,3}(?: \d{3})+(?=$|[.,])/u, (grouped) =>
      grouped.replace(/\D/g, ''),
    );
  if (/\p{L}/u.test(bare)) return 'price_with_words';
  const digits = fractionDigits(code);
  const [, whole = '', fraction = ''] =
    /^(\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(bare) ??
    /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/.exec(bare) ??
    // Nothing but thousands can be separated.
    (digits === 0 ? /^(\d{1,3}(?:[.,]\d{3})+)$/.exec(bare) : null) ??
    /^(\d+)(?:[.,](\d+))?$/.exec(bare) ??
    [];
  if (whole === '') return /^\d{1,3}([.,]\d{3}){2,}$/.test(bare) ? 'price_unclear' : 'not_price';
  if (fraction.length > digits)
    return fraction.length === 3 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(bare) ? 'price_unclear' : 'price_decimals';
  const price = Number(whole.replace(/[.,]/g, '')) * 10 ** digits + Number(fraction.padEnd(digits, '0'));
  return price <= PRICE_AT_MOST ? { price } : 'not_price';
}

const RAISED_COIN = /(\d)([⁰¹²³⁴-⁹]{2})(?=\D*$)/u;
const RAISED = /[⁰¹²³⁴-⁹₀-₉]/u;

/** How people write the small coin of a currency behind a whole number: `50p`. */
const SMALL_COINS: Readonly<Record<string, RegExp>> = {
  GBP: /^p$/i,
  EUR: /^(c|ct|cts|cent|cents)\.?$/i,
  USD: /^(¢|c)$/i,
  CAD: /^(¢|c)$/i,
  AUD: /^(¢|c)$/i,
  NZD: /^(¢|c)$/i,
  CHF: /^(rp|cts?)\.?$/i,
};

function readMinor(typed: string, code: string): number | undefined {
  const [, amount, coin = ''] = /^(\d{1,9}) ?(\D+)$/.exec(typed) ?? [];
  return amount !== undefined && SMALL_COINS[code]?.test(coin) ? Number(amount) : undefined;
}

/** Signs of a currency on lists that no language writes in full, in capitals. */
const MORE_SIGNS: Readonly<Record<string, readonly string[]>> = {
  CHF: ['SFR.', 'SFR', 'FR.', 'FR'],
  SEK: ['KR.', 'KR'],
  NOK: ['KR.', 'KR'],
  DKK: ['KR.', 'KR'],
  ISK: ['KR.', 'KR'],
  CZK: ['KČ', 'KC'],
  PLN: ['ZŁ', 'ZL'],
  HUF: ['FT.', 'FT'],
  TRY: ['TL'],
  JPY: ['円', 'YEN'],
  CNY: ['元', 'RMB'],
  TWD: ['元', 'NT$'],
  KRW: ['원'],
  INR: ['RS.', 'RS'],
  EUR: ['EURO', 'EUROS'],
};

/** Removes one symbol or code of the currency, before or after the number; between two parts of it, it is the point. */
function withoutCurrency(text: string, code: string): string {
  const symbols = perLocale(`symbols ${code}`, (tag) => symbolsOf(code, tag));
  const upper = text.toUpperCase();
  const before = symbols.find((symbol) => upper.startsWith(symbol));
  if (before !== undefined) return text.slice(before.length).trim();
  const after = symbols.find((symbol) => upper.endsWith(symbol));
  if (after !== undefined) return text.slice(0, -after.length).trim();
  const between = symbols.find((symbol) => {
    const [whole = '', small = '', ...more] = upper.split(symbol);
    return more.length === 0 && /^\d+$/.test(whole) && /^\d{2}$/.test(small);
  });
  return between === undefined ? text : upper.replace(between, '.');
}

function symbolsOf(code: string, tag: string): string[] {
  const shown = (['symbol', 'narrowSymbol', 'code'] as const).flatMap((currencyDisplay) =>
    [tag, 'en', 'en-CA'].map(
      (language) =>
        new Intl.NumberFormat(language, { style: 'currency', currency: code, currencyDisplay })
          .formatToParts(0)
          .find(({ type }) => type === 'currency')?.value ?? code,
    ),
  );
  const known = [...shown, ...(MORE_SIGNS[code] ?? [])];
  // The longest first: `US$` before `$`.
  return [...new Set(known.map((symbol) => symbol.normalize('NFKC').toUpperCase()))].sort(
    (a, b) => b.length - a.length,
  );
}
