import type { ImportReport } from '#content/import/import.ts';
import type { ImportLine } from '#content/import/planned.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
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
  last: { when: string; dryRun: boolean; report?: ImportReport; failed?: string } | undefined;
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
    title: 'Import from the workspace',
    crumbs: [CONTENT_CRUMB],
    lede:
      'Events, shifts, people, announcements and their pictures come once; what is shown stays the same. ' +
      'From then on they are changed here.',
  })}
${refused && html`<div role="alert">${notice('danger', refused.message, 'Nothing was imported')}</div>`}
${
  isConfigured
    ? html`${present(props)}${lastRun(props)}${withoutKey(props)}`
    : html`
<p>No workspace is set up: there is no <code>WORKSPACE_API_KEY</code>. All that is shown is written here.</p>`
}`;
  return contentPage('Import from the workspace', body, props);
}

function present({ running, last }: ImportPageProps): Html {
  if (running) {
    const { dryRun, done, of } = running;
    const far = of === 0 ? 'The workspace is being read.' : `${count(done)} of ${count(of)} are done.`;
    return html`<section class="panel" aria-labelledby="now">
    <h2 id="now">${dryRun ? 'The preview is being made' : 'The import is running'}</h2>
<p role="status">${far}</p><p class="actions"><a class="button" href="${PAGE}">Refresh</a></p></section>`;
  }
  const isReady = last?.report !== undefined;
  return html`<section class="panel" aria-labelledby="now"><h2 id="now">${isReady ? 'Import' : 'Preview first'}</h2>
<p>${
    isReady
      ? 'Only what is new, or was changed in the workspace and not here, is stored. It can be run again at ' +
        'any time; until the key is taken away, new pages are shown without it.'
      : 'Shows what will be imported, what will not, and why. Nothing is changed yet. It may take a minute.'
  }</p>
<div class="toolbar">${isReady && button('Import now', 'false', 'button-primary')}${button(
    isReady ? 'Preview again' : 'Preview the import',
    'true',
    isReady ? 'button-quiet' : 'button-primary',
  )}</div></section>`;
}

const button = (label: string, dryRun: string, style: string): Html =>
  html`<form method="post" action="${PAGE}"><input type="hidden" name="dry_run" value="${dryRun}"><button class="button ${style}">${label}</button></form>`;

function lastRun({ last, kinds }: ImportPageProps): Html | null {
  if (!last) return null;
  const { report, failed, when, dryRun } = last;
  const heading = html`<h2 id="last">${dryRun ? 'Preview' : 'Imported'}</h2>
  <p class="soft">${when}. It is shown until the service restarts.</p>`;
  if (!report)
    return html`<section aria-labelledby="last">${heading}${notice('danger', failed ?? '', 'Not completed')}</section>`;
  return html`<section aria-labelledby="last">${heading}
${report.warnings.map((warning) => notice('attention', warning))}
${countsTable(kinds, report.kinds, dryRun ? 'Preview' : 'Imported')}
${lines(kinds, report.kept, 'Kept as it is here', 'Because')}
${lines(kinds, report.left_out, 'Left out', 'Because')}
${lines(kinds, report.pairs, 'Two pages, one event', 'Why')}
${lines(kinds, report.notes, 'Not quite as on the page', 'What differs')}</section>`;
}

const COUNTS = [
  ['created', 'New'],
  ['changed', 'Changed'],
  ['unchanged', 'As before'],
  ['kept', 'Kept as it is here'],
  ['left_out', 'Left out'],
] as const;

/** The counts of each kind, in the order of `kinds`; columns other than “New” are left out where they are empty. */
function countsTable(kinds: ImportPageProps['kinds'], counts: ImportReport['kinds'], caption: string): Html {
  const there = Object.entries(kinds).flatMap(([kind, label]) => {
    const found = counts[kind];
    return found ? [{ label, found }] : [];
  });
  const columns = COUNTS.filter(([name]) => name === 'created' || there.some(({ found }) => found[name] > 0));
  return table({
    caption,
    quietCaption: true,
    columns: [{ label: 'What' }, ...columns.map(([, label]) => ({ label, number: true }))],
    rows: there.map(({ label, found }) => [label, ...columns.map(([name]) => count(found[name]))]),
  });
}

function lines(
  kinds: ImportPageProps['kinds'],
  all: readonly ImportLine[],
  what: string,
  why: string,
): Html | null {
  if (all.length === 0) return null;
  const rows = all
    .slice(0, LISTED_AT_MOST)
    .map(({ kind, title, text }) => [title, kinds[kind] ?? kind, text]);
  const columns = [{ label: 'Title' }, { label: 'What' }, { label: why }];
  const more =
    all.length > rows.length &&
    html`<p>And ${count(all.length - rows.length)} more. <code>npm run workspace:import --
    --dry-run</code> lists all.</p>`;
  return disclosure(
    `${what}: ${count(all.length)}`,
    html`${table({ caption: what, quietCaption: true, columns, rows })}${more}`,
  );
}

function withoutKey({ rest, kinds, elections }: ImportPageProps): Html {
  return html`<section aria-labelledby="key"><h2 id="key">Without the key</h2>
<p>Once all is here, the workspace is not needed for it any more:
remove <code>WORKSPACE_API_KEY</code> from the settings and restart the service.</p>
${whatWouldChange(rest, kinds)}
${
  elections > 0 &&
  notice(
    'attention',
    `${
      elections === 1
        ? 'One election that is not over has a page'
        : `${count(elections)} elections that are not over have pages`
    } in the workspace, which would not follow any more.`,
    'Elections',
  )
}</section>`;
}

function whatWouldChange(rest: ImportPageProps['rest'], kinds: ImportPageProps['kinds']): Html {
  if (!rest) return notice('info', 'The workspace was not read yet. Load this page again in a moment.');
  if (rest.length === 0)
    return notice(
      'success',
      'The screens, the public pages and the calendar would stay as they are.',
      'Nothing would change',
    );
  const rows = rest.slice(0, LISTED_AT_MOST).map(({ kind, title }) => [title, kinds[kind] ?? kind]);
  const list = table({
    caption: 'Only in the workspace',
    quietCaption: true,
    columns: [{ label: 'Title' }, { label: 'What' }],
    rows,
  });
  const text = `${counted(rest.length, 'thing')} that the screens and the calendar know would be gone.`;
  return html`${notice('attention', text, 'Something would change')}${disclosure(
    `Only in the workspace: ${count(rest.length)}`,
    list,
  )}`;
}
