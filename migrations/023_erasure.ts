import { type Kysely, sql } from 'kysely';

/** What may be erased of audit entries and of people, and what is left of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The chain covers only the hashes of these two, which stand in the metadata.
  for (const column of ['personal', 'client'])
    await sql`
      ALTER TABLE audit_log ADD COLUMN ${sql.ref(column)} TEXT CHECK (json_valid(${sql.ref(column)}))`.execute(
      db,
    );
  await sql`DROP TRIGGER audit_log_no_update`.execute(db);
  await sql`
    CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
    WHEN NOT (
      NEW.seq IS OLD.seq AND NEW.id IS OLD.id AND NEW.action IS OLD.action
      AND NEW.ip_address IS OLD.ip_address AND NEW.election_id IS OLD.election_id
      AND NEW.timestamp IS OLD.timestamp AND NEW.metadata IS OLD.metadata AND NEW.hash IS OLD.hash
      AND (NEW.personal IS NULL OR NEW.personal IS OLD.personal)
      AND (NEW.client IS NULL OR NEW.client IS OLD.client)
    )
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`.execute(db);
  await sql`
    CREATE TABLE erased_standings (
      year INTEGER NOT NULL,
      kind TEXT NOT NULL,
      people INTEGER NOT NULL CHECK (people > 0),
      PRIMARY KEY (year, kind)
    ) STRICT, WITHOUT ROWID`.execute(db);
}
