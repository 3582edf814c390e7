import { z } from 'zod';
import { allergenWords } from '#content/allergens.ts';
import {
  decimal,
  longText,
  neededText,
  order,
  picture,
  recordId,
  shortText,
  tick,
  webPage,
  whole,
} from '#content/records/fields.ts';
import { defineKind } from '#content/records/kind.ts';
import { sizeKey, sizeText } from '#content/volumes.ts';
import type { Config } from '#kernel/config.ts';
import { type FieldError, fieldError } from '#kernel/http/errors.ts';
import { listOf, oneOf } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { compareNames } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import { formatPrice, PRICE_AT_MOST } from '#kernel/money.ts';
import { ALLERGENS, type Allergen } from '#kernel/settings/menu.ts';

export const MARKS = ['vegan', 'vegetarian', 'gluten_free', 'alcohol_free', 'cask'] as const;
export type Mark = (typeof MARKS)[number];

export const MARK_WORDS: Readonly<Record<Mark, Words>> = {
  vegan: t('pub.menu.mark_vegan'),
  vegetarian: t('pub.menu.mark_vegetarian'),
  gluten_free: t('pub.menu.mark_gluten_free'),
  alcohol_free: t('pub.menu.mark_alcohol_free'),
  cask: t('pub.menu.mark_cask'),
};
export const SIZES_AT_MOST = 5;
const ITEMS_AT_MOST = 300;
const IN_SECTION_AT_MOST = 100;

/** A price in whole minor units; null: it is not known, and the list says "ask". */
const price = z
  .int(coded('not_minor_units'))
  .min(0, coded('not_minor_units'))
  .max(PRICE_AT_MOST, coded('not_minor_units'))
  .nullable()
  .default(null);

/** A size in which something is sold. */
export type MenuSizeBody = z.output<typeof size>;
const size = z.strictObject({
  /** May be empty: a volume or a price alone is enough. */
  label: shortText(20),
  volume_ml: whole(1, 20_000),
  price,
  member_price: price,
  shown: tick(true),
});

/** The sizes of an item, see `sizeKey`. */
export const sizes = listOf(size, SIZES_AT_MOST).refine(
  (list) => new Set(list.map(sizeKey)).size === list.length,
  coded('twice_in_list'),
);

/** Something to drink or to eat. Only its name and its section are required. */
export type MenuItemBody = z.output<typeof schema>;
const schema = z.strictObject({
  name: neededText(80),
  section: recordId,
  maker: shortText(80),
  style: shortText(60),
  /** Per cent by volume. */
  abv: decimal(96),
  ibu: whole(0, 200),
  color_ebc: whole(0, 140),
  description: longText(300),
  /** Unknown ones are shown as "ask us", never as none. */
  allergens_known: oneOf(['unknown', 'none', 'listed']).default('unknown'),
  allergens: listOf(z.strictObject({ code: oneOf(ALLERGENS), detail: shortText(40) }), ALLERGENS.length)
    .refine((list) => new Set(list.map(({ code }) => code)).size === list.length, coded('twice_in_list'))
    .default([]),
  marks: listOf(oneOf(MARKS), MARKS.length)
    .transform((list) => MARKS.filter((mark) => list.includes(mark)))
    .default([]),
  sizes: sizes.default([]),
  order,
  picture,
  url: webPage,
});

export const MENU_ITEM = defineKind({
  name: 'menu_item',
  schema,
  check: (body) => checkAllergens(body),
  checkAmong: (body, { before, others, config }) => [
    ...checkWords(body, config),
    ...checkRoom(body, before, others),
  ],
  questions: (body, before) =>
    isDoubtful(body) && !(before && isDoubtful(before))
      ? [{ name: 'gluten_free', code: 'confirm_gluten_free' }]
      : [],
  refersTo: { section: 'menu_section' },
  prices: {
    field: 'sizes',
    each: (body, change) => ({
      ...body,
      sizes: body.sizes.map((size) => ({
        ...size,
        price: size.price === null ? null : change(size.price),
        member_price: size.member_price === null ? null : change(size.member_price),
      })),
    }),
  },
  isOnMenu: true,
  ordered: {
    group: ({ section }) => section,
    compare: (a, b, { placeOf }) =>
      placeOf(a.section) - placeOf(b.section) || a.order - b.order || compareNames(a.name, b.name),
  },
  title: ({ name, maker }) => (maker ? `${name}, ${maker}` : name),
  columns: [
    {
      label: t('content-admin.kinds.drink_food'),
      words: ({ name }) => name,
      below: ({ maker }) => maker,
      leads: true,
    },
    { label: t('content-admin.kinds.section'), words: ({ section }, { nameOf }) => nameOf(section) ?? '' },
    {
      label: t('content-admin.kinds.prices'),
      words: ({ sizes }, { volumeUnit }) =>
        commas(sizes.map((size) => priceInList(sizeText(size, volumeUnit), size.price))) ?? '',
    },
  ],
  labels: {
    name: t('content-admin.kinds.name'),
    section: t('content-admin.kinds.section'),
    maker: t('content-admin.kinds.maker'),
    style: t('content-admin.kinds.style'),
    abv: t('content-admin.kinds.alcohol_per_cent'),
    ibu: t('content-admin.kinds.bitterness_ibu'),
    color_ebc: t('content-admin.kinds.colour_ebc'),
    description: t('content-admin.kinds.description'),
    allergens_known: t('content-admin.kinds.allergens'),
    allergens: t('content-admin.kinds.which_allergens'),
    marks: t('content-admin.kinds.marks'),
    sizes: t('content-admin.kinds.sizes_prices'),
    order: t('content-admin.kinds.place_section'),
    picture: t('content-admin.kinds.picture'),
    url: t('content-admin.kinds.web_page'),
    confirm: t('content-admin.kinds.gluten'),
  },
});

/** `Pint 5.20`, or the price alone. */
function priceInList(name: string, minor: number | null): Words | string {
  const price = minor === null ? t('content-admin.kinds.price_ask') : formatPrice(minor);
  return name === '' ? price : t('content-admin.kinds.size_price', { size: name, price });
}

const hasAllergen = ({ allergens }: MenuItemBody, code: Allergen) =>
  allergens.some((one) => one.code === code);

/** Gluten-free beer is made of barley, too: it is possible, and so it is asked. */
const isDoubtful = (body: MenuItemBody) => body.marks.includes('gluten_free') && hasAllergen(body, 'gluten');

function checkAllergens({ allergens_known: known, allergens }: MenuItemBody): FieldError[] {
  if (known !== 'listed' && allergens.length > 0) return [fieldError('allergens', 'allergens_not_listed')];
  return known === 'listed' && allergens.length === 0 ? [fieldError('allergens', 'allergens_missing')] : [];
}

/** Allergens that a mark rules out. */
const RULED_OUT: Partial<Record<Mark, readonly Allergen[]>> = {
  vegan: ['milk', 'eggs', 'fish', 'crustaceans', 'molluscs'],
  vegetarian: ['fish', 'crustaceans', 'molluscs'],
};

/** Whether the marks fit the allergens and the strength. */
function checkWords(body: MenuItemBody, { settings }: Pick<Config, 'settings'>): FieldError[] {
  const words = allergenWords(settings);
  const problems = body.marks.flatMap((mark) => {
    const found = (RULED_OUT[mark] ?? []).filter((code) => hasAllergen(body, code));
    const allergens = found.map((code) => words[code]);
    return found.length === 0
      ? []
      : [fieldError('marks', 'mark_with_allergens', { mark: MARK_WORDS[mark], allergens })];
  });
  if (!body.marks.includes('alcohol_free')) return problems;
  const { alcohol_free_below: max } = settings;
  if (body.abv === null) return [...problems, fieldError('abv', 'abv_needed')];
  return body.abv > max ? [...problems, fieldError('abv', 'alcohol_free_above', { max })] : problems;
}

function checkRoom(
  { section }: MenuItemBody,
  before: MenuItemBody | undefined,
  others: () => readonly MenuItemBody[],
): FieldError[] {
  if (before?.section === section) return [];
  const all = others();
  if (before === undefined && all.length >= ITEMS_AT_MOST)
    return [fieldError('name', 'too_many_records', { max: ITEMS_AT_MOST })];
  return all.filter((other) => other.section === section).length >= IN_SECTION_AT_MOST
    ? [fieldError('section', 'too_many_in_section', { max: IN_SECTION_AT_MOST })]
    : [];
}
