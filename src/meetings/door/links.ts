import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { endUnused } from '#voting/ballots/withdrawn-codes.ts';
import { endedCodes } from '#voting/elections/issuers.ts';
import { listOpen } from '#voting/elections/ways-to-vote.ts';
import { codeOfInvite } from '#voting/electors/joins.ts';

/** The people who have a link that votes, with its hash. */
export function listLinks(reader: Reader, { paper_id }: Pick<Meeting, 'paper_id'>): Map<string, string> {
  const rows = reader.all(
    build
      .selectFrom('invites')
      .innerJoin('tokens', codeOfInvite)
      .select(['person_id', 'tokens.token_hash'])
      .where('invites.election_id', '=', paper_id ?? '')
      .where('person_id', 'is not', null)
      .where('tokens.token_hash', 'not in', endedCodes(paper_id ?? '')),
  );
  return new Map(rows.map(({ person_id, token_hash }) => [person_id ?? '', token_hash]));
}

/**
 * Ends the link of somebody for whom a card is handed out, which has answered nothing that is open.
 * @returns whether there was one
 */
export function endLinkOf(tx: Tx, meeting: Meeting, personId: string): boolean {
  const hash = listLinks(tx, meeting).get(personId);
  if (hash === undefined || meeting.paper_id === null) return false;
  endLink(tx, meeting, hash);
  return true;
}

/** Ends a link, with the presence of its holder; what it has answered stays. */
function endLink(tx: Tx, { id, paper_id }: Meeting, hash: string): void {
  endUnused(tx, paper_id ?? '', hash);
  const number = build
    .selectFrom('invites')
    .select('room_number')
    .where('election_id', '=', paper_id)
    .where('token_hash', '=', hash);
  tx.run(build.deleteFrom('remote_presence').where('meeting_id', '=', id).where('number', 'in', number));
}

/** Ends all links of a meeting in which members elsewhere cannot take part any more. @returns how many */
export function endLinks(tx: Tx, meeting: Meeting): number {
  if (meeting.paper_id === null) return 0;
  const cards = build.selectFrom('voting_cards').select('code_hash');
  const codes = tx.all(
    build
      .selectFrom('tokens')
      .select('token_hash')
      .where('election_id', '=', meeting.paper_id)
      .where('token_hash', 'not in', cards)
      .where('token_hash', 'not in', endedCodes(meeting.paper_id)),
  );
  for (const { token_hash } of codes) endLink(tx, meeting, token_hash);
  return codes.length;
}

/** The title of an open item that a code has answered: another code for the same person would vote on it again. */
export const findAnswered = (reader: Reader, meetingId: string, hash: string): string | undefined =>
  listOpen(reader, meetingId).find(
    ({ election_id }) => findToken(reader, election_id ?? '', hash)?.used === true,
  )?.title;
