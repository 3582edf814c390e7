import { type Kysely, sql } from 'kysely';

/** Lots that the chair drew between candidates with equal votes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE drawn_lots (
      election_id TEXT NOT NULL REFERENCES elections (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      drawn_order TEXT NOT NULL,
      drawer TEXT NOT NULL,
      witnesses TEXT NOT NULL,
      drawn_at INTEGER NOT NULL,
      PRIMARY KEY (election_id, number)
    )`.execute(db);
}
