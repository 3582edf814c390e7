import { ALL_SCREENS } from '#content/kinds/announcement.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, dateAndTime, entry, type FieldsProps } from './parts.ts';
import { pictureFields } from './picture.ts';

const PRIORITIES = [
  { value: 'urgent', label: 'Urgent' },
  { value: 'high', label: 'High' },
  { value: 'normal', label: 'Normal' },
  { value: 'low', label: 'Low' },
];
const NARROWING = ['days', 'between.from', 'between.to', 'screens.other', 'seconds'];

export function announcementFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const days = [values.days ?? []].flat();
  const isNarrowed =
    chosenScreens(values).length > 0 ||
    NARROWING.some((name) => [values[name] ?? ''].flat().some((value) => value !== '')) ||
    NARROWING.some((name) => errorAt(errors, name.split('.')[0] ?? name) !== undefined);
  const between = errorAt(errors, 'between');
  return html`${field({ ...at(props, 'title'), maxlength: 200, autocomplete: 'off' })}
${field({
  ...at(props, 'text'),
  optional: true,
  rows: 5,
  maxlength: 2_000,
  hint: 'A screen has room for about nine lines',
})}
${selectField({
  ...at(props, 'priority'),
  options: PRIORITIES,
  value: enteredText(values, 'priority', 'normal'),
})}
<div class="content-two">${dateAndTime(props, 'from', 'Shown from', 'Empty: at once')}
${dateAndTime(props, 'until', 'Shown until', 'A date without a time includes the whole day. Empty: until you remove it')}</div>
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
  })}</div><fieldset class="content-pair"><legend>Time of day</legend>
  <p class="hint">Past midnight it belongs to the evening’s day</p>
${between && html`<p class="error-text">${between}</p>`}
${entry(props, { name: 'between.from', label: 'From', type: 'time' })}${entry(props, {
  name: 'between.to',
  label: 'To',
  type: 'time',
})}</fieldset>
${screensChoice(props)}
${entry(props, {
  name: 'seconds',
  type: 'number',
  short: true,
  hint: '5 to 120. Empty: as long as it takes to read',
})}`,
  isNarrowed,
)}
${pictureFields(props)}`;
}

const chosenScreens = (values: FieldsProps['values']): string[] =>
  [values.screens ?? []]
    .flat()
    .filter((name): name is string => typeof name === 'string' && name !== ALL_SCREENS);

/** A checkbox for all screens, one for each screen that is known or chosen, and a field for other names. */
function screensChoice({ values, errors, screens }: FieldsProps): Html {
  const chosen = chosenScreens(values);
  const isAll = chosen.length === 0 || [values.screens].flat().includes(ALL_SCREENS);
  const known = screens.filter(({ name }) => name !== ALL_SCREENS);
  const gone = chosen.filter((name) => !known.some((screen) => screen.name === name));
  const row = (value: string, label: string, note: string | undefined, checked: boolean) =>
    choice({ type: 'checkbox', name: 'screens', value, label, note, checked });
  return html`${choiceGroup({
    name: 'screens',
    label: 'Screens',
    hint: 'Tick some, and it is on these alone',
    plain: true,
    error: errorAt(errors, 'screens'),
    rows: [
      row(ALL_SCREENS, 'All screens', undefined, isAll),
      ...known.map(({ name, isGroup }) =>
        row(name, name, isGroup ? 'A group' : undefined, chosen.includes(name)),
      ),
      ...gone.map((name) => row(name, name, 'Not seen lately', true)),
    ],
  })}
${entry(
  { values, errors: [] },
  {
    name: 'screens.other',
    label: 'Other screens',
    hint: 'Names of screens that are not listed yet. Separate with commas.',
  },
)}`;
}
