import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { Field, Fields } from '#kernel/http/record.ts';
import { type Entered, enteredText, errorAt, isTicked } from './entered.ts';
import { openField, tickBox } from './fields.ts';
import { choice, choiceGroup, field, hiddenInputs, type Option, selectField } from './forms.ts';

/** What a page says about a field. */
interface FieldWords {
  label: string;
  hint?: Child;
  /** Of a choice; a note is shown beside a radio button. */
  options?: readonly (Option & { note?: string })[];
  /** The words for a stored value that is none of the options. */
  other?: (value: string) => string;
}

/** The words of the fields that a form has, in its order. */
export type Words<F extends Fields> = { readonly [Name in keyof F]?: FieldWords };

/** What was entered or is stored, and what is wrong with it. */
interface Given {
  entered: Entered;
  errors: readonly FieldError[];
  /** The end of each id, where a page has the form several times. */
  suffix?: string;
  /** The time zone of all times, in words. */
  zone?: string;
  /** Inputs of the form that are no fields of the record, by the field that they follow. */
  after?: Readonly<Record<string, Html>>;
}

/** The labels for a summary of errors. */
export const labelsOf = (words: Readonly<Record<string, FieldWords | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([name, said]) => [name, said?.label ?? name]));

/** The fields of a record that `words` name, as `entered` has them; what it does not have is as in a new record. */
export const recordFields = <F extends Fields>(
  { fields, blank }: { fields: F; blank: Entered },
  words: Words<F>,
  { entered, after = {}, ...given }: Given,
): Html => {
  const shown = { ...given, entered: { ...blank, ...entered } };
  return html`${Object.entries<FieldWords | undefined>(words).map(
    ([name, said], index) =>
      said &&
      html`${index > 0 && '\n'}${oneField(name, fields[name]!, said, shown)}${after[name] && html`\n${after[name]}`}`,
  )}`;
};

function oneField(
  name: string,
  { form, usual }: Field<unknown, unknown>,
  { label, hint, options = [], other }: FieldWords,
  { entered, errors, suffix = '', zone }: Given,
): Html {
  const id = name + suffix;
  const value = enteredText(entered, name);
  const shown = { name, id, label, hint, value, error: errorAt(errors, name) };
  const needed = usual === undefined;
  const optional = !needed;
  switch (form.is) {
    case 'own':
      return html``;
    case 'tick':
      return html`${hiddenInputs({ [name]: 'false' })}<div class="choices choices-plain">${tickBox({
        name,
        id,
        label,
        note: hint,
        checked: isTicked(entered, name),
      })}</div>`;
    case 'choice':
      return selectField({ ...shown, options, other });
    case 'radios':
      return choiceGroup({
        ...shown,
        plain: true,
        rows: options.map((option) =>
          choice({ type: 'radio', name, ...option, checked: option.value === value }),
        ),
      });
    case 'number':
      return needed
        ? field({ ...shown, type: 'number', min: form.min, max: form.max, short: true })
        : openField({ ...shown, type: 'number', min: form.min, short: true });
    case 'moment':
      return field({
        ...shown,
        hint: hint ?? (zone && `In ${zone}.`),
        optional,
        type: 'datetime-local',
        short: true,
      });
    case 'lines':
      return openField({ ...shown, rows: form.rows });
    case 'area':
      return field({ ...shown, optional, rows: form.rows });
    case 'line':
      return field({
        ...shown,
        optional,
        maxlength: form.most,
        autocomplete: form.autocomplete,
        inputmode: form.inputmode,
        short: form.short,
      });
  }
}
