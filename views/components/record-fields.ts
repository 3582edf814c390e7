import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import type { Field, Fields } from '#kernel/http/record.ts';
import { t } from '#kernel/language/message.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { type Entered, enteredText, errorAt, isTicked } from './entered.ts';
import { openField, tickBox } from './fields.ts';
import { choice, choiceGroup, field, hiddenInputs, type Option, selectField } from './forms.ts';

/** What a page says about a field. */
export interface FieldWords {
  label: Text | string;
  hint?: Child;
  /** Of a choice; a note is shown beside a radio button. */
  options?: readonly (Option & { note?: Text | string })[];
  /** The words for a stored value that is none of the options. */
  other?: (value: string) => Text | string;
}

/** The words of the fields that a form has, in its order, and of its other inputs. */
export type Words<F extends Fields, Other extends string = never> = {
  readonly [Name in keyof F | Other]?: FieldWords;
};

/** What was entered or is stored, and what is wrong with it. */
interface Given {
  entered: Entered;
  errors: readonly FieldError[];
  /** The beginning and the end of each id, where a page has several forms. */
  prefix?: string;
  suffix?: string;
  /** The time zone of all times, in words. */
  zone?: Text | string;
  /** The inputs that the page writes by hand, by their name in the words. */
  own?: Readonly<Record<string, Html | false>>;
}

/** The words of any form, by the name of the input. */
export type AllWords = Readonly<Record<string, FieldWords | undefined>>;

/** The labels for a summary of errors. */
export const labelsOf = (words: AllWords): Record<string, Text | string> =>
  Object.fromEntries(Object.entries(words).map(([name, said]) => [name, said?.label ?? name]));

/** The inputs of a form that its page writes by hand, by their name in `words`. */
export function inputsOf<W extends AllWords>(
  words: W,
  {
    entered = {},
    errors,
    prefix = '',
    suffix = '',
  }: { entered?: Entered | undefined } & Pick<Given, 'errors' | 'prefix' | 'suffix'>,
) {
  type Name = keyof W & string;
  const worded = (name: Name) => ({ name, id: prefix + name + suffix, label: words[name]?.label ?? name });
  return {
    /** @param stored what is shown if nothing was entered */
    at: (name: Name, stored: string | number | null = '') => ({
      ...worded(name),
      hint: words[name]?.hint,
      value: enteredText(entered, name, String(stored ?? '')),
      error: errorAt(errors, name),
    }),
    tick: (name: Name): Html =>
      tickBox({ ...worded(name), note: words[name]?.hint, checked: isTicked(entered, name) }),
  };
}

/** The inputs that `words` name, as `entered` has them; what it does not have is as in a new record. */
export function recordFields(
  { fields, blank }: { fields: Fields; blank: Entered },
  words: AllWords,
  { entered, own = {}, ...given }: Given,
): Html {
  const shown = { ...given, entered: { ...blank, ...entered } };
  const inputs = Object.entries(words).flatMap(([name, said]) => {
    const field = fields[name];
    const input = own[name] ?? (said && field && oneField(name, field, said, shown));
    return input ? [input] : [];
  });
  return html`${inputs.map((input, index) => html`${index > 0 && '\n'}${input}`)}`;
}

function oneField(
  name: string,
  { form, usual }: Field<unknown, unknown>,
  { label, hint, options = [], other }: FieldWords,
  { entered, errors, prefix = '', suffix = '', zone }: Given,
): Html | undefined {
  const id = prefix + name + suffix;
  const value = enteredText(entered, name);
  const shown = { name, id, label, hint, value, error: errorAt(errors, name) };
  const needed = usual === undefined;
  const optional = !needed;
  switch (form.is) {
    case 'own':
      return undefined;
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
        hint: hint ?? (zone && t('common.forms.in_zone', { zone })),
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
