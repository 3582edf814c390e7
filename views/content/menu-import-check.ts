import type { MenuField, MenuQuestion } from '#content/menu/headings.ts';
import type { ImportRow, MenuImport, MenuImportInput } from '#content/menu/import.ts';
import { COLUMN_WORDS } from '#content/menu/notes.ts';
import { sizeText } from '#content/volumes.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { formatPrice } from '#kernel/money.ts';
import type { VolumeUnit } from '#kernel/settings/menu.ts';
import { strengthWords } from '#kernel/shared/menu-words.js';
import { openField } from '#views/components/fields.ts';
import { choice, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { columnSelects, isItThis } from '#views/components/import-columns.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { type ContentPageProps, contentPage } from './frame.ts';
import { IMPORT_CRUMBS, PAGE } from './menu-import.ts';

export interface MenuImportCheckProps extends ContentPageProps {
  found: MenuImport;
  /** The input that was checked; the form sends it again. */
  sent: Pick<MenuImportInput, 'text' | 'answers' | 'mapping' | 'confirm' | 'take_prices'> & {
    encoding?: string | undefined;
  };
  /** What a column can hold. */
  fields: readonly MenuField[];
  unit: VolumeUnit;
  /** 2 where members have prices of their own. */
  columns: number;
  /** Whether the list has changed since it was checked. */
  stale: boolean;
}

/** The same within a question. */
const THE: Record<MenuField, Words> = {
  section: t('content-admin.menu_import.the_section'),
  kind: t('content-admin.menu_import.the_kind'),
  name: t('content-admin.menu_import.the_name'),
  maker: t('content-admin.menu_import.the_maker'),
  style: t('content-admin.menu_import.the_style'),
  abv: t('content-admin.menu_import.the_abv'),
  ibu: t('content-admin.menu_import.the_ibu'),
  color_ebc: t('content-admin.menu_import.the_color_ebc'),
  description: t('content-admin.menu_import.the_description'),
  allergens: t('content-admin.menu_import.the_allergens'),
  marks: t('content-admin.menu_import.the_marks'),
  url: t('content-admin.menu_import.the_url'),
  order: t('content-admin.menu_import.the_order'),
  size: t('content-admin.menu_import.the_size'),
  volume: t('content-admin.menu_import.the_volume'),
  price: t('content-admin.menu_import.the_price'),
  member_price: t('content-admin.menu_import.the_member_price'),
  shown: t('content-admin.menu_import.the_shown'),
  size_price: t('content-admin.menu_import.the_size_price'),
};

const TITLE = t('content-admin.menu_import.check_before_anything_added');

/** Shows what a file would add and change, before it does. */
export function menuImportCheckPage(props: MenuImportCheckProps): Html {
  const { found, sent, stale } = props;
  const { rows, sections, warnings, guessed, items, differing } = found;
  const waiting = rows.filter(({ state }) => state === 'waits').length;
  const left = rows.filter(({ state }) => state === 'left_out');
  const known = rows.filter(({ state }) => state === 'same' || state === 'changed');
  const body = html`${pageHeader({ title: TITLE, crumbs: [...IMPORT_CRUMBS, { href: PAGE, label: t('content-admin.menu_import.from_file') }], lede: t('content-admin.menu_import.nothing_added_yet') })}
${
  stale &&
  html`<div role="alert">${notice('attention', t('content-admin.menu_import.list_changed_since_looked_look'), t('content-admin.menu_import.nothing_added_yet_title'))}</div>`
}
${statFigures([
  { label: t('content-admin.menu_import.new'), value: count(items) },
  { label: t('content-admin.menu_import.new_sections'), value: count(sections.length) },
  { label: t('content-admin.menu_import.other_prices'), value: count(differing) },
  { label: t('content-admin.menu_import.list_already'), value: count(known.length) },
  { label: t('content-admin.menu_import.left_out'), value: count(left.length + waiting) },
])}
<form method="post" action="${PAGE}" enctype="multipart/form-data">${hiddenInputs({
    check: found.check,
    encoding: sent.encoding,
    ...(found.confirm.length === 0 && { confirm: sent.confirm?.[0] }),
  })}
${unitQuestions(props, waiting)}${sectionQuestion(props, waiting)}${columnQuestions(props)}${confirmQuestion(found)}
${
  warnings.length > 0 &&
  notice(
    'attention',
    html`<ul>${warnings.map((warning) => html`<li>${warning}.</li>`)}</ul>`,
    t('content-admin.menu_import.look_these_figures'),
  )
}
${
  guessed.length > 0 &&
  notice(
    'info',
    html`<p>${t('content-admin.menu_import.told_from_cells', { headers: quoted(guessed), n: guessed.length })}</p>`,
    t('content-admin.menu_import.unknown_headings', { n: guessed.length }),
  )
}
${items > 20 && actions(found)}
${differing > 0 && otherPrices(props)}
${newItems(props)}
${left.length > 0 && leftOut(left)}
${
  known.length > 0 &&
  disclosure(
    t('content-admin.menu_import.list_already_number', { n: known.length }),
    html`<ul>${known.map(
      ({ name, maker, notes }) =>
        html`<li><span translate="no">${commas([name, maker])}</span>${notes.length > 0 && html` <span class="soft">${notesOf(notes)}</span>`}</li>`,
    )}</ul>`,
  )
}
${disclosure(t('content-admin.menu_import.what_columns_hold'), columnFields(props))}
${disclosure(
  t('content-admin.menu_import.list_itself_correct'),
  field({
    name: 'text',
    label: t('content-admin.menu_import.list'),
    rows: 12,
    spellcheck: false,
    value: sent.text,
  }),
)}
${actions(found)}</form>`;
  return contentPage(TITLE, body, props);
}

function actions({ items, differing, rows }: MenuImport): Html {
  const again = html`<button class="button button-quiet" name="dry_run" value="true">${t('content-admin.menu_import.check_again')}</button>`;
  const other = html`<a class="button button-quiet" href="${PAGE}">${t('content-admin.menu_import.choose_another_file')}</a>`;
  if (items === 0 && differing === 0)
    return html`<p>${
      rows.some(({ state }) => state === 'waits')
        ? t('content-admin.menu_import.answer_questions_above_check_again')
        : t('content-admin.menu_import.nothing_add')
    }</p><p class="actions">${again}\n${other}</p>`;
  const add =
    items === 0
      ? html`<button class="button" name="publish" value="true">${t('content-admin.menu_import.take_new_prices')}</button>`
      : html`<button class="button" name="publish" value="true">${t('content-admin.menu_import.add_and_publish', { n: items })}</button>
<button class="button button-quiet" name="publish" value="false">${t('content-admin.menu_import.add_drafts')}</button>`;
  return html`<p class="actions">${add}\n${again}\n${other}</p>`;
}

const quoted = (headers: readonly string[]): Words | string =>
  commas(headers.map((text) => t('content-admin.menu_import.quoted', { text }))) ?? '';

/** Notes that are said one after the other. */
const notesOf = (notes: ImportRow['notes']): Html =>
  html`${notes.map((note, index) => html`${index > 0 && '. '}${note}`)}`;

const UNIT_WORDS: Record<string, Words> = {
  cl: t('content-admin.menu_import.centilitres_cl'),
  ml: t('content-admin.menu_import.millilitres_ml'),
  l: t('content-admin.menu_import.litres_l'),
  oz: t('content-admin.menu_import.ounces_oz'),
};

/** Asks once a column in what its numbers are; an answer can be changed. */
function unitQuestions({ found, sent }: MenuImportCheckProps, waiting: number): Html | null {
  const asked = found.questions.filter(({ ask }) => ask === 'unit');
  const answered = Object.entries(sent.answers).filter(([, answer]) => Object.hasOwn(UNIT_WORDS, answer));
  if (asked.length + answered.length === 0) return null;
  const select = (column: string, units: readonly string[], value: string) =>
    selectField({
      name: `answers.${column}`,
      label: t('content-admin.menu_import.numbers', { column }),
      options: [
        ...(value === '' ? [{ value: '', label: t('content-admin.menu_import.choose') }] : []),
        ...units.map((unit) => ({ value: unit, label: UNIT_WORDS[unit] ?? unit })),
      ],
      value,
    });
  return notice(
    asked.length > 0 ? 'attention' : 'info',
    html`${asked.map(({ column, options }) => select(column, options, ''))}${answered.map(([column, unit]) =>
      select(column, Object.keys(UNIT_WORDS), unit),
    )}
<p><button class="button ${asked.length === 0 && 'button-quiet'}" name="dry_run" value="true">${t('content-admin.menu_import.check_again')}</button></p>`,
    asked.length > 0
      ? t('content-admin.menu_import.volumes_wait', { n: waiting })
      : t('content-admin.menu_import.volumes_without_unit'),
  );
}

/** Asks for the section of the lines that have none. */
function sectionQuestion({ found, sent }: MenuImportCheckProps, waiting: number): Html | null {
  const isAsked = found.questions.some(({ ask }) => ask === 'section');
  const answer = sent.answers.section;
  if (!isAsked && answer === undefined) return null;
  return notice(
    isAsked ? 'attention' : 'info',
    html`${openField({ name: 'answers.section', label: t('content-admin.menu_import.go_section'), value: answer ?? found.questions.find(({ ask }) => ask === 'section')?.options[0] ?? '', maxlength: 60, hint: t('content-admin.menu_import.such_drinks') })}
<p><button class="button ${!isAsked && 'button-quiet'}" name="dry_run" value="true">${t('content-admin.menu_import.check_again')}</button></p>`,
    isAsked
      ? t('content-admin.menu_import.sections_wait', { n: waiting })
      : t('content-admin.menu_import.lines_without_section'),
  );
}

/** Says which columns are not read, and asks about those that look like something. */
function columnQuestions({ found: { questions } }: MenuImportCheckProps): Html | null {
  const unread = questions.filter(({ ask }) => ask === 'meaning' || ask === 'name');
  if (unread.length === 0) return null;
  const isNameless = unread.some(({ ask }) => ask === 'name');
  const likely = unread.filter((question) => question.likely === true || question.ask === 'name');
  const headers = unread.map(({ column }) => column);
  return notice(
    'attention',
    html`${likely.map(({ column, options: [first = ''] }: MenuQuestion) =>
      isItThis(column, first, THE[first as MenuField] ?? first),
    )}<p>${isNameless ? t('content-admin.menu_import.say_under_what_columns_hold') : t('content-admin.menu_import.belongs_list_say_under_what')}</p>`,
    isNameless
      ? t('content-admin.menu_import.here_column_holds_names_far')
      : t('content-admin.menu_import.not_read', { headers: quoted(headers), n: headers.length }),
  );
}

const confirmQuestion = ({ confirm }: MenuImport): Html | null =>
  confirm.length === 0
    ? null
    : notice(
        'attention',
        html`${choice({
          type: 'checkbox',
          name: 'confirm',
          value: 'gluten_free',
          label: t('content-admin.menu_import.what_marked_gluten_free_also'),
          checked: false,
        })}<p><button class="button button-quiet" name="dry_run" value="true">${t('content-admin.menu_import.check_again')}</button></p>`,
        t('content-admin.menu_import.something_marked_gluten_free_although'),
      );

function columnFields({ found, fields }: MenuImportCheckProps): Html {
  const unread = found.questions
    .filter(({ ask }) => ask === 'meaning' || ask === 'name')
    .map(({ column }) => column);
  return html`${columnSelects({
    columns: found.columns.filter(({ header }) => header !== ''),
    fields: fields.map((value) => ({ value, label: COLUMN_WORDS[value] })),
    unread,
  })}
<p class="hint">${t('content-admin.menu_import.after_change_here_check_again')}</p>`;
}

/** A size with its price: `0,5 l 4,90 €`. */
function sizeWords(
  { label, volume_ml, price, member_price }: ImportRow['sizes'][number],
  { unit, columns }: MenuImportCheckProps,
): Html {
  const name = sizeText({ label, volume_ml }, unit);
  const members =
    member_price !== null &&
    columns === 2 &&
    html` ${t('content-admin.menu_import.members_price', { price: formatPrice(member_price) })}`;
  return html`${name && `${name} `}${price === null ? t('content-admin.kinds.price_ask') : formatPrice(price)}${members}`;
}

const soft = (inside: Words): Html => html`<span class="soft">${inside}</span>`;

const nameCell = ({ name, maker, abv }: ImportRow): Child => {
  const strength = abv !== null && formatted(({ locale }) => strengthWords(abv, locale));
  const about = html`${maker}${maker && strength && ' · '}${strength}`;
  return html`<span translate="no">${name}${(maker || strength) && html`<br><span class="small soft">${about}</span>`}</span>`;
};

/** What is new, section by section in the order of the file. */
function newItems(props: MenuImportCheckProps): Html[] {
  const rows = props.found.rows.filter(({ state }) => state === 'new');
  return [...Map.groupBy(rows, ({ section }) => section)].map(
    ([
      section,
      some,
    ]) => html`<section class="panel"><h2><span translate="no">${section}</span> <span class="soft">${count(some.length)}</span></h2>
${table({
  caption: t('content-admin.menu_import.new_in_section', { section }),
  quietCaption: true,
  columns: [
    { label: t('content-admin.menu_import.name') },
    { label: t('content-admin.menu_import.sizes_prices') },
    { label: t('content-admin.menu_import.allergens') },
    { label: t('content-admin.menu_import.line'), number: true },
  ],
  rows: some.map((row) => [
    nameCell(row),
    commas(row.sizes.map((size) => sizeWords(size, props))) ?? '–',
    // Nobody is told that there are none before the file says so.
    row.allergens === null ? '–' : (commas(row.allergens) ?? t('content-admin.menu_import.none_fourteen')),
    row.line,
  ]),
})}</section>`,
  );
}

/** What the list has at other prices, with the choice to take those of the file. */
function otherPrices(props: MenuImportCheckProps): Html {
  const { found, sent } = props;
  const rows = found.rows.filter(
    ({ sizes, state }) => (state === 'same' || state === 'changed') && sizes.some(isOther),
  );
  return html`<section class="panel"><h2>${t('content-admin.menu_import.other_prices_number', { n: rows.length, soft })}</h2>
${
  found.items === 0
    ? hiddenInputs({ take_prices: 'true' })
    : choice({
        type: 'checkbox',
        name: 'take_prices',
        value: 'true',
        label: t('content-admin.menu_import.take_new_prices'),
        checked: sent.take_prices,
      })
}
${table({
  caption: t('content-admin.menu_import.other_prices'),
  quietCaption: true,
  columns: [
    { label: t('content-admin.menu_import.name') },
    { label: t('content-admin.menu_import.now') },
    { label: t('content-admin.menu_import.in_file') },
  ],
  rows: rows.map((row) => {
    const other = row.sizes.filter(isOther);
    return [
      nameCell(row),
      commas(
        other.map((size) =>
          sizeWords(
            {
              ...size,
              price: size.was === undefined ? size.price : size.was,
              member_price: size.member_was === undefined ? size.member_price : size.member_was,
            },
            props,
          ),
        ),
      ),
      commas(other.map((size) => sizeWords(size, props))),
    ];
  }),
})}</section>`;
}

const isOther = ({ was, member_was }: ImportRow['sizes'][number]) =>
  was !== undefined || member_was !== undefined;

const leftOut = (
  rows: readonly ImportRow[],
): Html => html`<section class="panel"><h2>${t('content-admin.menu_import.left_out_number', { n: rows.length, soft })}</h2>
${table({
  caption: t('content-admin.menu_import.left_out'),
  quietCaption: true,
  columns: [
    { label: t('content-admin.menu_import.name') },
    { label: t('content-admin.menu_import.why') },
    { label: t('content-admin.menu_import.line'), number: true },
  ],
  rows: rows.map(({ name, line, notes }) => [
    html`<span class="content-whole">${name || '–'}</span>`,
    notesOf(notes),
    line,
  ]),
})}</section>`;
