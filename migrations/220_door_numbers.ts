import { type Kysely, sql } from 'kysely';

/** The number in the invitation by which the door of a meeting finds a person. Random; it goes with the end of the meeting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE door_numbers (
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      number TEXT NOT NULL,
      PRIMARY KEY (meeting_id, person_id),
      UNIQUE (meeting_id, number)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX door_numbers_person ON door_numbers (person_id)`.execute(db);
}
