import type { RosterTender } from '#content/display.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice } from '#views/components/forms.ts';
import { hidden, linkTo } from '#views/components/slots.ts';

/** The data that the fields of a form are rendered from. */
export interface FieldsProps {
  values: Entered;
  errors: readonly FieldError[];
  /** Those of the kind. */
  labels: Readonly<Record<string, Words>>;
  tenders: readonly RosterTender[];
  /** Known screens and groups of them. */
  screens: readonly { name: string; isGroup: boolean }[];
  /** What the forms of the list of drinks and food need. */
  menu?: MenuChoices | undefined;
  /** The picture that the form already has. */
  picture?: FormPicture | undefined;
  /** The id of the record; undefined for a new one. */
  record?: string | undefined;
}

/** What can be chosen in the forms of the list, and how prices are entered. */
export interface MenuChoices {
  sections: readonly { id: string; title: string; kind: 'drinks' | 'food' }[];
  items: readonly { id: string; name: string }[];
  /** The words for the allergens. */
  allergens: Readonly<Record<string, string>>;
  currency: string;
  columns: number;
}

/** A picture that a form already has. */
export interface FormPicture {
  id: string;
  alt: string;
  decorative: boolean;
  focus: number;
  width: number;
  height: number;
}

/** An input with the label of its kind, its entered value and its error. */
export const at = ({ labels = {}, values, errors }: Given, name: string) => ({
  name,
  label: labels[name] ?? name,
  value: enteredText(values, name),
  error: errorAt(errors, name),
});

type Given = Pick<FieldsProps, 'values' | 'errors'> & Partial<Pick<FieldsProps, 'labels'>>;

/** A checkbox with the label of its kind. */
export const tick = ({ labels, values }: FieldsProps, name: string, note?: Words): Html =>
  tickBox({ name, label: labels[name] ?? name, note, checked: isTicked(values, name) });

/** An `openField` with its entered value and its error, and the label of its kind unless it has its own. */
export function entry(given: Given, own: Partial<Parameters<typeof openField>[0]> & { name: string }): Html {
  const props = { ...at(given, own.name), ...own };
  const { value } = props;
  // An input for times would drop an invalid value, and with it what the user typed.
  const type =
    props.type === 'time' && value !== '' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(String(value))
      ? 'text'
      : props.type;
  return openField({ ...props, type });
}

/** A date, with a time of day that may stay empty. */
export function dateAndTime(props: FieldsProps, name: string, label: Words, hint: Words): Html {
  const error = errorAt(props.errors, name);
  return html`<fieldset class="content-moment"><legend>${label}</legend><p class="hint">${hint}</p>
${openField({
  name: `${name}.date`,
  label: t('content-admin.fields.date'),
  type: 'date',
  value: enteredText(props.values, `${name}.date`),
  error,
})}
${entry(props, { name: `${name}.time`, label: t('content-admin.fields.time'), type: 'time' })}</fieldset>`;
}

const OPENING = [t('content-admin.fields.opens'), t('content-admin.fields.closes')] as const;

/** Opening and closing time side by side. `what` names them for screen readers. */
export function rangeFields(
  props: Pick<FieldsProps, 'values' | 'errors'>,
  name: string,
  what: Words,
  [opens, closes]: readonly [Words, Words] = OPENING,
): Html {
  const at = (end: 'opens' | 'closes', word: Words) =>
    entry(props, {
      name: `${name}.${end}`,
      label: t('content-admin.fields.end_of', { what, end: word, hidden }),
      type: 'time',
    });
  return html`<div class="content-range">${at('opens', opens)}${at('closes', closes)}</div>`;
}

/** A checkbox for each tender; inactive tenders are listed only where they are chosen. */
export function crewTicks({ values, tenders }: FieldsProps, name: string): Html[] {
  const chosen = [values[name] ?? []].flat();
  return tenders
    .filter(({ id, active }) => active || chosen.includes(id))
    .map(({ id, name: label }) =>
      choice({ type: 'checkbox', name, value: id, label, checked: chosen.includes(id) }),
    );
}

export const NO_TENDERS = html`
<p class="hint">${t('content-admin.fields.chosen_yet_add_who_works', { link: linkTo('/admin/content/tender/new') })}</p>`;
