import { sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Query, type Reader } from '#kernel/db/queries.ts';
import { countChangedCodes } from '#voting/ballots/withdrawn-codes.ts';
import type { Election } from '#voting/elections/elections.ts';
import { invitesOf } from '#voting/elections/issuers.ts';
import type { Books } from '#voting/elections/stored-result.ts';
import { countTokensMade, type Turnout } from '#voting/elections/turnout.ts';

/** Rows counted in one turn, which takes up to a few milliseconds. */
const PAGE = 2_000;

/** Counts an election's ballots, tokens and audit entries, page by page; other requests can run between the pages. */
export async function takeBooks(ctx: Pick<Context, 'db' | 'queue'>, election: Election): Promise<Books> {
  const { db, queue } = ctx;
  const { id } = election;
  const { counted: vote_entries } = await queue.inTurns(countPages(db, voteEntries, id, 0));
  const { rows: ballots } = await queue.inTurns(countPages(db, ballotRows, id, ''));
  const tokens = await queue.inTurns(countPages(db, tokenRows, id, ''));
  const { counted: mailed } = await queue.inTurns(countPages(db, inviteRows, id, ''));
  const tokens_mailed = mailed + countChangedCodes(db, id).mailed;
  const turnout = {
    issued: tokens.rows + election.used_tokens_deleted,
    used: tokens.counted + election.used_tokens_deleted,
  };
  return balanceBooks(election, { ballots, turnout, vote_entries, tokens_mailed });
}

/** Computes the books from counted numbers. @param counted `turnout` is of codes alone */
export function balanceBooks(
  election: Pick<Election, 'tokens_deleted' | 'used_tokens_deleted' | 'paper_ballots'>,
  counted: { ballots: number; turnout: Turnout; vote_entries: number; tokens_mailed: number },
): Books {
  const { ballots, turnout, vote_entries, tokens_mailed } = counted;
  const tokens_used = turnout.used;
  const { paper_ballots: paper } = election;
  return {
    ballots,
    tokens_used,
    vote_entries,
    tokens_made: countTokensMade(election, turnout),
    tokens_mailed,
    tokens_deleted: election.tokens_deleted,
    ...(paper > 0 && { paper }),
    balanced: ballots === tokens_used + paper && ballots === vote_entries,
  };
}

/** One page of an election's rows: their number, how many of them are counted, and the key of the last one. */
interface Page<Key> {
  rows: number;
  counted: number;
  last: Key | null;
}

/** Counts rows page by page, in the order of their key. */
function* countPages<Key>(
  reader: Reader,
  pageAfter: (values: { election_id: string; after: Key }) => Query<Page<Key>>,
  election_id: string,
  first: Key,
): Generator<void, { rows: number; counted: number }> {
  const sum = { rows: 0, counted: 0 };
  for (let after: Key | null = first; after !== null; ) {
    const page: Page<Key> = reader.first(pageAfter({ election_id, after }))!;
    sum.rows += page.rows;
    sum.counted += page.counted;
    after = page.rows < PAGE ? null : page.last;
    yield;
  }
  return sum;
}

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
      of.fn.countAll<number>().as('rows'),
      sql<number>`count(*) FILTER (WHERE action = 'vote.submitted')`.as('counted'),
      sql<number | null>`max(seq)`.as('last'),
    ]),
);

const ballotRows = prepare((p: { election_id: string; after: string }) =>
  build
    .selectFrom(
      build
        .selectFrom('ballots')
        .select('id')
        .where('election_id', '=', p.election_id)
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(sql.lit(PAGE))
        .as('page'),
    )
    .select((of) => [
      of.fn.countAll<number>().as('rows'),
      of.fn.countAll<number>().as('counted'),
      sql<string | null>`max(id)`.as('last'),
    ]),
);

/** Counts the used tokens. */
const tokenRows = prepare((p: { election_id: string; after: string }) =>
  build
    .selectFrom(
      build
        .selectFrom('tokens')
        .select(['token_hash', 'used_at'])
        .where('election_id', '=', p.election_id)
        .where('token_hash', '>', p.after)
        .orderBy('token_hash')
        .limit(sql.lit(PAGE))
        .as('page'),
    )
    .select((of) => [
      of.fn.countAll<number>().as('rows'),
      of.fn.count<number>('used_at').as('counted'),
      sql<string | null>`max(token_hash)`.as('last'),
    ]),
);

/** Counts the invites that were mailed with a token. */
const inviteRows = prepare((p: { election_id: string; after: string }) =>
  build
    .selectFrom(
      build
        .selectFrom('invites')
        .select(['id', 'sent_at', 'token_hash'])
        .where('election_id', '=', invitesOf(p.election_id))
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(sql.lit(PAGE))
        .as('page'),
    )
    .select((of) => [
      of.fn.countAll<number>().as('rows'),
      sql<number>`count(sent_at) FILTER (WHERE token_hash IS NOT NULL)`.as('counted'),
      sql<string | null>`max(id)`.as('last'),
    ]),
);
