import { ALLERGEN_LINE, ALLERGEN_WORDS } from '#content/allergens.ts';
import { currency, hasCurrency, isCurrency, typedPrice } from '#kernel/money.ts';
import { ALLERGENS, type MENU_SETTINGS } from '#kernel/settings/menu.ts';
import type { SettingField } from './props.ts';

const UNITS = [
  { value: 'ml', label: 'ml' },
  { value: 'cl', label: 'cl' },
  { value: 'l', label: 'l' },
  { value: 'us_oz', label: 'oz (US)' },
  { value: 'pint', label: 'Pints (568 ml)' },
];
const SOLD_OUT = [
  { value: 'struck', label: 'Struck through that evening' },
  { value: 'hidden', label: 'Taken off at once' },
];
const COUNTRIES = [
  { value: 'none', label: 'None' },
  { value: 'GB', label: 'England and Northern Ireland' },
  { value: 'GB-SCT', label: 'Scotland' },
  { value: 'GB-WLS', label: 'Wales' },
  { value: 'IE', label: 'Ireland' },
  { value: 'DE', label: 'Germany' },
  { value: 'AT', label: 'Austria' },
];

const words = Object.fromEntries(
  ALLERGENS.map((code) => [
    `allergen_words.${code}`,
    { label: ALLERGEN_WORDS[code], kind: 'text', fold: 'Words for allergens' },
  ]),
) as unknown as Record<`allergen_words.${(typeof ALLERGENS)[number]}`, SettingField>;

/** The fields of the settings of the list of drinks and food. */
export const MENU_FIELDS: Record<keyof typeof MENU_SETTINGS, SettingField> = {
  currency: {
    label: 'Currency',
    kind: 'choice',
    options: () => currencies(),
  },
  price_columns: {
    label: 'Prices of each size',
    hint: 'Two show the prices of members and of guests side by side, on screens too.',
    kind: 'choice',
    options: () => [
      { value: '1', label: 'One price' },
      { value: '2', label: 'Two: members and guests' },
    ],
  },
  'price_names.members': { label: 'Heading of members’ prices', kind: 'text' },
  'price_names.guests': { label: 'Heading of guests’ prices', kind: 'text' },
  volume_unit: { label: 'Volumes', hint: 'How they are written.', kind: 'choice', options: () => UNITS },
  prices_old_after_h: {
    label: 'Hours after which prices are old',
    hint: 'A screen without connection then says “Prices at the bar”. From 1 to 168.',
    kind: 'number',
  },
  sold_out_shows: { label: 'What is sold out', kind: 'choice', options: () => SOLD_OUT },
  alcohol_free_below: {
    label: 'Alcohol-free up to',
    hint: 'Per cent by volume.',
    kind: 'text',
  },
  show_units: {
    label: 'Show units of alcohol',
    hint: 'With the details of a drink on phones.',
    kind: 'tick',
  },
  country_checks: {
    label: 'Check the list by the rules of',
    hint: 'The content page names what may be missing. It is not legal advice and blocks nothing.',
    kind: 'choice',
    options: () => COUNTRIES,
  },
  min_price_per_unit: {
    label: 'Lowest price of a unit of alcohol',
    hint: 'Drinks below it are named on the content page. Left empty, nothing is checked.',
    kind: 'price',
  },
  offers_allowed: {
    label: 'Offers at certain hours',
    hint: 'Not possible with the rules of Scotland or Ireland.',
    kind: 'tick',
  },
  allergen_line: { label: 'Line about allergens', hint: `Left empty: “${ALLERGEN_LINE}”`, kind: 'text' },
  ...words,
};

function currencies(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  const all = Intl.supportedValuesOf('currency')
    .filter(isCurrency)
    .map((code) => ({ value: code, label: `${names.of(code) ?? code} (${code})` }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
  // A language without a country has none until one is chosen.
  return hasCurrency() ? all : [{ value: '', label: 'Not chosen yet' }, ...all];
}

/** A price of a setting as its field shows it. */
export const priceInField = (minor: unknown): string =>
  typeof minor === 'number' ? typedPrice(minor, currency()) : '';
