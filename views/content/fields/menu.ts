import { OFFER_PRICES } from '#content/forms/menu.ts';
import { MARK_WORDS, MARKS, SIZES_AT_MOST } from '#content/kinds/menu-item.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { ALLERGENS } from '#kernel/settings/menu.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs, selectField } from '#views/components/forms.ts';
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
  }: { label?: string; hint?: string; options: readonly (readonly [string, Words | string])[] },
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
  }: { label?: string; hint?: string; options: readonly (readonly [string, string])[]; usual: string },
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
function hours(props: FieldsProps, hint: string): Html {
  const between = errorAt(props.errors, 'between');
  return html`${ticks(props, 'days', {
    hint: 'None ticked: every day',
    options: namedWeekdays('short'),
  })}<fieldset class="content-pair"><legend>Time of day</legend><p class="hint">${hint}</p>
${between && html`<p class="error-text">${between}</p>`}
${entry(props, { name: 'between.from', label: 'From', type: 'time' })}${entry(props, {
  name: 'between.to',
  label: 'To',
  type: 'time',
})}</fieldset>`;
}

export function menuSectionFields(props: FieldsProps): Html {
  return html`${name(props, 'title', 60)}
${select(props, 'kind', {
  options: [
    ['drinks', 'Drinks'],
    ['food', 'Food'],
  ],
  usual: 'drinks',
})}
<div class="choices choices-plain">${tick(props, 'on_tap', 'Its drinks are listed only while a tap has them')}</div>
${entry(props, { name: 'note', label: 'Note below the title' })}
${entry(props, { name: 'order', type: 'number', short: true, hint: 'The lowest number comes first' })}
${ticks(props, 'show_on', {
  options: [
    ['screens', 'Screens'],
    ['phones', 'Phones'],
    ['print', 'Paper'],
  ],
})}
${select(props, 'rows', {
  label: 'On screens',
  hint: 'The second line has maker and style',
  options: [
    ['2', 'Two lines each'],
    ['1', 'One line each'],
  ],
  usual: '2',
})}
${disclosure('Only on some days or times', hours(props, 'Such as the hours of the kitchen. Past midnight it belongs to the evening’s day'), isTimed(props))}`;
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
    return html`<p>Everything on the list is in a section. <a href="/admin/content/menu_section/new">Add a section first</a>, such as “On tap”.</p>`;
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
    ...(sections.some(({ id }) => id === chosen) ? [] : [['', 'Choose one'] as const]),
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
<p class="hint" id="sizes">Prices in ${menu?.currency ?? ''}, with tax and service. Left empty, the list says “ask”.</p>
${sizeRows(props)}
${select(props, 'allergens_known', {
  options: [
    ['unknown', 'Not known: the list says “ask us”'],
    ['none', 'None of the fourteen'],
    ['listed', 'Those ticked here'],
  ],
  usual: 'unknown',
})}
${disclosure(
  'Which allergens',
  html`${ticks(props, 'allergens', {
    label: 'Allergens',
    options: ALLERGENS.map((code) => [code, menu?.allergens[code] ?? code] as const),
  })}<div class="content-two">${entry(props, { name: 'detail.gluten', label: 'Which cereal' })}${entry(props, { name: 'detail.nuts', label: 'Which nut' })}</div>
<p class="hint">Food that is packed here before it is chosen needs a label of its own with all ingredients.</p>`,
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
    label: 'Yes, it is gluten-free',
    checked: false,
  })}</div>`
}
${disclosure(
  'More about it',
  html`${field({ ...at(props, 'description'), optional: true, rows: 3, maxlength: 300 })}
${
  !isFood &&
  html`<div class="content-two">${entry(props, { name: 'ibu', short: true })}${entry(props, { name: 'color_ebc', short: true })}</div>`
}
${entry(props, { name: 'url', hint: 'An address that begins with https://' })}
${entry(props, { name: 'order', type: 'number', short: true, hint: 'The lowest number comes first' })}`,
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
  return html`${rows.slice(0, shown)}${rest.length > 0 && disclosure('More sizes', rest, false, FOLDS)}`;
}

function sizeRow(props: FieldsProps, index: number): Html {
  const at = `sizes.${index}`;
  const { values } = props;
  const price = (name: string, label: string) => entry(props, { name: `${at}.${name}`, label, short: true });
  const row = html`<fieldset class="content-pair content-size"><legend>Size ${index + 1}</legend>
${entry(props, { name: `${at}.label`, label: 'Size', short: true })}${entry(props, { name: `${at}.volume_ml`, label: 'Volume, ml', short: true })}${price('price', props.menu?.columns === 2 ? 'Guests’ price' : 'Price')}${
  props.menu?.columns === 2 && price('member_price', 'Members’ price')
}
${props.menu?.columns !== 2 && html`<input type="hidden" name="${at}.member_price" value="${enteredText(values, `${at}.member_price`)}">`}
<div class="choices choices-plain">${tickBox({ name: `${at}.shown`, label: 'On the list', checked: isTicked(values, `${at}.shown`, true) })}</div></fieldset>`;
  return row;
}

export function offerFields(props: FieldsProps): Html {
  const { menu } = props;
  return html`${name(props, 'title', 60)}
${hours(props, 'At most six hours. Past midnight it belongs to the evening’s day')}
<div class="content-two">${entry(props, { name: 'from', label: 'First day', type: 'date' })}${entry(props, { name: 'until', label: 'Last day', type: 'date' })}</div>
${ticks(props, 'sections', { label: 'Whole sections', options: (menu?.sections ?? []).map(({ id, title }) => [id, title] as const) })}
${disclosure(
  'Single drinks and food',
  ticks(props, 'items', {
    options: (menu?.items ?? []).map(({ id, name: title }) => [id, title] as const),
  }),
  isEntered(props, 'items'),
)}
${entry(props, { name: 'percent', type: 'number', short: true, hint: '1 to 50, or prices of sizes. The normal price stays beside it' })}
<div class="choices choices-plain">${tickBox({ name: 'rounded', label: 'Round these prices to the next tenth, as 3.12 to 3.10', checked: isTicked(props.values, 'rounded') })}</div>
${disclosure(
  'Prices of sizes',
  Array.from(
    { length: OFFER_PRICES },
    (_, index) => html`<fieldset class="content-pair"><legend>Price ${index + 1}</legend>
${entry(props, { name: `prices.${index}.label`, label: 'Size', short: true })}${entry(props, { name: `prices.${index}.price`, label: 'Price', short: true })}</fieldset>`,
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
