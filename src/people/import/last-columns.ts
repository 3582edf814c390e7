import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { findImportColumns, storeImportColumns } from '#kernel/db/settings.ts';
import { type CsvRecord, plainLines } from '#kernel/lists/read-csv.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Column, FIELDS, findHeaders } from './columns.ts';
import type { DateOrder } from './days.ts';
import { recordsOf } from './file-rows.ts';

/** Maximum number of remembered lists with different headers; the one applied longest ago is dropped. */
const LISTS_AT_MOST = 10;

/**
 * How lists were read when they were last applied, the newest first. Headers are stored as a hash: in a file without
 * headers the first line has a person's data, which an erasure would not find here.
 */
const LastColumns = z.array(
  z.object({
    headers: z.string(),
    /** The field of each column; null if it is not read. */
    fields: z.array(z.enum(FIELDS).nullable()),
    date_order: z.enum(['dmy', 'mdy']).optional(),
  }),
);

/** The stored settings for a list with known headers. */
export interface Recalled {
  mapping: Record<string, string>;
  date_order: DateOrder | undefined;
}

/** Returns how a list with the same headers was read when it was last applied; undefined if there was none. */
export function recallColumns(reader: Reader, csv: string): Recalled | undefined {
  const headers = headersOf(csv);
  const hash = hashOf(headers);
  const last = readLast(reader).find((one) => one.headers === hash);
  if (last?.fields.length !== headers.length) return undefined;
  // Of several columns with the same name the first counts, as on the page.
  const mapping = Object.fromEntries(
    headers.map((header, index) => [header, last.fields[index] ?? '']).toReversed(),
  );
  return { mapping, date_order: last.date_order };
}

/** Stores how the list that was just applied was read. */
export async function rememberColumns(
  ctx: Context,
  columns: readonly Column[],
  date_order: DateOrder | undefined,
): Promise<void> {
  const headers = hashOf(columns.map(({ header }) => header));
  const applied = { headers, fields: columns.map(({ field }) => field), date_order };
  await ctx.write((tx) => {
    const others = readLast(tx).filter((one) => one.headers !== headers);
    storeImportColumns(tx, [applied, ...others].slice(0, LISTS_AT_MOST), ctx.now());
  });
}

function readLast(reader: Reader): z.output<typeof LastColumns> {
  return LastColumns.safeParse(findImportColumns(reader)).data ?? [];
}

/** The headers of a list. @throws 400 for an unclosed quotation mark */
export function headersOf(csv: string): string[] {
  const records: CsvRecord[] = [];
  for (const record of recordsOf(plainLines(csv))) if (records.push(record) === 10) break;
  return records[findHeaders(records)]?.cells.map((header) => header.trim()) ?? [];
}

const hashOf = (headers: readonly string[]): string => sha256(JSON.stringify(headers));
