import { build, type Tx } from '#kernel/db/queries.ts';

/** Takes the right to answer a question from the cards of other classes. */
export function keepClasses(tx: Tx, meetingId: string, electionId: string, classes: readonly string[]): void {
  const others = build
    .selectFrom('voting_cards')
    .innerJoin('card_packs', 'card_packs.id', 'pack_id')
    .select('code_hash')
    .where('meeting_id', '=', meetingId)
    .where('class', 'not in', classes);
  tx.run(
    build
      .deleteFrom('tokens')
      .where('election_id', '=', electionId)
      .where('used_at', 'is', null)
      .where('token_hash', 'in', others),
  );
}
