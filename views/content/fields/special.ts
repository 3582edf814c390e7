import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { entry, type FieldsProps, rangeFields } from './parts.ts';

/** To close on a day only the day is needed: every other field can stay as it is. */
export function specialFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const closed = enteredText(values, 'as', 'closed') === 'closed';
  const row = (value: string, label: string) =>
    choice({ type: 'radio', name: 'as', value, label, checked: closed === (value === 'closed') });
  const ranges = errorAt(
    errors.filter(({ path }) => path === 'ranges'),
    'ranges',
  );
  return html`${field({
    name: 'from',
    label: 'Day',
    type: 'date',
    value: enteredText(values, 'from'),
    error: errorAt(errors, 'from'),
  })}
${choiceGroup({ name: 'as', label: 'That day', rows: [row('closed', 'Closed'), row('open', 'Open at other hours')] })}
<fieldset><legend>Other hours</legend><p class="hint">Only if it is open. Hours that begin the evening before stay
as they are.</p>
${ranges && html`<p class="error-text" id="ranges">${ranges}</p>`}
${rangeFields(props, 'ranges.0', 'First time')}${rangeFields(props, 'ranges.1', 'Second time')}</fieldset>
${disclosure(
  'Several days, or a reason',
  html`${entry(props, { name: 'to', type: 'date', hint: 'Empty: that day alone' })}
${entry(props, { name: 'reason', hint: 'As “Christmas”' })}`,
  ['to', 'reason'].some((name) => enteredText(values, name) !== '' || errorAt(errors, name) !== undefined),
)}`;
}
