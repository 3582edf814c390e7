import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { chainHead, recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { newCode } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashBallots, hashReceipts } from '#voting/ballots/ballot-hash.ts';
import { readBallots } from '#voting/ballots/ballot-store.ts';
import { readSettings } from '#voting/election-settings.ts';
import { listLots } from '#voting/elections/drawn-lots.ts';
import { type Election, findElection, listOptions } from '#voting/elections/elections.ts';
import { readElectorate } from '#voting/elections/electorate.ts';
import { hashCodes, hashElectors } from '#voting/elections/lifecycle.ts';
import { readQuestion } from '#voting/elections/question.ts';
import {
  type Counted,
  findResultRow,
  findSettledResult,
  type SettledResult,
  type StoredResult,
} from '#voting/elections/stored-result.ts';
import { countBallots } from '#voting/elections/turnout.ts';
import { ballotSetHead, canonical } from '#voting/shared/ballot-file.ts';
import { createTally, lotOrders } from '#voting/shared/ballot-types.ts';
import type { LotFacts } from '#voting/shared/lots.ts';
import type { SeatsRule } from '#voting/shared/seats.ts';
import type { Electorate } from '#voting/shared/tally.ts';
import { takeBooks } from './books.ts';

/** Counts the ballots of a closed election, checks the books, and stores both with an anchor in the audit log. */
export async function settleResult(ctx: Context, election: Election): Promise<StoredResult> {
  // Taken before the count: a ballot stored meanwhile is noticed by the number of ballots at the end.
  const books = await takeBooks(ctx, election);
  const { electors_sha256 } = await ctx.queue.inTurns(hashElectors(ctx.db, election.id));
  const codes = await ctx.queue.inTurns(hashCodes(ctx.db, election.id));
  const receipts_sha256 = await hashReceipts(ctx, election.id);
  const question = election.question ?? readQuestion(ctx.db, election);
  // A result that an earlier version published keeps its hash.
  const isPublished = findResultRow(ctx.db, election.id) !== undefined;
  const committed = isPublished ? {} : { question_sha256: sha256(question), ballot_set_salt: newCode() };
  const ballot_set_sha256 = await hashBallots(ctx, election, ballotSetHead(committed));
  const counted = await countBallotsOf(ctx, election, { ballot_set_sha256 });
  const parts = { ...counted, ballot_set_sha256, ...committed, books, electors_sha256 };
  return ctx.write((tx) => {
    const known = findSettledResult(tx, election.id);
    if (known) return known;
    const now = ctx.now();
    const previous_head = chainHead(tx).head;
    const { total_ballots } = parts;
    const result = (anchor: SettledResult['anchor']): SettledResult => ({ ...parts, anchor });
    const present = findElection(tx, election.id);
    // During the count the election may have been deleted, reopened or even closed again, or a batch of tokens deleted.
    const isSame = present?.closed_at != null && closingKey(present) === closingKey(election);
    if (!isSame || countBallots(tx, election.id) !== books.ballots)
      return { ...result({ head: previous_head, entries: 0, at: isoTime(now) }), matches: true };
    recordAudit(
      tx,
      { ip: SERVICE, at: now },
      {
        action: 'results.settled',
        election_id: election.id,
        metadata: {
          total_ballots,
          books,
          ballot_set_sha256,
          electors_sha256,
          ...codes,
          receipts_sha256,
          ...hashesOf(parts),
          previous_head,
        },
      },
    );
    const stored = result({ ...chainHead(tx), at: isoTime(now) });
    const row = { election_id: election.id, result: JSON.stringify(stored), computed_at: now };
    tx.run(build.replaceInto('results').values(row));
    if (election.question === null)
      tx.run(build.updateTable('elections').set({ question }).where('id', '=', election.id));
    return { ...stored, matches: true };
  });
}

/**
 * Stores the books of a vote that became void before its close, with an anchor in the audit log. Nothing is counted, and
 * no check number is made.
 */
export async function storeVoidBooks(ctx: Context, election: Election): Promise<void> {
  const books = await takeBooks(ctx, election);
  const { electors_sha256 } = await ctx.queue.inTurns(hashElectors(ctx.db, election.id));
  await ctx.write((tx) => {
    const present = findElection(tx, election.id);
    if (!present || closingKey(present) !== closingKey(election) || findResultRow(tx, election.id)) return;
    const at = ctx.now();
    const metadata = { books, electors_sha256, previous_head: chainHead(tx).head };
    recordAudit(
      tx,
      { ip: SERVICE, at },
      { action: 'election.void_books_taken', election_id: election.id, metadata },
    );
    const result = JSON.stringify({ books, electors_sha256, anchor: { ...chainHead(tx), at: isoTime(at) } });
    tx.run(build.insertInto('results').values({ election_id: election.id, result, computed_at: at }));
  });
}

/**
 * The hashes of question and figures for the audit log. The salt keeps readers of the log from finding the figures by
 * trying. None for results in the form of earlier versions.
 */
export const hashesOf = ({ question_sha256, ballot_set_salt, results }: Omit<SettledResult, 'anchor'>) =>
  ballot_set_salt && {
    question_sha256,
    results_sha256: sha256(`${ballot_set_salt}\n${canonical(results)}`),
  };

/**
 * Counts the ballots of an election as they are stored now.
 * @param facts the electorate, by default as the codes are stored now; after the close what decides lots; of a settled
 * result the rule of its seats
 */
export async function countBallotsOf(
  ctx: Pick<Context, 'db' | 'queue'>,
  election: Election,
  {
    electorate = readElectorate(ctx.db, election),
    seats_rule,
    ...facts
  }: { electorate?: Partial<Electorate>; seats_rule?: SeatsRule } & LotFacts = {},
): Promise<Counted> {
  const options = listOptions(ctx.db, election.id).map((option) => ({
    ...option,
    is_none_of_the_above: option.is_none_of_the_above === 1,
    withdrawn: option.withdrawn_at !== null,
  }));
  const settings = { ...readSettings(election.settings), ...electorate, seats_rule };
  const { ballot_set_sha256, lots = ballot_set_sha256 ? listLots(ctx.db, election.id) : [] } = facts;
  const tally = createTally(election.ballot_type, options, settings);
  await readBallots(ctx, election, (choice, times) => tally.add(choice, times));
  const orders = lotOrders(election.ballot_type, options, { ballot_set_sha256, lots, lot: settings.lot });
  const results = await ctx.queue.inTurns(tally.inTurns(orders));
  return { total_ballots: tally.ballots, ...electorate, results };
}

/** The electorate with which a result was settled; none in results of earlier versions. */
export const electorateOf = ({
  electors,
  present,
  quorate,
  door,
}: Partial<Electorate>): Partial<Electorate> => ({
  ...(door !== undefined && { door }),
  ...(electors !== undefined && { electors }),
  ...(present !== undefined && { present }),
  ...(quorate !== undefined && { quorate }),
});

/** Identifies the state of an election for which a count was started. */
export const closingKey = ({ id, closed_at, close_at, settings, tokens_deleted, paper_ballots }: Election) =>
  `closing ${id} ${closed_at} ${close_at} ${settings} ${tokens_deleted} ${paper_ballots}`;
