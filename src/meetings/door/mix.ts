import { build, type Tx } from '#kernel/db/queries.ts';

/**
 * Writes who is present and the cards anew, in the order of their random ids: rows stay in the file as they came, and
 * the third who left would be found beside the third card that was returned. The write-ahead log has their order until it
 * is erased.
 */
export function mixDoor(tx: Tx, meetingId: string): void {
  const people = tx.all(
    build.selectFrom('attendance').selectAll().where('meeting_id', '=', meetingId).orderBy('id'),
  );
  tx.run(build.deleteFrom('attendance').where('meeting_id', '=', meetingId));
  for (const row of people) tx.run(build.insertInto('attendance').values(row));
  const packs = build.selectFrom('card_packs').select('id').where('meeting_id', '=', meetingId);
  const cards = tx.all(
    build.selectFrom('voting_cards').selectAll().where('pack_id', 'in', packs).orderBy('code_hash'),
  );
  tx.run(build.deleteFrom('voting_cards').where('pack_id', 'in', packs));
  for (const row of cards) tx.run(build.insertInto('voting_cards').values(row));
  const elsewhere = tx.all(
    build.selectFrom('remote_presence').selectAll().where('meeting_id', '=', meetingId).orderBy('number'),
  );
  tx.run(build.deleteFrom('remote_presence').where('meeting_id', '=', meetingId));
  for (const row of elsewhere) tx.run(build.insertInto('remote_presence').values(row));
}
