import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { findToken } from '#voting/ballots/tokens.ts';
import { endUnused } from '#voting/ballots/withdrawn-codes.ts';
import { endedCodes } from '#voting/elections/issuers.ts';
import { codeOfInvite } from '#voting/electors/joins.ts';
import { type Item, listItems } from '../items.ts';
import type { Meeting } from '../meetings.ts';
import { growBases } from './bases.ts';

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
 * Ends the link of somebody for whom a card is handed out: nobody votes with both.
 * @returns whether there was one
 * @throws 409 while a question is open that it has answered: the card would vote on it again
 */
export function endLinkOf(tx: Tx, meeting: Meeting, { id, name }: { id: string; name: string }): boolean {
  const hash = listLinks(tx, meeting).get(id);
  if (hash === undefined || meeting.paper_id === null) return false;
  const answered = findAnswered(tx, meeting.id, hash);
  if (answered) throw conflict('link_voted', { name, title: answered.title });
  endUnused(tx, meeting.paper_id, hash);
  const presence = build.deleteFrom('remote_presence').where('meeting_id', '=', meeting.id);
  // Elsewhere no more.
  if (tx.run(presence.where('code_hash', '=', hash)) > 0) growBases(tx, meeting.id, -1, null);
  return true;
}

/** An open item on which a code has voted: another code for the same person would vote on it again. */
export const findAnswered = (reader: Reader, meetingId: string, hash: string): Item | undefined =>
  listItems(reader, meetingId).find(
    ({ state, election_id }) =>
      state === 'open' && election_id !== null && findToken(reader, election_id, hash)?.used === true,
  );
