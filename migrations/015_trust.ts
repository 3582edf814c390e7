import { type Kysely, sql } from 'kysely';

/** When an election was opened, closed and sealed; what was deleted of its tokens; whether its result still holds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of [
    'opened_at INTEGER',
    'electors INTEGER',
    'sealed_at INTEGER',
    'tokens_deleted INTEGER NOT NULL DEFAULT 0',
    'used_tokens_deleted INTEGER NOT NULL DEFAULT 0',
  ])
    await sql`ALTER TABLE elections ADD COLUMN ${sql.raw(column)}`.execute(db);
  await sql`
    ALTER TABLE results ADD COLUMN matches INTEGER NOT NULL DEFAULT 1 CHECK (matches IN (0, 1))`.execute(db);
  await sql`CREATE INDEX elections_not_opened ON elections (open_at) WHERE opened_at IS NULL`.execute(db);
  await sql`CREATE INDEX elections_not_closed ON elections (close_at) WHERE closed_at IS NULL`.execute(db);
  // Who could vote in an election that is over was not recorded when it opened, and cannot be found out now.
  await sql`
    UPDATE elections SET opened_at = open_at
    WHERE closed_at IS NOT NULL OR close_at <= unixepoch('now', 'subsec') * 1000`.execute(db);
  await sql`
    UPDATE elections SET (tokens_deleted, used_tokens_deleted) = (
      SELECT coalesce(sum(metadata ->> 'deleted'), 0), coalesce(sum(metadata ->> 'deleted_used'), 0)
      FROM audit_log WHERE action = 'batch.deleted' AND election_id = elections.id
    )`.execute(db);
}
