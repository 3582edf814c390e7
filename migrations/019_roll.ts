import { type Kysely, sql } from 'kysely';

/** The roll of members: the club's kinds of membership, who has which from when to when, and the club's groups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE kinds (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      votes INTEGER NOT NULL CHECK (votes IN (0, 1))
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE standings (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      kind_id TEXT NOT NULL REFERENCES kinds (id),
      first_day TEXT NOT NULL,
      last_day TEXT,
      CHECK (last_day IS NULL OR last_day >= first_day)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX standings_person ON standings (person_id)`.execute(db);
  await sql`CREATE INDEX standings_kind ON standings (kind_id, person_id)`.execute(db);
  await sql`CREATE TABLE groups (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT`.execute(db);
  await sql`
    CREATE TABLE group_members (
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      group_id TEXT NOT NULL REFERENCES groups (id),
      PRIMARY KEY (person_id, group_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX group_members_group ON group_members (group_id)`.execute(db);
}
