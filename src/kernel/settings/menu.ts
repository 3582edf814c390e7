import { z } from 'zod';
import { perClubLocale } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isCurrency, PRICE_AT_MOST, readPrice } from '#kernel/money.ts';
import { line, numberBetween, tick } from './inputs.ts';
import type { Setting } from './setting.ts';

/** The allergens that food information names (EU 1169/2011, annex II). */
export const ALLERGENS = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soya',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const;
export type Allergen = (typeof ALLERGENS)[number];

/** How volumes are written. */
const VOLUME_UNITS = ['ml', 'cl', 'l', 'us_oz', 'pint'] as const;
export type VolumeUnit = (typeof VOLUME_UNITS)[number];

/** What is shown of something that is sold out: it is struck through until the evening ends, or gone at once. */
const SOLD_OUT_SHOWS = ['struck', 'hidden'] as const;

/** How boards of the list look: type and colours alone. */
export const BOARD_LOOKS = ['dark', 'light', 'chalk'] as const;
export type BoardLook = (typeof BOARD_LOOKS)[number];

/** The countries whose rules for price lists are checked; nothing of it is a legal opinion. */
const COUNTRY_CHECKS = ['none', 'GB', 'GB-SCT', 'GB-WLS', 'IE', 'DE', 'AT'] as const;
export type CountryCheck = (typeof COUNTRY_CHECKS)[number];

/** The countries whose lists write volumes in another unit than millilitres. */
const UNIT_COUNTRIES: Partial<Record<VolumeUnit, string>> = {
  l: 'AT BA BG BY CH CZ DE EE HR HU LI LT LV MD ME MK PL RO RS RU SI SK UA',
  cl: 'AD BE DK ES FI FO FR GL IS IT LU MC NL NO PT SE SM',
  pint: 'GB GG GI IE IM JE',
  us_oz: 'PR US',
};

/** The country of the locale; empty for a locale without one. */
const country = (): string => perClubLocale('country', (tag) => new Intl.Locale(tag).region ?? '');

/** The unit of volumes: as the club has chosen, else as in its country. */
export const volumeUnit = ({ volume_unit }: { volume_unit: VolumeUnit | null }): VolumeUnit =>
  volume_unit ?? VOLUME_UNITS.find((unit) => UNIT_COUNTRIES[unit]?.split(' ').includes(country())) ?? 'ml';

/** The country whose rules the list is checked by: as the club has chosen, else its own. */
export const countryChecks = ({ country_checks }: { country_checks: CountryCheck | null }): CountryCheck =>
  country_checks ?? COUNTRY_CHECKS.find((code) => code === country()) ?? 'none';

/** One of a few values; null, or an empty text as forms send it, means the default. */
const oneOfValues = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.preprocess(
    (given) => (given === '' ? null : given),
    z.enum(values, coded('not_either', { choices: values })).nullable(),
  );

const currencyCode = line(3)
  .transform((code) => code?.toUpperCase() ?? null)
  .refine((code) => code === null || isCurrency(code), coded('not_currency'));

/** A price in minor units, or the text of a form. */
const price = z
  .union([z.number(), z.string().max(40)], coded('not_price'))
  .nullable()
  .transform((given, issues) => {
    const read = typeof given === 'string' ? readPrice(given) : { price: given };
    const isValid =
      typeof read !== 'string' &&
      (read.price === null ||
        (Number.isInteger(read.price) && read.price >= 0 && read.price <= PRICE_AT_MOST));
    if (isValid) return read.price;
    issues.addIssue({ code: 'custom', message: coded('not_price') });
    return z.NEVER;
  });

/** Per cent by volume, with one decimal. */
const strength = z
  .union([z.number(), z.string().trim().max(10)], coded('not_strength', { max: 20 }))
  .nullable()
  .transform((given) => (given === null || given === '' ? null : Number(String(given).replace(',', '.'))))
  .refine(
    (value) => value === null || (value >= 0 && value <= 20 && Math.round(value * 10) === value * 10),
    coded('not_strength', { max: 20 }),
  );

const WORD = { group: 'menu', input: line(40), usual: null } as const satisfies Setting<string, null>;

/** The settings of the list of drinks and food. */
export const MENU_SETTINGS = {
  /** Null: that of the country of the locale. */
  currency: { group: 'menu', input: currencyCode, usual: null },
  /** Two: members and guests pay different prices, and both are shown. */
  price_columns: { group: 'menu', input: numberBetween(1, 2), usual: 1 },
  'price_names.members': { group: 'menu', input: line(20), usual: 'Members' },
  'price_names.guests': { group: 'menu', input: line(20), usual: 'Guests' },
  /** Null: as in the country of the locale, see `volumeUnit`. */
  volume_unit: { group: 'menu', input: oneOfValues(VOLUME_UNITS), usual: null },
  /** After so many hours without the service a screen shows no prices. */
  prices_old_after_h: { group: 'menu', input: numberBetween(1, 168), usual: 24 },
  sold_out_shows: {
    group: 'menu',
    input: oneOfValues(SOLD_OUT_SHOWS),
    usual: 'struck' as (typeof SOLD_OUT_SHOWS)[number],
  },
  board_look: { group: 'menu', input: oneOfValues(BOARD_LOOKS), usual: 'dark' as BoardLook },
  alcohol_free_below: { group: 'menu', input: strength, usual: 0.5 },
  show_units: { group: 'menu', input: tick, usual: false },
  /** Null: that of the locale, see `countryChecks`. */
  country_checks: { group: 'menu', input: oneOfValues(COUNTRY_CHECKS), usual: null },
  /** In minor units. */
  min_price_per_unit: { group: 'menu', input: price, usual: null },
  offers_allowed: { group: 'menu', input: tick, usual: false },
  /** Null: the usual sentence. */
  allergen_line: { group: 'menu', input: line(200), usual: null },
  'allergen_words.gluten': WORD,
  'allergen_words.crustaceans': WORD,
  'allergen_words.eggs': WORD,
  'allergen_words.fish': WORD,
  'allergen_words.peanuts': WORD,
  'allergen_words.soya': WORD,
  'allergen_words.milk': WORD,
  'allergen_words.nuts': WORD,
  'allergen_words.celery': WORD,
  'allergen_words.mustard': WORD,
  'allergen_words.sesame': WORD,
  'allergen_words.sulphites': WORD,
  'allergen_words.lupin': WORD,
  'allergen_words.molluscs': WORD,
} satisfies Record<string, Setting<unknown, unknown>> & Record<`allergen_words.${Allergen}`, typeof WORD>;
