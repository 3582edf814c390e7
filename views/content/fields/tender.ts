import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
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
    hint: t('content-admin.fields.screens_show_first_name_alone'),
  })}
${field({ ...at(props, 'bio'), optional: true, rows: 4, maxlength: 4_000 })}
<div class="choices choices-plain">${tick(props, 'active', t('content-admin.fields.everybody_see_name_picture_what'))}
${tickBox({
  name: 'meet',
  label: t('content-admin.fields.introduce_screens'),
  note: t('content-admin.fields.slide_behind_bar_first_name'),
  checked: isTicked(props.values, 'meet'),
})}</div>
<div class="content-two">${entry(props, { name: 'payment_a', hint: t('content-admin.fields.link_name_pay') })}
${entry(props, { name: 'payment_b', hint: t('content-admin.fields.link_name_pay') })}</div>
${entry(props, { name: 'page_url', hint: t('content-admin.fields.address_begins_https') })}
${pictureFields(props, t('content-admin.fields.those_who_cannot_see_left'))}`;
}
