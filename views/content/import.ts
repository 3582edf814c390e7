import type { ImportReport } from '#content/import/import.ts';
import type { ImportLine } from '#content/import/planned.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage } from './frame.ts';

export interface ImportPageProps extends ContentPageProps {
  /** Whether a workspace is set up. */
  isConfigured: boolean;
  /** Kinds in words, by their name. */
  kinds: Readonly<Record<string, Words>>;
  running: { dryRun: boolean; done: number; of: number } | undefined;
  /** The last run since the start of the service; `when` in words. */
  last: { when: Words; dryRun: boolean; report?: ImportReport; failed?: Words | string } | undefined;
  /** What exists only in the workspace; undefined until it was read completely. */
  rest: readonly { kind: string; title: string }[] | undefined;
  /** The number of elections with a page in the workspace that is kept up to date. */
  elections: number;
  refused?: RefusedForm | undefined;
}

const PAGE = '/admin/content/import';
const LISTED_AT_MOST = 500;

/** The page to import the content of the workspace; it also says what removing its key would change. */
export function importPage(props: ImportPageProps): Html {
  const { isConfigured, refused } = props;
  const body = html`${pageHeader({
    title: t('content-admin.import.import_workspace'),
    crumbs: [CONTENT_CRUMB],
    lede: t('content-admin.import.events_shifts_people_announcements'),
  })}
${refused && html`<div role="alert">${notice('danger', refused.message, t('content-admin.import.nothing_imported'))}</div>`}
${
  isConfigured
    ? html`${present(props)}${lastRun(props)}${withoutKey(props)}`
    : html`
<p>${t('content-admin.import.no_workspace', { key: KEY, code })}</p>`
}`;
  return contentPage(t('content-admin.import.import_workspace'), body, props);
}

function present({ running, last }: ImportPageProps): Html {
  if (running) {
    const { dryRun, done, of } = running;
    const far =
      of === 0
        ? t('content-admin.import.workspace_being_read')
        : t('content-admin.import.done', { done, of });
    return html`<section class="panel" aria-labelledby="now">
    <h2 id="now">${dryRun ? t('content-admin.import.preview_being_made') : t('content-admin.import.import_running')}</h2>
<p role="status">${far}</p><p class="actions"><a class="button" href="${PAGE}">${t('content-admin.import.refresh')}</a></p></section>`;
  }
  const isReady = last?.report !== undefined;
  return html`<section class="panel" aria-labelledby="now"><h2 id="now">${isReady ? t('content-admin.import.import') : t('content-admin.import.preview_first')}</h2>
<p>${
    isReady
      ? t('content-admin.import.only_what_new_changed_workspace')
      : t('content-admin.import.shows_what_imported_what_why')
  }</p>
<div class="toolbar">${isReady && button(t('content-admin.import.import_now'), 'false', 'button-primary')}${button(
    isReady ? t('content-admin.import.preview_again') : t('content-admin.import.preview_import'),
    'true',
    isReady ? 'button-quiet' : 'button-primary',
  )}</div></section>`;
}

const button = (label: Words, dryRun: string, style: string): Html =>
  html`<form method="post" action="${PAGE}"><input type="hidden" name="dry_run" value="${dryRun}"><button class="button ${style}">${label}</button></form>`;

function lastRun({ last, kinds }: ImportPageProps): Html | null {
  if (!last) return null;
  const { report, failed, when, dryRun } = last;
  const heading = html`<h2 id="last">${dryRun ? t('content-admin.import.preview') : t('content-admin.import.imported')}</h2>
  <p class="soft">${t('content-admin.import.shown_until_service_restarts', { when })}</p>`;
  if (!report)
    return html`<section aria-labelledby="last">${heading}${notice('danger', failed ?? '', t('content-admin.import.completed'))}</section>`;
  return html`<section aria-labelledby="last">${heading}
${report.warnings.map((warning) => notice('attention', warning))}
${countsTable(kinds, report.kinds, dryRun ? t('content-admin.import.preview') : t('content-admin.import.imported'))}
${lines(kinds, report.kept, t('content-admin.import.kept_here'), t('content-admin.import.because'))}
${lines(kinds, report.left_out, t('content-admin.import.left_out'), t('content-admin.import.because'))}
${lines(kinds, report.pairs, t('content-admin.import.two_pages_event'), t('content-admin.import.why'))}
${lines(kinds, report.notes, t('content-admin.import.quite_page'), t('content-admin.import.what_differs'))}</section>`;
}

const KEY = 'WORKSPACE_API_KEY';
const COMMAND = 'npm run workspace:import -- --dry-run';

const code = (inside: Words): Html => html`<code>${inside}</code>`;

const COUNTS = [
  ['created', t('content-admin.import.new')],
  ['changed', t('content-admin.import.changed')],
  ['unchanged', t('content-admin.import.before')],
  ['kept', t('content-admin.import.kept_here')],
  ['left_out', t('content-admin.import.left_out')],
] as const;

/** The counts of each kind, in the order of `kinds`; columns other than “New” are left out where they are empty. */
function countsTable(kinds: ImportPageProps['kinds'], counts: ImportReport['kinds'], caption: Words): Html {
  const there = Object.entries(kinds).flatMap(([kind, label]) => {
    const found = counts[kind];
    return found ? [{ label, found }] : [];
  });
  const columns = COUNTS.filter(([name]) => name === 'created' || there.some(({ found }) => found[name] > 0));
  return table({
    caption,
    quietCaption: true,
    columns: [
      { label: t('content-admin.import.what') },
      ...columns.map(([, label]) => ({ label, number: true })),
    ],
    rows: there.map(({ label, found }) => [label, ...columns.map(([name]) => count(found[name]))]),
  });
}

function lines(
  kinds: ImportPageProps['kinds'],
  all: readonly ImportLine[],
  what: Words,
  why: Words,
): Html | null {
  if (all.length === 0) return null;
  const rows = all
    .slice(0, LISTED_AT_MOST)
    .map(({ kind, title, text }) => [title, kinds[kind] ?? kind, text]);
  const columns = [
    { label: t('content-admin.import.title') },
    { label: t('content-admin.import.what') },
    { label: why },
  ];
  const more =
    all.length > rows.length &&
    html`<p>${t('content-admin.import.more', { n: all.length - rows.length, command: COMMAND, code })}</p>`;
  return disclosure(
    t('content-admin.import.what_number', { what, n: all.length }),
    html`${table({ caption: what, quietCaption: true, columns, rows })}${more}`,
  );
}

function withoutKey({ rest, kinds, elections }: ImportPageProps): Html {
  return html`<section aria-labelledby="key"><h2 id="key">${t('content-admin.import.without_key')}</h2>
<p>${t('content-admin.import.remove_key', { key: KEY, code })}</p>
${whatWouldChange(rest, kinds)}
${
  elections > 0 &&
  notice(
    'attention',
    t('content-admin.import.elections_follow', { n: elections }),
    t('content-admin.import.elections'),
  )
}</section>`;
}

function whatWouldChange(rest: ImportPageProps['rest'], kinds: ImportPageProps['kinds']): Html {
  if (!rest) return notice('info', t('content-admin.import.workspace_read_yet_load_page'));
  if (rest.length === 0)
    return notice(
      'success',
      t('content-admin.import.screens_public_pages_calendar_stay'),
      t('content-admin.import.nothing_change'),
    );
  const rows = rest.slice(0, LISTED_AT_MOST).map(({ kind, title }) => [title, kinds[kind] ?? kind]);
  const list = table({
    caption: t('content-admin.import.only_workspace'),
    quietCaption: true,
    columns: [{ label: t('content-admin.import.title') }, { label: t('content-admin.import.what') }],
    rows,
  });
  const text = t('content-admin.import.things_gone', { n: rest.length });
  return html`${notice('attention', text, t('content-admin.import.something_change'))}${disclosure(
    t('content-admin.import.what_number', {
      what: t('content-admin.import.only_workspace'),
      n: rest.length,
    }),
    list,
  )}`;
}
