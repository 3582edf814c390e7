import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { Electorate } from '#voting/shared/tally.ts';
import { countBallots, getTurnout } from './turnout.ts';
import { countVoters, votersOf } from './ways-to-vote.ts';

/**
 * Who can vote, for rules that need a share of them: each valid voting code is one elector; in a meeting each vote of the
 * question, and for a share of the electors each card that is out and each link. No base is smaller than the ballots.
 */
export function readElectorate(reader: Reader, { id }: { id: string }): Electorate {
  const item = reader.first(itemOf({ election_id: id }));
  if (!item) return { electors: getTurnout(reader, id).issued };
  const ballots = countBallots(reader, id);
  const isOver = item.voters !== null || item.state === 'open';
  // Closed by an earlier version: what it stored, and cards as they are now.
  const { voters, electors } = isOver
    ? { voters: votersOf(reader, item), electors: item.electors ?? countVoters(reader, item).electors }
    : { voters: { total: item.present ?? 0 }, electors: countVoters(reader, item).electors };
  return {
    electors: Math.max(electors, voters.total, ballots),
    ...(item.state !== 'prepared' && { present: Math.max(voters.total, ballots) }),
    ...(item.state !== 'prepared' && voters.total < ballots && { door: voters.total }),
    ...(item.quorate !== null && { quorate: item.quorate === 1 }),
  };
}

/** The votes of a question of a meeting, prepared, open or closed; undefined of every other election. */
export function countVotes(reader: Reader, election_id: string): number | undefined {
  const item = reader.first(itemOf({ election_id }));
  if (!item) return undefined;
  const isNow = item.voters !== null || item.state === 'prepared' || item.state === 'open';
  // Closed by an earlier version: what it stored.
  return isNow ? votersOf(reader, item).total : (item.present ?? undefined);
}

const itemOf = prepare((p: { election_id: string }) =>
  build
    .selectFrom('meeting_items')
    .select(['id', 'meeting_id', 'election_id', 'classes', 'voters', 'electors', 'counted_present'])
    .select(['present', 'quorate', 'state'])
    .where('election_id', '=', p.election_id),
);
