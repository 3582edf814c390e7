import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { coverQuestion } from '#voting/elections/issuers.ts';
import { classOf, getPerson, listVoters } from './people.ts';

/**
 * Takes the right to answer a question from the cards and the links of other classes. To be called for whatever codes
 * are new, and when the question is opened.
 */
export function keepClasses(
  ctx: Context,
  tx: Tx,
  meeting: Meeting,
  electionId: string,
  classes: readonly string[],
): void {
  const others = build
    .selectFrom('voting_cards')
    .innerJoin('card_packs', 'card_packs.id', 'pack_id')
    .select('code_hash')
    .where('meeting_id', '=', meeting.id)
    .where('class', 'not in', classes);
  const unused = build
    .deleteFrom('tokens')
    .where('election_id', '=', electionId)
    .where('used_at', 'is', null);
  tx.run(unused.where('token_hash', 'in', others));
  const links = listOtherLinks(ctx, tx, meeting, classes);
  if (links.length > 0) tx.run(unused.where('token_hash', 'in', links));
}

/** The links of members whose class is none of these. A link of no known person is of the first class. */
function listOtherLinks(ctx: Context, tx: Tx, meeting: Meeting, classes: readonly string[]): string[] {
  const invited = tx.all(
    build
      .selectFrom('invites')
      .select(['person_id', 'token_hash'])
      .where('election_id', '=', meeting.paper_id ?? '')
      .where('token_hash', 'is not', null),
  );
  if (invited.length === 0) return [];
  const voters = listVoters(tx, meeting, ctx.config.TIME_ZONE);
  const [first = ''] = JSON.parse(meeting.classes) as string[];
  return invited.flatMap(({ person_id, token_hash }) => {
    const known = person_id !== null && voters.has(person_id);
    const own = known ? classOf(tx, meeting, getPerson(tx, person_id, voters)) : first;
    return token_hash === null || classes.includes(own) ? [] : [token_hash];
  });
}

/** Gives a question that nobody has answered to all valid codes of the paper again, before other classes lose it. */
export function coverAgain(tx: Tx, meeting: Meeting, electionId: string): void {
  tx.run(build.deleteFrom('tokens').where('election_id', '=', electionId));
  coverQuestion(tx, { id: electionId, paper_id: meeting.paper_id });
}
