import { type SqlBool, sql } from 'kysely';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { hashBallots, sortTexts } from '#voting/ballots/ballot-hash.ts';
import { countBallots, listBallotIds, listReceipts } from '#voting/ballots/ballot-store.ts';
import { getTurnout, type Turnout } from '#voting/ballots/tokens.ts';
import { type ChangedCodes, countChangedCodes } from '#voting/ballots/withdrawn-codes.ts';
import {
  type BallotType,
  type Election,
  type ElectionStatus,
  electionStatus,
  findElection,
} from '#voting/elections/elections.ts';
import { advanceElections } from '#voting/elections/lifecycle.ts';
import { coversChoice, readSettings } from '#voting/elections/settings.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { findVoid, type VoidJson } from '#voting/elections/void.ts';
import { ballotSetHead, withValidity } from '#voting/shared/ballot-file.ts';
import { balanceBooks } from './books.ts';
import { listChainDifferences } from './chain-check.ts';
import { listLostResults, noteAnchors } from './lost-results.ts';
import {
  findManualResults,
  type ManualDisplay,
  type ManualResults,
  summarizeContests,
} from './manual-results.ts';
import { ALTERED_BALLOTS } from './recheck.ts';
import { sealElections } from './sealing.ts';
import {
  type Counted,
  closingKey,
  countBallotsOf,
  findSettledResult,
  type SettledResult,
  type StoredResult,
  settleResult,
} from './settled-result.ts';

/** How long the result of an open election is cached. */
const LIVE_FOR_MS = 1_000;

interface ResultsFrame {
  election_id: string;
  ballot_type: BallotType;
  status: ElectionStatus;
  turnout: Turnout;
  /** Set if the election is void: then nothing of this is a valid result. */
  void?: VoidJson;
  /** Codes of single electors that were replaced or withdrawn before they were used; absent without any. */
  codes_changed?: ChangedCodes;
}

/** Facts that are shown beside the result of a closed election. */
interface Published extends Omit<SettledResult, keyof Counted> {
  /** False if the ballots no longer give the settled result, or if something differs from the audit log. */
  result_matches: boolean;
  /** What differs from the audit log; absent if nothing does. */
  differences?: string[];
  /** For each stored ballot the hash of its code, or of code and choice, sorted; only with codes. See `Receipts`. */
  inclusion_hashes?: string[];
}

type Computed = PublishedCount & Partial<Published>;

/** `valid`: whether the quorum was met; true without one. */
type PublishedCount = Counted & { results: { valid?: boolean } };

export type ComputedResultsJson = ResultsFrame & { results_mode: 'computed' } & Computed;

export type ManualResultsJson = ResultsFrame & {
  results_mode: 'manual';
  manual: ManualResults;
  display: ManualDisplay;
  certification: Pick<ManualResults, 'certified_at' | 'certified_by' | 'notes'>;
  /** The counted result, beside the certified figures; once the election is closed. */
  computed?: PublishedCount & Published;
};

/** The results of an election. Every page, export and JSON answer uses only this object. */
export type ResultsJson = ComputedResultsJson | ManualResultsJson;

export const WITHHELD =
  'Results stay hidden: so few ballots came in after the re-opening that they could be read';

/** @throws 403 while the results are hidden, for officers too */
export function ensureVisible(ctx: Context, election: Election): void {
  if (!areResultsHidden(election, ctx.now())) return;
  throw forbidden(
    electionStatus(election, ctx.now()) === 'closed' ? WITHHELD : 'Results are hidden until voting closes',
  );
}

/**
 * Returns the election's results, which are the same for everybody.
 * @param refresh counts the ballots of an open election again instead of using a result up to a second old; a running
 * count is shared.
 * @throws 403 while they are hidden
 */
export async function getResults(ctx: Context, election: Election, refresh = false): Promise<ResultsJson> {
  ensureVisible(ctx, election);
  const manual = findManualResults(ctx.db, election.id);
  if (manual) {
    const { certified_at, certified_by, notes } = manual;
    const certification = { certified_at, certified_by, notes };
    const turnout = await findTurnout(ctx, election);
    const closed = electionStatus(election, ctx.now()) === 'closed';
    return {
      ...resultsFrame(ctx, election),
      turnout,
      results_mode: 'manual',
      manual,
      display: summarizeContests(manual),
      certification,
      ...(closed && { computed: await closedResults(ctx, election, turnout) }),
    };
  }
  return computeResults(ctx, election, refresh);
}

/** Returns the counted result, even if certified results replace it. */
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

/** Closes the elections that are due, and settles the results that are not settled yet. */
export async function settleClosedElections(ctx: Context): Promise<void> {
  await advanceElections(ctx);
  // Sealed elections are settled, so their results, which may have megabytes, are not read.
  const settled = sql<SqlBool>`EXISTS (SELECT 1 FROM results WHERE results.election_id = elections.id
    AND (elections.sealed_at IS NOT NULL OR result ->> 'anchor' IS NOT NULL))`;
  const elections = ctx.db.all(
    build
      .selectFrom('elections')
      .selectAll()
      .where('closed_at', 'is not', null)
      .where((where) => where.not(settled)),
  );
  for (const election of elections) await findOrSettle(ctx, election);
}

async function computedResults(
  ctx: Context,
  election: Election,
  refresh: boolean,
): Promise<Computed & { turnout: Turnout }> {
  if (electionStatus(election, ctx.now()) === 'closed') {
    const turnout = await findTurnout(ctx, election);
    return { turnout, ...(await closedResults(ctx, election, turnout)) };
  }
  const key = `results ${election.id}`;
  const load = async () => {
    const counted = await countBallotsOf(ctx, election);
    // Read after the ballots, so that there are never fewer used tokens than counted ballots while voting is open.
    const results = withValidity(counted.results);
    return { turnout: await findTurnout(ctx, election), ...counted, results };
  };
  return refresh ? ctx.cache.refresh(key, load, LIVE_FOR_MS) : ctx.cache.remember(key, LIVE_FOR_MS, load);
}

/** Returns the settled result, with books that compare it with the rows stored now. */
async function closedResults(
  ctx: Context,
  election: Election,
  turnout: Turnout,
): Promise<PublishedCount & Published> {
  const { matches, ...settled } = await findOrSettle(ctx, election);
  const ballots = await findBallotCount(ctx, election);
  const { vote_entries, tokens_mailed } = settled.books;
  const books = balanceBooks(election, { ballots, turnout, vote_entries, tokens_mailed });
  const codes = readSettings(election.settings).receipts !== 'off' && {
    inclusion_hashes: await listInclusionHashes(ctx, election),
  };
  const { altered, differences } = await compareStored(ctx, election);
  const agrees = !altered && ballots === settled.total_ballots;
  const result_matches = matches && agrees && differences.length === 0;
  return {
    ...settled,
    results: withValidity(settled.results),
    books,
    result_matches,
    ...(differences.length > 0 && { differences }),
    ...codes,
  };
}

/** How long it is remembered whether stored facts agree with the audit log and the ballots. */
const COMPARED_FOR_MS = 10_000;

/**
 * Compares an election's stored facts with the audit log and, after the close, its ballots with their published hash: a
 * change of the database under the running service is noticed by the next visitors.
 * @returns whether the ballots are others, and a sentence for each difference from the log
 */
export function compareStored(
  ctx: Context,
  election: Election,
): Promise<{ altered: boolean; differences: string[] }> {
  return ctx.cache.remember(`compared ${closingKey(election)}`, COMPARED_FOR_MS, async () => {
    const present = findElection(ctx.db, election.id) ?? election;
    const settled = findSettledResult(ctx.db, election.id);
    const differences = [
      ...listChainDifferences(ctx.db, present, settled),
      ...listLostResults(ctx, present.id),
    ];
    const hash = settled && (await hashBallots(ctx, present, ballotSetHead(settled)));
    const altered = hash !== settled?.ballot_set_sha256;
    for (const difference of altered ? [...differences, ALTERED_BALLOTS] : differences)
      ctx.log.error({ election: election.id }, difference);
    return { altered, differences };
  });
}

async function findOrSettle(ctx: Context, election: Election): Promise<StoredResult> {
  const stored = findSettledResult(ctx.db, election.id);
  if (stored) return stored;
  await advanceElections(ctx);
  const present = findElection(ctx.db, election.id) ?? election;
  // Concurrent requests share one count; later requests read the stored result.
  const key = closingKey(present);
  return ctx.cache
    .remember(key, LIVE_FOR_MS, async () => {
      const settled = await settleResult(ctx, present);
      noteAnchors(ctx, [present.id]);
      await sealElections(ctx);
      return settled;
    })
    .finally(() => ctx.cache.forget(key));
}

function resultsFrame(ctx: Context, election: Election): Omit<ResultsFrame, 'turnout'> {
  const { id: election_id, ballot_type } = election;
  const { replaced, withdrawn } = countChangedCodes(ctx.db, election_id);
  const isVoid = findVoid(ctx.db, election);
  return {
    ...(isVoid && { void: isVoid }),
    election_id,
    ballot_type,
    status: electionStatus(election, ctx.now()),
    ...(replaced + withdrawn > 0 && { codes_changed: { replaced, withdrawn } }),
  };
}

/** Counts the issued and used codes. The counts are cached for a second, or until any data changes. */
export function findTurnout(ctx: Context, { id }: Election): Promise<Turnout> {
  return ctx.cache.remember(`turnout ${id}`, LIVE_FOR_MS, () => getTurnout(ctx.db, id), ctx.changes());
}

function listInclusionHashes(ctx: Context, { id, settings }: Election): Promise<string[]> {
  const list = coversChoice(readSettings(settings)) ? listSortedReceipts : listBallotIds;
  const load = () => ctx.queue.inTurns(list(ctx.db, id));
  return ctx.cache.remember(`codes ${id}`, LIVE_FOR_MS, load, ctx.changes());
}

function* listSortedReceipts(reader: Reader, electionId: string): Generator<void, string[]> {
  return yield* sortTexts(yield* listReceipts(reader, electionId));
}

function findBallotCount(ctx: Context, { id }: Election): Promise<number> {
  return ctx.cache.remember(`ballots ${id}`, LIVE_FOR_MS, () => countBallots(ctx.db, id), ctx.changes());
}
