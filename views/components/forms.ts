import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { icon } from './icons.ts';

interface Labelled {
  /** Also the id, unless one is given. */
  name: string;
  id?: string | undefined;
  label: Child;
  hint?: Child;
  error?: Words | string | undefined;
  /** Fields are required unless this is set; the label says so. */
  optional?: boolean | undefined;
}

/** A one-line input, or a text area where `rows` is given. */
export interface FieldProps extends Labelled {
  value?: Words | string | number | null | undefined;
  type?: 'text' | 'email' | 'url' | 'number' | 'date' | 'time' | 'datetime-local' | 'search' | undefined;
  rows?: number | undefined;
  maxlength?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  autocomplete?: string | undefined;
  inputmode?: string | undefined;
  short?: boolean | undefined;
  spellcheck?: boolean | undefined;
  /** Used only where `spellcheck` is false; `none` unless this is set. */
  autocapitalize?: 'characters' | undefined;
  /** Of what is typed, where that is not the language of the page. */
  lang?: string | undefined;
  /** It may stay empty without being labelled so, see `openField`. */
  open?: boolean | undefined;
}

/** Label, hint, error and input, linked for screen readers. */
export function field(props: FieldProps): Html {
  const { name, id = name, value, type = 'text', rows } = props;
  const shared = html`class="input${
    props.short && ' input-short'
  }" id="${id}" name="${name}"${described(props)}${attribute(
    'maxlength',
    props.maxlength,
  )}${attribute('autocomplete', props.autocomplete)}${attribute('lang', props.lang)}${
    props.spellcheck === false && html` spellcheck="false" autocapitalize="${props.autocapitalize ?? 'none'}"`
  }${props.optional !== true && props.open !== true && html` required`}`;
  const input =
    rows === undefined
      ? html`<input ${shared} type="${type}" value="${value ?? ''}"${attribute(
          'min',
          props.min,
        )}${attribute('max', props.max)}${attribute('inputmode', props.inputmode)}>`
      : html`<textarea ${shared} rows="${rows}">
${value ?? ''}</textarea>`;
  return labelled(props, input);
}

/** An option of a select box. */
export interface Option {
  value: string;
  label: Words | string;
}

/**
 * A select box, with further options in groups. A value that none of its options has becomes one more: a form that is
 * saved without a change must not change what is stored.
 */
export function selectField(
  props: Labelled & {
    options: readonly Option[];
    groups?: readonly { title: Words | string; options: readonly Option[] }[];
    value?: string | null | undefined;
    /** The label of such a value; by default the value itself. */
    other?: ((value: string) => Words | string) | undefined;
  },
): Html {
  const { name, id = name, value, options, groups = [], other = String } = props;
  const known = [...options, ...groups.flatMap((group) => group.options)];
  const isKnown = !value || known.some((option) => option.value === value);
  const shown = (option: Option) =>
    html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`;
  return labelled(
    props,
    html`<select class="input" id="${id}" name="${name}"${described(props)}>${options.map(shown)}${groups.map(
      ({ title, options }) => html`<optgroup label="${title}">${options.map(shown)}</optgroup>`,
    )}${!isKnown && shown({ value, label: other(value) })}</select>`,
  );
}

/** One row of a choice: the whole row is the target. */
export interface ChoiceRow {
  type: 'radio' | 'checkbox';
  name: string;
  value: string;
  label: Child;
  note?: Child;
  id?: string | undefined;
  checked?: boolean | undefined;
  /** Ids of its hint and its error. */
  describedBy?: string | undefined;
}

/**
 * A radio button or checkbox as a whole row to tap. A note describes it and is not part of its name, which screen
 * readers repeat at each step. Rows with a note that are on a page twice need an id of their own.
 */
export function choice({ type, name, value, label, note, id, checked, describedBy }: ChoiceRow): Html {
  const row = id ?? `${name}-${encodeURIComponent(value.trim())}`;
  const described = [note && `${row}-note`, describedBy].filter(Boolean).join(' ');
  return html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${attribute('id', id)}${
    checked && html` checked`
  }${note && html` aria-labelledby="${row}-name"`}${attribute('aria-describedby', described || undefined)}>
<span class="choice-body"><span class="choice-name"${note && html` id="${row}-name"`}>${label}</span>${
    note && html`<span class="choice-note" id="${row}-note">${note}</span>`
  }</span></label>`;
}

/** Choice rows under one question. `plain` drops the frames, for settings. */
export function choiceGroup({
  name,
  label,
  hint,
  error,
  rows,
  plain = false,
}: Omit<Labelled, 'optional'> & { rows: readonly Html[]; plain?: boolean | undefined }): Html {
  return html`<fieldset id="${name}-group"${described({ name, hint, error }, false)}><legend>${label}</legend>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${errorText(name, error)}
<div class="choices${plain && ' choices-plain'}">${rows}</div></fieldset>`;
}

/** Hidden inputs; a list becomes one input for each value. */
export function hiddenInputs(values: Record<string, string | readonly string[] | null | undefined>): Html[] {
  return Object.entries(values).flatMap(([name, value]) =>
    (value === null || value === undefined ? [] : typeof value === 'string' ? [value] : value).map(
      (one) => html`<input type="hidden" name="${name}" value="${one}">`,
    ),
  );
}

/** The form that confirms a destructive act: what is lost, and for a serious one a word that has to be typed. */
export function confirmPanel(props: {
  title: Words | string;
  text: Child;
  action: string;
  button: Words | string;
  hidden?: Record<string, string> | undefined;
  /** The word that has to be typed, and the name of its field. */
  typed?: { name: string; word: string; error?: Words | string | undefined } | undefined;
  /** Further fields, above the word. */
  fields?: Html | undefined;
}): Html {
  const { title, text, action, button, hidden = {}, typed, fields } = props;
  return html`<form class="confirm" method="post" action="${action}">
<h3>${title}</h3><p>${text}</p>${hiddenInputs(hidden)}
${fields}${
  typed &&
  field({
    name: typed.name,
    label: t('common.forms.type_confirm', { word: typed.word }),
    error: typed.error,
    autocomplete: 'off',
    spellcheck: false,
  })
}
<button class="button button-danger">${button}</button></form>`;
}

/** An input with its label, hint and error. */
export function labelled(props: Labelled, input: Html): Html {
  const { name, id = name, label, hint, error, optional } = props;
  return html`<div class="field"><label for="${id}">${label}${
    optional && html` <span class="optional">${t('common.forms.optional')}</span>`
  }</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${errorText(id, error)}${input}</div>`;
}

/** The attributes that link an input with its hint and its error. */
export function described(
  { name, id = name, hint, error }: Pick<Labelled, 'name' | 'id' | 'hint' | 'error'>,
  markInvalid = true,
): Html {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${error && markInvalid && html` aria-invalid="true"`}`;
}

/** The problem of the input with this id. */
export function errorText(id: string, error: Words | string | undefined): Html | null {
  return error === undefined
    ? null
    : html`<p class="error-text" id="${id}-error">${icon('warning')}${error}</p>`;
}

function attribute(name: string, value: string | number | undefined): Html | null {
  return value === undefined ? null : html` ${name}="${value}"`;
}
