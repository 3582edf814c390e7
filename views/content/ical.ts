import { type GoesTo, SOURCE } from '#content/ical/sources/input.ts';
import type { Holiday } from '#content/ical/sources/shown.ts';
import type { SourceJson } from '#content/ical/sources/sources.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { dateInWords, formatShort } from '#kernel/local-time.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { confirmPanel, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty, notice, refusedNotice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { CONTENT_CRUMB } from './frame.ts';

interface IcalPageProps {
  identity: Identity | undefined;
  sources: readonly SourceJson[];
  holidays: readonly Holiday[];
  zone: string;
  /** What has just been done, as a sentence. */
  done?: Text | string | undefined;
  refused?: RefusedForm | undefined;
}

const PAGE = '/admin/content/ical';

/** The words of the fields of a source. */
export const SOURCE_WORDS = {
  name: { label: 'Name' },
  address: { label: 'Address' },
  goes_to: {
    label: 'Shown on',
    options: [
      { value: 'screens calendar', label: 'Screens and members’ calendar' },
      { value: 'screens', label: 'Screens' },
      { value: 'calendar', label: 'Members’ calendar' },
      { value: 'holidays', label: 'Do not show them; use them as holidays' },
    ],
  },
  filter: {
    label: 'Which events',
    options: [
      { value: '', label: 'All events' },
      { value: 'title', label: 'Title contains' },
      { value: 'place', label: 'Place contains' },
      { value: 'category', label: 'Category contains' },
    ],
  },
  'filter.contains': { label: 'These words' },
  place: { label: 'Place of events that have none' },
  prefix: { label: 'Words before the title' },
} satisfies Words<typeof SOURCE.fields, 'address' | 'filter.contains'>;

/** The external calendars that are imported. The page never shows their full addresses. */
export function icalPage(props: IcalPageProps): Html {
  const { sources, holidays, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('content:write') ?? false;
  const form = formOf(refused);
  const body = html`${pageHeader({
    crumbs: [CONTENT_CRUMB],
    title: 'Calendars we read',
    lede:
      'Events from any calendar with an iCal address: Google, Outlook, Nextcloud, a band, a league. They ' +
      'are read once an hour and cannot be changed here.',
  })}
${doneNotice(done)}${refusedNotice(refused, labelsOf(SOURCE_WORDS), (path) => `${FIELD_IDS[path] ?? path}-${form}`)}
<section class="panel"><h2>Calendars</h2>
${
  sources.length === 0
    ? empty('No calendars yet', 'Copy the address that ends in .ics from the sharing settings of a calendar.')
    : sources.map((source) => sourceCard(props, source, mayWrite))
}</section>
${
  mayWrite &&
  html`<section class="panel"><h2>New calendar</h2>
<form method="post" action="${PAGE}">${fields(props, 'new')}
<p class="actions"><button class="button">Add</button></p></form></section>`
}
${
  holidays.length > 0 &&
  html`<section class="panel"><h2>The next holidays</h2>
<p class="soft">They change no opening hours.</p>
${definitionList(holidays.map(({ date, title }) => [dateInWords(date), title]))}</section>`
}`;
  return staffPage({
    title: 'Calendars we read',
    body,
    nav: '/admin/content',
    identity,
    head: stylesheets('content'),
  });
}

function sourceCard(props: IcalPageProps, source: SourceJson, mayWrite: boolean): Html {
  const { id, name, host, hint, read_at, error, events, filter } = source;
  const path = `${PAGE}/${encodeURIComponent(id)}`;
  const readAt = read_at === null ? 'Not yet' : formatShort(Date.parse(read_at), props.zone);
  return html`<article class="card"><h3>${name}</h3>
${error !== null && notice('attention', error, read_at === null ? 'It could not be read' : 'Not all is well')}
${definitionList([
  ['Address', `${host} … ${hint}`],
  ['Shown on', labelOf(source.goes_to)],
  [
    'Events',
    filter === null
      ? counted(events, 'date', 'dates')
      : `${counted(events, 'date', 'dates')} whose ${filter.field} contains “${filter.contains}”`,
  ],
  ['Last read', readAt],
])}
<p><a class="content-link" href="${path}">What it brings<span class="visually-hidden">: ${name}</span></a></p>
${
  mayWrite &&
  html`<form method="post" action="${path}/read">
  <p class="actions"><button class="button button-quiet">Read now<span class="visually-hidden">: ${name}</span></button></p></form>
${disclosure(
  html`Change<span class="visually-hidden"> ${name}</span>`,
  html`<form method="post" action="${path}?_method=PATCH">${fields(props, id, source)}
  <p class="actions"><button class="button">Save</button></p></form>
${confirmPanel({
  title: 'Remove',
  text: 'Its events leave the screens and the calendar.',
  action: `${path}?_method=DELETE`,
  button: 'Remove it',
})}`,
  formOf(props.refused) === id,
)}`
}</article>`;
}

/** The ids of the form's fields by the path of an error, where the two differ. */
const FIELD_IDS: Record<string, string> = { filter: 'filter_field', 'filter.contains': 'filter_contains' };

function fields({ refused }: IcalPageProps, form: string, source?: SourceJson): Html {
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
        ? `Leave it empty to keep the one that ends in ${source.hint}.`
        : 'Begins with https:// or webcal://. Anyone who knows it can read the calendar, so it is kept encrypted ' +
          'and never shown again.',
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

const labelOf = (goesTo: GoesTo): string =>
  SOURCE_WORDS.goes_to.options.find(({ value }) => value === wordsOf(goesTo))?.label ?? wordsOf(goesTo);
