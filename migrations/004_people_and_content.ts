import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE pub_admin_roles (
      email TEXT NOT NULL CHECK (email = lower(email)),
      role TEXT NOT NULL,
      granted_by TEXT NOT NULL,
      granted_at INTEGER NOT NULL,
      PRIMARY KEY (email, role)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE workspace_content (
      source TEXT PRIMARY KEY,
      content TEXT NOT NULL CHECK (json_valid(content)),
      read_at INTEGER NOT NULL
    ) STRICT`.execute(db);
}
