import { withoutGuard } from '#kernel/csv.ts';
import { badField, badFields, fieldError } from '#kernel/http/errors.ts';
import { askForColumns, type Column, findHeaders, readColumns } from '#kernel/lists/columns.ts';
import { type CsvRecord, LONGEST_CELL, OpenQuote, plainLines, readCsv } from '#kernel/lists/read-csv.ts';
import { nameKey } from '#kernel/names.ts';
import { ownValue } from '#kernel/own-value.ts';
import { isOwnBusiness, isTypeHeader, MENU, type MenuField, type MenuQuestion } from './headings.ts';
import {
  isHeadOfPrices,
  type SizeColumns,
  sizeColumns,
  sizesOfRow,
  type TypedSize,
  withoutTwins,
} from './size-columns.ts';
import { kindOfTitle } from './words.ts';

/** How a file is read, as far as an officer has said so. */
export interface ListOptions {
  /** The field of a column, by its header; empty to skip it. */
  mapping: Readonly<Record<string, string>>;
  /** The unit of the numbers of a column that can be several things, by its header. */
  units: Readonly<Record<string, string>>;
  /** The section of the lines that have none. */
  section?: string | undefined;
}

/** The fields of a line that are texts of the whole item. */
export type TextField = Exclude<
  MenuField,
  'size' | 'volume' | 'price' | 'member_price' | 'shown' | 'size_price'
>;

/** A line of the file, as texts. */
export type Line = { line: number; sizes: TypedSize[] } & Partial<Record<TextField, string>>;

/** A line that is no item, and why, as the code of a sentence. */
export interface LeftLine {
  line: number;
  text: string;
  why: 'menu_total_line' | 'menu_single_cell';
}

export interface ReadList {
  columns: Column<MenuField>[];
  lines: Line[];
  left: LeftLine[];
  questions: MenuQuestion[];
  /** Headers of columns whose field was told from their cells. */
  guessed: string[];
}

/** The column of the question about lines without a section. */
export const WHOLE_LIST = 'section';

const LINES_AT_MOST = 1_500;

/**
 * Reads a file of drinks and food from anybody's spreadsheet.
 * @throws 400 for a file without rows, with too many, or with unusable columns
 */
export function readList(text: string, options: ListOptions): ReadList {
  const records = recordsOf(text);
  const at = findHeaders(records, MENU);
  const isBare = isWithoutHeaders(records, at);
  const body = records.slice(isBare ? 0 : at + 1);
  const width = Math.max(...records.map(({ cells }) => cells.length), 0);
  const given = isBare ? Array.from({ length: width }, () => '') : (records[at]?.cells ?? []);
  if (body.length === 0) throw badField('text', 'csv_needs_columns', { columns: ['section', 'name'] });
  const cellsOf = (index: number) => body.map(({ cells }) => (cells[index] ?? '').trim()).filter(Boolean);
  // A column without a header is called as spreadsheets call it.
  const headers = withoutTwins(given).map((header, index) =>
    header.trim() === '' && cellsOf(index).length > 0
      ? String.fromCharCode(65 + (index % 26))
      : header.trim(),
  );
  ensureReadable(records, body, isBare ? width : headers.length);
  ensureNoTwins(headers, options.mapping);
  const columns = readColumns(headers, options.mapping, MENU);
  const guessed = settle(columns, cellsOf, options.mapping);
  const questions: MenuQuestion[] = askForColumns(columns, cellsOf, options.mapping, MENU).filter(
    ({ column }) => !isOwnBusiness(column),
  );
  if (!columns.some(({ field }) => field === 'name'))
    return { columns, lines: [], left: [], questions: askForName(questions), guessed };
  const sizes = sizeColumns(columns, cellsOf, options.units);
  const { lines, left } = readRows(body, columns, sizes, options.section);
  if (lines.some(({ section }) => !section))
    questions.push({ column: WHOLE_LIST, ask: 'section', options: titlesIn(columns) });
  return { columns, lines, left, questions: [...questions, ...sizes.questions], guessed };
}

function recordsOf(text: string): CsvRecord[] {
  try {
    return [...readCsv(plainLines(text))];
  } catch (error) {
    if (error instanceof OpenQuote) throw badField('text', 'csv_open_quote', { line: error.line });
    throw error;
  }
}

/** Whether the first line is already an item: it has no known header, but a price or a strength. */
function isWithoutHeaders(records: readonly CsvRecord[], at: number): boolean {
  const cells = (records[at]?.cells ?? []).map((cell) => cell.trim()).filter(Boolean);
  if (cells.some((cell) => MENU.fieldOf(cell) !== undefined)) return false;
  const { price, abv } = MENU.looksLike;
  return (
    records.length > 0 &&
    (cells.length === 1
      ? records.every((one) => one.cells.length === 1)
      : cells.some((cell) => price?.([cell]) || abv?.([cell])))
  );
}

/** @throws 400 for a file with too many lines, with a cell that is too long, or with a row that is wider than its headers */
function ensureReadable(records: readonly CsvRecord[], body: readonly CsvRecord[], width: number): void {
  if (body.length > LINES_AT_MOST) throw badField('text', 'too_many_entries', { max: LINES_AT_MOST });
  const long = records.filter((record) => record.long !== undefined);
  if (long.length > 0)
    throw badFields(
      long.map(({ line, long: column = 0 }) =>
        fieldError(`lines.${line}`, 'cell_too_long', { column: column + 1, max: LONGEST_CELL }),
      ),
    );
  const wide = body.filter(({ cells }) => cells.slice(width).some((cell) => cell.trim() !== ''));
  if (wide.length > 0) throw badFields(wide.map(({ line }) => fieldError(`lines.${line}`, 'csv_more_cells')));
}

/** @throws 400 for two columns of one name, unless both are left out */
function ensureNoTwins(headers: readonly string[], mapping: ListOptions['mapping']): void {
  const twin = headers.find(
    (header, at) =>
      header !== '' &&
      MENU.fieldOf(header) !== undefined &&
      ownValue(mapping, header) !== '' &&
      headers.findIndex((one) => nameKey(one) === nameKey(header)) !== at,
  );
  if (twin !== undefined) throw badField('text', 'csv_two_columns', { column: twin });
}

/** What is told from the cells where no header says it, in this order. */
const BY_CELLS = ['allergens', 'abv', 'price', 'volume', 'section'] as const;

/**
 * Gives columns that no header names the field that their cells show.
 * @returns their headers
 */
function settle(
  columns: Column<MenuField>[],
  cells: (index: number) => string[],
  mapping: ListOptions['mapping'],
): string[] {
  const guessed: string[] = [];
  const has = (...fields: MenuField[]) =>
    columns.some(({ field }) => field !== null && fields.includes(field));
  const isMapped = ({ header }: Column) => ownValue(mapping, header) !== undefined;
  const free = () =>
    columns
      .map((column, index) => ({ column, filled: cells(index) }))
      .filter(
        ({ column, filled }) =>
          column.field === null &&
          column.header !== '' &&
          !isMapped(column) &&
          filled.length > 0 &&
          !isOwnBusiness(column.header),
      );
  const take = (column: Column<MenuField>, field: MenuField) => {
    column.field = field;
    guessed.push(column.header);
  };
  const type = columns.find(
    (column) => column.field === 'style' && isTypeHeader(column.header) && !isMapped(column),
  );
  if (type && !has('section')) type.field = 'section';
  for (const { column, filled } of free())
    if (isHeadOfPrices(column.header, filled)) column.field = 'size_price';
  // Beside them another column of prices is headed by a size, too, by whatever word the house has for it.
  if (has('size_price') && !has('price'))
    for (const { column, filled } of free()) if (MENU.looksLike.price?.(filled)) column.field = 'size_price';
  for (const field of BY_CELLS) {
    const others: MenuField[] =
      field === 'volume' ? ['size', 'size_price'] : field === 'price' ? ['size_price'] : [];
    if (has(field, ...others)) continue;
    const found = free().find(({ filled }) => MENU.looksLike[field]?.(filled));
    if (found) take(found.column, field);
  }
  if (!has('name')) {
    const texts = free().filter(({ filled }) => filled.some((text) => /\p{L}{2}/u.test(text)));
    const different = (filled: readonly string[]) => new Set(filled.map(nameKey)).size;
    const [most] = texts.toSorted((a, b) => different(b.filled) - different(a.filled));
    if (most) take(most.column, 'name');
    else {
      const other = (['description', 'style'] as const)
        .map((field) => columns.find((column) => column.field === field && !isMapped(column)))
        .find((column) => column !== undefined);
      if (other) other.field = 'name';
    }
  }
  return guessed;
}

/** What the header of the names says that they are, such as `Beer`: likely the section of the list. */
const titlesIn = (columns: readonly Column<MenuField>[]): string[] =>
  columns.flatMap(({ header, field }) => (field === 'name' && kindOfTitle(header) ? [header] : []));

/** Which column has the names is asked alone. */
const askForName = (questions: readonly MenuQuestion[]): MenuQuestion[] =>
  questions.map(({ column }) => ({ column, ask: 'name', options: ['name', ''] }));

const TOTAL =
  /^(sub ?total|total|zwischensumme|summe|gesamt|gesamtsumme|somme|sous-total|totale|totaal|suma|razem|summa|合計)\b/iu;
const DITTO = /^(["″〃]+|dto\.?|do\.|ditto|idem|id\.|detto)$/i;

/** The items of the body, with the section of each; headings and ditto marks are written out. */
function readRows(
  body: readonly CsvRecord[],
  columns: readonly Column<MenuField>[],
  sizes: SizeColumns,
  otherwise: string | undefined,
): Pick<ReadList, 'lines' | 'left'> {
  const lines: Line[] = [];
  const left: LeftLine[] = [];
  const hasSections = columns.some(({ field }) => field === 'section');
  let section = '';
  /** The section whose heading names the sizes of its prices. */
  let headed: string | undefined;
  let heading: LeftLine | undefined;
  let last: Line | undefined;
  for (const { line, cells } of body) {
    const texts = columns.map((_, index) => withoutGuard(cells[index] ?? '').trim());
    const filled = texts.flatMap((text, index) => (text === '' ? [] : [index]));
    const [only] = filled;
    if (
      filled.length > 1 &&
      filled.every((index) => nameKey(texts[index]!) === nameKey(columns[index]!.header))
    )
      continue;
    const read = fieldsOf(texts, columns);
    if (filled.length > 1 && TOTAL.test(read.name || texts[only ?? 0] || '') && !read.maker) {
      left.push({ line, text: texts[only ?? 0] ?? '', why: 'menu_total_line' });
      continue;
    }
    const named = sizes.headingOf(texts, read.name);
    if (named) sizes.rename(named);

    if (named || (filled.length === 1 && columns.length > 1)) {
      const text = read.section || read.name || texts[only ?? 0] || '';
      if (heading) left.push(heading);
      heading = undefined;
      last = undefined;
      if (read.section) section = read.section;
      else if (hasSections) left.push({ line, text, why: 'menu_single_cell' });
      else {
        section = text.replace(/\s*:$/, '');
        heading = { line, text, why: 'menu_single_cell' };
      }
      if (named) headed = section;
      continue;
    }
    const typed = sizesOfRow(
      texts,
      sizes,
      kindOfTitle(read.section || section) === 'food' && headed !== section,
    );
    for (const field of ['section', 'maker'] as const)
      if (last && DITTO.test(read[field] ?? '')) read[field] = last[field] ?? '';
    section = read.section || section;
    heading = undefined;
    // A line that only goes on with the sizes of the one above.
    const isMore =
      last !== undefined &&
      !read.name &&
      typed.some((one) => (one.size || one.volume) && one.price) &&
      section === last?.section;
    const next: Line =
      isMore && last
        ? { line, ...about(last), sizes: typed }
        : { line, ...read, section: section || otherwise || '', sizes: typed };
    lines.push(next);
    last = next;
  }
  if (heading) left.push(heading);
  return { lines, left };
}

const about = ({ section = '', name = '', maker = '' }: Line) => ({ section, name, maker });

const fieldsOf = (
  texts: readonly string[],
  columns: readonly Column<MenuField>[],
): Partial<Record<TextField, string>> =>
  Object.fromEntries(
    columns.flatMap(({ field }, index) => (field === null ? [] : [[field, texts[index] ?? '']])),
  );
