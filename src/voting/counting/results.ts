import { type SqlBool, sql } from 'kysely';
import type { Permission } from '#kernel/access/roles.ts';
import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { forbidden } from '#kernel/http/errors.ts';
import type { Note } from '#kernel/language/words.ts';
import { hashBallots, sortTexts } from '#voting/ballots/ballot-hash.ts';
import { listBallotIds, listReceipts } from '#voting/ballots/ballot-store.ts';
import { type ChangedCodes, countChangedCodes } from '#voting/ballots/withdrawn-codes.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { listLots } from '#voting/elections/drawn-lots.ts';
import {
  type BallotType,
  type Election,
  type ElectionStatus,
  electionStatus,
  findElection,
  getElection,
  listOptions,
  type OptionRow,
} from '#voting/elections/elections.ts';
import { readElectorate } from '#voting/elections/electorate.ts';
import { findTwo } from '#voting/elections/history.ts';
import { openAndCloseDue } from '#voting/elections/lifecycle.ts';
import { type ShownTurnout, shownTurnout } from '#voting/elections/shown-turnout.ts';
import {
  type Books,
  type Counted,
  figuresOf,
  findSettledResult,
  findVoidBooks,
  type SettledResult,
  type StoredResult,
} from '#voting/elections/stored-result.ts';
import {
  type Channels,
  channelsOf,
  countBallots,
  getTurnout,
  type Turnout,
} from '#voting/elections/turnout.ts';
import { areResultsHidden, hasNoFigures, whyHidden } from '#voting/elections/visibility.ts';
import { findVoid, type VoidJson } from '#voting/elections/void.ts';
import { ballotSetHead } from '#voting/shared/ballot-file.ts';
import { completeResult } from '#voting/shared/ballot-types.ts';
import type { DrawnLot } from '#voting/shared/lots.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import { balanceBooks } from './books.ts';
import { listChainDifferences } from './chain-check.ts';
import { LOGGED } from './differences.ts';
import { listLostResults, noteAnchors } from './lost-results.ts';
import {
  type CertifiedBeside,
  findCertifiedBeside,
  findManualResults,
  type ManualDisplay,
  type ManualResults,
  summarizeContests,
} from './manual-results.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { sealElections } from './sealing.ts';
import { closingKey, countBallotsOf, electorateOf, settleResult, storeVoidBooks } from './settled-result.ts';

interface Withdrawn {
  id: string;
  name: string;
  note: string;
  /** The two people who withdrew it together, in a meeting. */
  by?: Note;
}

interface ResultsFrame {
  election_id: string;
  ballot_type: BallotType;
  status: ElectionStatus;
  turnout: ShownTurnout;
  /** How many voted online and how many on paper; absent without ballots on paper. */
  channels?: Channels;
  /** Papers that tellers found invalid, which are no ballots; absent without any. */
  invalid?: number;
  /** Set if the election is void: then nothing of this is a valid result. */
  void?: VoidJson;
  /** Candidates or options that were taken off all ballots before the count; absent without any. */
  withdrawn?: Withdrawn[];
  /** Certified figures that stand beside the count, of a question of a meeting. */
  certified?: CertifiedBeside;
  /** Codes of single electors that were replaced or withdrawn before they were used; absent without any. */
  codes_changed?: ChangedCodes;
}

/** Facts that are shown beside the result of a closed election. */
interface Published extends Omit<SettledResult, keyof Counted> {
  /** False if the ballots no longer give the settled result, or if something differs from the audit log. */
  result_matches: boolean;
  /** What differs from the audit log; absent if nothing does. */
  differences?: Note[];
  /** For each stored ballot the hash of its code, or of code and choice, sorted; only with codes. See `Receipts`. */
  inclusion_hashes?: string[];
  /** The lots that were drawn by hand; absent without any. */
  lots?: DrawnLot[];
}

export type ComputedResultsJson = ResultsFrame & { results_mode: 'computed' } & Counted & Partial<Published>;

export type ManualResultsJson = ResultsFrame & {
  results_mode: 'manual';
  manual: ManualResults;
  display: ManualDisplay;
  /** What follows from the certified figures by the rules of the question, where it has any. */
  outcome?: Outcome;
  certification: Pick<ManualResults, 'certified_at' | 'certified_by' | 'notes'>;
  /** The counted result, beside the certified figures; once the election is closed. */
  computed?: Counted & Published;
};

/** Of a vote that is void without figures: turnout and books alone, see `hasNoFigures`. */
export type VoidResultsJson = Pick<ResultsFrame, 'election_id' | 'ballot_type' | 'status' | 'turnout'> & {
  results_mode: 'void';
  void: VoidJson;
  /** Once they are taken. */
  books?: Books;
};

/** The results of an election. Every page, export and JSON answer uses only this object. */
export type ResultsJson = ComputedResultsJson | ManualResultsJson | VoidResultsJson;

/** @param granted see `whyHidden` @throws 403 while the figures are hidden, and for ever if there are none */
export function ensureVisible(ctx: Context, election: Election, granted?: ReadonlySet<Permission>): void {
  const why = hasNoFigures(election) ? 'results_void' : whyHidden(election, ctx.now(), granted);
  if (why !== undefined) throw forbidden(why);
}

/** Everything that is known of an election's result. The functions below shape it; nothing else is read for them. */
export interface Result {
  election: Election;
  status: ElectionStatus;
  void: VoidJson | undefined;
  changedCodes: ChangedCodes;
  options: OptionRow[];
  withdrawn: Withdrawn[];
  /** The certified results, which replace the counted ones. */
  manual: ManualResults | undefined;
  /** Those of a question of a meeting, which do not. */
  certified: CertifiedBeside | undefined;
  turnout: Turnout;
  counted: Counted;
  /** Once the election is closed. */
  closed?: Closed;
}

/** The settled result of a closed election, and how it agrees with what is stored now. */
interface Closed {
  settled: SettledResult;
  books: Books;
  matches: boolean;
  differences: Note[];
  /** With codes only. */
  hashes: string[] | undefined;
  lots: DrawnLot[];
}

/**
 * Loads the result of an election, also while it is hidden.
 * @param refresh counts the ballots of an open election again instead of using a count up to a second old; a running
 * count is shared.
 */
export async function loadResult(ctx: Context, election: Election, refresh = false): Promise<Result> {
  const { id } = election;
  const status = electionStatus(election, ctx.now());
  const certified = findCertifiedBeside(ctx.db, election);
  const options = listOptions(ctx.db, id);
  return {
    ...(status === 'closed' ? await loadClosed(ctx, election) : await countLive(ctx, election, refresh)),
    election,
    status,
    void: findVoid(ctx.db, election),
    changedCodes: countChangedCodes(ctx.db, id),
    options,
    withdrawn: listWithdrawn(ctx.db, id, options),
    manual: certified ? undefined : findManualResults(ctx.db, id),
    certified,
  };
}

const listWithdrawn = (reader: Reader, electionId: string, options: readonly OptionRow[]): Withdrawn[] =>
  options
    .filter(({ withdrawn_at }) => withdrawn_at !== null)
    .map(({ id, name, withdrawn_note }) => {
      const isMeant = ({ option }: Record<string, unknown>) => option === id;
      const by =
        findTwo(reader, electionId, 'option.withdrawn', isMeant) ??
        findTwo(reader, electionId, 'candidate.withdrawn', isMeant);
      return { id, name, note: withdrawn_note ?? '', ...(by !== undefined && { by }) };
    });

/**
 * Returns the election's results, which are the same for everybody who sees them.
 * @param refresh see `loadResult` @param granted see `whyHidden`
 * @throws 403 while they are hidden
 */
export async function getResults(
  ctx: Context,
  election: Election,
  { refresh = false, granted }: { refresh?: boolean; granted?: ReadonlySet<Permission> | undefined } = {},
): Promise<ResultsJson> {
  const isVoid = hasNoFigures(election) && findVoid(ctx.db, election);
  if (isVoid) return voidJson(ctx, election, isVoid);
  ensureVisible(ctx, election, granted);
  return resultsJson(await loadResult(ctx, election, refresh));
}

function voidJson({ db, now }: Context, election: Election, isVoid: VoidJson): VoidResultsJson {
  const books = findVoidBooks(db, election.id);
  return {
    void: isVoid,
    election_id: election.id,
    ballot_type: election.ballot_type,
    status: electionStatus(election, now()),
    results_mode: 'void',
    turnout: shownTurnout(readElectorate(db, election), getTurnout(db, election.id)),
    ...(books && { books }),
  };
}

function resultsJson(result: Result): ResultsJson {
  const { manual } = result;
  const turnout = shownTurnout(result.counted, result.turnout);
  if (!manual) return computedJson(result);
  const { certified_at, certified_by, notes } = manual;
  return {
    ...frameOf(result),
    turnout,
    results_mode: 'manual',
    manual,
    display: summarizeContests(manual),
    ...(isRuled(result) && { outcome: certifiedOutcome(result, manual) }),
    certification: { certified_at, certified_by, notes },
    ...(result.closed && { computed: publishedOf(result.closed) }),
  };
}

/** Whether a question has rules by which more than the most votes decides. */
function isRuled({ election, counted }: Result): boolean {
  const { majority, threshold, seats, quorum, quorum_share } = readSettings(election.settings);
  const isSet = [majority, threshold, seats, quorum, quorum_share].some((rule) => rule !== null);
  return isSet || counted.quorate !== undefined;
}

const certifiedOutcome = ({ election, counted, options }: Result, { results }: ManualResults): Outcome =>
  outcomeOf(election, electorateOf(counted), {
    way: 'certified',
    results,
    options: options
      .filter(({ withdrawn_at }) => withdrawn_at === null)
      .map((option) => ({ ...option, is_none_of_the_above: option.is_none_of_the_above === 1 })),
  });

/** The counted result, even if certified results replace it. */
export function computedJson(result: Result): ComputedResultsJson {
  const { counted, closed } = result;
  const turnout = shownTurnout(counted, result.turnout);
  return {
    ...frameOf(result),
    results_mode: 'computed',
    turnout,
    ...(closed ? publishedOf(closed) : counted),
  };
}

function frameOf(result: Result): Omit<ResultsFrame, 'turnout'> {
  const { election, status, changedCodes, certified, turnout, withdrawn: gone, void: isVoid } = result;
  const channels = channelsOf(election, turnout);
  const { replaced, withdrawn } = changedCodes;
  return {
    ...(isVoid && { void: isVoid }),
    ...(certified && { certified }),
    election_id: election.id,
    ballot_type: election.ballot_type,
    status,
    ...(channels && { channels }),
    ...(election.invalid_papers > 0 && { invalid: election.invalid_papers }),
    ...(gone.length > 0 && { withdrawn: gone }),
    ...(replaced + withdrawn > 0 && { codes_changed: { replaced, withdrawn } }),
  };
}

const publishedOf = ({
  settled,
  books,
  matches,
  differences,
  hashes,
  lots,
}: Closed): Counted & Published => ({
  ...settled,
  books,
  result_matches: matches,
  ...(differences.length > 0 && { differences }),
  ...(hashes && { inclusion_hashes: hashes }),
  ...(lots.length > 0 && { lots }),
});

/**
 * The figures that everybody sees of an election that has not closed, in a line; undefined where nobody does. A pause
 * hides no figures that were seen before.
 */
export async function liveFigures(ctx: Context, id: string): Promise<string | undefined> {
  const election = getElection(ctx.db, id);
  const isLive = election.opened_at !== null && electionStatus(election, ctx.now()) !== 'closed';
  if (!isLive || areResultsHidden(election, ctx.now())) return undefined;
  const { counted } = await loadResult(ctx, election, true);
  return counted.total_ballots === 0 ? undefined : figuresOf(election, counted);
}

/** Closes the elections that are due, and settles the results that are not settled yet. */
export async function settleClosedElections(ctx: Context): Promise<void> {
  await openAndCloseDue(ctx);
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
  for (const election of elections)
    await (hasNoFigures(election) ? settleVoid(ctx, election) : findOrSettle(ctx, election));
}

/** By election. */
const LIVE = kept<Promise<Pick<Result, 'counted' | 'turnout'>>>({ age: SECOND });

function countLive(ctx: Context, election: Election, refresh: boolean) {
  const load = async () => {
    const counted = await countBallotsOf(ctx, election);
    // Read after the ballots, so that there are never fewer used tokens than counted ballots while voting is open.
    return { counted, turnout: getTurnout(ctx.db, election.id) };
  };
  return refresh ? ctx.cache.refresh(LIVE, election.id, load) : ctx.cache.get(LIVE, election.id, load);
}

/** Loads the settled result, and compares it with the rows stored now. */
async function loadClosed(
  ctx: Context,
  election: Election,
): Promise<Pick<Result, 'counted' | 'turnout' | 'closed'>> {
  const { matches, ...stored } = await findOrSettle(ctx, election);
  const settled = { ...stored, results: completeResult(election.ballot_type, stored.results) };
  const { ballots, turnout, hashes } = await readRows(ctx, election);
  const { vote_entries, tokens_mailed } = settled.books;
  const codes = { ...turnout, used: turnout.used - election.paper_ballots };
  const books = balanceBooks(election, { ballots, turnout: codes, vote_entries, tokens_mailed });
  const { altered, differences } = await compareStored(ctx, election);
  const agrees = !altered && ballots === settled.total_ballots;
  return {
    turnout,
    counted: settled,
    closed: {
      settled,
      books,
      matches: matches && agrees && differences.length === 0,
      differences,
      hashes,
      lots: decidesByLot(settled.results) ? listLots(ctx.db, election.id) : [],
    },
  };
}

/** Whether a lot decided: one that was drawn before late papers joined can be needed no more. */
const decidesByLot = (results: TallyResult): boolean =>
  'ties' in results && (results.ties ?? []).some(({ by }) => by === 'lot');

/** What the stored rows of a closed election say, by election. */
const ROWS = kept<ReturnType<typeof readRowsNow>>({ age: SECOND });

const readRows = (ctx: Context, election: Election) =>
  ctx.cache.get(ROWS, election.id, () => readRowsNow(ctx, election), [ctx.changes()]);

async function readRowsNow({ db, queue }: Context, { id, settings }: Election) {
  const { receipts } = readSettings(settings);
  const list = coversChoice(readSettings(settings)) ? listSortedReceipts : listBallotIds;
  return {
    ballots: countBallots(db, id),
    turnout: getTurnout(db, id),
    hashes: receipts === 'off' ? undefined : await queue.inTurns(list(db, id)),
  };
}

function* listSortedReceipts(reader: Reader, electionId: string): Generator<void, string[]> {
  return yield* sortTexts(yield* listReceipts(reader, electionId));
}

/** Whether stored facts agree with the audit log and the ballots, by election. To hash all ballots takes long. */
const COMPARED = kept<Promise<{ altered: boolean; differences: Note[] }>>({ age: 10 * SECOND });

/**
 * Compares an election's stored facts with the audit log and, after the close, its ballots with their published hash: a
 * change of the database under the running service is noticed by the next visitors.
 * @returns whether the ballots are others, and a sentence for each difference from the log
 */
export function compareStored(
  ctx: Context,
  election: Election,
): Promise<{ altered: boolean; differences: Note[] }> {
  return ctx.cache.get(COMPARED, closingKey(election), async () => {
    const present = findElection(ctx.db, election.id) ?? election;
    const settled = findSettledResult(ctx.db, election.id);
    const differences = [
      ...listChainDifferences(ctx.db, present, settled),
      ...listLostResults(ctx, present.id),
    ];
    const hash = settled && (await hashBallots(ctx, present, ballotSetHead(settled)));
    const altered = hash !== settled?.ballot_set_sha256;
    for (const difference of [
      ...differences.map(({ english }) => english),
      ...(altered ? [LOGGED.altered] : []),
    ])
      ctx.log.error({ election: election.id }, difference);
    return { altered, differences };
  });
}

/** Takes the books of a vote that became void before its close, and seals it: nothing of it is counted. */
const settleVoid = (ctx: Context, election: Election): Promise<void> =>
  ctx.cache.get(SETTLING_VOID, closingKey(election), async () => {
    await storeVoidBooks(ctx, election);
    await sealElections(ctx);
  });

const SETTLING_VOID = kept<Promise<void>>({ age: 0 });

const SETTLING = kept<Promise<StoredResult>>({ age: 0 });

async function findOrSettle(ctx: Context, election: Election): Promise<StoredResult> {
  const stored = findSettledResult(ctx.db, election.id);
  if (stored) return stored;
  await openAndCloseDue(ctx);
  const present = findElection(ctx.db, election.id) ?? election;
  // Concurrent requests share one count; later requests read the stored result.
  return ctx.cache.get(SETTLING, closingKey(present), async () => {
    const settled = await settleResult(ctx, present);
    noteAnchors(ctx, [present.id]);
    await sealElections(ctx);
    return settled;
  });
}
