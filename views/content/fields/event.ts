import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, entry, type FieldsProps, tick } from './parts.ts';
import { pictureFields } from './picture.ts';

const NTHS = {
  1: t('content-admin.fields.first'),
  2: t('content-admin.fields.second'),
  3: t('content-admin.fields.third'),
  4: t('content-admin.fields.fourth'),
  '-1': t('content-admin.fields.last'),
};
const REPEATS = {
  none: t('content-admin.fields.repeat'),
  daily: t('content-admin.fields.every_day_every_many_days'),
  weekly: t('content-admin.fields.every_week_every_many_weeks'),
  month_day: t('content-admin.fields.monthly_day_such_15th'),
  month_last: t('content-admin.fields.monthly_last_day'),
  month_weekday: t('content-admin.fields.monthly_weekday_first_friday_last'),
  yearly: t('content-admin.fields.every_year_every_many_years'),
  dates: t('content-admin.fields.these_dates'),
  own: t('content-admin.fields.rule_own'),
};
const TAGS = [
  { value: '', label: t('content-admin.fields.none') },
  { value: 'rc-direct', label: t('content-admin.fields.direct_club') },
  { value: 'rc-affiliate', label: t('content-admin.fields.affiliate_affiliates') },
];
/** The fields of an event. All fields of its recurrence are there; only those that the choice needs are read. */
export function eventFields(props: FieldsProps): Html {
  const { values, errors, record } = props;
  return html`${field({ ...at(props, 'title'), maxlength: 200, autocomplete: 'off' })}
<div class="content-two">${field({ ...at(props, 'date'), type: 'date' })}
${field({ ...at(props, 'place'), optional: true, maxlength: 300 })}</div>
<fieldset class="content-pair"><legend>${t('content-admin.fields.times')}</legend>
<p class="hint">${t('content-admin.fields.times_hint')}</p>
${entry(props, { name: 'time' })}${entry(props, { name: 'end_time' })}</fieldset>
${field({ ...at(props, 'description'), optional: true, rows: 3, maxlength: 8_000 })}
<div class="content-days"><div class="choices choices-plain">${tick(props, 'in_pub')}
${tick(props, 'in_calendar')}
${tick(props, 'cancelled', t('content-admin.fields.stays_where_says'))}</div></div>
${repeatFields(props)}
<p class="content-check"><button class="button button-quiet" name="check" value="true">${t('content-admin.fields.check_dates')}</button> <span class="hint">${t('content-admin.fields.shows_next_ten_saves_nothing')}</span></p>
${liveDates(record)}
${disclosure(
  t('content-admin.fields.web_page_tag_several_days'),
  html`<div class="content-two">${entry(props, { name: 'url', hint: t('content-admin.fields.address_begins_https') })}
${selectField({ ...at(props, 'tag'), hint: t('content-admin.fields.patrons_look_each_alone'), options: TAGS })}</div>
${entry(props, {
  name: 'end_days',
  label: t('content-admin.fields.ends_many_days_after_date'),
  type: 'number',
  min: 0,
  short: true,
  hint: t('content-admin.fields.empty_night_latest'),
})}`,
  ['url', 'tag', 'end_days'].some(
    (name) => enteredText(values, name) !== '' || errorAt(errors, name) !== undefined,
  ),
)}${entry(props, {
  name: 'announce_from',
  type: 'date',
  hint: t('content-admin.fields.day_screens_show_picture_empty'),
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
    label: t('content-admin.fields.repeats'),
    value: enteredText(values, 'repeat', 'none'),
    options: Object.entries(REPEATS).map(([value, label]) => ({ value, label })),
    error: errorAt(errors, 'rule'),
  });
  const ends = enteredText(values, 'ends', 'never');
  const end = (value: string, label: Words) =>
    choice({ type: 'radio', name: 'ends', value, label, checked: value === ends });
  const rules = Object.keys(REPEATS).filter((kind) => kind !== 'none' && kind !== 'dates');
  const when = (kinds: readonly string[], fields: Html) =>
    html`<div data-when="${kinds.join(' ')}">${fields}</div>`;
  const every = entry(props, {
    name: 'every',
    label: t('content-admin.fields.every_many'),
    min: 1,
    short: true,
    type: 'number',
    hint: t('content-admin.fields.days_weeks_months_years'),
  });
  const monthDay = entry(props, {
    name: 'month_day',
    label: t('content-admin.fields.day_month'),
    min: 1,
    short: true,
    type: 'number',
    hint: t('content-admin.fields.empty_date'),
  });
  const weekday = selectField({
    name: 'nth_weekday',
    label: t('content-admin.fields.weekday_month'),
    options: Object.entries(weekdays).map(([value, label]) => ({ value, label })),
    value: enteredText(values, 'nth_weekday', 'MO'),
  });
  const dates = {
    name: 'dates',
    label: t('content-admin.fields.further_dates'),
    rows: 2,
    hint: t('content-admin.fields.dates_each_line'),
  };
  const own = {
    name: 'own',
    label: t('content-admin.fields.rule'),
    hint: t('content-admin.fields.freq_monthly_byday_1tu_3tu'),
  };
  const ending = html`<div class="content-days">${choiceGroup({
    name: 'ends',
    label: t('content-admin.fields.ends'),
    plain: true,
    error: errorAt(errors, 'until'),
    rows: [
      end('never', t('content-admin.fields.never')),
      end('on', t('content-admin.fields.on_date')),
      end('after', t('content-admin.fields.after_many_times')),
    ],
  })}</div>
<div data-ends="on">${entry(props, { name: 'last_date', label: t('content-admin.fields.last_date'), type: 'date' })}</div>
<div data-ends="after">${entry(props, { name: 'times', label: t('content-admin.fields.times'), type: 'number', min: 1, short: true })}</div>`;
  return html`<div class="content-repeat">${repeat}
${when(
  rules.filter((kind) => kind !== 'own'),
  every,
)}
${when(['weekly'], ticks(props, 'weekdays', t('content-admin.fields.on'), weekdays, t('content-admin.fields.none_ticked_weekday_date')))}
${when(['month_day'], monthDay)}
${when(['month_weekday'], html`${ticks(props, 'nths', t('content-admin.fields.which_month'), NTHS)}${weekday}`)}
${when(['own'], entry(props, own))}
${when(rules, ending)}
${when([...rules, 'dates'], entry(props, dates))}</div>`;
}

function ticks(
  { values, errors }: FieldsProps,
  name: string,
  label: Words,
  options: Readonly<Record<string, Words>>,
  hint?: Words,
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
