import { ALLERGEN_LINE, ALLERGEN_WORDS } from '#content/allergens.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
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
  { value: 'ml', label: t('settings.menu.ml') },
  { value: 'cl', label: t('settings.menu.cl') },
  { value: 'l', label: t('settings.menu.l') },
  { value: 'us_oz', label: t('settings.menu.oz_us') },
  { value: 'pint', label: t('settings.menu.pints_568_ml') },
];
const SOLD_OUT = [
  { value: 'struck', label: t('settings.menu.struck_through_evening') },
  { value: 'hidden', label: t('settings.menu.taken_off_once') },
];
/** The looks of a board: what it is written on, headings, names, other words. */
const LOOKS: Record<
  BoardLook,
  { label: Words | string; colours: readonly [string, string, string, string] }
> = {
  dark: { label: t('settings.menu.dark'), colours: ['#14130f', '#d8a550', '#ece6d9', '#b8b09f'] },
  light: { label: t('settings.menu.light_paper'), colours: ['#faf7f1', '#1f4d3a', '#1d1b16', '#4f4a3e'] },
  chalk: { label: t('settings.menu.chalk_slate'), colours: ['#202b27', '#f0cf78', '#f6f3e8', '#cdc8b8'] },
};

/** A drawing of a board in small: a heading, two rows, two prices. */
function lookSample({ colours: [ground, heading, name, other] }: (typeof LOOKS)[BoardLook]): Html {
  return html`<rect width="96" height="54" rx="3" fill="${ground}"/><path d="M8 12h34" stroke="${heading}" stroke-width="6"/>
<path d="M8 26h40M74 26h14M8 42h30M74 42h14" stroke="${name}" stroke-width="4"/><path d="M8 33h26" stroke="${other}" stroke-width="3"/>`;
}

const COUNTRIES = [
  { value: 'none', label: t('settings.menu.none') },
  { value: 'GB', label: t('settings.menu.england_northern_ireland') },
  { value: 'GB-SCT', label: t('settings.menu.scotland') },
  { value: 'GB-WLS', label: t('settings.menu.wales') },
  { value: 'IE', label: t('settings.menu.ireland') },
  { value: 'DE', label: t('settings.menu.germany') },
  { value: 'AT', label: t('settings.menu.austria') },
];

/** The choices, after that of the country of the club, which is named. */
const asInCountry = (options: readonly { value: string; label: Words | string }[], usual: string) => [
  {
    value: '',
    label: t('settings.menu.country', {
      label: options.find(({ value }) => value === usual)?.label ?? usual,
    }),
  },
  ...options,
];

const words = Object.fromEntries(
  ALLERGENS.map((code) => [
    `allergen_words.${code}`,
    { label: ALLERGEN_WORDS[code], kind: 'text', fold: t('settings.menu.words_allergens') },
  ]),
) as unknown as Record<`allergen_words.${(typeof ALLERGENS)[number]}`, SettingField>;

/** The fields of the settings of the list of drinks and food. */
export const MENU_FIELDS: Record<keyof typeof MENU_SETTINGS, SettingField> = {
  currency: {
    label: t('settings.menu.currency'),
    kind: 'choice',
    options: ({ language }) => currencies(language),
  },
  price_columns: {
    label: t('settings.menu.prices_each_size'),
    hint: t('settings.menu.two_show_prices_members_guests'),
    kind: 'choice',
    options: () => [
      { value: '1', label: t('settings.menu.price') },
      { value: '2', label: t('settings.menu.two_members_guests') },
    ],
  },
  'price_names.members': { label: t('settings.menu.heading_members_prices'), kind: 'text' },
  'price_names.guests': { label: t('settings.menu.heading_guests_prices'), kind: 'text' },
  volume_unit: {
    label: t('settings.menu.volumes'),
    hint: t('settings.menu.how_written'),
    kind: 'choice',
    options: () => asInCountry(UNITS, volumeUnit({ volume_unit: null })),
  },
  prices_old_after_h: {
    label: t('settings.menu.hours_after_which_prices_old'),
    hint: t('settings.menu.screen_without_connection_says_prices'),
    kind: 'number',
  },
  sold_out_shows: { label: t('settings.menu.what_sold_out'), kind: 'choice', options: () => SOLD_OUT },
  board_look: {
    label: t('settings.menu.look_menu_board'),
    hint: html`${t('settings.menu.screens_menu_over_whole_screen')} <span class="settings-looks">${Object.values(
      LOOKS,
    ).map(
      (look) =>
        html`<svg class="settings-look" viewBox="0 0 96 54" role="img" aria-label="${look.label}">${lookSample(look)}</svg> `,
    )}</span>`,
    kind: 'choice',
    options: () => Object.entries(LOOKS).map(([value, { label }]) => ({ value, label })),
  },
  alcohol_free_below: {
    label: t('settings.menu.alcohol_free_up'),
    hint: t('settings.menu.per_cent_volume'),
    kind: 'decimal',
  },
  show_units: {
    label: t('settings.menu.show_units_alcohol'),
    hint: t('settings.menu.details_drink_phones'),
    kind: 'tick',
  },
  country_checks: {
    label: t('settings.menu.check_list_rules'),
    hint: t('settings.menu.content_page_names_what_missing'),
    kind: 'choice',
    options: () => asInCountry(COUNTRIES, countryChecks({ country_checks: null })),
  },
  min_price_per_unit: {
    label: t('settings.menu.lowest_price_unit_alcohol'),
    hint: t('settings.menu.drinks_below_named_content_page'),
    kind: 'price',
  },
  offers_allowed: {
    label: t('settings.menu.offers_certain_hours'),
    hint: t('settings.menu.possible_rules_scotland_ireland'),
    kind: 'tick',
  },
  allergen_line: {
    label: t('settings.menu.line_about_allergens'),
    hint: t('settings.menu.line_left_empty', { line: ALLERGEN_LINE }),
    kind: 'text',
  },
  ...words,
};

function currencies(language: string): { value: string; label: Words | string }[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  const all = Intl.supportedValuesOf('currency')
    .filter(isCurrency)
    .map((code) => ({ value: code, label: `${names.of(code) ?? code} (${code})` }))
    .sort((a, b) => a.label.localeCompare(b.label, language));
  // A language without a country has none until one is chosen.
  return hasCurrency() ? all : [{ value: '', label: t('settings.menu.chosen_yet') }, ...all];
}

/** A price of a setting as its field shows it. */
export const priceInField = (minor: unknown): string =>
  typeof minor === 'number' ? typedPrice(minor, currency()) : '';
