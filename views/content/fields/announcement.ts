import { namedWeekdays } from '#content/kinds/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { dateAndTime, entry, type FieldsProps } from './parts.ts';
import { pictureFields } from './picture.ts';

const PRIORITIES = [
  { value: 'urgent', label: 'Urgent' },
  { value: 'high', label: 'High' },
  { value: 'normal', label: 'Normal' },
  { value: 'low', label: 'Low' },
];
const WHEN = ['days', 'between.from', 'between.to', 'screens', 'seconds'];

export function announcementFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const days = [values.days ?? []].flat();
  const isNarrowed =
    WHEN.some((name) => [values[name] ?? ''].flat().some((value) => value !== '')) ||
    WHEN.some((name) => errorAt(errors, name.split('.')[0] ?? name) !== undefined);
  const between = errorAt(errors, 'between');
  return html`${field({ name: 'title', label: 'Title', value: enteredText(values, 'title'), error: errorAt(errors, 'title'), maxlength: 200, autocomplete: 'off' })}
${field({ name: 'text', label: 'Text', optional: true, rows: 5, value: enteredText(values, 'text'), error: errorAt(errors, 'text'), maxlength: 2_000, hint: 'A screen has room for about nine lines' })}
${selectField({ name: 'priority', label: 'Priority', options: PRIORITIES, value: enteredText(values, 'priority', 'normal'), error: errorAt(errors, 'priority') })}
<div class="content-two">${dateAndTime(props, 'from', 'Shown from', 'Empty: at once')}
${dateAndTime(props, 'until', 'Shown until', 'A date without a time counts whole. Empty: until you take it away')}</div>
${disclosure(
  'Only on some days, times or screens',
  html`<div class="content-days">${choiceGroup({
    name: 'days',
    label: 'Days',
    hint: 'None ticked: every day',
    plain: true,
    error: errorAt(errors, 'days'),
    rows: namedWeekdays('short').map(([value, label]) =>
      choice({ type: 'checkbox', name: 'days', value, label, checked: days.includes(value) }),
    ),
  })}</div><fieldset class="content-pair"><legend>Time of day</legend><p class="hint">Past midnight it belongs to the evening’s day</p>
${between && html`<p class="error-text">${between}</p>`}
${entry(props, { name: 'between.from', label: 'From', type: 'time' })}${entry(props, { name: 'between.to', label: 'To', type: 'time' })}</fieldset>
${entry(props, { name: 'screens', label: 'Screens', hint: 'Their names with commas between. Empty: all' })}
${entry(props, { name: 'seconds', label: 'Seconds on the screen', type: 'number', short: true, hint: '5 to 120. Empty: as long as it takes to read' })}`,
  isNarrowed,
)}
${pictureFields(props)}`;
}
