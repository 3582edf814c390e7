import { SAME } from '#content/forms/hours.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, field } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, crewTicks, entry, type FieldsProps, NO_TENDERS, rangeFields } from './parts.ts';

/** Of the folds of the form one is open at a time. */
const FOLDS = 'hours';

/** One row for each weekday; second times, and the crew with the minutes around the hours, are in collapsed parts. */
export function hoursFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const rows = namedWeekdays().map(
    ([day, name]) => html`<tr><th scope="row">${name}</th>
<td>${rangeFields(props, `week.${day}.0`, name)}</td></tr>`,
  );
  const seconds = namedWeekdays().map(
    ([day, name]) => html`<tr><th scope="row">${name}</th>
<td>${rangeFields(props, `week.${day}.1`, t('content-admin.fields.second_time_of_day', { name }))}</td></tr>`,
  );
  const hasSecond =
    Object.entries(values).some(([name, value]) => /^week\.\w+\.1\./.test(name) && value !== '') ||
    errors.some(({ path }) => /^week\.\w+\.1/.test(path));
  const atCrews = errors.some(({ path }) => /before|after|tenders/.test(path));
  const crews = namedWeekdays().map(
    ([day, name]) =>
      html`<fieldset><legend>${name}</legend>
      <div class="choices choices-plain content-crew">${crewTicks(props, `crew.${day}`)}</div></fieldset>`,
  );
  return html`${field({
    name: 'from',
    label: t('content-admin.fields.these_hours_count'),
    type: 'date',
    value: enteredText(values, 'from'),
    error: errorAt(errors, 'from'),
    hint: t('content-admin.fields.until_hours_before_stay_summer'),
  })}
${sameHours(props)}
<table class="content-week"><caption>${t('content-admin.fields.open_day_week_leave_day')}</caption>
<thead><tr><th scope="col">${t('content-admin.fields.day')}</th><th scope="col">${t('content-admin.fields.hours')}</th></tr></thead>
<tbody>${rows}</tbody></table>
${disclosure(
  t('content-admin.fields.second_time_same_day'),
  html`<table class="content-week"><caption class="visually-hidden">${t('content-admin.fields.second_time_same_day')}</caption>
<thead><tr><th scope="col">${t('content-admin.fields.day')}</th><th scope="col">${t('content-admin.fields.hours')}</th></tr></thead><tbody>${seconds}</tbody></table>`,
  hasSecond && !atCrews,
  FOLDS,
)}
${disclosure(
  t('content-admin.fields.who_usually_works_when_begin'),
  html`<div class="content-two">${entry(props, {
    name: 'before',
    label: t('content-admin.fields.minutes_work_begins_before_opening'),
    type: 'number',
    min: 0,
    short: true,
  })}
${entry(props, {
  name: 'after',
  label: t('content-admin.fields.minutes_continues_after_closing'),
  type: 'number',
  min: 0,
  short: true,
})}</div>
${props.tenders.length === 0 ? NO_TENDERS : html`<div class="content-two">${crews}</div>`}`,
  atCrews,
  FOLDS,
)}
${field({
  ...at(props, 'note'),
  optional: true,
  rows: 2,
  maxlength: 500,
  hint: t('content-admin.fields.yourselves_shown'),
})}`;
}

/** Hours for several days at once: most clubs have one or two kinds of days. */
export function sameHours(
  props: Pick<FieldsProps, 'values' | 'errors'>,
  legend: Words | string = t('content-admin.fields.same_hours_several_days'),
): Html {
  const chosen = [props.values[SAME.days] ?? []].flat();
  return html`<fieldset><legend>${legend}</legend>
<div class="choices choices-plain content-crew">${namedWeekdays().map(([day, name]) =>
    choice({ type: 'checkbox', name: SAME.days, value: day, label: name, checked: chosen.includes(day) }),
  )}</div>
${rangeFields(props, SAME.range, t('content-admin.fields.days_ticked'))}</fieldset>`;
}
