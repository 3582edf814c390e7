import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage } from './frame.ts';

export const PAGE = '/admin/content/menu-import';
const TITLE = 'Drinks and food from a file';
export const IMPORT_CRUMBS = [CONTENT_CRUMB, { href: '/admin/content/menu_item', label: 'Drinks and food' }];
const PROBLEMS_AT_MOST = 50;

/** The form to add drinks and food from a CSV file. */
export function menuImportPage(
  props: ContentPageProps & { refused?: RefusedForm | undefined; done?: string | undefined },
): Html {
  const { refused, done } = props;
  const errors = refused?.errors ?? [];
  const body = html`${pageHeader({
    title: TITLE,
    crumbs: IMPORT_CRUMBS,
    lede: 'Choose the file of your price list, or copy the cells of your spreadsheet and paste them. You see all of it before anything is added.',
  })}${doneNotice(done)}${
    done &&
    html`<p class="toolbar"><a class="button button-quiet" href="/admin/content/menu_item">To the list</a>
<a class="button button-quiet" href="/admin/content/menu_section">Which sections are on tap?</a></p>`
  }${refused && problems(refused)}
<form class="card" method="post" action="${PAGE}" enctype="multipart/form-data">${hiddenInputs({ dry_run: 'true' })}
<div class="field"><label for="file">CSV file <span class="optional">(optional)</span></label>
<p class="hint" id="file-hint">Saved as CSV or text by any spreadsheet program</p>
<input class="input" id="file" name="text" type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" aria-describedby="file-hint"></div>
${field({
  name: 'text',
  label: 'Or paste the list',
  optional: true,
  rows: 8,
  spellcheck: false,
  hint: html`A line for each drink, dish or size, with the headings of your list: section, name, brewery, alcohol, size, price, allergens.
<a href="/api/admin/menu/export">The list as it is now</a> can be changed in a spreadsheet and pasted here.`,
  value: enteredText(refused?.entered ?? {}, 'text'),
  error: errorAt(errors, 'text'),
})}
<p class="actions"><button class="button">Check</button></p></form>`;
  return contentPage(TITLE, body, props);
}

/** What is wrong, by the lines of the file. */
function problems({ errors, message }: RefusedForm): Html | null {
  if (errors.length === 0)
    return html`<div role="alert">${notice('danger', message, 'Nothing was added')}</div>`;
  const labels = Object.fromEntries(
    errors.map(({ path }) => {
      const [, line, column] = path.match(/^lines\.(\d+)(?:\.(\w+))?/) ?? [];
      return [path, line === undefined ? 'The list' : column ? `Line ${line}, ${column}` : `Line ${line}`];
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
