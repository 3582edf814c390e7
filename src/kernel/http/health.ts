import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';

/** What GET /health answers: `degraded` when the database does not answer. */
export async function health(ctx: Context, version: string) {
  const answers = await sql`SELECT 1`.execute(ctx.db).then(
    () => true,
    () => false,
  );
  return {
    service: 'publichouse',
    status: answers ? 'ok' : 'degraded',
    version,
    uptime_s: Math.floor(process.uptime()),
    checks: { database: answers ? 'ok' : 'failing' },
  };
}
