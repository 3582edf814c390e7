import { type Kysely, sql } from 'kysely';

/** Votes of earlier versions lose their client; times of use keep the hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The chain covers only the hash of the client, so it stays verifiable. Times and ids of entries are part of the chain:
  // the listing shows less of them instead.
  await sql`UPDATE audit_log SET client = NULL WHERE action = 'vote.submitted' AND client IS NOT NULL`.execute(
    db,
  );
  await sql`UPDATE tokens SET used_at = used_at - used_at % 3600000 WHERE used_at IS NOT NULL`.execute(db);
}
