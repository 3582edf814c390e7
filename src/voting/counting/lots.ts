import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { linesOf } from '#kernel/http/form.ts';
import { requiredName } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { hashBallots } from '#voting/ballots/ballot-hash.ts';
import { insertLot, listLots } from '#voting/elections/drawn-lots.ts';
import { type Election, getElection } from '#voting/elections/elections.ts';
import { findSettledResult, type StoredResult } from '#voting/elections/stored-result.ts';
import { ballotSetHead } from '#voting/shared/ballot-file.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import { type SeatsResult, seatsRuleIn } from '#voting/shared/seats.ts';
import { isVotedOnAgain } from './follow-up.ts';
import { countBallotsOf, electorateOf, hashesOf } from './settled-result.ts';

const WITNESSES_AT_MOST = 20;

const names = z
  .array(requiredName(200), coded('not_list_of_names'))
  .max(WITNESSES_AT_MOST, coded('too_many_entries', { max: WITNESSES_AT_MOST }));

/** The order in which the tied were drawn, by id, who drew it, and who saw it: a list, or a name on each line. */
export const LotInput = z.object({
  order: z.array(z.string(), coded('not_ids')),
  drawn_by: requiredName(200),
  witnesses: z.preprocess((value) => (typeof value === 'string' ? linesOf(value) : value), names).default([]),
});

/** The candidates or options between whom a lot is to be drawn, or can be; undefined where there is no such tie. */
export const findAwaited = (reader: Reader, election: Election): string[] | undefined =>
  findAwaiting(reader, election)?.tied;

/** The same with the result that waits. */
export function findAwaiting(reader: Reader, election: Election) {
  const settled = findSettledResult(reader, election.id);
  if (!settled || election.closed_at === null || election.voided_at !== null) return undefined;
  // Without its quorum nobody is elected, whatever a lot would say.
  const tied = settled.results.valid === false ? undefined : awaitedIn(settled.results);
  // Two people would have one seat: by the lot, and by the vote on it.
  return tied && !isVotedOnAgain(reader, election.id) ? { tied, settled } : undefined;
}

/** Those who wait for a lot. Of a tie over the last seats a new vote can decide too, so that no lot is waited for. */
function awaitedIn(results: TallyResult): string[] | undefined {
  const { awaiting_lot, tied_for_last = [] } = results as Partial<SeatsResult>;
  return awaiting_lot ?? (tied_for_last.length > 0 ? tied_for_last : undefined);
}

/**
 * Stores a lot that was drawn by hand, and the result that it gives. Another lot may be awaited then.
 * @param also what becomes of it in a meeting
 * @throws 404; 400 if the order is not that of all who are tied; 409 if no lot is awaited
 */
export async function drawLot(
  ctx: Context,
  id: string,
  input: z.output<typeof LotInput>,
  actor: Actor,
  also: (tx: Tx) => void = () => {},
): Promise<void> {
  const election = getElection(ctx.db, id);
  if (election.papers_awaited === 1) throw conflict('papers_awaited');
  const waiting = findAwaiting(ctx.db, election);
  if (!waiting) throw conflict('no_lot_awaited');
  const { tied, settled } = waiting;
  if (!isDeepStrictEqual(input.order.toSorted(), tied.toSorted()))
    throw badField('order', 'not_order_of_tied', { ids: tied });
  const results = await countWith(ctx, election, settled, input.order);
  await ctx.write((tx) => {
    // Meanwhile somebody else may have drawn it, or the election was opened again or deleted.
    const present = findSettledResult(tx, id);
    if (!present || !isDeepStrictEqual(present, settled)) throw conflict('no_lot_awaited');
    insertLot(tx, id, input, actor.at);
    const { matches: _, ...stored } = { ...settled, results };
    tx.run(
      build
        .updateTable('results')
        .set({ result: JSON.stringify(stored) })
        .where('election_id', '=', id),
    );
    const { drawn_by, witnesses, order } = input;
    const { results_sha256 } = hashesOf(stored) || {};
    recordAudit(tx, actor, {
      action: 'election.lot_drawn',
      election_id: id,
      metadata: { order, results_sha256 },
      personal: { drawn_by, witnesses },
    });
    also(tx);
  });
}

/** Counts the ballots with one more lot. @throws 409 if they are not those that were settled */
async function countWith(
  ctx: Context,
  election: Election,
  settled: StoredResult,
  order: readonly string[],
): Promise<TallyResult> {
  const { ballot_set_sha256 } = settled;
  const lots = [...listLots(ctx.db, election.id), { order }];
  const seats_rule = seatsRuleIn(settled.results);
  const facts = { electorate: electorateOf(settled), seats_rule, ballot_set_sha256, lots };
  const { results } = await countBallotsOf(ctx, election, facts);
  if ((await hashBallots(ctx, election, ballotSetHead(settled))) !== ballot_set_sha256)
    throw conflict('ballots_altered');
  return results;
}
