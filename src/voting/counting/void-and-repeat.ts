import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { copyElection, readCopy } from '#voting/elections/clone.ts';
import { type Election, getElection } from '#voting/elections/elections.ts';
import { ensureNotLed } from '#voting/elections/issuers.ts';
import {
  copyElectors,
  countUnnamed,
  endAsVoid,
  figuresBeforeReopening,
  recordVoid,
  type VoidInput,
} from '#voting/elections/void.ts';
import { addUnnamedSlips } from '#voting/invitations/slips.ts';

/**
 * Closes an election as void, with a public reason, and makes a copy with the same electors unless `repeat` is false. The
 * figures of a closed one are published, announced or not: nobody makes a result disappear that they have seen. One that
 * is not closed is never counted; figures that were public before stay in its history. Electors with
 * an address get their code once its invitations are sent; as many slips without a name are to be printed as codes were
 * out of which nobody knows who has them.
 * @param live the figures that everybody sees while voting is open, in a line
 * @returns the id of the copy, if one is made @throws 404; 400 as `cloneElection`; 409 if it is void already
 */
export async function voidAndRepeat(
  ctx: Context,
  id: string,
  { reason, repeat, ...input }: z.output<typeof VoidInput>,
  actor: Actor,
  live?: string,
): Promise<string | null> {
  const source = getElection(ctx.db, id);
  const planned = repeat && readCopy(ctx, source, { ...input, title: input.title ?? source.title }, actor);
  return ctx.write((tx) => {
    const election = getElection(tx, id);
    ensureNotLed(tx, election);
    if (election.voided_at !== null) throw conflict('election_void_already');
    // Its repetition would be a real election with the electors of a trial.
    if (repeat && election.trial === 1) throw conflict('trial_not_repeated');
    const isClosed = endAsVoid(tx, election, reason, actor);
    const copy = planned ? copyElection(tx, getElection(tx, id), planned, actor) : null;
    if (copy !== null) {
      tx.run(build.updateTable('elections').set({ repeat_of: id }).where('id', '=', copy));
      copyElectorate(ctx, tx, election, copy, actor);
    }
    const seen = isClosed ? undefined : (live ?? figuresBeforeReopening(tx, id));
    recordVoid(tx, id, { reason, isClosed, copy, seen }, actor);
    return copy;
  });
}

/** Gives a copy the electors of its source: those who are known, and as many slips without a name as others had codes. */
export function copyElectorate(ctx: Context, tx: Tx, source: Election, copy: string, actor: Actor): void {
  copyElectors(tx, source, copy, actor);
  const mode = source.invite_mode ?? 'individual';
  addUnnamedSlips(ctx, tx, { electionId: copy, mode, count: countUnnamed(tx, source) }, actor);
}
