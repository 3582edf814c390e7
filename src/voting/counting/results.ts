import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { hashBallots, readBallots, rewriteInIdOrder } from '#voting/ballots/ballot-store.ts';
import { getTurnout, type Turnout } from '#voting/ballots/tokens.ts';
import {
  type BallotType,
  type Election,
  type ElectionStatus,
  electionStatus,
  findElection,
  listOptions,
} from '#voting/elections/elections.ts';
import { readSettings } from '#voting/elections/settings.ts';
import {
  findManualResults,
  type ManualDisplay,
  type ManualResults,
  summarizeContests,
} from './manual-results.ts';
import { createTally, type TallyResult } from './tally.ts';

/** How long the result of an open election is kept. */
const LIVE_FOR_MS = 1_000;

interface ResultsFrame {
  election_id: string;
  ballot_type: BallotType;
  status: ElectionStatus;
  turnout: Turnout;
}

interface Computed {
  total_ballots: number;
  results: TallyResult;
  /** SHA-256 of the sorted ballots, hex; only once the election is closed. */
  ballot_set_sha256?: string;
  /** Hashes of the inclusion codes, sorted; only once closed, and with the setting. */
  inclusion_hashes?: string[];
}

export type ComputedResultsJson = ResultsFrame & { results_mode: 'computed' } & Computed;

export type ManualResultsJson = ResultsFrame & {
  results_mode: 'manual';
  manual: ManualResults;
  display: ManualDisplay;
  certification: Pick<ManualResults, 'certified_at' | 'certified_by' | 'notes'>;
};

/** The one result object: every page, export and JSON answer renders this and nothing else. */
export type ResultsJson = ComputedResultsJson | ManualResultsJson;

/** Hidden until close, and not closed yet. Every surface asks here. */
export function areResultsHidden(election: Election, now: number): boolean {
  return (
    readSettings(election.settings).hide_results_until_close && electionStatus(election, now) !== 'closed'
  );
}

/** @throws 403 while the results are hidden: for everyone but the officers' preview. */
export function ensureVisible(ctx: Context, election: Election): void {
  if (areResultsHidden(election, ctx.now())) throw forbidden('Results are hidden until the election closes');
}

/**
 * The election's results as the public may see them.
 * @param refresh reads the ballots of an open election afresh instead of a result up to a second old; a count that
 * is under way is shared.
 * @throws 403 while they are hidden
 */
export async function getResults(ctx: Context, election: Election, refresh = false): Promise<ResultsJson> {
  ensureVisible(ctx, election);
  return previewResults(ctx, election, refresh);
}

/** The same for officers, who see them at any time. */
export async function previewResults(
  ctx: Context,
  election: Election,
  refresh = false,
): Promise<ResultsJson> {
  const manual = findManualResults(ctx.db, election.id);
  if (manual) {
    const { certified_at, certified_by, notes } = manual;
    const certification = { certified_at, certified_by, notes };
    return {
      ...resultsFrame(ctx, election),
      turnout: await findTurnout(ctx, election),
      results_mode: 'manual',
      manual,
      display: summarizeContests(manual),
      certification,
    };
  }
  return computeResults(ctx, election, refresh);
}

/** What the ballots say, also where certified results stand in their place. */
export async function computeResults(
  ctx: Context,
  election: Election,
  refresh = false,
): Promise<ComputedResultsJson> {
  return {
    ...resultsFrame(ctx, election),
    results_mode: 'computed',
    ...(await computedResults(ctx, election, refresh)),
  };
}

/** Computes and keeps the results of elections that have closed since the last run, and empties the write-ahead log. */
export async function settleClosedElections(ctx: Context): Promise<void> {
  const elections = ctx.db.all(
    build
      .selectFrom('elections')
      .selectAll()
      .where((where) => where.or([where('close_at', '<=', ctx.now()), where('closed_at', 'is not', null)]))
      .where('id', 'not in', build.selectFrom('results').select('election_id')),
  );
  for (const election of elections) await closedResults(ctx, election);
}

async function computedResults(
  ctx: Context,
  election: Election,
  refresh: boolean,
): Promise<Computed & { turnout: Turnout }> {
  if (electionStatus(election, ctx.now()) === 'closed')
    return { turnout: await findTurnout(ctx, election), ...(await closedResults(ctx, election)) };
  const key = `results ${election.id}`;
  const load = async () => {
    const counted = await count(ctx, election);
    // After the ballots: there are never fewer used tokens than ballots that were counted while votes came in.
    return { turnout: await findTurnout(ctx, election), ...counted };
  };
  return refresh ? ctx.cache.refresh(key, load) : ctx.cache.remember(key, LIVE_FOR_MS, load);
}

async function closedResults(ctx: Context, election: Election): Promise<Computed> {
  const stored = ctx.db.first(
    build.selectFrom('results').select('result').where('election_id', '=', election.id),
  );
  if (stored) return JSON.parse(stored.result);
  // Those who ask in the same moment share one count; from then on the stored one answers.
  const key = closingKey(election);
  return ctx.cache
    .remember(key, LIVE_FOR_MS, () => settle(ctx, election))
    .finally(() => ctx.cache.forget(key));
}

async function settle(ctx: Context, election: Election): Promise<Computed> {
  const result: Computed = {
    ...(await count(ctx, election)),
    ballot_set_sha256: hashBallots(ctx.db, election.id),
  };
  if (readSettings(election.settings).inclusion_codes) {
    const ids = ctx.db.all(
      build.selectFrom('ballots').select('id').where('election_id', '=', election.id).orderBy('id'),
    );
    result.inclusion_hashes = ids.map(({ id }) => id);
  }
  await ctx.write((tx) => {
    const now = findElection(tx, election.id);
    // It may have been deleted, or opened again and even closed again, while its ballots were counted.
    if (!now || electionStatus(now, ctx.now()) !== 'closed' || closingKey(now) !== closingKey(election))
      return;
    const row = { election_id: election.id, result: JSON.stringify(result), computed_at: ctx.now() };
    tx.run(
      build
        .insertInto('results')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    );
    rewriteInIdOrder(tx, election.id);
  });
  // The log holds ballots in the order in which they came; once voting is over it goes.
  ctx.truncateLog();
  return result;
}

async function count(ctx: Context, election: Election): Promise<Computed> {
  const options = listOptions(ctx.db, election.id).map((option) => ({
    ...option,
    is_none_of_the_above: option.is_none_of_the_above === 1,
  }));
  const { quorum, poll_response_type } = readSettings(election.settings);
  const tally = createTally(election.ballot_type, options, { quorum, poll_response_type });
  await readBallots(ctx, election, (choice, times) => tally.add(choice, times));
  return { total_ballots: tally.ballots, results: tally.result() };
}

function resultsFrame(ctx: Context, election: Election): Omit<ResultsFrame, 'turnout'> {
  const { id: election_id, ballot_type } = election;
  return { election_id, ballot_type, status: electionStatus(election, ctx.now()) };
}

/** Codes handed out and used; of a large election they are counted once until anything has changed. */
export function findTurnout(ctx: Context, { id }: Election): Promise<Turnout> {
  return ctx.cache.remember(`turnout ${id}`, LIVE_FOR_MS, () => getTurnout(ctx.db, id), ctx.changes());
}

const closingKey = ({ id, closed_at, close_at, settings }: Election) =>
  `closing ${id} ${closed_at} ${close_at} ${settings}`;
