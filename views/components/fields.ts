import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { choice, described, type FieldProps, field, labelled } from '#views/components/forms.ts';

/**
 * A field that may stay empty without being labelled “(optional)”: whether it is needed depends on the rest of the
 * form, which the server checks.
 */
export const openField = (props: Omit<FieldProps, 'optional' | 'open'>): Html =>
  field({ ...props, open: true });

/** A field for a secret, which is never shown. Left empty it stays as it is; ticking the box forgets it. */
export function secretField(props: {
  name: string;
  id: string;
  label: Child;
  hint?: Child;
  error?: Words | string | undefined;
  isStored: boolean;
}): Html {
  const { name, id, hint, isStored } = props;
  const forget = tickBox({
    name: 'forget',
    id: `${id}-forget`,
    label: t('settings.secret.forget'),
    value: name,
    checked: false,
  });
  const words = html`${hint}${hint && ' '}${isStored && t('settings.secret.stored')}`;
  const shown = { ...props, hint: words };
  return html`${labelled(
    shown,
    html`<input class="input" id="${id}" name="${name}" type="password"
  autocomplete="new-password" value=""${described(shown)}>`,
  )}
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
