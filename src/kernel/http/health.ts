import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';

/** What GET /health answers: `degraded` when the database does not answer. */
export function health(ctx: Context, version: string) {
  const answers = databaseAnswers(ctx);
  return {
    service: 'publichouse',
    status: answers ? 'ok' : 'degraded',
    version,
    uptime_s: Math.floor(process.uptime()),
    checks: { database: answers ? 'ok' : 'failing', ...(ctx.clockWatch.jumped && { clock: 'jumped' }) },
  };
}

function databaseAnswers(ctx: Context): boolean {
  try {
    ctx.db.first(sql`SELECT 1`.compile(build));
    return true;
  } catch {
    return false;
  }
}
