import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { entry, type FieldsProps, rangeFields } from './parts.ts';

/** To close on a day only the day is needed: every other field can stay as it is. */
export function specialFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const closed = enteredText(values, 'as', 'closed') === 'closed';
  const row = (value: string, label: Words) =>
    choice({ type: 'radio', name: 'as', value, label, checked: closed === (value === 'closed') });
  const ranges = errorAt(
    errors.filter(({ path }) => path === 'ranges'),
    'ranges',
  );
  return html`${field({
    name: 'from',
    label: t('content-admin.fields.day'),
    type: 'date',
    value: enteredText(values, 'from'),
    error: errorAt(errors, 'from'),
  })}
${choiceGroup({ name: 'as', label: t('content-admin.fields.that_day'), rows: [row('closed', t('content-admin.fields.closed')), row('open', t('content-admin.fields.open_other_hours'))] })}
<fieldset><legend>${t('content-admin.fields.other_hours')}</legend><p class="hint">${t('content-admin.fields.only_open_hours_begin_evening')}</p>
${ranges && html`<p class="error-text" id="ranges">${ranges}</p>`}
${rangeFields(props, 'ranges.0', t('content-admin.fields.first_time'))}${rangeFields(props, 'ranges.1', t('content-admin.fields.second_time'))}</fieldset>
${disclosure(
  t('content-admin.fields.several_days_reason'),
  html`${entry(props, { name: 'to', type: 'date', hint: t('content-admin.fields.empty_day_alone') })}
${entry(props, { name: 'reason', hint: t('content-admin.fields.christmas') })}`,
  ['to', 'reason'].some((name) => enteredText(values, name) !== '' || errorAt(errors, name) !== undefined),
)}`;
}
