import { randomInt } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { insertBallots } from './ballot-store.ts';

/** Range of the number of ballots rewritten in one transaction, which takes a few milliseconds. */
const SLICE = { atLeast: 700, below: 1_000 };
/** Ballots at a slice's end that the next slice rewrites again: more than the six pages around the end hold. */
const OVERLAP = 300;
/** Slices after which the write-ahead log is moved into the file, before it is so long that a commit does it. */
const SLICES_IN_LOG = 40;

/**
 * Rewrites the stored ballots of an election in the order of their random ids. SQLite finds the rows of a page by
 * key, but fills the page from its end in the order of insertion: the file would show who voted after whom.
 *
 * It works in slices. The pages at a slice's end hold rewritten ballots beside ballots in the order of insertion, and
 * the gaps filled there show which ballots came early; so the next slice rewrites these pages completely. The ends of
 * slices are random and not stored. If the process stops between two slices, every ballot can still be found, and a
 * new run gives the same result.
 */
export async function rewriteInIdOrder(
  ctx: Pick<Context, 'write' | 'queue' | 'moveLog'>,
  electionId: string,
): Promise<void> {
  let after: string | undefined = '';
  for (let slices = 0; after !== undefined; slices++) {
    if (slices % SLICES_IN_LOG === SLICES_IN_LOG - 1) await ctx.moveLog();
    await ctx.queue.turn();
    const from: string = after;
    const slice = randomInt(SLICE.atLeast, SLICE.below);
    after = await ctx.write((tx) => rewriteSlice(tx, electionId, from, slice), { repeatable: true });
  }
}

/** @returns the id after which the next slice begins; undefined after the last one */
function rewriteSlice(tx: Tx, electionId: string, after: string, slice: number): string | undefined {
  const ballots = tx.all(
    build
      .selectFrom('ballots')
      .selectAll()
      .where('election_id', '=', electionId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(slice),
  );
  const last = ballots.at(-1);
  if (!last) return undefined;
  tx.run(
    build
      .deleteFrom('ballots')
      .where('election_id', '=', electionId)
      .where('id', '>', after)
      .where('id', '<=', last.id),
  );
  insertBallots(tx, ballots);
  return ballots.length < slice ? undefined : ballots.at(-1 - OVERLAP)?.id;
}
