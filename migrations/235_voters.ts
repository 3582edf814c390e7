import { type Kysely, sql } from 'kysely';

/**
 * The votes of a question are counted from people who have a card, and no number is kept beside them: whose card is
 * where, whoever had one since a question was opened, and the figures at its close.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE attendance ADD COLUMN card TEXT NOT NULL DEFAULT 'none' CHECK (card IN ('none', 'held', 'back'))
  `.execute(db);
  await sql`ALTER TABLE attendance ADD COLUMN last_entry TEXT CHECK (last_entry IS NULL OR json_valid(last_entry))`.execute(
    db,
  );
  // Of those who left it was not known who had returned a card, unless all of a class had.
  await sql`
    UPDATE attendance SET card = CASE
      WHEN state = 'in' THEN 'held'
      WHEN (SELECT count(*) FROM attendance AS other
        WHERE other.meeting_id = attendance.meeting_id AND other.class = attendance.class AND other.state = 'out')
        <= coalesce((SELECT value FROM meetings, json_each(meetings.leaver_cards)
          WHERE meetings.id = attendance.meeting_id AND key = attendance.class), 0) THEN 'back'
      ELSE 'held' END
    WHERE class IS NOT NULL
  `.execute(db);
  await sql`DELETE FROM proxies WHERE state = 'ended'`.execute(db);
  await sql`ALTER TABLE meetings DROP COLUMN leaver_cards`.execute(db);
  await sql`
    ALTER TABLE meetings ADD COLUMN given_back TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(given_back))
  `.execute(db);
  for (const column of [
    'voters TEXT CHECK (voters IS NULL OR json_valid(voters))',
    'electors INTEGER',
    'shown_voters INTEGER',
    'quorum_needed INTEGER',
    'counted_present INTEGER',
    'arrivals INTEGER NOT NULL DEFAULT 0',
    "undone TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(undone))",
  ])
    await sql`ALTER TABLE meeting_items ADD COLUMN ${sql.raw(column)}`.execute(db);
  await sql`
    CREATE TABLE item_holders (
      item_id TEXT NOT NULL REFERENCES meeting_items (id) ON DELETE CASCADE,
      person_id TEXT NOT NULL,
      PRIMARY KEY (item_id, person_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    INSERT INTO item_holders (item_id, person_id)
    SELECT item.id, person_id FROM meeting_items AS item
    JOIN attendance ON attendance.meeting_id = item.meeting_id
    WHERE item.state = 'open' AND person_id IS NOT NULL AND card != 'none'
    UNION
    SELECT item.id, giver_id FROM meeting_items AS item
    JOIN proxies ON proxies.meeting_id = item.meeting_id
    WHERE item.state = 'open' AND giver_id IS NOT NULL AND proxies.state = 'used'
  `.execute(db);
  // Presence elsewhere is kept by a number of the invitation, which stays when its code is replaced.
  await sql`ALTER TABLE invites ADD COLUMN room_number TEXT`.execute(db);
  await sql`CREATE INDEX invites_room_number ON invites (room_number) WHERE room_number IS NOT NULL`.execute(
    db,
  );
  await sql`
    UPDATE invites SET room_number = lower(hex(randomblob(16)))
    WHERE token_hash IN (SELECT code_hash FROM remote_presence)
  `.execute(db);
  await sql`
    CREATE TABLE remote_presence_by_number (
      meeting_id TEXT NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
      number TEXT NOT NULL,
      PRIMARY KEY (meeting_id, number)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    INSERT INTO remote_presence_by_number (meeting_id, number)
    SELECT meeting_id, room_number FROM remote_presence JOIN invites ON token_hash = code_hash
  `.execute(db);
  await sql`DROP TABLE remote_presence`.execute(db);
  await sql`ALTER TABLE remote_presence_by_number RENAME TO remote_presence`.execute(db);
}
