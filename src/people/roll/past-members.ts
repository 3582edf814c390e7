import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';

/** Audit log entries that are read in one turn. */
const PAGE = 500;

/**
 * Finds the ids of people proposed for erasure: their last standing ended more than two years ago, and they have not
 * signed in since two years ago. Excludes people with a role, and electors and invitees of unfinished elections.
 * @param today a day in TIME_ZONE
 */
export async function findPastMembers(ctx: Context, today: string): Promise<string[]> {
  const lastDay = Temporal.PlainDate.from(today).subtract({ years: 2 }).toString();
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.now()).toZonedDateTimeISO('UTC');
  const since = now.subtract({ years: 2 }).epochMilliseconds;
  const past = new Set(ctx.db.all(candidates({ lastDay, since, now: ctx.now() })).map(({ id }) => id));
  // Ended sessions are deleted after a while, but their opening stays in the audit log.
  if (past.size > 0) await removeSignedIn(ctx, since, past);
  return [...past];
}

const unfinished = sql`SELECT id FROM elections WHERE closed_at IS NULL`;

const candidates = prepare((p: { lastDay: string; since: number; now: number }) =>
  build
    .selectFrom('persons')
    .select('id')
    .where('erased_at', 'is', null)
    .where(
      'id',
      'in',
      sql<string>`(
        SELECT person_id FROM standings GROUP BY person_id HAVING max(coalesce(last_day, '9999-12-31')) < ${p.lastDay}
        EXCEPT SELECT person_id FROM person_roles WHERE until IS NULL OR until > ${p.now}
        EXCEPT SELECT person_id FROM sessions WHERE seen_at >= ${p.since}
        EXCEPT SELECT person_id FROM addresses WHERE verified_at >= ${p.since}
        EXCEPT SELECT person_id FROM electors WHERE election_id IN (${unfinished})
        EXCEPT SELECT person_id FROM invites WHERE election_id IN (${unfinished})
        EXCEPT SELECT addresses.person_id FROM addresses JOIN invites ON invites.email = addresses.email
          WHERE invites.person_id IS NULL AND invites.election_id IN (${unfinished}))`,
    ),
);

const signInsBefore = prepare((p: { before: number }) =>
  build
    .selectFrom('audit_log')
    .select(['seq', 'timestamp', sql<string | null>`metadata ->> '$.by'`.as('by')])
    .where('action', '=', 'session.opened')
    .where('seq', '<', p.before)
    .orderBy('seq', 'desc')
    .limit(sql.lit(PAGE)),
);

/**
 * Removes the ids of those who signed in since a time, reading the log from its end, each page in a turn of its own.
 */
async function removeSignedIn(ctx: Context, since: number, ids: Set<string>): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    await ctx.queue.turn();
    const page = ctx.db.all(signInsBefore({ before }));
    for (const { by, timestamp } of page)
      if (timestamp >= since && by?.startsWith('person:')) ids.delete(by.slice('person:'.length));
    const last = page.at(-1);
    if (!last || page.length < PAGE || last.timestamp < since) return;
    before = last.seq;
  }
}
