import { type Kysely, sql } from 'kysely';

/** Addresses that were taken away from a person stay on record until the person is erased: rows elsewhere have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE former_addresses (
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      email TEXT NOT NULL,
      ended_at INTEGER NOT NULL,
      PRIMARY KEY (person_id, email)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX former_addresses_email ON former_addresses (email)`.execute(db);
}
