import { MENU_COLUMNS, type MenuImport } from '#content/menu-csv.ts';
import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { choice, field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage } from './frame.ts';

const PAGE = '/admin/content/menu-import';
const TITLE = 'Drinks and food from a file';
const CRUMBS = [CONTENT_CRUMB, { href: '/admin/content/menu_item', label: 'Drinks and food' }];
const PROBLEMS_AT_MOST = 50;

/** The form to add drinks and food from a CSV file. */
export function menuImportPage(
  props: ContentPageProps & { refused?: RefusedForm | undefined; done?: string | undefined },
): Html {
  const { refused, done } = props;
  const errors = refused?.errors ?? [];
  const body = html`${pageHeader({
    title: TITLE,
    crumbs: CRUMBS,
    lede: 'What is new is added. What the list has already stays as it is. You see first what would be added.',
  })}${doneNotice(done)}${
    done &&
    html`<p class="toolbar"><a class="button button-quiet" href="/admin/content/menu_item">To the list</a>
<a class="button button-quiet" href="/admin/content/menu_section">Which sections are on tap?</a></p>`
  }${refused && problems(refused)}
<form class="card" method="post" action="${PAGE}" enctype="multipart/form-data">${hiddenInputs({ dry_run: 'true' })}
<div class="field"><label for="file">CSV file <span class="optional">(optional)</span></label>
<p class="hint" id="file-hint">With a line of headers, and a line for each size of a drink.</p>
<input class="input" id="file" name="text" type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" aria-describedby="file-hint"></div>
${field({
  name: 'text',
  label: 'Or paste the list',
  optional: true,
  rows: 8,
  spellcheck: false,
  hint: html`${MENU_COLUMNS.join(', ')}.
Only section and name are needed. <a href="/api/admin/menu/export">The list as it is now</a> has these columns.`,
  value: enteredText(refused?.entered ?? {}, 'text'),
  error: errorAt(errors, 'text'),
})}
${
  errors.some(({ path }) => path.endsWith('.confirm')) &&
  choice({
    type: 'checkbox',
    name: 'confirm',
    value: 'gluten_free',
    label: 'What is marked so is gluten-free, also with gluten among its allergens',
    checked: false,
  })
}<p class="actions"><button class="button">Check</button></p></form>`;
  return contentPage(TITLE, body, props);
}

/** What is wrong, by the lines of the file. */
function problems({ errors, message }: RefusedForm): Html | null {
  if (errors.length === 0)
    return html`<div role="alert">${notice('danger', message, 'Nothing was added')}</div>`;
  const labels = Object.fromEntries(
    errors.map(({ path }) => {
      const [, line, column] = path.match(/^lines\.(\d+)\.(\w+)/) ?? [];
      const where = column === 'confirm' ? 'marks' : column;
      return [path, line === undefined ? 'The list' : `Line ${line}, ${where}`];
    }),
  );
  const shown = namedErrors(errors.slice(0, PROBLEMS_AT_MOST), labels);
  const left = errors.length - shown.length;
  const more = left > 0 ? [{ path: 'text', message: `And ${count(left)} more` }] : [];
  return errorSummary(
    [...shown, ...more],
    () => 'text',
    'Nothing was added yet. Correct the list, and check again',
  );
}

/** Shows what a file would add, before it is added. */
export function menuImportCheckPage(
  props: ContentPageProps & { found: MenuImport; text: string; confirm: readonly string[] },
): Html {
  const { found, text, confirm } = props;
  const { items, sections, known } = found;
  const title = 'Check before anything is added';
  const body = html`${pageHeader({ title, crumbs: [...CRUMBS, { href: PAGE, label: 'From a file' }] })}
${statFigures([
  { label: 'New', value: count(items) },
  { label: 'New sections', value: count(sections.length) },
  { label: 'On the list already', value: count(known.length) },
])}
${sections.length > 0 && html`<p>New sections: ${named(sections)}.</p>`}
${known.length > 0 && disclosure('On the list already, and left as they are', html`<p>${named(known)}.</p>`)}
${
  items === 0
    ? html`<p>There is nothing to add.</p>
<p class="actions"><a class="button button-quiet" href="${PAGE}">Choose another file</a></p>`
    : html`<form method="post" action="${PAGE}" enctype="multipart/form-data">${hiddenInputs({
        text,
        dry_run: 'false',
        confirm,
      })}<p class="actions"><button class="button" name="publish" value="true">Add ${counted(items, 'entry', 'entries')} and publish</button>
<button class="button button-quiet" name="publish" value="false">Add as drafts</button>
<a class="button button-quiet" href="${PAGE}">Choose another file</a></p></form>`
}`;
  return contentPage(title, body, props);
}

const named = (names: readonly string[]): Html => html`<span translate="no">${names.join(', ')}</span>`;
