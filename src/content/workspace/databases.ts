import { kept } from '#kernel/cache.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import { RECORDS, readDate, readRelations, startOf } from '#kernel/workspace/records.ts';
import { findPage, readTenders } from './shift.ts';

/** How many days back and ahead shifts are read to find the databases that they link to. */
const RECENT_DAYS = 90;
const SHIFTS_FOLLOWED = 10;

/** The database of the tenders, by that of the shifts. */
const TENDERS_OF = kept<Promise<string | undefined>>({ age: HOUR });

/** Returns the tenders' database: the configured one, else the one that recent shifts link to. @throws AppError 502 */
export async function findTenderDatabase(ctx: Context): Promise<string | undefined> {
  const { WORKSPACE_PUB_TENDERS_DATABASE_ID: tenders, WORKSPACE_SHIFTS_DATABASE_ID: shifts } = ctx.config;
  if (tenders || !shifts) return tenders;
  return ctx.cache.get(TENDERS_OF, shifts, () => followShifts(ctx, shifts));
}

/** Returns the database of the assignments, which the shifts link to. @throws AppError 502 */
export async function findAssignmentDatabase(ctx: Context): Promise<string | undefined> {
  const { WORKSPACE_SHIFTS_DATABASE_ID: shifts } = ctx.config;
  return shifts ? databaseOfAssignments(ctx, await readRecentShifts(ctx, shifts)) : undefined;
}

/** Returns the database of the first assignment of these shifts that can be read. @throws AppError 502 */
export async function databaseOfAssignments(
  ctx: Context,
  shifts: readonly WorkspacePage[],
): Promise<string | undefined> {
  for (const shift of shifts) {
    for (const id of readRelations(shift, RECORDS.shift.assignments)) {
      const database = (await findPage(ctx, id))?.parentDatabaseId;
      if (database) return database;
    }
  }
  return undefined;
}

/** Finds the tenders' database through the shifts closest to now that link to a tender's page. */
async function followShifts(ctx: Context, shifts: string): Promise<string | undefined> {
  const { TIME_ZONE: zone } = ctx.config;
  const now = ctx.now();
  const pages = await readRecentShifts(ctx, shifts);
  const startOfShift = (page: WorkspacePage) =>
    startOf(readDate(page, RECORDS.shift.shift)?.start ?? '', zone) ?? 0;
  const recent = pages.toSorted((a, b) => Math.abs(startOfShift(a) - now) - Math.abs(startOfShift(b) - now));
  for (const shift of recent.slice(0, SHIFTS_FOLLOWED)) {
    for (const id of await readTenders(shift, (one) => findPage(ctx, one))) {
      const database = (await findPage(ctx, id))?.parentDatabaseId;
      if (database) return database;
    }
  }
  return undefined;
}

function readRecentShifts(ctx: Context, shifts: string): Promise<WorkspacePage[]> {
  const now = ctx.now();
  return readPages(ctx, shifts, [
    { property: RECORDS.shift.shift, from: now - RECENT_DAYS * DAY, until: now + RECENT_DAYS * DAY },
  ]);
}
