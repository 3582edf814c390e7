import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { entry, type FieldsProps } from './parts.ts';
import { pictureFields } from './picture.ts';

const WEEKDAYS = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const NTHS = { 1: '1st', 2: '2nd', 3: '3rd', 4: '4th', '-1': 'last' };
const REPEATS = {
  none: 'Does not repeat',
  daily: 'Every so many days',
  weekly: 'Every so many weeks, on weekdays',
  month_day: 'Every so many months, on a day',
  month_last: 'Every so many months, on the last day',
  month_weekday: 'Every so many months, on weekdays',
  yearly: 'Every so many years',
  dates: 'On these dates',
  own: 'By a rule of your own',
};
const TAGS = [
  { value: '', label: 'None' },
  { value: 'rc-direct', label: 'Direct' },
  { value: 'rc-affiliate', label: 'Affiliate' },
];
const REPEAT_FIELDS = [
  'rule',
  'extra',
  'until',
  'every',
  'weekdays',
  'month_day',
  'nths',
  'dates',
  'own',
  'last_date',
  'times',
];

/** An event. All fields of its repetition are there; those that the choice does not need are not read. */
export function eventFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const repeats = enteredText(values, 'repeat', 'none') !== 'none';
  const wrong = REPEAT_FIELDS.some((name) => errorAt(errors, name) !== undefined);
  return html`${field({ name: 'title', label: 'Title', value: enteredText(values, 'title'), error: errorAt(errors, 'title'), maxlength: 200, autocomplete: 'off' })}
${field({ name: 'date', label: 'Date', type: 'date', value: enteredText(values, 'date'), error: errorAt(errors, 'date') })}
<fieldset class="content-pair"><legend>Times</legend><p class="hint">As 8pm or 20:00. An end that is earlier is on the next day. Both empty: all day</p>
${entry(props, { name: 'time', label: 'From' })}${entry(props, { name: 'end_time', label: 'Until' })}</fieldset>
${field({ name: 'place', label: 'Place', optional: true, value: enteredText(values, 'place'), error: errorAt(errors, 'place'), maxlength: 300, hint: 'The screens show what takes place in the pub: the word “pub” must be in it' })}
${field({ name: 'description', label: 'Description', optional: true, rows: 4, value: enteredText(values, 'description'), error: errorAt(errors, 'description'), maxlength: 8_000 })}
<div class="choices choices-plain">${tickBox({ name: 'in_pub', label: 'Show in the pub', checked: isTicked(values, 'in_pub') })}
${tickBox({ name: 'in_calendar', label: 'In the members’ calendar', checked: isTicked(values, 'in_calendar') })}
${tickBox({ name: 'cancelled', label: 'Cancelled', note: 'It stays where it is, and says so', checked: isTicked(values, 'cancelled') })}</div>
${disclosure('Repeat', repeatFields(props), repeats || wrong)}
<p><button class="button button-quiet" name="check" value="true">Check the dates</button> <span class="hint">Shows the next ten; saves nothing</span></p>
${disclosure(
  'Web page, tag, several days',
  html`${entry(props, { name: 'url', label: 'Web page', hint: 'An address that begins with https://' })}
${selectField({ name: 'tag', label: 'Tag', options: TAGS, value: enteredText(values, 'tag'), error: errorAt(errors, 'tag') })}
${entry(props, { name: 'end_days', label: 'It ends so many days after its date', type: 'number', min: 0, short: true, hint: 'Empty: that night at the latest' })}`,
  ['url', 'tag', 'end_days'].some(
    (name) => enteredText(values, name) !== '' || errorAt(errors, name) !== undefined,
  ),
)}${pictureFields(props)}`;
}

function repeatFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const chosen = enteredText(values, 'repeat', 'none');
  const rows = Object.entries(REPEATS).map(([value, label]) =>
    choice({ type: 'radio', name: 'repeat', value, label, checked: value === chosen }),
  );
  const ends = enteredText(values, 'ends', 'never');
  const end = (value: string, label: string) =>
    choice({ type: 'radio', name: 'ends', value, label, checked: value === ends });
  return html`${choiceGroup({ name: 'repeat', label: 'How it repeats', plain: true, error: errorAt(errors, 'rule'), hint: 'Only the fields that your choice needs are read', rows })}
${entry(props, { name: 'every', label: 'Every … days, weeks, months or years', type: 'number', min: 1, short: true })}
${ticks(props, 'weekdays', 'Weekdays of the week', WEEKDAYS, 'None ticked: that of the date')}
${entry(props, { name: 'month_day', label: 'Day of the month', type: 'number', min: 1, short: true })}
${ticks(props, 'nths', 'Which of the month', NTHS)}
${selectField({ name: 'nth_weekday', label: 'Weekday of the month', options: Object.entries(WEEKDAYS).map(([value, label]) => ({ value, label })), value: enteredText(values, 'nth_weekday', 'MO') })}
${entry(props, { name: 'dates', label: 'Further dates', rows: 3, hint: 'As 2026-12-24, one on each line' })}
${entry(props, { name: 'own', label: 'Rule', hint: 'As FREQ=MONTHLY;BYDAY=1TU,3TU' })}
${choiceGroup({ name: 'ends', label: 'Ends', plain: true, error: errorAt(errors, 'until'), rows: [end('never', 'Never'), end('on', 'On a date'), end('after', 'After so many times')] })}
<div class="content-two">${entry(props, { name: 'last_date', label: 'Last date', type: 'date' })}
${entry(props, { name: 'times', label: 'Times', type: 'number', min: 1, short: true })}</div>`;
}

function ticks(
  { values, errors }: FieldsProps,
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  hint?: string,
): Html {
  const chosen = [values[name] ?? []].flat();
  return choiceGroup({
    ...{ name, label, hint, plain: true, error: errorAt(errors, name) },
    rows: Object.entries(options).map(([value, text]) =>
      choice({ type: 'checkbox', name, value, label: text, checked: chosen.includes(value) }),
    ),
  });
}
