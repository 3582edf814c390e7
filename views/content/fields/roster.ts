import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { errorAt } from '#views/components/entered.ts';
import { choiceGroup, field } from '#views/components/forms.ts';
import { at, crewTicks, type FieldsProps, NO_TENDERS, rangeFields } from './parts.ts';

export function rosterFields(props: FieldsProps): Html {
  const { errors } = props;
  return html`${field({ ...at(props, 'date'), type: 'date' })}
<fieldset><legend>${t('content-admin.fields.hours_work')}</legend><p class="hint">${t('content-admin.fields.empty_long_open')}</p>
${rangeFields(props, 'range', t('content-admin.fields.work'), [
  t('content-admin.fields.begins'),
  t('content-admin.fields.column_ends'),
])}</fieldset>
${
  props.tenders.length === 0
    ? NO_TENDERS
    : choiceGroup({
        name: 'tenders',
        label: t('content-admin.fields.who_works'),
        plain: true,
        error: errorAt(errors, 'tenders'),
        rows: crewTicks(props, 'tenders'),
      })
}`;
}
