import { isDeepStrictEqual } from 'node:util';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { hashBallots } from '#voting/ballots/ballot-hash.ts';
import type { Election } from '#voting/elections/elections.ts';
import { recordOpenQuestions } from '#voting/elections/question.ts';
import { findSettledResult, type StoredResult } from '#voting/elections/stored-result.ts';
import { ballotSetHead, listDifferences as listDifferentKeys } from '#voting/shared/ballot-file.ts';
import { seatsRuleIn } from '#voting/shared/seats.ts';
import { takeBooks } from './books.ts';
import { listChainDifferences } from './chain-check.ts';
import { changedCodes, listCodeDifferences } from './code-check.ts';
import { LOGGED, unreadable } from './differences.ts';
import { noteAnchors } from './lost-results.ts';
import { countBallotsOf, electorateOf } from './settled-result.ts';

/** Elections that closed longer ago are counted again only by `npm run audit:verify`. */
const RECENT = 30 * DAY;

/**
 * Counts recently closed elections again, stores whether their results still hold, and logs differences, also of
 * elections that are open.
 */
export async function recheckRecentResults(ctx: Context): Promise<void> {
  await recordOpenQuestions(ctx);
  noteAnchors(ctx);
  for (const election of ctx.db.all(openElections))
    for (const difference of await listDifferences(ctx, election))
      ctx.log.error({ election: election.id }, difference);
  const closed = build
    .selectFrom('elections')
    .selectAll()
    .where('closed_at', '>', ctx.now() - RECENT);
  for (const election of ctx.db.all(closed)) await recheckResult(ctx, election);
}

const openElections = build
  .selectFrom('elections')
  .selectAll()
  .where('opened_at', 'is not', null)
  .where('closed_at', 'is', null)
  .compile();

/** Counts a closed election again, stores whether its result still holds, and logs differences. */
export async function recheckResult(ctx: Context, election: Election): Promise<void> {
  const settled = findSettledResult(ctx.db, election.id);
  if (!settled) return;
  const differences = await listDifferences(ctx, election);
  const matches = differences.length === 0 ? 1 : 0;
  for (const difference of differences) ctx.log.error({ election: election.id }, difference);
  if (settled.matches === (matches === 1)) return;
  await ctx.write((tx) => {
    // Re-opened meanwhile: the next run looks at the new result.
    if (!isDeepStrictEqual(findSettledResult(tx, election.id), settled)) return;
    tx.run(build.updateTable('results').set({ matches }).where('election_id', '=', election.id));
  });
}

/**
 * Returns an English sentence for each thing in an election that does not agree. Before its result is settled, only
 * facts, question and voting codes are compared. What cannot be read any more does not agree either.
 */
export async function listDifferences(
  ctx: Pick<Context, 'db' | 'queue'>,
  election: Election,
): Promise<string[]> {
  const settled = findSettledResult(ctx.db, election.id);
  const parts = [
    ...(settled ? [() => listCountDifferences(ctx, election, settled)] : []),
    async () => listChainDifferences(ctx.db, election, settled).map(({ english }) => english),
    () => listCodeDifferences(ctx, election, settled),
  ];
  const found: string[] = [];
  for (const part of parts) found.push(...(await part().catch((error) => [unreadable(error)])));
  return found;
}

/** Counts the ballots again, and compares them with what was settled. */
async function listCountDifferences(
  ctx: Pick<Context, 'db' | 'queue'>,
  election: Election,
  settled: StoredResult,
): Promise<string[]> {
  const {
    ballots,
    tokens_used,
    tokens_made,
    vote_entries,
    paper = 0,
    balanced,
  } = await takeBooks(ctx, election);
  const { total_ballots, ballot_set_sha256, books, anchor } = settled;
  const counted = await countBallotsOf(ctx, election, {
    electorate: electorateOf(settled),
    seats_rule: seatsRuleIn(settled.results),
    ballot_set_sha256,
  });
  const checkNumber = await hashBallots(ctx, election, ballotSetHead(settled));
  return [
    ...(balanced
      ? []
      : [
          `${ballots} ballots, but ${tokens_used} voting codes were used${
            paper > 0 ? `, ${paper} ballots came on paper,` : ''
          } and the log has ${vote_entries} votes`,
        ]),
    ...(counted.total_ballots === total_ballots &&
    listDifferentKeys(counted.results, settled.results).length === 0
      ? []
      : [
          `the ${counted.total_ballots} ballots give another result than the ${total_ballots} that were settled`,
        ]),
    ...(checkNumber === ballot_set_sha256 ? [] : [LOGGED.altered]),
    // A code that is withdrawn, returned or lost stays one that was made.
    ...(tokens_made === books.tokens_made || changedCodes(ctx.db, election.id, anchor.entries)
      ? []
      : [`${tokens_made} voting codes were made, but ${books.tokens_made} at the close`]),
  ];
}
