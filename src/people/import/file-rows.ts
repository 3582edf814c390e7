import { withoutGuard } from '#kernel/csv.ts';
import { AppError, badField, badFields, fieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { type CsvRecord, LONGEST_CELL, OpenQuote, readCsv } from '#kernel/lists/read-csv.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { type Message, say } from '#kernel/messages/messages.ts';
import { cleanName, isVisible } from '#kernel/names.ts';
import { type Column, type Field, type FileOptions, findHeaders, hasNames, readColumns } from './columns.ts';
import { type DateOrder, guessOrder, readDay } from './days.ts';
import { askForColumns, askForNames, type Question } from './questions.ts';

const ROWS_AT_MOST = 20_000;

/** Maximum length of a cell. */
const LONGEST: Partial<Record<Field, number>> = {
  number: 40,
  kind: 80,
  note: 2_000,
  groups: 2_000,
  email: 2_000,
};
const LONGEST_NAME = 200;

const longestOf = (field: Field): number => LONGEST[field] ?? LONGEST_NAME;

/** Why a row is not taken; `problem`: what is wrong with the address that it names. */
export interface Reason extends Message {
  readonly problem?: Message;
}

/** The values of a row; empty cells have none. Kinds and groups are names. */
export interface FileRow {
  /** The line on which the row begins. */
  line: number;
  name: string;
  /** Where a column has the family names alone. */
  family_name?: string | undefined;
  person_id?: string | undefined;
  number?: string | undefined;
  called?: string | undefined;
  /** The primary one first. */
  emails: string[];
  kind?: string | undefined;
  first_day?: string | undefined;
  /** Null: the standing has no end. */
  last_day?: string | null | undefined;
  groups?: string[] | undefined;
  note?: string | undefined;
  /** Why the row cannot be read. */
  invalid?: Reason;
}

export interface ReadFile {
  columns: Column[];
  /** The order in which days with slashes were read; undefined if it is not known. */
  date_order: DateOrder | undefined;
  rows: FileRow[];
  /** What the columns hold, and in which order days are, where that is not known. */
  questions: Question[];
}

/** The 400 for a list of which no column is recognised as the names, with the questions about it. */
function noNames(columns: readonly Column[], questions: readonly Question[]): AppError {
  const headers = columns.map(({ header }) => t('common.quoted', { text: header }));
  return badFields([fieldError('csv', 'no_name_column', { headers })], { extra: { columns, questions } });
}

/** The columns of a list that was refused because none of them is recognised as the names, and the questions. */
export function columnsWithoutNames(error: unknown): Pick<ReadFile, 'columns' | 'questions'> | undefined {
  const { columns, questions } = (error instanceof AppError ? error.extra : undefined) ?? {};
  return columns && questions
    ? ({ columns, questions } as Pick<ReadFile, 'columns' | 'questions'>)
    : undefined;
}

/**
 * Reads a file.
 * @param text with `\n` line ends
 * @throws 400 for a file without rows, with too many, or with unusable columns
 */
export function readFileRows(text: string, options: FileOptions): ReadFile {
  const records: CsvRecord[] = [];
  for (const record of recordsOf(text)) {
    records.push(record);
    if (records.length > ROWS_AT_MOST + 1) throw badField('csv', 'too_many_rows', { max: ROWS_AT_MOST });
  }
  const headers = findHeaders(records);
  const [head, body] = [records[headers], records.slice(headers + 1)];
  if (!head || body.length === 0) throw badField('csv', 'no_csv_rows');
  if (head.long !== undefined)
    throw badField('csv', 'csv_header_too_long', { column: head.long + 1, max: LONGEST_CELL });
  const columns = readColumns(head.cells, options.mapping);
  const cells = (index: number) => body.map((record) => (record.cells[index] ?? '').trim()).filter(Boolean);
  if (!hasNames(columns)) throw noNames(columns, askForNames(columns, cells));
  const date_order = options.date_order ?? guessOrder(daysOf(columns, body)) ?? options.likely_order;
  const daysAlone = options.daysAlone && !columns.some(({ field }) => field === 'kind');
  const rows = body.map((record) => readRow(record, columns, date_order, daysAlone));
  const questions = askForColumns(columns, cells, { mapping: options.mapping, date_order });
  return { columns, date_order, rows, questions };
}

/** The records of a file. @throws 400 for an unclosed quotation mark */
export function* recordsOf(text: string): Generator<CsvRecord> {
  try {
    yield* readCsv(text);
  } catch (error) {
    throw error instanceof OpenQuote ? badField('csv', 'quote_not_closed', { line: error.line }) : error;
  }
}

function* daysOf(columns: readonly Column[], records: readonly CsvRecord[]): Generator<string> {
  for (const [index, { field }] of columns.entries())
    if (field === 'first_day' || field === 'last_day')
      for (const { cells } of records) yield (cells[index] ?? '').trim();
}

function readRow(
  { line, cells, long: longCell }: CsvRecord,
  columns: readonly Column[],
  order: DateOrder | undefined,
  daysAlone: boolean | undefined,
): FileRow {
  const texts: Partial<Record<Field, string>> = {};
  for (const [index, { field }] of columns.entries()) {
    if (field === null) continue;
    const text = withoutGuard(cells[index] ?? '').trim();
    if (text.length > longestOf(field)) {
      texts[field] = text;
      continue;
    }
    // Controls that a wrong encoding leaves stay visible: they refuse the row.
    const isLost = /[\x80-\x84\x86-\x9f]/.test(text);
    const value =
      isLost || field === 'note' || field === 'email' ? text : cleanName(text).replace(/\s+/g, ' ');
    if (!isVisible(value)) continue;
    texts[field] = field === 'email' && texts.email !== undefined ? `${texts.email};${value}` : value;
  }
  const { first_name, last_name, number, called, kind, note, person_id } = texts;
  const name = texts.name ?? [first_name, last_name].filter(Boolean).join(' ');
  const row: FileRow = {
    line,
    name: name.slice(0, LONGEST_NAME),
    family_name: texts.name === undefined ? last_name : undefined,
    person_id,
    number,
    called,
    kind,
    note,
    emails: [],
  };
  const refuse = (reason: Reason): FileRow => ({ ...row, invalid: reason });
  if (longCell !== undefined)
    return refuse(say('cell_too_long', { column: longCell + 1, max: LONGEST_CELL }));
  const lost = Object.values(texts).find((text) => /[\ufffd\x80-\x84\x86-\x9f]/.test(text));
  if (lost !== undefined) return refuse(say('import_lost_character', { text: lost.slice(0, 80) }));
  if (name === '') return refuse(say('import_no_name'));
  const long = (Object.keys(texts) as Field[]).find((field) => texts[field]!.length > longestOf(field));
  if (long || name.length > LONGEST_NAME) return refuse(say('import_too_long', { field: long ?? 'name' }));

  for (const text of texts.email?.split(/[;,|]/) ?? []) {
    if (text.trim() === '') continue;
    const address = normalizeAddress(text);
    if (!address.ok)
      return refuse({
        ...say('import_address', { text: text.trim(), problem: '' }),
        problem: address.reason,
      });
    if (!row.emails.includes(address.email)) row.emails.push(address.email);
  }
  if (row.emails.length > 10) return refuse(say('import_addresses'));
  for (const field of ['first_day', 'last_day'] as const) {
    const text = texts[field];
    if (text === undefined) continue;
    const day = readDay(text, order);
    if (!day.ok) return refuse(day.reason);
    // Some programs write a year 9999 for an unknown end.
    row[field] = field === 'last_day' && day.day.startsWith('9999') ? (null as never) : day.day;
  }
  if (!daysAlone && row.kind === undefined && (row.first_day !== undefined || row.last_day !== undefined))
    return refuse(say('import_day_without_kind'));
  if (row.first_day && row.last_day && row.last_day < row.first_day)
    return refuse(say('import_last_before_first'));
  row.groups = texts.groups
    ?.split(/[;|]/)
    .map((group) => group.trim())
    .filter(Boolean);
  return row;
}
