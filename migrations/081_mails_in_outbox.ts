import { type Kysely, sql } from 'kysely';

/** Invitations and mails to many that wait, or are kept, become rows of the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO outbox (
      id, kind, ref, facts, email, bundle, group_id, state, created_at, due_at, put_off_at, claimed_by, error)
    SELECT id, 'invitation', id, iif(wait_for_open = 1, '{"waits":true}', '{}'), email,
      iif(mode = 'batch', coalesce(person_id, email), NULL), mailing_id,
      iif(claimed_by IS NULL, 'WAITING', 'SENDING'), created_at, coalesce(due_at, created_at), put_off_at, claimed_by,
      error
    FROM invites WHERE status = 'QUEUED' ORDER BY rowid`.execute(db);
  await sql`
    INSERT INTO outbox (
      id, kind, ref, facts, email, group_id, state, created_at, due_at, put_off_at, claimed_by, ended_at, error)
    SELECT mailing_mails.id, iif(kind = 'results', 'results', 'reminder'),
      iif(kind = 'results', election_id, invite_id),
      iif(kind = 'results', '{}', json_object('mailed_before', mailed_before)), email, mailing_id, state, started_at,
      coalesce(due_at, started_at), put_off_at, mailing_mails.claimed_by, mailing_mails.sent_at, error
    FROM mailing_mails JOIN mailings ON mailings.id = mailing_id ORDER BY mailing_mails.rowid`.execute(db);
  await sql`DROP TABLE mailing_mails`.execute(db);
  for (const column of ['wait_for_open', 'claimed_by', 'put_off_at', 'due_at'])
    await sql`ALTER TABLE invites DROP COLUMN ${sql.ref(column)}`.execute(db);
}
