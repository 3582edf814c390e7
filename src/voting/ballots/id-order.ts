import { randomInt } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { insertBallots } from './ballot-store.ts';

/** Ballots that are rewritten in one transaction, in a few milliseconds. */
const SLICE = { atLeast: 700, below: 1_000 };
/** Ballots at the end of a slice that the next one rewrites again: more than on the six pages around its end. */
const OVERLAP = 300;
/** Slices after which the log is moved into the file: before it has grown so long that a commit does it. */
const SLICES_IN_LOG = 40;

/**
 * Stores the ballots of an election anew, in the order of their random ids. SQLite finds rows of a page by key, but
 * fills its bytes from the end as rows come: whoever reads the file would see who voted after whom.
 *
 * It is done in slices. The pages at a slice's end hold ballots as they came beside those that were rewritten, and
 * the gaps that are filled there tell which came early; the next slice rewrites these pages as a whole. Where slices
 * end is random and nowhere stored. A process that ends between two of them leaves every ballot where it can be
 * found, and whoever begins anew gets the same.
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
