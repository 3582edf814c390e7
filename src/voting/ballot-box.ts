import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/writes.ts';
import { ballotSetHash } from './ballot-set.ts';
import type { Election } from './elections.ts';

/** Ballots read in one turn: less than a millisecond. */
const PAGE = 500;

/**
 * Reads every ballot of an election in one pass, in the order of their random ids, in pieces between which other
 * requests have their turn. A ballot that is cast meanwhile may be read or not. Ballots of which there are few
 * different ones (simple, poll) come counted.
 */
export async function readBallots(
  ctx: Context,
  { id: electionId, ballot_type }: Pick<Election, 'id' | 'ballot_type'>,
  each: (choice: string, times: number) => void,
): Promise<void> {
  const readPage = ballot_type === 'RANKED_CONDORCET' ? ballotsAfter : choicesAfter;
  let last = '';
  for (let read = PAGE; read === PAGE; ) {
    await ctx.queue.turn();
    const page = await readPage(ctx, electionId, last).execute();
    read = 0;
    for (const { id, choice, times } of page) {
      each(choice, times);
      read += times;
      if (id > last) last = id;
    }
  }
}

/** The next ballots, in the order of their ids. */
function ballotsAfter({ db }: Context, electionId: string, id: string) {
  return db
    .selectFrom('ballots')
    .select(['id', 'choice', sql.lit(1).as('times')])
    .where('election_id', '=', electionId)
    .where('id', '>', id)
    .orderBy('id')
    .limit(sql.lit(PAGE));
}

/** The same by their choices, each with the last id. */
function choicesAfter(ctx: Context, electionId: string, id: string) {
  return ctx.db
    .selectFrom(ballotsAfter(ctx, electionId, id).as('page'))
    .select((of) => ['choice', of.fn.sum<number>('times').as('times'), of.fn.max<string>('id').as('id')])
    .groupBy('choice');
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
