import { badField } from '#kernel/http/errors.ts';
import { ownValue } from '#kernel/own-value.ts';

// How a file of anybody's spreadsheet is read: its columns are known by their headers, what is not known is asked.

/** A column of a file, with its field, or null if it is not read. */
export interface Column<Field extends string = string> {
  header: string;
  field: Field | null;
}

/** The fields that the columns of a kind of list can hold. */
export interface Fields<Field extends string> {
  names: readonly Field[];
  /** The field of a header; undefined if it is not known. */
  fieldOf(header: string): Field | undefined;
  /** Whether several columns may hold it. @param isMapped whether somebody has said so of this column */
  mayRepeat(field: Field, header: string, isMapped: boolean): boolean;
  /** Whether the cells of a column look like a field; the empty ones are left out. */
  looksLike: Partial<Record<Field, (filled: readonly string[]) => boolean>>;
}

/** What is asked about a column that is not read: the fields that it may hold, the likely one first; empty for none. */
export interface ColumnQuestion {
  column: string;
  ask: 'meaning';
  options: string[];
  /** Whether the first option is likely. */
  likely: boolean;
}

/** The filled cells of a column, by its index. */
export type Cells = (index: number) => string[];

/** Records at the top of a file among which the headers are looked for: a title may precede them. */
export const HEADERS_WITHIN = 10;

/** The index of the record with the headers: the first with two of them, else the first that is not a title. */
export function findHeaders(
  records: readonly { cells: readonly string[] }[],
  { fieldOf }: Pick<Fields<string>, 'fieldOf'>,
): number {
  const top = records.slice(0, HEADERS_WITHIN);
  const known = top.findIndex(({ cells }) => cells.filter((cell) => fieldOf(cell) !== undefined).length > 1);
  if (known !== -1) return known;
  const filled = top.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  return Math.max(0, Math.max(...filled) > 1 ? filled.findIndex((count) => count > 1) : 0);
}

/**
 * Determines the field of each column by its header. `mapping` (header to field, or an empty string to skip the column)
 * takes precedence.
 * @throws 400 for a mapping with unknown headers or fields
 */
export function readColumns<Field extends string>(
  headers: readonly string[],
  mapping: Readonly<Record<string, string>>,
  { names, fieldOf, mayRepeat }: Fields<Field>,
): Column<Field>[] {
  const chosen = new Set<Field>();
  for (const [header, field] of Object.entries(mapping)) {
    if (!headers.some((one) => one.trim() === header.trim()))
      throw badField('mapping', 'no_csv_column', { header });
    if (field === '') continue;
    if (!isField(names, field)) throw badField(`mapping.${header}`, 'not_one_of', { values: [...names] });
    if (chosen.has(field) && !mayRepeat(field, header, true))
      throw badField(`mapping.${header}`, 'column_taken', { field });
    chosen.add(field);
  }
  const trimmed = Object.fromEntries(
    Object.entries(mapping).map(([header, field]) => [header.trim(), field]),
  );
  return headers.map((given): Column<Field> => {
    const header = given.trim();
    const mapped = ownValue(trimmed, header);
    if (mapped !== undefined) return { header, field: mapped === '' ? null : (mapped as Field) };
    const field = fieldOf(header);
    if (field === undefined || (chosen.has(field) && !mayRepeat(field, header, false)))
      return { header, field: null };
    chosen.add(field);
    return { header, field };
  });
}

const isField = <Field extends string>(names: readonly Field[], text: string): text is Field =>
  (names as readonly string[]).includes(text);

/** Asks what the columns hold that are not read, unless the officer has said so. */
export function askForColumns<Field extends string>(
  columns: readonly Column<Field>[],
  cells: Cells,
  mapping: Readonly<Record<string, string>>,
  { names, mayRepeat, looksLike }: Fields<Field>,
): ColumnQuestion[] {
  const taken = new Set(columns.map(({ field }) => field));
  return columns.flatMap(({ header, field }, index): ColumnQuestion[] => {
    const filled = cells(index);
    if (field !== null || header === '' || ownValue(mapping, header) !== undefined || filled.length === 0)
      return [];
    const free = names.filter((one) => !taken.has(one) || mayRepeat(one, header, true));
    const likely = free.find((one) => looksLike[one]?.(filled));
    const others = free.filter((one) => one !== likely);
    const options = [...(likely ? [likely] : []), ...others, ''];
    return [{ column: header, ask: 'meaning', options, likely: likely !== undefined }];
  });
}

/** Whether more than half of the texts pass. */
export const mostly = (texts: readonly string[], test: (text: string) => boolean): boolean =>
  texts.filter(test).length > texts.length / 2;

/** Fields by their known headers, which are separated by spaces and reduced to letters and digits. */
export const byHeader = <Field extends string>(
  headers: Readonly<Record<Field, string>>,
): Readonly<Record<string, Field>> =>
  Object.fromEntries(
    (Object.keys(headers) as Field[]).flatMap((field) =>
      headers[field]
        .split(' ')
        .filter(Boolean)
        .map((header) => [header, field]),
    ),
  );
