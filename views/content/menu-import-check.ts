import type { MenuField, MenuQuestion } from '#content/menu/headings.ts';
import type { ImportRow, MenuImport, MenuImportInput } from '#content/menu/import.ts';
import { sizeText } from '#content/volumes.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { locale } from '#kernel/locale.ts';
import { formatPrice } from '#kernel/money.ts';
import type { VolumeUnit } from '#kernel/settings/menu.ts';
import { strengthWords } from '#kernel/shared/menu-words.js';
import { openField } from '#views/components/fields.ts';
import { choice, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { columnSelects, isItThis } from '#views/components/import-columns.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
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

const MEANINGS: Record<MenuField, string> = {
  section: 'Section',
  kind: 'Drinks or food',
  name: 'Name',
  maker: 'Maker',
  style: 'Style',
  abv: 'Alcohol, per cent',
  ibu: 'Bitterness (IBU)',
  color_ebc: 'Colour (EBC)',
  description: 'Description for guests',
  allergens: 'Allergens',
  marks: 'Marks such as vegan',
  url: 'Web page',
  order: 'Place in the section',
  size: 'Size',
  volume: 'Volume',
  price: 'Price',
  member_price: 'Price for members',
  shown: 'On the list, or not',
  size_price: 'Prices of the size in the heading',
};

const TITLE = 'Check before anything is added';

/** Shows what a file would add and change, before it does. */
export function menuImportCheckPage(props: MenuImportCheckProps): Html {
  const { found, sent, stale } = props;
  const { rows, sections, warnings, guessed, items, differing } = found;
  const waiting = rows.filter(({ state }) => state === 'waits').length;
  const left = rows.filter(({ state }) => state === 'left_out');
  const known = rows.filter(({ state }) => state === 'same' || state === 'changed');
  const body = html`${pageHeader({ title: TITLE, crumbs: [...IMPORT_CRUMBS, { href: PAGE, label: 'From a file' }], lede: 'Nothing was added yet.' })}
${
  stale &&
  html`<div role="alert">${notice('attention', 'The list has changed since you looked. Look at it again.', 'Nothing was added yet')}</div>`
}
${statFigures([
  { label: 'New', value: count(items) },
  { label: 'New sections', value: count(sections.length) },
  { label: 'Other prices', value: count(differing) },
  { label: 'On the list already', value: count(known.length) },
  { label: 'Left out', value: count(left.length + waiting) },
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
    'Look at these figures',
  )
}
${
  guessed.length > 0 &&
  notice(
    'info',
    html`<p>${guessed.map((header) => `“${header}”`).join(', ')}: told from what is in ${guessed.length === 1 ? 'it' : 'them'}. If that is wrong, change it under “What the columns hold”.</p>`,
    guessed.length === 1 ? 'One heading is not known' : 'Some headings are not known',
  )
}
${items > 20 && actions(found)}
${differing > 0 && otherPrices(props)}
${newItems(props)}
${left.length > 0 && leftOut(left)}
${
  known.length > 0 &&
  disclosure(
    `On the list already (${count(known.length)})`,
    html`<ul>${known.map(
      ({ name, maker, notes }) =>
        html`<li><span translate="no">${[name, maker].filter(Boolean).join(', ')}</span>${notes.length > 0 && html` <span class="soft">${notes.join('. ')}</span>`}</li>`,
    )}</ul>`,
  )
}
${disclosure('What the columns hold', columnFields(props))}
${disclosure(
  'The list itself, to correct it',
  field({ name: 'text', label: 'The list', rows: 12, spellcheck: false, value: sent.text }),
)}
${actions(found)}</form>`;
  return contentPage(TITLE, body, props);
}

function actions({ items, differing, rows }: MenuImport): Html {
  const again = html`<button class="button button-quiet" name="dry_run" value="true">Check again</button>`;
  const other = html`<a class="button button-quiet" href="${PAGE}">Choose another file</a>`;
  if (items === 0 && differing === 0)
    return html`<p>${
      rows.some(({ state }) => state === 'waits')
        ? 'Answer the questions above, and check again.'
        : 'There is nothing to add.'
    }</p><p class="actions">${again}\n${other}</p>`;
  const add =
    items === 0
      ? html`<button class="button" name="publish" value="true">Take the new prices</button>`
      : html`<button class="button" name="publish" value="true">Add ${counted(items, 'entry', 'entries')} and publish</button>
<button class="button button-quiet" name="publish" value="false">Add as drafts</button>`;
  return html`<p class="actions">${add}\n${again}\n${other}</p>`;
}

const quoted = (headers: readonly string[]) => headers.map((header) => `“${header}”`).join(', ');

const UNIT_WORDS: Record<string, string> = {
  cl: 'Centilitres (cl)',
  ml: 'Millilitres (ml)',
  l: 'Litres (l)',
  oz: 'Ounces (oz)',
};

/** Asks once a column in what its numbers are; an answer can be changed. */
function unitQuestions({ found, sent }: MenuImportCheckProps, waiting: number): Html | null {
  const asked = found.questions.filter(({ ask }) => ask === 'unit');
  const answered = Object.entries(sent.answers).filter(([, answer]) => Object.hasOwn(UNIT_WORDS, answer));
  if (asked.length + answered.length === 0) return null;
  const select = (column: string, units: readonly string[], value: string) =>
    selectField({
      name: `answers.${column}`,
      label: `The numbers in “${column}” are`,
      options: [
        ...(value === '' ? [{ value: '', label: 'Choose' }] : []),
        ...units.map((unit) => ({ value: unit, label: UNIT_WORDS[unit] ?? unit })),
      ],
      value,
    });
  return notice(
    asked.length > 0 ? 'attention' : 'info',
    html`${asked.map(({ column, options }) => select(column, options, ''))}${answered.map(([column, unit]) =>
      select(column, Object.keys(UNIT_WORDS), unit),
    )}
<p><button class="button ${asked.length === 0 && 'button-quiet'}" name="dry_run" value="true">Check again</button></p>`,
    asked.length > 0
      ? `Some volumes have no unit: ${counted(waiting, 'line waits', 'lines wait')}`
      : 'Volumes without a unit',
  );
}

/** Asks for the section of the lines that have none. */
function sectionQuestion({ found, sent }: MenuImportCheckProps, waiting: number): Html | null {
  const isAsked = found.questions.some(({ ask }) => ask === 'section');
  const answer = sent.answers.section;
  if (!isAsked && answer === undefined) return null;
  return notice(
    isAsked ? 'attention' : 'info',
    html`${openField({ name: 'answers.section', label: 'They go to the section', value: answer ?? found.questions.find(({ ask }) => ask === 'section')?.options[0] ?? '', maxlength: 60, hint: 'Such as Drinks' })}
<p><button class="button ${!isAsked && 'button-quiet'}" name="dry_run" value="true">Check again</button></p>`,
    isAsked
      ? `No column says the section: ${counted(waiting, 'line waits', 'lines wait')}`
      : 'Lines without a section',
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
      isItThis(column, first, `the ${(MEANINGS[first as MenuField] ?? first).toLowerCase()}`),
    )}<p>${isNameless ? 'Say' : 'If it belongs on the list, say'} under “What the columns hold” what is in there, and check again.</p>`,
    isNameless
      ? 'Here no column holds names, as far as we can see'
      : `${quoted(headers)} ${headers.length === 1 ? 'is' : 'are'} not read`,
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
          label: 'What is marked so is gluten-free, also with gluten among its allergens',
          checked: false,
        })}<p><button class="button button-quiet" name="dry_run" value="true">Check again</button></p>`,
        'Something is marked as gluten-free although it has gluten',
      );

function columnFields({ found, fields }: MenuImportCheckProps): Html {
  const unread = found.questions
    .filter(({ ask }) => ask === 'meaning' || ask === 'name')
    .map(({ column }) => column);
  return html`${columnSelects({
    columns: found.columns.filter(({ header }) => header !== ''),
    fields: fields.map((value) => ({ value, label: MEANINGS[value] })),
    unread,
  })}
<p class="hint">After a change here, check again.</p>`;
}

/** A size with its price: `0,5 l 4,90 €`. */
function sizeWords(
  { label, volume_ml, price, member_price }: ImportRow['sizes'][number],
  { unit, columns }: MenuImportCheckProps,
): string {
  const members = member_price === null || columns !== 2 ? [] : [`members ${formatPrice(member_price)}`];
  return [sizeText({ label, volume_ml }, unit), price === null ? 'ask' : formatPrice(price), ...members]
    .filter(Boolean)
    .join(' ');
}

const nameCell = ({ name, maker, abv }: ImportRow): Child => {
  const about = [maker, abv === null ? '' : strengthWords(abv, locale())].filter(Boolean).join(' · ');
  return html`<span translate="no">${name}${about && html`<br><span class="small soft">${about}</span>`}</span>`;
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
  caption: `New in ${section}`,
  quietCaption: true,
  columns: [
    { label: 'Name' },
    { label: 'Sizes and prices' },
    { label: 'Allergens' },
    { label: 'Line', number: true },
  ],
  rows: some.map((row) => [
    nameCell(row),
    row.sizes.map((size) => sizeWords(size, props)).join(', ') || '–',
    // Nobody is told that there are none before the file says so.
    row.allergens === null ? '–' : row.allergens.join(', ') || 'None of the fourteen',
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
  return html`<section class="panel"><h2>Other prices <span class="soft">${count(rows.length)}</span></h2>
${
  found.items === 0
    ? hiddenInputs({ take_prices: 'true' })
    : choice({
        type: 'checkbox',
        name: 'take_prices',
        value: 'true',
        label: 'Take the new prices',
        checked: sent.take_prices,
      })
}
${table({
  caption: 'Other prices',
  quietCaption: true,
  columns: [{ label: 'Name' }, { label: 'Now' }, { label: 'In the file' }],
  rows: rows.map((row) => {
    const other = row.sizes.filter(isOther);
    return [
      nameCell(row),
      other
        .map((size) =>
          sizeWords(
            {
              ...size,
              price: size.was === undefined ? size.price : size.was,
              member_price: size.member_was === undefined ? size.member_price : size.member_was,
            },
            props,
          ),
        )
        .join(', '),
      other.map((size) => sizeWords(size, props)).join(', '),
    ];
  }),
})}</section>`;
}

const isOther = ({ was, member_was }: ImportRow['sizes'][number]) =>
  was !== undefined || member_was !== undefined;

const leftOut = (
  rows: readonly ImportRow[],
): Html => html`<section class="panel"><h2>Left out <span class="soft">${count(rows.length)}</span></h2>
${table({
  caption: 'Left out',
  quietCaption: true,
  columns: [{ label: 'Name' }, { label: 'Why' }, { label: 'Line', number: true }],
  rows: rows.map(({ name, line, notes }) => [
    html`<span class="content-whole">${name || '–'}</span>`,
    notes.map((note) => `${note.slice(0, 1).toUpperCase()}${note.slice(1)}`).join('. '),
    line,
  ]),
})}</section>`;
