import type { Permission } from '#kernel/access/roles.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Reader } from '#kernel/db/queries.ts';
import type { Note } from '#kernel/language/words.ts';
import { CLOSED_BY_CHAIR } from '#kernel/local-time.ts';
import { isAddition } from '#meetings/additions.ts';
import { findLateCards, type LateCards } from '#meetings/door/late-cards.ts';
import { findItemOf, type Item, type ItemJson, itemJson } from '#meetings/items.ts';
import { type AwaitedPapers, findAwaited } from '#meetings/paper-count/awaited.ts';
import { type Correction, listBatches, listCorrections } from '#meetings/paper-count/batches.ts';
import { findPaperAlarm, findSheet, type PaperAlarm, type PaperSheet } from '#meetings/paper-count/sheet.ts';
import { findAsked } from '#people/approvals/approvals.ts';
import { type CertifiedBeside, findCertifiedBeside } from '#voting/counting/manual-results.ts';
import { getResults, type ResultsJson } from '#voting/counting/results.ts';
import { type BallotType, getElection } from '#voting/elections/elections.ts';
import { findVoid, type VoidJson } from '#voting/elections/void.ts';
import { type Voters, votersOf } from '#voting/elections/ways-to-vote.ts';
import type { BaseResult, SimpleResult } from '#voting/shared/tally.ts';
import { acceptsOf, voidPath } from './acts.ts';
import { type Alarm, findAlarm, listElected } from './declaring.ts';
import { countedByHand, handElectorate, handOutcome } from './hand-count.ts';

/** A result without ballots: hands in the shape of ballots, or that nobody opposed. */
export type CountedResult = {
  election_id: string;
  ballot_type: BallotType;
  total_ballots: number;
  carried?: boolean;
  valid: boolean;
  certified?: CertifiedBeside;
  /** Set once it is void: then nothing of this counts. */
  void?: VoidJson;
} & (
  | { results_mode: 'hands'; invalid: number; door?: number; results: SimpleResult }
  | ({ results_mode: 'unopposed'; elected?: string[] } & Pick<BaseResult, 'quorum' | 'quorum_met'>)
);

export type ItemResult = ResultsJson | CountedResult;

/** An item with what the chair has done with it. */
export interface ItemWithResult extends ItemJson {
  /** That it was put on the agenda after the invitation. */
  added?: true;
  /** When its timer ends; null: the chair closes it. */
  closes_at: string | null;
  /** Whether the meeting had its quorum; null before the opening. */
  quorate: boolean | null;
  way: 'ballots' | 'hands' | 'unopposed' | null;
  /** `by`: the two people who did it, after the close. */
  void?: { reason: string; at: string; by?: Note };
  /**
   * The votes of its question: for everybody from the close on, for officers from the opening on. Of votes that an
   * earlier version closed the total alone.
   */
  voters?: Voters | Pick<Voters, 'total'>;
  /** The quorum of the meeting at the opening, in people. */
  quorum_needed?: number;
  /** From the declaration on: whether each of the elected accepts. */
  elected?: { id: string; name: string; accepts: boolean | null }[];
  note?: string;
  /** From the close on for who certifies, from the declaration on for everybody. */
  result?: ItemResult;
  /** For who certifies: more votes than cards. */
  alarm?: Alarm;
  /** For who certifies: more papers than were handed out. */
  paper_alarm?: PaperAlarm;
  /** For officers; until the announcement what tellers found is shown to who certifies alone. */
  paper?: Pick<PaperSheet, 'handed_out'> & Partial<PaperSheet>;
  /** For officers: papers that are not counted, before which nobody sees figures. */
  papers_awaited?: AwaitedPapers;
  /** For who certifies: batches of papers that have not joined. */
  batches_open?: number;
  /** Cards that were made valid after the opening; absent without any. */
  late_cards?: LateCards;
  /** Papers that joined after the announcement, and why. */
  corrections?: Correction[];
  /** For who certifies: somebody has asked to make it void. */
  void_asked?: VoidAsked;
}

/** Somebody has asked to make a vote void: their name and id. */
interface VoidAsked {
  reason: string;
  by: string;
  person: string;
}

/** Shows an item with its result, if it may be seen. @param granted of an officer; undefined for everybody else */
export async function itemWithResult(
  ctx: Context,
  item: Item,
  granted?: ReadonlySet<Permission>,
): Promise<ItemWithResult> {
  const certifies = granted?.has('elections:certify') ?? false;
  const isOver = item.state === 'closed' || item.state === 'declared';
  const awaited = granted ? findAwaited(ctx.db, item) : undefined;
  const isShown =
    item.state === 'declared' || item.state === 'void' || (item.state === 'closed' && certifies && !awaited);
  const result = isShown ? await findResult(ctx, item, granted) : undefined;
  const answers = acceptsOf(item);
  const elected = isShown ? listElected(ctx.db, item) : [];
  const alarm = certifies && (isOver || item.state === 'open') ? findAlarm(ctx.db, item) : undefined;
  const voters = granted || item.state !== 'open' ? votersFor(ctx.db, item) : undefined;
  const wasOpen = item.opened_at !== null;
  const sheet = granted ? findSheet(ctx.db, item) : undefined;
  const waiting = certifies
    ? listBatches(ctx.db, item.id).filter((batch) => batch.state === 'open').length
    : 0;
  const paperAlarm = certifies && isOver ? findPaperAlarm(ctx.db, item) : undefined;
  const lateCards = findLateCards(ctx.db, item);
  const corrections = item.state === 'declared' ? listCorrections(ctx.db, item) : [];
  return {
    ...itemJson(item),
    ...(isAddition(ctx.db, item) && { added: true as const }),
    closes_at: item.state === 'open' ? timerOf(ctx, item) : null,
    quorate: item.quorate === null ? null : item.quorate === 1,
    way: countedByHand(item)?.way ?? (wasOpen ? 'ballots' : null),
    ...(voters && { voters }),
    ...(item.quorum_needed !== null && { quorum_needed: item.quorum_needed }),
    ...(item.state === 'void' && { void: voidOf(ctx.db, item) }),
    ...(elected.length > 0 && {
      elected: elected.map((one) => ({ ...one, accepts: answers[one.id] ?? null })),
    }),
    ...(item.note !== null && item.state === 'declared' && { note: item.note }),
    ...(result && { result }),
    ...(alarm && { alarm }),
    ...(paperAlarm && { paper_alarm: paperAlarm }),
    ...(sheet && { paper: isShown ? sheet : { handed_out: sheet.handed_out } }),
    ...(awaited && item.state === 'closed' && { papers_awaited: awaited }),
    ...(waiting > 0 && { batches_open: waiting }),
    ...(corrections.length > 0 && { corrections }),
    ...(lateCards && { late_cards: lateCards }),
    ...(certifies && isOver && findVoidAsked(ctx, item)),
  };
}

/** Who has asked to make the vote on an item void, while a second person is waited for. */
export function findVoidAsked(ctx: Context, item: Item): { void_asked?: VoidAsked } {
  const asked = findAsked(ctx, 'meeting_void', voidPath(item));
  if (!asked) return {};
  const person = asked.asked_by.replace('person:', '');
  return { void_asked: { reason: JSON.parse(asked.body ?? '{}').reason, by: asked.by, person } };
}

function votersFor(reader: Reader, item: Item): ItemWithResult['voters'] {
  if (item.state === 'prepared' || item.election_id === null) return undefined;
  if (item.state === 'open' || item.voters !== null) return votersOf(reader, item);
  return item.present === null ? undefined : { total: item.present };
}

function timerOf(ctx: Context, { election_id }: Item): string | null {
  if (election_id === null) return null;
  const { close_at } = getElection(ctx.db, election_id);
  return close_at < CLOSED_BY_CHAIR ? isoTime(close_at) : null;
}

/** The result of an item that is over; undefined for one without a question. */
export async function findResult(
  ctx: Context,
  item: Item,
  granted?: ReadonlySet<Permission>,
): Promise<ItemResult | undefined> {
  if (item.election_id === null) return undefined;
  const election = getElection(ctx.db, item.election_id);
  const hand = countedByHand(item);
  if (election.papers_awaited === 1 && election.voided_at === null) return undefined;
  if (!hand) return getResults(ctx, election, { granted });
  const certified = findCertifiedBeside(ctx.db, election);
  const isVoid = findVoid(ctx.db, election);
  const { results, valid, carried, elected, quorum, quorum_met } = handOutcome(election, hand);
  const of = {
    ...(isVoid && { void: isVoid }),
    election_id: election.id,
    ballot_type: election.ballot_type,
    valid,
    ...(carried !== undefined && { carried }),
    ...(certified && { certified }),
  };
  if (hand.way === 'unopposed')
    return {
      ...of,
      results_mode: 'unopposed',
      total_ballots: 0,
      ...(elected && { elected }),
      quorum,
      quorum_met,
    };
  const total_ballots = hand.yes + hand.no + hand.abstain;
  const { invalid } = hand;
  const { door } = handElectorate(hand);
  return {
    ...of,
    results_mode: 'hands',
    total_ballots,
    invalid,
    ...(door !== undefined && { door }),
    results: results as SimpleResult,
  };
}

/** The names of the elected who have not said yet whether they accept. */
export const awaitedAnswers = (items: readonly Pick<ItemWithResult, 'state' | 'elected'>[]): string[] =>
  items.flatMap(({ state, elected = [] }) =>
    state === 'declared' ? elected.filter(({ accepts }) => accepts === null).map(({ name }) => name) : [],
  );

/** Why and since when an item is void, and by which two people where it was counted before. */
function voidOf(reader: Reader, { election_id, void_reason }: Item): NonNullable<ItemWithResult['void']> {
  const isVoid = election_id === null ? undefined : findVoid(reader, getElection(reader, election_id));
  const { at = isoTime(0), by } = isVoid ?? {};
  return { reason: void_reason ?? '', at, ...(by !== undefined && { by }) };
}

/** The item of a question that was counted by hand, as everybody may see it; undefined for every other election. */
export async function findHandCounted(ctx: Context, electionId: string): Promise<ItemWithResult | undefined> {
  const item = findItemOf(ctx.db, electionId);
  const isCounted = item && item.counted !== null && ['closed', 'declared', 'void'].includes(item.state);
  return isCounted ? itemWithResult(ctx, item) : undefined;
}
