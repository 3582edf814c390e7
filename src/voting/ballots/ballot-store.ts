import { setImmediate } from 'node:timers/promises';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';
import type { Election } from '#voting/elections/elections.ts';
import { ballotSetHash } from './ballot-set.ts';

/** Ballots read before other requests get their turn. */
const PAGE = 10_000;

/**
 * Reads every ballot of an election in one pass, in the order of their random ids. Ballots of which there are few
 * different ones (simple, poll) come counted; ranked ones come one by one.
 */
export async function readBallots(
  ctx: Context,
  { id, ballot_type }: Pick<Election, 'id' | 'ballot_type'>,
  each: (choice: string, times: number) => void,
): Promise<void> {
  if (ballot_type !== 'RANKED_CONDORCET') {
    for (const { choice, times } of await groupBallots(ctx, id)) each(choice, times);
    return;
  }
  for (let after = ''; ; ) {
    const page = await ctx.db
      .selectFrom('ballots')
      .select(['id', 'choice'])
      .where('election_id', '=', id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const { choice } of page) each(choice, 1);
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
    await setImmediate();
  }
}

export async function countBallots(ctx: Context, electionId: string): Promise<number> {
  const { ballots } = await ctx.db
    .selectFrom('ballots')
    .select((of) => of.fn.countAll<number>().as('ballots'))
    .where('election_id', '=', electionId)
    .executeTakeFirstOrThrow();
  return ballots;
}

/** SHA-256 over the sorted ballots of an election, see `ballotSetHash`. */
export async function hashBallots(ctx: Context, electionId: string): Promise<string> {
  const ballots = await groupBallots(ctx, electionId);
  return ballotSetHash(ballots.map(({ choice, times }) => [choice, times]));
}

/**
 * Stores the ballots of an election anew, in the order of their random ids. SQLite finds rows of a page by key, but
 * fills its bytes from the end as rows come: whoever reads the file would see who voted after whom.
 */
export function forgetArrival(tx: Tx, electionId: string): void {
  const ballots = tx.all(
    build.selectFrom('ballots').select(['id', 'choice']).where('election_id', '=', electionId).orderBy('id'),
  );
  tx.run(build.deleteFrom('ballots').where('election_id', '=', electionId));
  for (const { id, choice } of ballots) tx.run(putBack(electionId, id, choice));
}

const putBack = prepare(
  build.insertInto('ballots').values({ election_id: '', id: '', choice: '' }),
  (electionId: string, id: string, choice: string) => [electionId, id, choice],
);

/** The different ballots, sorted by their bytes, each with how often it was cast. */
async function groupBallots(ctx: Context, electionId: string): Promise<{ choice: string; times: number }[]> {
  return ctx.db
    .selectFrom('ballots')
    .select((of) => ['choice', of.fn.countAll<number>().as('times')])
    .where('election_id', '=', electionId)
    .groupBy('choice')
    .orderBy('choice')
    .execute();
}
