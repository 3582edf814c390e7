import { sql } from 'kysely';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import type { Election } from './elections.ts';
import type { Issuer } from './issuers.ts';

const anyBallot = prepare((p: { election_id: string }) =>
  build.selectFrom('ballots').select('id').where('election_id', '=', p.election_id).limit(ONE),
);

/** Whether a ballot was cast in an election. */
export function hasBallots(reader: Reader, electionId: string): boolean {
  return reader.first(anyBallot({ election_id: electionId })) !== undefined;
}

const anyUse = prepare((p: { election_id: string }) =>
  build
    .selectFrom('tokens')
    .select('token_hash')
    .where('election_id', '=', p.election_id)
    .where((is) => is.or([is('used_at', 'is not', null), is('on_paper', '=', 1)]))
    .limit(ONE),
);

/** Whether a code of an election was used, or a paper was handed out for one. */
export const hasUses = (reader: Reader, election_id: string): boolean =>
  reader.first(anyUse({ election_id })) !== undefined;

export function countBallots(reader: Reader, electionId: string): number {
  const { ballots } = reader.first(
    build
      .selectFrom('ballots')
      .select((of) => of.fn.countAll<number>().as('ballots'))
      .where('election_id', '=', electionId),
  )!;
  return ballots;
}

export interface Turnout {
  issued: number;
  /** With the ballots that were entered from paper. */
  used: number;
}

/** How many ballots came which way: numbers of people alone, never what is on the ballots. */
export interface Channels {
  online: number;
  paper: number;
}

/** Undefined where no ballot was entered from paper. */
export const channelsOf = (
  { paper_ballots: paper }: Pick<Election, 'paper_ballots'>,
  { used }: Turnout,
): Channels | undefined => (paper === 0 ? undefined : { online: Math.max(0, used - paper), paper });

/**
 * Tokens issued and tokens used, by election. A used token of a deleted batch counts as issued and used, since its
 * ballot stays; an unused one can no longer vote, so it counts as neither.
 */
export function listTurnouts(reader: Reader, electionIds: string[]): Map<string, Turnout> {
  const rows = reader.all(
    build
      .selectFrom('elections')
      .leftJoin('tokens', 'tokens.election_id', 'elections.id')
      .select([
        'elections.id as election_id',
        sql<number>`count(token_hash) + used_tokens_deleted`.as('issued'),
        sql<number>`count(used_at) + used_tokens_deleted + paper_ballots`.as('used'),
      ])
      .where('elections.id', 'in', electionIds)
      .groupBy('elections.id'),
  );
  return new Map(rows.map(({ election_id, ...turnout }) => [election_id, turnout]));
}

/** The same of a ballot paper: a code counts as used once a question was answered with it. */
export function getPaperTurnout(reader: Reader, paperId: string): Turnout {
  const row = reader.first(
    build
      .selectFrom('papers')
      .leftJoin('tokens', 'tokens.election_id', 'papers.id')
      .select([
        sql<number>`count(token_hash) + used_tokens_deleted`.as('issued'),
        sql<number>`count(used_at) + used_tokens_deleted`.as('used'),
      ])
      .where('papers.id', '=', paperId)
      .groupBy('papers.id'),
  );
  return row ?? { issued: 0, used: 0 };
}

export function getTurnout(reader: Reader, electionId: string): Turnout {
  return listTurnouts(reader, [electionId]).get(electionId) ?? { issued: 0, used: 0 };
}

/** The turnout of an election or a ballot paper. */
export const getIssuerTurnout = (reader: Reader, { id, isPaper }: Pick<Issuer, 'id' | 'isPaper'>): Turnout =>
  isPaper ? getPaperTurnout(reader, id) : getTurnout(reader, id);

/** The number of all tokens that were ever made, including deleted, withdrawn and replaced ones. */
export const countTokensMade = (
  election: { tokens_deleted: number; used_tokens_deleted: number },
  { issued }: Pick<Turnout, 'issued'>,
): number => issued + election.tokens_deleted - election.used_tokens_deleted;

/** The turnout with the number of invitations. */
export function getOfficerTurnout(reader: Reader, electionId: string): Turnout & { invited: number } {
  const { invited } = reader.first(
    build
      .selectFrom('invites')
      .select((of) => of.fn.countAll<number>().as('invited'))
      .where('election_id', '=', electionId),
  )!;
  return { ...getTurnout(reader, electionId), invited };
}
