import { type Html, html } from '#kernel/html.ts';
import { isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { at, entry, type FieldsProps, tick } from './parts.ts';
import { pictureFields } from './picture.ts';

export function tenderFields(props: FieldsProps): Html {
  return html`${field({
    ...at(props, 'full_name'),
    maxlength: 200,
    autocomplete: 'off',
    hint: 'Screens show the first name alone',
  })}
${field({ ...at(props, 'bio'), optional: true, rows: 4, maxlength: 4_000 })}
<div class="choices choices-plain">${tick(props, 'active', 'Everybody can see the name, the picture and what is written here')}
${tickBox({
  name: 'meet',
  label: 'Introduce on the screens',
  note: 'A slide “Behind the bar” with the first name and a QR code',
  checked: isTicked(props.values, 'meet'),
})}</div>
<div class="content-two">${entry(props, { name: 'payment_a', hint: 'A link, or a name to pay to' })}
${entry(props, { name: 'payment_b', hint: 'A link, or a name to pay to' })}</div>
${entry(props, { name: 'page_url', hint: 'An address that begins with https://' })}
${pictureFields(props, 'For those who cannot see it. Left empty: the name')}`;
}
