import { ALLERGEN_LINE, ALLERGEN_WORDS } from '#content/allergens.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { currency, hasCurrency, isCurrency, typedPrice } from '#kernel/money.ts';
import {
  ALLERGENS,
  type BoardLook,
  countryChecks,
  type MENU_SETTINGS,
  volumeUnit,
} from '#kernel/settings/menu.ts';
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
/** The looks of a board: what it is written on, headings, names, other words. */
const LOOKS: Record<BoardLook, { label: string; colours: readonly [string, string, string, string] }> = {
  dark: { label: 'Dark', colours: ['#14130f', '#d8a550', '#ece6d9', '#b8b09f'] },
  light: { label: 'Light, as on paper', colours: ['#faf7f1', '#1f4d3a', '#1d1b16', '#4f4a3e'] },
  chalk: { label: 'Chalk on slate', colours: ['#202b27', '#f0cf78', '#f6f3e8', '#cdc8b8'] },
};

/** A drawing of a board in small: a heading, two rows, two prices. */
function lookSample({ colours: [ground, heading, name, other] }: (typeof LOOKS)[BoardLook]): Html {
  return html`<rect width="96" height="54" rx="3" fill="${ground}"/><path d="M8 12h34" stroke="${heading}" stroke-width="6"/>
<path d="M8 26h40M74 26h14M8 42h30M74 42h14" stroke="${name}" stroke-width="4"/><path d="M8 33h26" stroke="${other}" stroke-width="3"/>`;
}

const COUNTRIES = [
  { value: 'none', label: 'None' },
  { value: 'GB', label: 'England and Northern Ireland' },
  { value: 'GB-SCT', label: 'Scotland' },
  { value: 'GB-WLS', label: 'Wales' },
  { value: 'IE', label: 'Ireland' },
  { value: 'DE', label: 'Germany' },
  { value: 'AT', label: 'Austria' },
];

/** The choices, after that of the country of the club, which is named. */
const asInCountry = (options: readonly { value: string; label: string }[], usual: string) => [
  { value: '', label: `As in your country: ${options.find(({ value }) => value === usual)?.label}` },
  ...options,
];

const words = Object.fromEntries(
  ALLERGENS.map((code) => [
    `allergen_words.${code}`,
    { label: ALLERGEN_WORDS[code].for(ENGLISH), kind: 'text', fold: 'Words for allergens' },
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
  volume_unit: {
    label: 'Volumes',
    hint: 'How they are written.',
    kind: 'choice',
    options: () => asInCountry(UNITS, volumeUnit({ volume_unit: null })),
  },
  prices_old_after_h: {
    label: 'Hours after which prices are old',
    hint: 'A screen without connection then says “Prices at the bar”. From 1 to 168.',
    kind: 'number',
  },
  sold_out_shows: { label: 'What is sold out', kind: 'choice', options: () => SOLD_OUT },
  board_look: {
    label: 'Look of the menu board',
    hint: html`Of screens that have the menu over the whole screen. Headings are in the club’s colour. ${Object.values(
      LOOKS,
    ).map(
      (look) =>
        html`<svg class="settings-look" viewBox="0 0 96 54" role="img" aria-label="${look.label}">${lookSample(look)}</svg> `,
    )}`,
    kind: 'choice',
    options: () => Object.entries(LOOKS).map(([value, { label }]) => ({ value, label })),
  },
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
    options: () => asInCountry(COUNTRIES, countryChecks({ country_checks: null })),
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
  allergen_line: {
    label: 'Line about allergens',
    hint: t('settings.menu.line_left_empty', { line: ALLERGEN_LINE }),
    kind: 'text',
  },
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
