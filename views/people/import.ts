import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { refusedNotice } from '#views/components/notices.ts';
import { hidden, linkTo } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage } from './frame.ts';

/** An import that was applied. */
export interface BatchView {
  id: number;
  when: Words;
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

export const IMPORT_CRUMBS = [{ href: '/admin/people', label: t('people-admin.import.people') }];
const IMPORT_LABELS: Readonly<Record<string, Words>> = {
  csv: t('people-admin.import.list'),
  end_missing: t('people-admin.import.last_day'),
  mapping: t('people-admin.import.columns'),
};

export const DATE_ORDERS = [
  { value: '', label: t('people-admin.import.list_shows') },
  { value: 'dmy', label: t('people-admin.import.day_first') },
  { value: 'mdy', label: t('people-admin.import.month_first') },
];

/** The form to import a list, and the imports so far. */
export function importPage(props: ImportPageProps): Html {
  const { batches, done, refused, canMail, offersMeeting } = props;
  const entered = refused?.entered ?? {};
  const errors = refused?.errors ?? [];
  const body = html`${pageHeader({
    title: t('people-admin.import.title'),
    lede: t('people-admin.import.lede'),
    crumbs: IMPORT_CRUMBS,
  })}
${doneNotice(done)}${offersMeeting && html`<p><a class="link-alone" href="/admin/meetings/new">${t('people-admin.import.new_meeting')}</a></p>`}${welcomeOffer(batches, canMail)}${refusedNotice(refused, IMPORT_LABELS, (path) => (path === 'end_missing' ? path : 'csv'))}
<form class="card" method="post" action="/admin/people/import"
enctype="multipart/form-data">${hiddenInputs({ dry_run: 'true' })}
<div class="field"><label for="file">${t('people-admin.import.file', { optional: (inside) => html`<span class="optional">${inside}</span>` })}</label>
<p class="hint" id="file-hint">${t('people-admin.import.file_hint')}</p>
<input class="input" id="file" name="csv" type="file"
accept=".csv,.txt,.tsv,text/csv,text/plain" aria-describedby="file-hint"></div>
${field({
  name: 'csv',
  label: t('people-admin.import.paste_list'),
  optional: true,
  rows: 8,
  spellcheck: false,
  hint: t('people-admin.import.paste_hint'),
  value: enteredText(entered, 'csv'),
  error: errorAt(errors, 'csv'),
})}
${field({
  name: 'end_missing',
  label: t('people-admin.import.end_missing'),
  type: 'date',
  optional: true,
  hint: t('people-admin.import.end_missing_hint'),
  value: enteredText(entered, 'end_missing'),
  error: errorAt(errors, 'end_missing'),
})}
${selectField({
  name: 'date_order',
  label: t('people-admin.import.date_order'),
  options: DATE_ORDERS,
  value: enteredText(entered, 'date_order'),
})}
<p class="actions"><button class="button">${t('people-admin.import.compare')}</button></p></form>
${batches.length > 0 && html`<section class="panel"><h2>${t('people-admin.import.imports_far')}</h2>${batchTable(batches)}</section>`}`;
  return peoplePage(t('people-admin.import.title'), body, props);
}

/** Offers to mail those whom the last import added where they sign in. */
function welcomeOffer([last]: readonly BatchView[], canMail: boolean): Html | null {
  if (!last || last.unwelcomed === 0) return null;
  const n = last.unwelcomed;
  return html`<section class="card" aria-labelledby="welcome"><h2 id="welcome">${t('people-admin.import.welcome')}</h2>
<p>${t('people-admin.import.welcome_text', { n, id: last.id })}</p>${
    canMail
      ? html`<form method="post" action="/admin/people/import/${last.id}/welcome"><p class="actions"><button
class="button button-quiet">${t('people-admin.import.send_welcome', { n })}</button></p></form>`
      : html`<p>${t('people-admin.import.mail_set_up_before', { link: linkTo(groupPath('mail')) })}</p>`
  }</section>`;
}

function batchTable(batches: readonly BatchView[]): Html {
  return table({
    caption: t('people-admin.import.imports_far'),
    quietCaption: true,
    columns: [
      { label: t('people-admin.import.import') },
      { label: t('people-admin.import.when') },
      { label: t('people-admin.import.what') },
      { label: t('people-admin.import.undo'), quiet: true },
    ],
    rows: batches.map(({ id, when, created, changed, ended, undone, undoable }) => [
      t('people-admin.import.name', { id }),
      when,
      t('people-admin.import.did', {
        created,
        changed: formatNumber(changed - ended),
        ended: formatNumber(ended),
      }),
      undone ? badge(t('people-admin.import.undone')) : undoable ? undoForm(id, created, changed) : '–',
    ]),
  });
}

function undoForm(id: number, created: number, changed: number): Html {
  return html`<details class="fold-small"><summary>${t('people-admin.import.undo_this', { hidden, id })}</summary>
  <div class="fold"><p>${t('people-admin.import.undo_text', { created, changed })}</p>
<form method="post" action="/admin/people/import/${id}/undo"><button class="button button-danger button-small">${t('people-admin.import.undo_button', { id })}</button></form></div></details>`;
}
