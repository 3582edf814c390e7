import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, entry, type FieldsProps, tick } from './parts.ts';
import { pictureFields } from './picture.ts';

const NTHS = { 1: '1st', 2: '2nd', 3: '3rd', 4: '4th', '-1': 'last' };
const REPEATS = {
  none: 'Does not repeat',
  daily: 'Every day, or every so many days',
  weekly: 'Every week, or every so many weeks',
  month_day: 'Monthly, on a day such as the 15th',
  month_last: 'Monthly, on the last day',
  month_weekday: 'Monthly on a weekday (first Friday, last Sunday)',
  yearly: 'Every year, or every so many years',
  dates: 'On these dates',
  own: 'By a rule of your own',
};
const TAGS = [
  { value: '', label: 'None' },
  { value: 'rc-direct', label: 'Direct: by the club' },
  { value: 'rc-affiliate', label: 'Affiliate: by affiliates' },
];
/** The fields of an event. All fields of its recurrence are there; only those that the choice needs are read. */
export function eventFields(props: FieldsProps): Html {
  const { values, errors, record } = props;
  return html`${field({ ...at(props, 'title'), maxlength: 200, autocomplete: 'off' })}
<div class="content-two">${field({ ...at(props, 'date'), type: 'date' })}
${field({ ...at(props, 'place'), optional: true, maxlength: 300 })}</div>
<fieldset class="content-pair"><legend>Times</legend>
<p class="hint">As 8pm or 20:00; an earlier end is on the next day; empty: all day</p>
${entry(props, { name: 'time' })}${entry(props, { name: 'end_time' })}</fieldset>
${field({ ...at(props, 'description'), optional: true, rows: 3, maxlength: 8_000 })}
<div class="content-days"><div class="choices choices-plain">${tick(props, 'in_pub')}
${tick(props, 'in_calendar')}
${tick(props, 'cancelled', 'It stays where it is, and says so')}</div></div>
${repeatFields(props)}
<p class="content-check"><button class="button button-quiet" name="check" value="true">Check the dates</button> <span class="hint">Shows the next ten; saves nothing</span></p>
${liveDates(record)}
${disclosure(
  'Web page, tag, several days',
  html`<div class="content-two">${entry(props, { name: 'url', hint: 'An address that begins with https://' })}
${selectField({ ...at(props, 'tag'), hint: 'Patrons can look at each alone', options: TAGS })}</div>
${entry(props, {
  name: 'end_days',
  label: 'It ends so many days after its date',
  type: 'number',
  min: 0,
  short: true,
  hint: 'Empty: that night at the latest',
})}`,
  ['url', 'tag', 'end_days'].some(
    (name) => enteredText(values, name) !== '' || errorAt(errors, name) !== undefined,
  ),
)}${entry(props, {
  name: 'announce_from',
  type: 'date',
  hint: 'From that day on, screens show it with its picture. Empty: on its day alone',
})}${pictureFields(props)}`;
}

/** Filled by content/live-dates.js; without script the button above shows the same. */
function liveDates(record: string | undefined): Html {
  const address = `/admin/content/event/check${record === undefined ? '' : `?id=${encodeURIComponent(record)}`}`;
  return html`<p class="visually-hidden" role="status" data-live-status></p>
  <div class="content-live" data-live-dates="${address}" hidden></div>`;
}

/** The style sheet hides fields that the choice does not need, in browsers that support it. */
function repeatFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const weekdays = Object.fromEntries(
    namedWeekdays().map(([day, name]) => [day.slice(0, 2).toUpperCase(), name]),
  );
  const repeat = selectField({
    name: 'repeat',
    label: 'Repeats',
    value: enteredText(values, 'repeat', 'none'),
    options: Object.entries(REPEATS).map(([value, label]) => ({ value, label })),
    error: errorAt(errors, 'rule'),
  });
  const ends = enteredText(values, 'ends', 'never');
  const end = (value: string, label: string) =>
    choice({ type: 'radio', name: 'ends', value, label, checked: value === ends });
  const rules = Object.keys(REPEATS).filter((kind) => kind !== 'none' && kind !== 'dates');
  const when = (kinds: readonly string[], fields: Html) =>
    html`<div data-when="${kinds.join(' ')}">${fields}</div>`;
  const every = entry(props, {
    name: 'every',
    label: 'Every so many',
    min: 1,
    short: true,
    type: 'number',
    hint: 'Days, weeks, months or years. 2: every second one',
  });
  const monthDay = entry(props, {
    name: 'month_day',
    label: 'Day of the month',
    min: 1,
    short: true,
    type: 'number',
    hint: 'Empty: that of the date',
  });
  const weekday = selectField({
    name: 'nth_weekday',
    label: 'Weekday of the month',
    options: Object.entries(weekdays).map(([value, label]) => ({ value, label })),
    value: enteredText(values, 'nth_weekday', 'MO'),
  });
  const dates = { name: 'dates', label: 'Further dates', rows: 2, hint: 'As 2026-12-24, one on each line' };
  const own = { name: 'own', label: 'Rule', hint: 'As FREQ=MONTHLY;BYDAY=1TU,3TU' };
  const ending = html`<div class="content-days">${choiceGroup({
    name: 'ends',
    label: 'Ends',
    plain: true,
    error: errorAt(errors, 'until'),
    rows: [end('never', 'Never'), end('on', 'On a date'), end('after', 'After so many times')],
  })}</div>
<div data-ends="on">${entry(props, { name: 'last_date', label: 'Last date', type: 'date' })}</div>
<div data-ends="after">${entry(props, { name: 'times', label: 'Times', type: 'number', min: 1, short: true })}</div>`;
  return html`<div class="content-repeat">${repeat}
${when(
  rules.filter((kind) => kind !== 'own'),
  every,
)}
${when(['weekly'], ticks(props, 'weekdays', 'On', weekdays, 'None ticked: on the weekday of the date'))}
${when(['month_day'], monthDay)}
${when(['month_weekday'], html`${ticks(props, 'nths', 'Which of the month', NTHS)}${weekday}`)}
${when(['own'], entry(props, own))}
${when(rules, ending)}
${when([...rules, 'dates'], entry(props, dates))}</div>`;
}

function ticks(
  { values, errors }: FieldsProps,
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  hint?: string,
): Html {
  const chosen = [values[name] ?? []].flat();
  const group = choiceGroup({
    name,
    label,
    hint,
    plain: true,
    error: errorAt(errors, name),
    rows: Object.entries(options).map(([value, text]) =>
      choice({ type: 'checkbox', name, value, label: text, checked: chosen.includes(value) }),
    ),
  });
  return html`<div class="content-days">${group}</div>`;
}
