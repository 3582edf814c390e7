import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** People, their addresses, and the roles they have: until now roles belonged to addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE persons (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      sort_name TEXT NOT NULL,
      called TEXT,
      number TEXT UNIQUE,
      note TEXT,
      webauthn_id BLOB NOT NULL UNIQUE,
      version INTEGER NOT NULL DEFAULT 1,
      created_at INTEGER NOT NULL,
      erased_at INTEGER
    ) STRICT`.execute(db);
  await sql`CREATE INDEX persons_sort_name ON persons (sort_name)`.execute(db);
  // Two people may share an address, as couples do.
  await sql`
    CREATE TABLE addresses (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      email TEXT NOT NULL,
      is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
      verified_at INTEGER,
      added_by TEXT NOT NULL,
      added_at INTEGER NOT NULL,
      UNIQUE (person_id, email)
    ) STRICT`.execute(db);
  await sql`CREATE INDEX addresses_email ON addresses (email)`.execute(db);
  await sql`CREATE UNIQUE INDEX addresses_primary ON addresses (person_id) WHERE is_primary = 1`.execute(db);
  await sql`
    CREATE TABLE person_roles (
      person_id TEXT NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
      role TEXT NOT NULL,
      granted_by TEXT NOT NULL,
      granted_at INTEGER NOT NULL,
      until INTEGER,
      PRIMARY KEY (person_id, role)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await moveRoles(db);
}

/** A person for each address that has roles. */
async function moveRoles(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ email: string; at: number; by: string }>`
    SELECT email, min(granted_at) AS at, granted_by AS by FROM pub_admin_roles GROUP BY email`.execute(db);
  for (const { email, at, by } of rows) {
    const id = randomUUID();
    await sql`
      INSERT INTO persons (id, name, sort_name, webauthn_id, created_at)
      VALUES (${id}, ${email}, ${email}, ${randomBytes(32)}, ${at})`.execute(db);
    await sql`
      INSERT INTO addresses (id, person_id, email, is_primary, added_by, added_at)
      VALUES (${randomUUID()}, ${id}, ${email}, 1, ${by}, ${at})`.execute(db);
    await sql`
      INSERT INTO person_roles (person_id, role, granted_by, granted_at)
      SELECT ${id}, role, granted_by, granted_at FROM pub_admin_roles WHERE email = ${email}`.execute(db);
  }
  await sql`DROP TABLE pub_admin_roles`.execute(db);
}
