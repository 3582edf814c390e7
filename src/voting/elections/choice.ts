import type { Context } from '#kernel/context.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { type Election, electionStatus, listOptions } from './elections.ts';

/** An election that has fewer than two candidates. */
export interface WithoutChoice {
  election: Election;
  /** 0 or 1. */
  candidates: number;
}

/** The types whose elections can lack candidates; the others have their options from the beginning. */
export const MAY_LACK_CANDIDATES = BALLOT_TYPES.filter((type) => rulesOf(type).options?.least === 0);

/** Elections with fewer than two candidates. */
export function listWithoutChoice(reader: Reader, elections: readonly Election[]): WithoutChoice[] {
  return elections
    .filter(({ ballot_type }) => MAY_LACK_CANDIDATES.includes(ballot_type))
    .map((election) => ({ election, candidates: listOptions(reader, election.id).length }))
    .filter(({ candidates }) => candidates < 2);
}

/** @throws 400 for an open election without candidates: its links would open no ballot */
export function ensureChoice(ctx: Context, elections: readonly Election[]): void {
  const [empty] = listWithoutChoice(ctx.db, elections).filter(
    ({ election, candidates }) => candidates === 0 && electionStatus(election, ctx.now()) === 'open',
  );
  if (empty)
    throw badRequest(
      `“${empty.election.title}” has no candidates, so nobody could vote. Add them before you invite people`,
    );
}
