import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { NOT_THERE } from '#kernel/db/database.ts';
import { LOCK_LOST } from '#kernel/db/database-error.ts';
import { build } from '#kernel/db/queries.ts';

/** The answer of GET /health: `degraded` when the database does not answer, or the disk refuses writes. */
export function health(ctx: Context, version: string) {
  const database = databaseCheck(ctx);
  return {
    service: 'publichouse',
    status: database === 'ok' ? 'ok' : 'degraded',
    version,
    uptime_s: Math.floor(process.uptime()),
    checks: { database, ...(ctx.clockWatch.jumped && { clock: 'jumped' }) },
  };
}

type DatabaseState = 'ok' | 'failing' | 'no_space' | 'read_only' | 'not_there' | 'lock_lost' | 'io_error';

function databaseCheck(ctx: Context): DatabaseState {
  try {
    ctx.db.first(sql`SELECT 1`.compile(build));
  } catch {
    return 'failing';
  }
  const error = ctx.diskError();
  if (error === undefined) return 'ok';
  if (error === 'SQLITE_FULL') return 'no_space';
  if (error === NOT_THERE) return 'not_there';
  if (error === LOCK_LOST) return 'lock_lost';
  return error.startsWith('SQLITE_READONLY') ? 'read_only' : 'io_error';
}

/**
 * While the disk refuses writes, tries one that changes nothing: a proxy that follows /health may send no requests, so
 * that nothing else would notice when writes work again.
 */
export async function retryDisk(ctx: Context): Promise<void> {
  const error = ctx.diskError();
  // A lost lock does not come back.
  if (error === undefined || error === LOCK_LOST) return;
  await ctx.write((tx) => tx.run(sql`UPDATE kysely_migration_lock SET is_locked = is_locked`.compile(build)));
}
