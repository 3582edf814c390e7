import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { findImportColumns, storeImportColumns } from '#kernel/db/settings.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Column, FIELDS } from './columns.ts';
import type { DateOrder } from './days.ts';
import { plainLines, readCsv } from './read-csv.ts';

/** Lists with different headers that are remembered; the one that was applied longest ago gives way. */
const LISTS_AT_MOST = 10;

/**
 * How lists were read when they were last applied, the newest first. Of the headers only a hash: where a file has none,
 * its first line is a person, whom an erasure would not find here.
 */
const LastColumns = z.array(
  z.object({
    headers: z.string(),
    /** Of the columns in turn; null: not read. */
    fields: z.array(z.enum(FIELDS).nullable()),
    date_order: z.enum(['dmy', 'mdy']).optional(),
  }),
);

/** What a list with headers that are known was read as. */
export interface Recalled {
  mapping: Record<string, string>;
  date_order: DateOrder | undefined;
}

/** How the columns were read when a list with the same headers was last applied; undefined where none was. */
export function recallColumns(reader: Reader, csv: string): Recalled | undefined {
  const headers = headersOf(csv);
  const hash = hashOf(headers);
  const last = readLast(reader).find((one) => one.headers === hash);
  if (last?.fields.length !== headers.length) return undefined;
  // The first of several columns of one name counts, as on the page.
  const mapping = Object.fromEntries(
    headers.map((header, index) => [header, last.fields[index] ?? '']).toReversed(),
  );
  return { mapping, date_order: last.date_order };
}

/** Notes how a list was read that has just been applied. */
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

/** Those of the first line. @throws 400 at a quotation mark that is never closed */
function headersOf(csv: string): string[] {
  for (const { cells } of readCsv(plainLines(csv))) return cells.map((header) => header.trim());
  return [];
}

const hashOf = (headers: readonly string[]): string => sha256(JSON.stringify(headers));
