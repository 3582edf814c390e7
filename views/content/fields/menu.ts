import { OFFER_PRICES } from '#content/forms/menu.ts';
import { MARK_WORDS, MARKS, SIZES_AT_MOST } from '#content/kinds/menu-item.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ALLERGENS } from '#kernel/settings/menu.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { linkTo } from '#views/components/slots.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, entry, type FieldsProps, tick } from './parts.ts';
import { pictureFields } from './picture.ts';

/** A group of checkboxes with one name. */
function ticks(
  props: FieldsProps,
  name: string,
  {
    options,
    ...own
  }: { label?: Words; hint?: Words; options: readonly (readonly [string, Words | string])[] },
): Html {
  const chosen = [props.values[name] ?? []].flat();
  return html`<div class="${name === 'days' ? 'content-days' : 'content-ticks'}">${choiceGroup({
    ...at(props, name),
    ...own,
    plain: true,
    rows: options.map(([value, words]) =>
      choice({ type: 'checkbox', name, value, label: words, checked: chosen.includes(value) }),
    ),
  })}</div>`;
}

const name = (props: FieldsProps, of: string, maxlength: number): Html =>
  field({ ...at(props, of), maxlength, autocomplete: 'off' });

/** A select box of values with their words. */
function select(
  props: FieldsProps,
  name: string,
  {
    options,
    usual,
    ...own
  }: { label?: Words; hint?: Words; options: readonly (readonly [string, Words | string])[]; usual: string },
): Html {
  const input = at(props, name);
  return selectField({
    ...input,
    ...own,
    options: options.map(([value, label]) => ({ value, label })),
    value: input.value || usual,
  });
}

/** Weekdays and a time of day. */
function hours(props: FieldsProps, hint: Words): Html {
  const between = errorAt(props.errors, 'between');
  return html`${ticks(props, 'days', {
    hint: t('content-admin.fields.none_ticked_every_day'),
    options: namedWeekdays('short'),
  })}<fieldset class="content-pair"><legend>${t('content-admin.fields.time_day')}</legend><p class="hint">${hint}</p>
${between && html`<p class="error-text">${between}</p>`}
${entry(props, { name: 'between.from', label: t('content-admin.fields.from'), type: 'time' })}${entry(props, {
  name: 'between.to',
  label: t('content-admin.fields.to'),
  type: 'time',
})}</fieldset>`;
}

export function menuSectionFields(props: FieldsProps): Html {
  return html`${name(props, 'title', 60)}
${select(props, 'kind', {
  options: [
    ['drinks', t('content-admin.fields.drinks')],
    ['food', t('content-admin.fields.food')],
  ],
  usual: 'drinks',
})}
<div class="choices choices-plain">${tick(props, 'on_tap', t('content-admin.fields.drinks_listed_only_while_tap'))}</div>
${entry(props, { name: 'note', label: t('content-admin.fields.note_below_title') })}
${entry(props, { name: 'order', type: 'number', short: true, hint: t('content-admin.fields.lowest_number_comes_first') })}
${ticks(props, 'show_on', {
  options: [
    ['screens', t('content-admin.fields.screens')],
    ['phones', t('content-admin.fields.phones')],
    ['print', t('content-admin.fields.paper')],
  ],
})}
${select(props, 'rows', {
  label: t('content-admin.fields.on_screens'),
  hint: t('content-admin.fields.second_line_maker_style'),
  options: [
    ['2', t('content-admin.fields.two_lines_each')],
    ['1', t('content-admin.fields.line_each')],
  ],
  usual: '2',
})}
${disclosure(t('content-admin.fields.only_some_days_times'), hours(props, t('content-admin.fields.such_hours_kitchen_past_midnight')), isTimed(props))}`;
}

const isTimed = ({ values }: FieldsProps) =>
  ['days', 'between.from', 'between.to'].some((one) =>
    [values[one] ?? ''].flat().some((text) => text !== ''),
  );

/** What a dish has none of: kept for the case that it goes back to a section of drinks. */
const OF_DRINKS = ['maker', 'abv', 'ibu', 'color_ebc'];

export function menuItemFields(props: FieldsProps): Html {
  const { values, errors, menu } = props;
  const sections = menu?.sections ?? [];
  const only = sections.length === 1 ? (sections[0]?.id ?? '') : '';
  const chosen = enteredText(values, 'section') || only;
  if (sections.length === 0)
    return html`<p>${t('content-admin.fields.everything_list_section_add_section', { link: linkTo('/admin/content/menu_section/new') })}</p>`;
  const isAsked = errorAt(errors, 'confirm');
  const isFood = sections.find(({ id }) => id === chosen)?.kind === 'food';
  const hasDetails = [...(isFood ? [] : ['ibu', 'color_ebc']), 'url', 'description'].some(
    (one) => enteredText(values, one) !== '',
  );
  const areListed =
    enteredText(values, 'allergens_known') === 'listed' || errorAt(errors, 'allergens') !== undefined;
  return html`${name(props, 'name', 80)}
${select(props, 'section', {
  options: [
    ...(sections.some(({ id }) => id === chosen) ? [] : [['', t('content-admin.fields.choose')] as const]),
    ...sections.map(({ id, title }) => [id, title] as const),
  ],
  usual: only,
})}
${
  isFood
    ? html`${entry(props, { name: 'style' })}${hiddenInputs(
        Object.fromEntries(OF_DRINKS.map((one) => [one, enteredText(values, one)])),
      )}`
    : html`<div class="content-two">${entry(props, { name: 'maker' })}${entry(props, { name: 'style' })}</div>
${entry(props, { name: 'abv', short: true })}`
}
${errorAt(errors, 'sizes') && html`<p class="error-text">${errorAt(errors, 'sizes')}</p>`}
<p class="hint" id="sizes">${t('content-admin.fields.prices_tax_service_left_empty', { currency: menu?.currency ?? '' })}</p>
${sizeRows(props)}
${select(props, 'allergens_known', {
  options: [
    ['unknown', t('content-admin.fields.known_list_says_ask_us')],
    ['none', t('content-admin.fields.none_fourteen')],
    ['listed', t('content-admin.fields.those_ticked_here')],
  ],
  usual: 'unknown',
})}
${disclosure(
  t('content-admin.fields.which_allergens'),
  html`${ticks(props, 'allergens', {
    label: t('content-admin.fields.allergens'),
    options: ALLERGENS.map((code) => [code, menu?.allergens[code] ?? code] as const),
  })}<div class="content-two">${entry(props, { name: 'detail.gluten', label: t('content-admin.fields.which_cereal') })}${entry(props, { name: 'detail.nuts', label: t('content-admin.fields.which_nut') })}</div>
<p class="hint">${t('content-admin.fields.food_packed_here_before_chosen')}</p>`,
  areListed,
  FOLDS,
)}
${ticks(props, 'marks', { options: MARKS.map((mark) => [mark, MARK_WORDS[mark]] as const) })}
${
  isAsked &&
  html`<div class="choices choices-plain" id="confirm"><p class="error-text">${isAsked}</p>${choice({
    type: 'checkbox',
    name: 'confirm',
    value: 'gluten_free',
    label: t('content-admin.fields.yes_gluten_free'),
    checked: false,
  })}</div>`
}
${disclosure(
  t('content-admin.fields.more_about'),
  html`${field({ ...at(props, 'description'), optional: true, rows: 3, maxlength: 300 })}
${
  !isFood &&
  html`<div class="content-two">${entry(props, { name: 'ibu', short: true })}${entry(props, { name: 'color_ebc', short: true })}</div>`
}
${entry(props, { name: 'url', hint: t('content-admin.fields.address_begins_https') })}
${entry(props, { name: 'order', type: 'number', short: true, hint: t('content-admin.fields.lowest_number_comes_first') })}`,
  hasDetails && !areListed,
  FOLDS,
)}
${pictureFields(props)}`;
}

/** Of the folds of the form one is open at a time. */
const FOLDS = 'more';

/** At least so many sizes have their fields in sight. */
const SIZES_SHOWN = 2;

/** The sizes; those that are still empty are folded. */
function sizeRows(props: FieldsProps): Html {
  const rows = Array.from({ length: SIZES_AT_MOST }, (_, index) => sizeRow(props, index));
  const isFilled = (_: Html, index: number) =>
    ['label', 'volume_ml', 'price', 'member_price'].some(
      (one) => enteredText(props.values, `sizes.${index}.${one}`) !== '',
    );
  const shown = Math.max(SIZES_SHOWN, rows.findLastIndex(isFilled) + 1);
  const rest = rows.slice(shown);
  return html`${rows.slice(0, shown)}${rest.length > 0 && disclosure(t('content-admin.fields.more_sizes'), rest, false, FOLDS)}`;
}

function sizeRow(props: FieldsProps, index: number): Html {
  const at = `sizes.${index}`;
  const { values } = props;
  const price = (name: string, label: Words) => entry(props, { name: `${at}.${name}`, label, short: true });
  const row = html`<fieldset class="content-pair content-size"><legend>${t('content-admin.fields.size_at', { index: index + 1 })}</legend>
${entry(props, { name: `${at}.label`, label: t('content-admin.fields.size'), short: true })}${entry(props, { name: `${at}.volume_ml`, label: t('content-admin.fields.volume_ml'), short: true })}${price('price', props.menu?.columns === 2 ? t('content-admin.fields.guests_price') : t('content-admin.fields.price'))}${
  props.menu?.columns === 2 && price('member_price', t('content-admin.fields.members_price'))
}
${props.menu?.columns !== 2 && html`<input type="hidden" name="${at}.member_price" value="${enteredText(values, `${at}.member_price`)}">`}
<div class="choices choices-plain">${tickBox({ name: `${at}.shown`, label: t('content-admin.fields.list'), checked: isTicked(values, `${at}.shown`, true) })}</div></fieldset>`;
  return row;
}

export function offerFields(props: FieldsProps): Html {
  const { menu } = props;
  return html`${name(props, 'title', 60)}
${hours(props, t('content-admin.fields.most_six_hours_past_midnight'))}
<div class="content-two">${entry(props, { name: 'from', label: t('content-admin.fields.first_day'), type: 'date' })}${entry(props, { name: 'until', label: t('content-admin.fields.last_day'), type: 'date' })}</div>
${ticks(props, 'sections', { label: t('content-admin.fields.whole_sections'), options: (menu?.sections ?? []).map(({ id, title }) => [id, title] as const) })}
${disclosure(
  t('content-admin.fields.single_drinks_food'),
  ticks(props, 'items', {
    options: (menu?.items ?? []).map(({ id, name: title }) => [id, title] as const),
  }),
  isEntered(props, 'items'),
)}
${entry(props, { name: 'percent', type: 'number', short: true, hint: t('content-admin.fields.percent_hint') })}
<div class="choices choices-plain">${tickBox({ name: 'rounded', label: t('content-admin.fields.round_these_prices_next_tenth'), checked: isTicked(props.values, 'rounded') })}</div>
${disclosure(
  t('content-admin.fields.prices_sizes'),
  Array.from(
    { length: OFFER_PRICES },
    (
      _,
      index,
    ) => html`<fieldset class="content-pair"><legend>${t('content-admin.fields.price_at', { index: index + 1 })}</legend>
${entry(props, { name: `prices.${index}.label`, label: t('content-admin.fields.size'), short: true })}${entry(props, { name: `prices.${index}.price`, label: t('content-admin.fields.price'), short: true })}</fieldset>`,
  ),
  isEntered(props, 'prices'),
)}`;
}

/** Whether something was entered in a field or in one inside it, or something is wrong with it. */
const isEntered = ({ values, errors }: FieldsProps, name: string): boolean =>
  errorAt(errors, name) !== undefined ||
  Object.entries(values).some(
    ([one, value]) =>
      (one === name || one.startsWith(`${name}.`)) && [value ?? ''].flat().some((text) => text !== ''),
  );
