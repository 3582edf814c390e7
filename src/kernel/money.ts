import { perLocale } from './locale.ts';

/** The currency that the club has chosen (ISO 4217); null: that of the country of the locale. */
let chosen: string | null = null;

/** The currency of all prices. A process has one, because it serves one club. */
export const currency = (): string => chosen ?? perLocale('currency', currencyOf);

/** Changes the currency, see `applySettings`. @param code one that `isCurrency` accepts */
export function setCurrency(code: string | null): void {
  chosen = code;
}

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** The currencies of countries, as far as the choice of locales goes; all others have the euro. */
const BY_COUNTRY: Readonly<Record<string, string>> = {
  US: 'USD',
  GB: 'GBP',
  AU: 'AUD',
  CA: 'CAD',
  NZ: 'NZD',
  ZA: 'ZAR',
  IN: 'INR',
  CH: 'CHF',
  LI: 'CHF',
  MX: 'MXN',
  AR: 'ARS',
  BR: 'BRL',
  DK: 'DKK',
  SE: 'SEK',
  NO: 'NOK',
  IS: 'ISK',
  PL: 'PLN',
  CZ: 'CZK',
  HU: 'HUF',
  RO: 'RON',
  TR: 'TRY',
  UA: 'UAH',
  JP: 'JPY',
  KR: 'KRW',
  CN: 'CNY',
  TW: 'TWD',
  TH: 'THB',
  VN: 'VND',
  ID: 'IDR',
  IL: 'ILS',
  EG: 'EGP',
};

/** The currency of the country of a language tag; a tag without a country gets its likely one. */
const currencyOf = (tag: string): string => BY_COUNTRY[new Intl.Locale(tag).maximize().region ?? ''] ?? 'EUR';

/** The number of digits after the point: 2 for EUR, 0 for JPY. */
export const fractionDigits = (code = currency()): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** A price in whole minor units as the locale writes it, with plain spaces: `5,20 €`, `£5.20`. */
export function formatPrice(minor: number, code = currency()): string {
  const format = perLocale(
    `price ${code}`,
    (tag) =>
      new Intl.NumberFormat(tag, { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }),
  );
  return format.format(minor / 10 ** fractionDigits(code)).replace(/[\u00a0\u202f]/g, ' ');
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
 * Reads a price as people type it: `5`, `5.2`, `5,20`, `5,–`, `£5.20`, `5,20 €`, `1.234,50`. An empty text is null: the price
 * is not known. A number with one separator and three digits after it is refused: `1,234` is two prices.
 * @returns whole minor units, or why it cannot be read
 */
export function readPrice(text: string, code = currency()): { price: number | null } | PriceProblem {
  const typed = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (typed === '') return { price: null };
  // `5,–` and `5.-` are whole prices.
  const bare = withoutCurrency(typed, code).replace(/^(\d+)[.,]\p{Pd}{1,2}$/u, '$1');
  if (/\p{L}/u.test(bare)) return 'price_with_words';
  const digits = fractionDigits(code);
  const [, whole = '', fraction = ''] =
    /^(\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(bare) ??
    /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/.exec(bare) ??
    /^(\d+)(?:[.,](\d+))?$/.exec(bare) ??
    [];
  if (whole === '') return /^\d{1,3}([.,]\d{3}){2,}$/.test(bare) ? 'price_unclear' : 'not_price';
  if (fraction.length > digits)
    return fraction.length === 3 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(bare) ? 'price_unclear' : 'price_decimals';
  const price = Number(whole.replace(/[.,]/g, '')) * 10 ** digits + Number(fraction.padEnd(digits, '0'));
  return price <= PRICE_AT_MOST ? { price } : 'not_price';
}

/** Removes one symbol or code of the currency, before or after the number. */
function withoutCurrency(text: string, code: string): string {
  const symbols = perLocale(`symbols ${code}`, (tag) => symbolsOf(code, tag));
  const upper = text.toUpperCase();
  const before = symbols.find((symbol) => upper.startsWith(symbol));
  if (before !== undefined) return text.slice(before.length).trim();
  const after = symbols.find((symbol) => upper.endsWith(symbol));
  return after === undefined ? text : text.slice(0, -after.length).trim();
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
  // The longest first: `US$` before `$`.
  return [...new Set(shown.map((symbol) => symbol.normalize('NFKC').toUpperCase()))].sort(
    (a, b) => b.length - a.length,
  );
}
