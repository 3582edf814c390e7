import { kept } from '#kernel/cache.ts';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import {
  ensureWorkspace,
  type WorkspaceColumn,
  type WorkspaceDatabase,
  type WorkspaceFilter,
  type WorkspacePage,
} from './client.ts';
import { findName, type RecordProperty } from './records.ts';

/** A condition for the pages to read: a date between two instants (`until` exclusive), or a ticked checkbox. */
export type Narrowing =
  | { property: RecordProperty; from: number; until: number }
  | { property: RecordProperty; ticked: true };

/** Most pages that are read of a database; the rest is left out, which is logged. */
export const PAGES_AT_MOST = 2_000;

/**
 * Reads all pages of a database. The workspace applies a narrowing only if the property is a plain date or checkbox
 * there; otherwise it returns all pages. So the caller still has to filter.
 * @throws AppError 404, 502
 */
export async function readPages(
  ctx: Context,
  databaseId: string,
  narrowings: readonly Narrowing[] = [],
): Promise<WorkspacePage[]> {
  const filter = await filterFor(ctx, databaseId, narrowings);
  try {
    return await readAll(ctx, databaseId, filter);
  } catch (error) {
    // The column was changed after it was read.
    if (!filter || !(error instanceof AppError) || error.statusCode !== 400) throw error;
    ctx.cache.forget(COLUMNS, databaseId);
    return readAll(ctx, databaseId, undefined);
  }
}

type DataSource = WorkspaceDatabase['dataSources'][number] & { columns: WorkspaceColumn[] };

/** By database. */
const COLUMNS = kept<Promise<DataSource[]>>({ age: 10 * MINUTE });

/** The columns of each data source of a database. @throws AppError 404, 502 */
export async function readColumns(ctx: Context, databaseId: string): Promise<DataSource[]> {
  const workspace = ensureWorkspace(ctx.workspace);
  return ctx.cache.get(COLUMNS, databaseId, async () => {
    const { dataSources } = await workspace.getDatabase(databaseId);
    return Promise.all(
      dataSources.map(async (source) => ({ ...source, columns: await workspace.listColumns(source.id) })),
    );
  });
}

async function readAll(
  ctx: Context,
  databaseId: string,
  filter: WorkspaceFilter | undefined,
): Promise<WorkspacePage[]> {
  const workspace = ensureWorkspace(ctx.workspace);
  const all: WorkspacePage[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && all.length < PAGES_AT_MOST) {
    const { pages, next }: { pages: WorkspacePage[]; next: string | null } = await workspace.queryPages(
      databaseId,
      { ...(filter && { filter }), ...(cursor && { cursor }) },
    );
    all.push(...pages);
    cursor = next;
  }
  if (cursor !== null)
    ctx.log.warn({ database: databaseId, read: all.length }, 'a database has too many pages');
  return all;
}

/** Makes one filter for all data sources, of the columns that all of them have with the same name and type. */
async function filterFor(
  ctx: Context,
  databaseId: string,
  narrowings: readonly Narrowing[],
): Promise<WorkspaceFilter | undefined> {
  if (narrowings.length === 0) return undefined;
  const sources = await readColumns(ctx, databaseId);
  const conditions = narrowings.flatMap((narrowing) => {
    const found = sources.map(({ columns }) => columnFor(columns, narrowing.property));
    const [first] = found;
    if (!first || found.some((one) => one?.name !== first.name || one.type !== first.type)) return [];
    return conditionsFor(first, narrowing);
  });
  return conditions.length > 0 ? { and: conditions } : undefined;
}

function columnFor(columns: WorkspaceColumn[], property: RecordProperty): WorkspaceColumn | undefined {
  const name = findName(
    columns.map((column) => column.name),
    property,
  );
  return columns.find((column) => column.name === name);
}

type Condition = Exclude<WorkspaceFilter, { and: unknown } | { or: unknown }>;

function conditionsFor({ name, type }: WorkspaceColumn, narrowing: Narrowing): Condition[] {
  if ('ticked' in narrowing)
    return type === 'checkbox' ? [{ property: name, checkbox: { equals: true } }] : [];
  if (type !== 'date') return [];
  return [
    { property: name, date: { on_or_after: isoTime(narrowing.from) } },
    { property: name, date: { before: isoTime(narrowing.until) } },
  ];
}
