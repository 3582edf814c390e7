import { type GoesTo, SOURCE } from '#content/ical/sources/input.ts';
import type { Holiday } from '#content/ical/sources/shown.ts';
import type { Source } from '#content/ical/sources/sources.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, dateInWords, formatShort } from '#kernel/language/times.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { confirmPanel, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty, notice, refusedNotice } from '#views/components/notices.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { hidden } from '#views/components/slots.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { CONTENT_CRUMB } from './frame.ts';

interface IcalPageProps {
  identity: Identity | undefined;
  sources: readonly Source[];
  holidays: readonly Holiday[];
  zone: string;
  /** What has just been done, as a sentence. */
  done?: Text | string | undefined;
  refused?: RefusedForm | undefined;
}

const PAGE = '/admin/content/ical';

/** The words of the fields of a source. */
export const SOURCE_WORDS = {
  name: { label: t('content-admin.ical.name') },
  address: { label: t('content-admin.ical.address') },
  goes_to: {
    label: t('content-admin.ical.shown'),
    options: [
      { value: 'screens calendar', label: t('content-admin.ical.screens_members_calendar') },
      { value: 'screens', label: t('content-admin.ical.screens') },
      { value: 'calendar', label: t('content-admin.ical.members_calendar') },
      { value: 'holidays', label: t('content-admin.ical.show_use_holidays') },
    ],
  },
  filter: {
    label: t('content-admin.ical.which_events'),
    options: [
      { value: '', label: t('content-admin.ical.all_events') },
      { value: 'title', label: t('content-admin.ical.title_contains') },
      { value: 'place', label: t('content-admin.ical.place_contains') },
      { value: 'category', label: t('content-admin.ical.category_contains') },
    ],
  },
  'filter.contains': { label: t('content-admin.ical.these_words') },
  place: { label: t('content-admin.ical.place_events_none') },
  prefix: { label: t('content-admin.ical.words_before_title') },
} satisfies Words<typeof SOURCE.fields, 'address' | 'filter.contains'>;

/** The external calendars that are imported. The page never shows their full addresses. */
export function icalPage(props: IcalPageProps): Html {
  const { sources, holidays, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('content:write') ?? false;
  const form = formOf(refused);
  const body = html`${pageHeader({
    crumbs: [CONTENT_CRUMB],
    title: t('content-admin.ical.calendars_read'),
    lede: t('content-admin.ical.events_any_calendar_ical_address'),
  })}
${doneNotice(done)}${refusedNotice(refused, labelsOf(SOURCE_WORDS), (path) => `${FIELD_IDS[path] ?? path}-${form}`)}
<section class="panel"><h2>${t('content-admin.ical.calendars')}</h2>
${
  sources.length === 0
    ? empty(t('content-admin.ical.calendars_yet'), t('content-admin.ical.copy_address_ends_ics_sharing'))
    : sources.map((source) => sourceCard(props, source, mayWrite))
}</section>
${
  mayWrite &&
  html`<section class="panel"><h2>${t('content-admin.ical.new_calendar')}</h2>
<form method="post" action="${PAGE}">${fields(props, 'new')}
<p class="actions"><button class="button">${t('content-admin.ical.add')}</button></p></form></section>`
}
${
  holidays.length > 0 &&
  html`<section class="panel"><h2>${t('content-admin.ical.next_holidays')}</h2>
<p class="soft">${t('content-admin.ical.change_opening_hours')}</p>
${definitionList(holidays.map(({ date, title }) => [dateInWords(date), title]))}</section>`
}`;
  return staffPage({
    title: t('content-admin.ical.calendars_read'),
    body,
    nav: '/admin/content',
    identity,
    head: stylesheets('content'),
  });
}

function sourceCard(props: IcalPageProps, source: Source, mayWrite: boolean): Html {
  const { id, name, host, hint, read_at, error, events, filter } = source;
  const path = `${PAGE}/${encodeURIComponent(id)}`;
  const readAt =
    read_at === null ? t('content-admin.ical.yet') : formatShort(Date.parse(read_at), props.zone);
  return html`<article class="card"><h3>${name}</h3>
${error !== null && notice('attention', atLineStart(error), read_at === null ? t('content-admin.ical.not_read') : t('content-admin.ical.all_well'))}
${definitionList([
  [t('content-admin.ical.address'), `${host} … ${hint}`],
  [t('content-admin.ical.shown'), labelOf(source.goes_to)],
  [
    t('content-admin.ical.events'),
    filter === null
      ? t('content-admin.ical.dates', { n: events })
      : t('content-admin.ical.dates_with', { n: events, field: filter.field, contains: filter.contains }),
  ],
  [t('content-admin.ical.last_read'), readAt],
])}
<p><a class="content-link" href="${path}">${t('content-admin.ical.what_it_brings_named', { hidden, name })}</a></p>
${
  mayWrite &&
  html`<form method="post" action="${path}/read">
  <p class="actions"><button class="button button-quiet">${t('content-admin.ical.read_now', { hidden, name })}</button></p></form>
${disclosure(
  html`${t('content-admin.ical.change', { hidden, name })}`,
  html`<form method="post" action="${path}?_method=PATCH">${fields(props, id, source)}
  <p class="actions"><button class="button">${t('content-admin.ical.save')}</button></p></form>
${confirmPanel({
  title: t('content-admin.ical.remove'),
  text: t('content-admin.ical.events_leave_screens_calendar'),
  action: `${path}?_method=DELETE`,
  button: t('content-admin.ical.remove_it'),
})}`,
  formOf(props.refused) === id,
)}`
}</article>`;
}

/** The ids of the form's fields by the path of an error, where the two differ. */
const FIELD_IDS: Record<string, string> = { filter: 'filter_field', 'filter.contains': 'filter_contains' };

function fields({ refused }: IcalPageProps, form: string, source?: Source): Html {
  const own = formOf(refused) === form ? refused : undefined;
  const { filter, goes_to, ...texts } = source ?? {};
  const stored = {
    ...texts,
    goes_to: goes_to && wordsOf(goes_to),
    filter_field: filter?.field,
    filter_contains: filter?.contains,
  };
  const given = { entered: own?.entered ?? stored, errors: own?.errors ?? [], suffix: `-${form}` };
  const at = (name: string, path: keyof typeof SOURCE_WORDS) => ({
    name,
    id: `${name}-${form}`,
    ...SOURCE_WORDS[path],
    error: errorAt(given.errors, path),
  });
  const inputs = {
    address: field({
      ...at('address', 'address'),
      hint: source
        ? t('content-admin.ical.leave_empty_keep_ends', { hint: html`<code>${source.hint}</code>` })
        : t('content-admin.ical.begins_https_webcal_anyone_who'),
      maxlength: 2_000,
      autocomplete: 'off',
      spellcheck: false,
      optional: source !== undefined,
    }),
    filter: selectField({
      ...at('filter_field', 'filter'),
      options: SOURCE_WORDS.filter.options,
      value: enteredText(given.entered, 'filter_field'),
      error: errorAt(given.errors, 'filter.field'),
    }),
    'filter.contains': field({
      ...at('filter_contains', 'filter.contains'),
      value: enteredText(given.entered, 'filter_contains'),
      maxlength: 100,
      autocomplete: 'off',
      optional: true,
    }),
  };
  return html`${hiddenInputs({ form })}
${recordFields(SOURCE, SOURCE_WORDS, { ...given, own: inputs })}`;
}

/** The id of the form that was refused, from its hidden field: `new`, or the id of a source. */
const formOf = (refused: RefusedForm | undefined): string =>
  typeof refused?.entered.form === 'string' ? refused.entered.form : '';

const wordsOf = (goesTo: GoesTo): string => [goesTo].flat().join(' ');

const labelOf = (goesTo: GoesTo): Text | string =>
  SOURCE_WORDS.goes_to.options.find(({ value }) => value === wordsOf(goesTo))?.label ?? wordsOf(goesTo);
