import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary, notice } from '#views/components/notices.ts';
import { linkTo } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { CONTENT_CRUMB, type ContentPageProps, contentPage } from './frame.ts';

export const PAGE = '/admin/content/menu-import';
const TITLE = t('content-admin.menu_import.drinks_food_file');
export const IMPORT_CRUMBS = [
  CONTENT_CRUMB,
  { href: '/admin/content/menu_item', label: t('content-admin.menu_import.drinks_and_food') },
];
const PROBLEMS_AT_MOST = 50;

/** The form to add drinks and food from a CSV file. */
export function menuImportPage(
  props: ContentPageProps & { refused?: RefusedForm | undefined; done?: Words | undefined },
): Html {
  const { refused, done } = props;
  const errors = refused?.errors ?? [];
  const body = html`${pageHeader({
    title: TITLE,
    crumbs: IMPORT_CRUMBS,
    lede: t('content-admin.menu_import.choose_file_price_list_copy'),
  })}${doneNotice(done)}${
    done &&
    html`<p class="toolbar"><a class="button button-quiet" href="/admin/content/menu_item">${t('content-admin.menu_import.to_list')}</a>
<a class="button button-quiet" href="/admin/content/menu_section">${t('content-admin.menu_import.which_sections_tap')}</a></p>`
  }${refused && problems(refused)}
<form class="card" method="post" action="${PAGE}" enctype="multipart/form-data">${hiddenInputs({ dry_run: 'true' })}
<div class="field"><label for="file">${t('content-admin.menu_import.csv_file_optional', { span: (inside) => html`<span class="optional">${inside}</span>` })}</label>
<p class="hint" id="file-hint">${t('content-admin.menu_import.saved_csv_text_any_spreadsheet')}</p>
<input class="input" id="file" name="text" type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" aria-describedby="file-hint"></div>
${field({
  name: 'text',
  label: t('content-admin.menu_import.paste_list'),
  optional: true,
  rows: 8,
  spellcheck: false,
  hint: t('content-admin.menu_import.line_each_drink_dish_size', { link: linkTo('/api/admin/menu/export') }),
  value: enteredText(refused?.entered ?? {}, 'text'),
  error: errorAt(errors, 'text'),
})}
<p class="actions"><button class="button">${t('content-admin.menu_import.check')}</button></p></form>`;
  return contentPage(TITLE, body, props);
}

/** What is wrong, by the lines of the file. */
function problems({ errors, message }: RefusedForm): Html | null {
  if (errors.length === 0)
    return html`<div role="alert">${notice('danger', message, t('content-admin.menu_import.nothing_added'))}</div>`;
  const labels = Object.fromEntries(
    errors.map(({ path }) => {
      const [, line, column] = path.match(/^lines\.(\d+)(?:\.(\w+))?/) ?? [];
      return [
        path,
        line === undefined
          ? t('content-admin.menu_import.list')
          : column
            ? t('content-admin.menu_import.line_and_column', { line, column })
            : t('content-admin.menu_import.line_number', { line }),
      ];
    }),
  );
  const shown = namedErrors(errors.slice(0, PROBLEMS_AT_MOST), labels);
  const left = errors.length - shown.length;
  const more = left > 0 ? [{ path: 'text', message: t('content-admin.menu_import.more', { n: left }) }] : [];
  return errorSummary(
    [...shown, ...more],
    () => 'text',
    t('content-admin.menu_import.nothing_added_yet_correct_list'),
  );
}
