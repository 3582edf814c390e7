import { ALL_SCREENS } from '#content/kinds/announcement.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { choice, choiceGroup, field, selectField } from '#views/components/forms.ts';
import { disclosure } from '#views/components/structure.ts';
import { at, dateAndTime, entry, type FieldsProps } from './parts.ts';
import { pictureFields } from './picture.ts';

const PRIORITIES = [
  { value: 'urgent', label: t('content-admin.fields.urgent') },
  { value: 'high', label: t('content-admin.fields.high') },
  { value: 'normal', label: t('content-admin.fields.normal') },
  { value: 'low', label: t('content-admin.fields.low') },
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
  hint: t('content-admin.fields.screen_room_about_nine_lines'),
})}
${selectField({
  ...at(props, 'priority'),
  options: PRIORITIES,
  value: enteredText(values, 'priority', 'normal'),
})}
<div class="content-two">${dateAndTime(props, 'from', t('content-admin.fields.shown'), t('content-admin.fields.empty_once'))}
${dateAndTime(props, 'until', t('content-admin.fields.shown_until'), t('content-admin.fields.date_without_time_includes_whole'))}</div>
${disclosure(
  t('content-admin.fields.only_some_days_times_screens'),
  html`<div class="content-days">${choiceGroup({
    name: 'days',
    label: t('content-admin.fields.days'),
    hint: t('content-admin.fields.none_ticked_every_day'),
    plain: true,
    error: errorAt(errors, 'days'),
    rows: namedWeekdays('short').map(([value, label]) =>
      choice({ type: 'checkbox', name: 'days', value, label, checked: days.includes(value) }),
    ),
  })}</div><fieldset class="content-pair"><legend>${t('content-admin.fields.time_day')}</legend>
  <p class="hint">${t('content-admin.fields.past_midnight_belongs_evenings_day')}</p>
${between && html`<p class="error-text">${between}</p>`}
${entry(props, { name: 'between.from', label: t('content-admin.fields.from'), type: 'time' })}${entry(props, {
  name: 'between.to',
  label: t('content-admin.fields.to'),
  type: 'time',
})}</fieldset>
${screensChoice(props)}
${entry(props, {
  name: 'seconds',
  type: 'number',
  short: true,
  hint: t('content-admin.fields.seconds_to_read'),
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
  const row = (value: string, label: Words | string, note: Words | undefined, checked: boolean) =>
    choice({ type: 'checkbox', name: 'screens', value, label, note, checked });
  return html`${choiceGroup({
    name: 'screens',
    label: t('content-admin.fields.screens'),
    hint: t('content-admin.fields.tick_some_these_alone'),
    plain: true,
    error: errorAt(errors, 'screens'),
    rows: [
      row(ALL_SCREENS, t('content-admin.fields.all_screens'), undefined, isAll),
      ...known.map(({ name, isGroup }) =>
        row(name, name, isGroup ? t('content-admin.fields.group') : undefined, chosen.includes(name)),
      ),
      ...gone.map((name) => row(name, name, t('content-admin.fields.seen_lately'), true)),
    ],
  })}
${entry(
  { values, errors: [] },
  {
    name: 'screens.other',
    label: t('content-admin.fields.other_screens'),
    hint: t('content-admin.fields.names_screens_listed_yet_separate'),
  },
)}`;
}
