import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { entry, type FieldsProps } from './parts.ts';
import { pictureFields } from './picture.ts';

export function tenderFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const tick = (name: string, label: string, note: string) =>
    tickBox({ name, label, note, checked: isTicked(values, name) });
  return html`${field({
    name: 'full_name',
    label: 'Name',
    value: enteredText(values, 'full_name'),
    error: errorAt(errors, 'full_name'),
    maxlength: 200,
    autocomplete: 'off',
    hint: 'Screens show the first name alone',
  })}
${field({
  name: 'bio',
  label: 'About',
  optional: true,
  rows: 4,
  value: enteredText(values, 'bio'),
  error: errorAt(errors, 'bio'),
  maxlength: 4_000,
})}
<div class="choices choices-plain">${tick(
    'active',
    'On the page “Behind the bar”',
    'Everybody can see the name, the picture and what is written here',
  )}
${tick('meet', 'Introduce on the screens', 'A slide “Behind the bar” with the first name and a QR code')}</div>
<div class="content-two">${entry(props, { name: 'payment_a', label: 'Tips', hint: 'A link, or a name to pay to' })}
${entry(props, { name: 'payment_b', label: 'Tips, another way', hint: 'A link, or a name to pay to' })}</div>
${entry(props, { name: 'page_url', label: 'Their own page', hint: 'An address that begins with https://' })}
${pictureFields(props, 'For those who cannot see it. Left empty: the name')}`;
}
