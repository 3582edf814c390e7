import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { countBallots } from '#voting/ballots/ballot-store.ts';
import { getTurnout, type Turnout } from '#voting/ballots/tokens.ts';
import type { Election } from '#voting/elections/elections.ts';

/** What must agree about an election: ballots stored, tokens used, votes in the audit log. */
export interface Books {
  ballots: number;
  /** Of deleted batches too. */
  tokens_used: number;
  vote_entries: number;
  /** All that were ever made, deleted ones included. */
  tokens_made: number;
  tokens_mailed: number;
  tokens_deleted: number;
  /** ballots = tokens_used = vote_entries */
  balanced: boolean;
}

/** Entries of the audit log counted in one turn. */
const PAGE = 5_000;

/** Counts an election's ballots, tokens and audit entries, in pieces between which other requests have their turn. */
export async function takeBooks(ctx: Pick<Context, 'db' | 'queue'>, election: Election): Promise<Books> {
  const vote_entries = await countVoteEntries(ctx, election.id);
  return balanceBooks(election, {
    ballots: countBallots(ctx.db, election.id),
    turnout: getTurnout(ctx.db, election.id),
    vote_entries,
    tokens_mailed: countMailed(ctx.db, election.id),
  });
}

/** Books of numbers that were counted before. */
export function balanceBooks(
  { tokens_deleted, used_tokens_deleted }: Pick<Election, 'tokens_deleted' | 'used_tokens_deleted'>,
  counted: { ballots: number; turnout: Turnout; vote_entries: number; tokens_mailed: number },
): Books {
  const { ballots, turnout, vote_entries, tokens_mailed } = counted;
  const tokens_used = turnout.used + used_tokens_deleted;
  return {
    ballots,
    tokens_used,
    vote_entries,
    tokens_made: turnout.issued + tokens_deleted,
    tokens_mailed,
    tokens_deleted,
    balanced: ballots === tokens_used && ballots === vote_entries,
  };
}

async function countVoteEntries(
  { db, queue }: Pick<Context, 'db' | 'queue'>,
  electionId: string,
): Promise<number> {
  let votes = 0;
  for (let after = 0; ; ) {
    await queue.turn();
    const page = db.first(voteEntries({ election_id: electionId, after }))!;
    votes += page.votes;
    if (page.entries < PAGE) return votes;
    after = page.last;
  }
}

/** The election's next entries in the audit log: how many, those of them that are votes, and the last one's number. */
const voteEntries = prepare((p: { election_id: string; after: number }) =>
  build
    .selectFrom(
      build
        .selectFrom('audit_log')
        .select(['seq', 'action'])
        .where('election_id', '=', p.election_id)
        .where('seq', '>', p.after)
        .orderBy('seq')
        .limit(sql.lit(PAGE))
        .as('page'),
    )
    .select((of) => [
      of.fn.countAll<number>().as('entries'),
      sql<number>`count(*) FILTER (WHERE action = 'vote.submitted')`.as('votes'),
      sql<number>`coalesce(max(seq), 0)`.as('last'),
    ]),
);

function countMailed(reader: Reader, electionId: string): number {
  const { mailed } = reader.first(
    build
      .selectFrom('invites')
      .select((of) => of.fn.count<number>('sent_at').as('mailed'))
      .where('election_id', '=', electionId)
      .where('token_hash', 'is not', null),
  )!;
  return mailed;
}
