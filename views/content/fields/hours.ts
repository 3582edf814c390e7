import { SAME } from '#content/forms/hours.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, field } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, crewTicks, entry, type FieldsProps, NO_TENDERS, rangeFields } from './parts.ts';

/** One row with two ranges for each weekday; the crew and the minutes around the hours are in a collapsed part. */
export function hoursFields(props: FieldsProps): Html {
  const { values, errors } = props;
  const rows = namedWeekdays().map(
    ([day, name]) => html`<tr><th scope="row">${name}</th>
<td>${rangeFields(props, `week.${day}.0`, name)}</td>
<td>${rangeFields(props, `week.${day}.1`, `${name}, second time`)}</td></tr>`,
  );
  const crews = namedWeekdays().map(
    ([day, name]) =>
      html`<fieldset><legend>${name}</legend>
      <div class="choices choices-plain content-crew">${crewTicks(props, `crew.${day}`)}</div></fieldset>`,
  );
  return html`${field({
    name: 'from',
    label: 'These hours count from',
    type: 'date',
    value: enteredText(values, 'from'),
    error: errorAt(errors, 'from'),
    hint: 'Until then the hours before stay. Summer hours are hours of their own',
  })}
${sameHours(props)}
<table class="content-week"><caption>Open, by the day of the week. Leave a day empty that is closed. A closing
that is earlier than the opening is after midnight.</caption>
<thead><tr><th scope="col">Day</th><th scope="col">Hours</th><th scope="col">Second time that day</th></tr></thead>
<tbody>${rows}</tbody></table>
${disclosure(
  'Who usually works, and when they begin',
  html`<div class="content-two">${entry(props, {
    name: 'before',
    label: 'Minutes that work begins before the opening',
    type: 'number',
    min: 0,
    short: true,
  })}
${entry(props, {
  name: 'after',
  label: 'Minutes it continues after closing',
  type: 'number',
  min: 0,
  short: true,
})}</div>
${props.tenders.length === 0 ? NO_TENDERS : crews}`,
  errors.some(({ path }) => /before|after|tenders/.test(path)),
)}
${field({
  ...at(props, 'note'),
  optional: true,
  rows: 2,
  maxlength: 500,
  hint: 'For yourselves: it is not shown',
})}`;
}

/** Hours for several days at once: most clubs have one or two kinds of days. */
export function sameHours(
  props: Pick<FieldsProps, 'values' | 'errors'>,
  legend = 'The same hours on several days',
): Html {
  const chosen = [props.values[SAME.days] ?? []].flat();
  return html`<fieldset><legend>${legend}</legend>
<div class="choices choices-plain content-crew">${namedWeekdays().map(([day, name]) =>
    choice({ type: 'checkbox', name: SAME.days, value: day, label: name, checked: chosen.includes(day) }),
  )}</div>
${rangeFields(props, SAME.range, 'The days that are ticked')}</fieldset>`;
}
