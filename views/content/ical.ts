import type { GoesTo } from '#content/ical/sources/input.ts';
import type { Holiday } from '#content/ical/sources/shown.ts';
import type { SourceJson } from '#content/ical/sources/sources.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { dateInWords, formatShort } from '#kernel/local-time.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { confirmPanel, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { refusedNotice } from '#views/people/frame.ts';
import { doneNotice, staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { CONTENT_CRUMB } from './frame.ts';

interface IcalPageProps {
  identity: Identity | undefined;
  sources: readonly SourceJson[];
  holidays: readonly Holiday[];
  zone: string;
  /** What has just been done, as a sentence. */
  done?: string | undefined;
  refused?: RefusedForm | undefined;
}

const PAGE = '/admin/content/ical';
const LABELS = {
  name: 'Name',
  address: 'Address',
  goes_to: 'Shown on',
  filter: 'Which events',
  'filter.contains': 'These words',
  place: 'Place of events that have none',
  prefix: 'Words before the title',
};
const GOES_TO = [
  { value: 'screens calendar', label: 'Screens and members’ calendar' },
  { value: 'screens', label: 'Screens' },
  { value: 'calendar', label: 'Members’ calendar' },
  { value: 'holidays', label: 'Do not show them; use them as holidays' },
];
const FIELDS = [
  { value: '', label: 'All events' },
  { value: 'title', label: 'Title contains' },
  { value: 'place', label: 'Place contains' },
  { value: 'category', label: 'Category contains' },
];

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
${doneNotice(done)}${refusedNotice(refused, LABELS, (path) => `${FIELD_IDS[path] ?? path}-${form}`)}
<section class="panel"><h2>Calendars</h2>
${
  sources.length === 0
    ? empty('No calendars yet', 'Copy the address that ends in .ics from the sharing settings of a calendar.')
    : sources.map((source) => sourceCard(props, source, mayWrite))
}</section>
${
  mayWrite &&
  html`<section class="panel"><h2>Add a calendar</h2>
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
    title: refused ? 'Please check: Calendars we read' : 'Calendars we read',
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
  const value = (name: string, stored: string) => enteredText(own?.entered ?? {}, name, stored);
  const error = (path: string) => errorAt(own?.errors ?? [], path);
  const shared = { autocomplete: 'off' } as const;
  return html`${hiddenInputs({ form })}
${field({
  ...shared,
  name: 'name',
  id: `name-${form}`,
  label: LABELS.name,
  value: value('name', source?.name ?? ''),
  error: error('name'),
  maxlength: 80,
})}
${field({
  ...shared,
  name: 'address',
  id: `address-${form}`,
  label: LABELS.address,
  hint: source
    ? `Leave it empty to keep the one that ends in ${source.hint}.`
    : 'Begins with https:// or webcal://. Anyone who knows it can read the calendar, so it is kept encrypted ' +
      'and never shown again.',
  error: error('address'),
  maxlength: 2_000,
  spellcheck: false,
  optional: source !== undefined,
})}
${selectField({
  name: 'goes_to',
  id: `goes_to-${form}`,
  label: LABELS.goes_to,
  options: GOES_TO,
  value: value('goes_to', wordsOf(source?.goes_to)),
  error: error('goes_to'),
})}
${selectField({
  name: 'filter_field',
  id: `filter_field-${form}`,
  label: 'Which events',
  options: FIELDS,
  value: value('filter_field', source?.filter?.field ?? ''),
  error: error('filter.field'),
})}
${field({
  ...shared,
  name: 'filter_contains',
  id: `filter_contains-${form}`,
  label: 'These words',
  value: value('filter_contains', source?.filter?.contains ?? ''),
  error: error('filter.contains'),
  maxlength: 100,
  optional: true,
})}
${field({
  ...shared,
  name: 'place',
  id: `place-${form}`,
  label: LABELS.place,
  value: value('place', source?.place ?? ''),
  error: error('place'),
  maxlength: 100,
  optional: true,
})}
${field({
  ...shared,
  name: 'prefix',
  id: `prefix-${form}`,
  label: LABELS.prefix,
  value: value('prefix', source?.prefix ?? ''),
  error: error('prefix'),
  maxlength: 40,
  optional: true,
})}`;
}

/** The id of the form that was refused, from its hidden field: `new`, or the id of a source. */
const formOf = (refused: RefusedForm | undefined): string =>
  typeof refused?.entered.form === 'string' ? refused.entered.form : '';

const wordsOf = (goesTo: GoesTo = ['screens', 'calendar']): string =>
  goesTo === 'holidays' ? goesTo : goesTo.join(' ');

const labelOf = (goesTo: GoesTo): string =>
  GOES_TO.find(({ value }) => value === wordsOf(goesTo))?.label ?? wordsOf(goesTo);
