import { sql } from 'kysely';
import { build, type Reader } from '#kernel/db/queries.ts';
import { invitesOf } from '#voting/elections/issuers.ts';
import { codeOfInvite } from '#voting/electors/joins.ts';

/** The codes of a batch that belong to no invitation: they are handed out in other ways. */
export interface SpareCodes {
  batch_name: string | null;
  count: number;
  /** Whether the batch has no other codes, and none that was used. */
  deletable: boolean;
}

/**
 * Counts an election's unused codes without an invitation, by batch, the oldest batch first. */
export function listSpareCodes(reader: Reader, electionId: string): SpareCodes[] {
  const spare = sql`invites.id IS NULL AND used_at IS NULL`;
  const batches = reader.all(
    build
      .selectFrom('tokens')
      .leftJoin('invites', codeOfInvite)
      .select((of) => [
        'batch_name',
        sql<number>`count(*) FILTER (WHERE ${spare})`.as('count'),
        of.fn.countAll<number>().as('all'),
      ])
      .where('tokens.election_id', '=', electionId)
      .groupBy('batch_name')
      .orderBy((of) => of.fn.min('tokens.created_at')),
  );
  return batches
    .filter(({ count }) => count > 0)
    .map(({ batch_name, count, all }) => ({ batch_name, count, deletable: count === all }));
}

/** Counts the voting codes of an election that were mailed or are to be mailed. */
export function countMailedCodes(reader: Reader, electionId: string): number {
  return reader.first(
    build
      .selectFrom('invites')
      .innerJoin('tokens', 'tokens.token_hash', 'invites.token_hash')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('tokens.election_id', '=', electionId)
      .where('invites.election_id', '=', invitesOf(electionId))
      .where('email', '!=', ''),
  )!.count;
}
