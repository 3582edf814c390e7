import { type Kysely, sql } from 'kysely';

/** What the club decided in the browser. The environment overrules it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL CHECK (json_valid(value)),
      set_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`.execute(db);
}
