import { findAssignmentDatabase, findTenderDatabase } from '#content/workspace/databases.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { ensureWorkspace, type WorkspaceColumn } from '#kernel/workspace/client.ts';
import { readColumns } from '#kernel/workspace/reading.ts';
import { findName, RECORDS, type RecordProperty } from '#kernel/workspace/records.ts';

/** The result of checking one database of the workspace. */
export interface DatabaseCheck {
  /** The record that its pages are read as. */
  record: keyof typeof RECORDS;
  /** The variable with its id, or how it was found. */
  from: string;
  /** Undefined when none is configured or found. */
  database: { id: string; name: string } | undefined;
  properties: PropertyCheck[];
  /** Why it cannot be read. */
  fault?: string;
}

export interface PropertyCheck {
  property: string;
  wanted: RecordProperty;
  /** Undefined when no column has one of its names. */
  found: WorkspaceColumn | undefined;
}

/** Checks all configured databases and those found through the shifts. One that cannot be read gets a `fault`. */
export async function checkWorkspace(ctx: Context): Promise<DatabaseCheck[]> {
  const { config } = ctx;
  const programs = config.WORKSPACE_PROGRAMS_DATABASE_ID;
  const tenders = config.WORKSPACE_PUB_TENDERS_DATABASE_ID;
  const shifts = config.WORKSPACE_SHIFTS_DATABASE_ID;
  const places: [DatabaseCheck['record'], from: string, find: () => Promise<string | undefined>][] = [
    ['event', 'WORKSPACE_EVENTS_DATABASE_ID', async () => config.WORKSPACE_EVENTS_DATABASE_ID],
    [
      'announcement',
      'WORKSPACE_ANNOUNCEMENTS_DATABASE_ID',
      async () => config.WORKSPACE_ANNOUNCEMENTS_DATABASE_ID,
    ],
    ['shift', 'WORKSPACE_SHIFTS_DATABASE_ID', async () => shifts],
    ['assignment', 'found through the shifts', () => findAssignmentDatabase(ctx)],
    [
      'tender',
      tenders ? 'WORKSPACE_PUB_TENDERS_DATABASE_ID' : 'found through the shifts',
      () => findTenderDatabase(ctx),
    ],
    [
      'program',
      programs ? 'WORKSPACE_PROGRAMS_DATABASE_ID' : 'WORKSPACE_EVENTS_DATABASE_ID',
      async () => programs ?? config.WORKSPACE_EVENTS_DATABASE_ID,
    ],
  ];
  const checks: DatabaseCheck[] = [];
  for (const [record, from, find] of places) checks.push(await check(ctx, record, from, find));
  return checks;
}

/** Whether a required property is missing or the database cannot be read. */
export function isFaulty({ fault, properties }: DatabaseCheck): boolean {
  return fault !== undefined || properties.some(({ wanted, found }) => wanted.needed && !found);
}

/** Formats a check as lines for a terminal. */
export function describeCheck({ record, from, database, properties, fault }: DatabaseCheck): string[] {
  if (fault !== undefined) return [`${record}: cannot be read (${from})`, `  ${fault}`];
  if (!database) return [`${record}: no database (${from})`];
  return [`${record}: “${database.name}” ${database.id} (${from})`, ...properties.map(describeProperty)];
}

function describeProperty({ property, wanted, found }: PropertyCheck): string {
  const label = `  ${property.padEnd(12)}`;
  if (!found) {
    const mark = wanted.needed ? 'MISSING, and needed' : 'not there';
    return `${label} ${mark}: one of ${wanted.names.join(', ')}`;
  }
  const fits = wanted.types.includes(found.type);
  return `${label} ${found.name} (${found.type}${fits ? '' : `; better ${wanted.types[0]}`})`;
}

async function check(
  ctx: Context,
  record: DatabaseCheck['record'],
  from: string,
  find: () => Promise<string | undefined>,
): Promise<DatabaseCheck> {
  const nothing = { record, from, database: undefined, properties: [] };
  try {
    const id = await find();
    if (!id) return nothing;
    const { name } = await ensureWorkspace(ctx.workspace).getDatabase(id);
    const columns = (await readColumns(ctx, id)).flatMap((source) => source.columns);
    return { record, from, database: { id, name }, properties: checkProperties(record, columns) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...nothing, fault: error.message };
  }
}

function checkProperties(record: DatabaseCheck['record'], columns: WorkspaceColumn[]): PropertyCheck[] {
  const names = columns.map(({ name }) => name);
  return Object.entries<RecordProperty>(RECORDS[record]).map(([property, wanted]) => {
    const name = findName(names, wanted);
    return { property, wanted, found: columns.find((column) => column.name === name) };
  });
}
