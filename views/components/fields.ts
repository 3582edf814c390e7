import { type Child, type Html, html } from '#kernel/html.ts';
import { choice } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';

/**
 * A field that may stay empty without being labelled “(optional)”: whether it is needed depends on the rest of the
 * form, which the server checks.
 */
export function openField(props: {
  name: string;
  id?: string | undefined;
  label: Child;
  hint?: Child;
  error?: string | undefined;
  value?: string | number | null | undefined;
  type?: 'text' | 'email' | 'number' | 'date' | 'time' | 'search' | undefined;
  rows?: number | undefined;
  min?: number | undefined;
  short?: boolean | undefined;
}): Html {
  const { name, id = name, label, hint, error, value, type = 'text', rows, min, short } = props;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const shared = html`class="input${short && ' input-short'}" id="${id}" name="${name}"${
    describedBy && html` aria-describedby="${describedBy}"`
  }${error && html` aria-invalid="true"`}`;
  return html`<div class="field"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${
  error &&
  html`
<p class="error-text" id="${id}-error">${icon('warning')}${error}</p>`
}${
  rows === undefined
    ? html`<input ${shared} type="${type}"${min !== undefined && html` min="${min}"`} value="${value ?? ''}">`
    : html`<textarea ${shared} rows="${rows}">
${value ?? ''}</textarea>`
}</div>`;
}

/** A field for a secret, which is never shown. Left empty it stays as it is; ticking the box forgets it. */
export function secretField(props: {
  name: string;
  id: string;
  label: Child;
  hint?: Child;
  error?: string | undefined;
  isStored: boolean;
}): Html {
  const { name, id, label, hint, error, isStored } = props;
  const forget = tickBox({
    name: 'forget',
    id: `${id}-forget`,
    label: 'Forget the stored one',
    value: name,
    checked: false,
  });
  const words = html`${hint}${hint && ' '}${isStored && 'One is stored and not shown: leave this empty to keep it.'}`;
  return html`<div class="field"><label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${words}</p>${
    error && html`<p class="error-text" id="${id}-error">${icon('warning')}${error}</p>`
  }<input class="input" id="${id}" name="${name}" type="password"
  autocomplete="new-password" value="" aria-describedby="${id}-hint${error && html` ${id}-error`}"${
    error && html` aria-invalid="true"`
  }></div>
${isStored && html`<div class="choices-plain">${forget}</div>`}`;
}

/** A checkbox with a note below its label; a form does not send it while it is not ticked. */
export function tickBox(props: {
  name: string;
  id?: string;
  label: Child;
  note?: Child;
  checked: boolean;
  value?: string;
}): Html {
  return choice({ type: 'checkbox', value: 'true', ...props });
}
