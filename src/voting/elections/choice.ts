import type { Context } from '#kernel/context.ts';
import type { Reader } from '#kernel/db/queries.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { type Election, electionStatus, listOptions } from './elections.ts';

/** A ranked election that has fewer than two candidates. */
export interface WithoutChoice {
  election: Election;
  /** 0 or 1. */
  candidates: number;
}

/** Ranked elections with fewer than two candidates; polls have two options from the beginning. */
export function listWithoutChoice(reader: Reader, elections: readonly Election[]): WithoutChoice[] {
  return elections
    .filter(({ ballot_type }) => ballot_type === 'RANKED_CONDORCET')
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
