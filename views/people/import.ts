import { type Html, html } from '#kernel/html.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { refusedNotice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage } from './frame.ts';

/** An import that was applied; `when` is already formatted. */
export interface BatchView {
  id: number;
  when: string;
  created: number;
  changed: number;
  ended: number;
  /** How many people of it have an address and were sent no welcome. */
  unwelcomed: number;
  undone: boolean;
  undoable: boolean;
}

export interface ImportPageProps extends PeoplePageProps {
  batches: readonly BatchView[];
  /** Whether mails can be sent. */
  canMail: boolean;
  /** Whether members can be called to a meeting next. */
  offersMeeting: boolean;
}

export const IMPORT_CRUMBS = [{ href: '/admin/people', label: 'People' }];
const IMPORT_LABELS: Readonly<Record<string, string>> = {
  csv: 'The list',
  end_missing: 'Last day',
  mapping: 'Columns',
};

export const DATE_ORDERS = [
  { value: '', label: 'As the list shows' },
  { value: 'dmy', label: 'Day first: 31/12/2026' },
  { value: 'mdy', label: 'Month first: 12/31/2026' },
];

/** The form to import a list, and the imports so far. */
export function importPage(props: ImportPageProps): Html {
  const { batches, done, refused, canMail, offersMeeting } = props;
  const entered = refused?.entered ?? {};
  const errors = refused?.errors ?? [];
  const body = html`${pageHeader({
    title: 'Import people',
    lede:
      'A list out of another program is compared with the roll. Nothing is changed before you have seen ' +
      'what would be.',
    crumbs: IMPORT_CRUMBS,
  })}
${doneNotice(done)}${offersMeeting && html`<p><a class="link-alone" href="/admin/meetings/new">New meeting</a></p>`}${welcomeOffer(batches, canMail)}${refusedNotice(refused, IMPORT_LABELS, (path) => (path === 'end_missing' ? path : 'csv'))}
<form class="card" method="post" action="/admin/people/import"
enctype="multipart/form-data">${hiddenInputs({ dry_run: 'true' })}
<div class="field"><label for="file">CSV file <span class="optional">(optional)</span></label>
<p class="hint" id="file-hint">With a line of headers, at most 5 MB and 20,000 people.</p>
<input class="input" id="file" name="csv" type="file"
accept=".csv,.txt,.tsv,text/csv,text/plain" aria-describedby="file-hint"></div>
${field({
  name: 'csv',
  label: 'Or paste the list',
  optional: true,
  rows: 8,
  spellcheck: false,
  hint: 'Number, Name, E-mail, Membership, Member since',
  value: enteredText(entered, 'csv'),
  error: errorAt(errors, 'csv'),
})}
${field({
  name: 'end_missing',
  label: 'Last day of those who are not in the list',
  type: 'date',
  optional: true,
  hint: 'Empty: their membership continues',
  value: enteredText(entered, 'end_missing'),
  error: errorAt(errors, 'end_missing'),
})}
${selectField({
  name: 'date_order',
  label: 'Date order (1/2/2026)',
  options: DATE_ORDERS,
  value: enteredText(entered, 'date_order'),
})}
<p class="actions"><button class="button">Compare</button></p></form>
${batches.length > 0 && html`<section class="panel"><h2>Imports so far</h2>${batchTable(batches)}</section>`}`;
  return peoplePage('Import people', body, props);
}

/** Offers to mail those whom the last import added where they sign in. */
function welcomeOffer([last]: readonly BatchView[], canMail: boolean): Html | null {
  if (!last || last.unwelcomed === 0) return null;
  const people = counted(last.unwelcomed, 'person', 'people');
  return html`<section class="card" aria-labelledby="welcome"><h2 id="welcome">Send everybody a welcome?</h2>
<p>${people} of import ${last.id} can get a mail that says where they sign in. Each gets it once. Nothing is sent unless you
want it: they can sign in without it, too.</p>${
    canMail
      ? html`<form method="post" action="/admin/people/import/${last.id}/welcome"><p class="actions"><button
class="button button-quiet">Send a welcome to ${people}</button></p></form>`
      : html`<p>Mail has to be <a href="${groupPath('mail')}">set up</a> before.</p>`
  }</section>`;
}

function batchTable(batches: readonly BatchView[]): Html {
  return table({
    caption: 'Imports so far',
    quietCaption: true,
    columns: [
      { label: 'Import' },
      { label: 'When' },
      { label: 'What it did' },
      { label: 'Undo', quiet: true },
    ],
    rows: batches.map(({ id, when, created, changed, ended, undone, undoable }) => [
      `Import ${id}`,
      when,
      `${counted(created, 'person', 'people')} added, ${changed - ended} changed, ${ended} ended`,
      undone ? badge('undone') : undoable ? undoForm(id, created, changed) : '–',
    ]),
  });
}

function undoForm(id: number, created: number, changed: number): Html {
  return html`<details class="fold-small"><summary>Undo<span class="visually-hidden"> import ${id}</span></summary>
  <div class="fold"><p>${counted(created, 'person goes', 'people go')} off the roll
  again, ${counted(changed, 'person is', 'people are')} put back as before. Not possible once
  one of them was edited.</p>
<form method="post" action="/admin/people/import/${id}/undo"><button class="button button-danger button-small">Undo import ${id}</button></form></div></details>`;
}
