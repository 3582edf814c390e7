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
  await countChanges(db);
  await createImports(db);
}

/** What a person, an address, a standing or a group of the roll is changed by counts: a check of an import holds for one number. */
async function countChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE roll_version (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL
    ) STRICT`.execute(db);
  await sql`INSERT INTO roll_version (id, version) VALUES (1, 1)`.execute(db);
  const updates: Record<string, string> = {
    persons: 'UPDATE OF name, called, number, note, erased_at',
    // Not verified_at: who signs in for the first time changes nothing of the roll.
    addresses: 'UPDATE OF person_id, email, is_primary',
    standings: 'UPDATE',
    group_members: 'UPDATE',
    kinds: 'UPDATE',
    groups: 'UPDATE',
  };
  for (const [table, update] of Object.entries(updates))
    for (const event of ['INSERT', update, 'DELETE'])
      await sql`
        CREATE TRIGGER ${sql.ref(`roll_version_${table}_${event.slice(0, 6).toLowerCase()}`)}
        AFTER ${sql.raw(event)} ON ${sql.table(table)}
        BEGIN UPDATE roll_version SET version = version + 1; END`.execute(db);
}

async function createImports(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE import_batches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      created INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      ended INTEGER NOT NULL,
      undone_at INTEGER
    ) STRICT`.execute(db);
  // What it takes to undo an import; of an erased person these rows are deleted.
  await sql`
    CREATE TABLE import_changes (
      batch_id INTEGER NOT NULL REFERENCES import_batches (id) ON DELETE CASCADE,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      before TEXT,
      version INTEGER NOT NULL,
      PRIMARY KEY (batch_id, person_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX import_changes_person ON import_changes (person_id)`.execute(db);
}
