import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { flag, wholeNumber } from '#kernel/http/validation.ts';
import { onItem, type Pressed, recordAct } from '#meetings/item-acts.ts';
import { takeStep } from '#meetings/item-states.ts';
import type { Item } from '#meetings/items.ts';
import { beginMeeting, type Meeting } from '#meetings/meetings.ts';
import { seatsOf } from '#meetings/questions.ts';
import { readSettings } from '#voting/election-settings.ts';
import { endByOfficer } from '#voting/elections/changes.ts';
import { type Election, getElection, listStanding } from '#voting/elections/elections.ts';
import { readElectorate } from '#voting/elections/electorate.ts';
import { countLinks } from '#voting/elections/ways-to-vote.ts';
import { shareOfWords } from '#voting/share-words.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { DEFAULT_MAJORITY, isDefaultMajority } from '#voting/shared/share.ts';
import type { Electorate } from '#voting/shared/tally.ts';
import { ifAny, presentVotes, showItem } from './acts.ts';
import { storeClose, storeOpening } from './base.ts';
import { countedByHand, type HandCount } from './hand-count.ts';
import { ensureCounted } from './opening.ts';

const votes = wholeNumber(0, 1_000_000);

export const HandsInput = z.object({
  yes: votes,
  no: votes,
  abstain: ifAny(votes).transform((number = 0) => number),
  invalid: ifAny(votes).transform((number = 0) => number),
  /** Replaces numbers that were entered wrongly, until the result is declared. */
  correction: flag.default(false),
  /** Votes in the room as the chair counted them, where the door checks nobody in. */
  present: presentVotes,
  /** That members elsewhere, who cannot raise a hand, are left out. */
  elsewhere: flag.optional(),
});

/**
 * Enters the hands that were counted on a motion: its majority decides from the numbers. The same numbers again change
 * nothing. @throws 409 that names the state, and for other numbers unless they are a correction
 */
export function countHands(
  ctx: Context,
  pressed: Pressed,
  { correction, present, elsewhere: isAsked = false, ...numbers }: z.output<typeof HandsInput>,
): Promise<void> {
  return onItem(ctx, pressed, (tx, { meeting, item }) => {
    const before = countedByHand(item);
    if (before?.way === 'hands' && item.state === 'closed') {
      const { yes, no, abstain, invalid } = before;
      const isSame = [yes, no, abstain, invalid].join() === Object.values(numbers).join();
      if (isSame) return;
      if (!correction) throw conflict('hands_other_numbers', { state: item.state });
      storeCount(tx, item, { ...before, ...numbers });
      const from = { yes, no, abstain, invalid };
      recordAct(tx, item, 'meeting.hands_corrected', { from, to: numbers }, pressed.actor);
      return;
    }
    const election = questionOf(tx, item);
    if (!isMotion(election)) throw conflict('hands_need_motion');
    const isNeeded = needsPresent(meeting, election);
    ensureCounted(tx, meeting, { present, isNeeded });
    const elsewhere = countLinks(tx, meeting, election.id).here;
    if (elsewhere > 0 && !isAsked)
      throw conflict('hands_elsewhere', { count: elsewhere }, { extra: { needs: 'elsewhere' } });
    const count = { way: 'hands' as const, ...numbers, ...(elsewhere > 0 && { elsewhere }) };
    takeCount(ctx, tx, { meeting, item, election, present }, count, pressed);
    recordAct(tx, item, 'meeting.hands_counted', numbers, pressed.actor);
  });
}

/**
 * Notes that nobody opposed a motion, or that as many stand as there are seats. Repeated, nothing changes.
 * @throws 409 that names the state, or where votes have to be counted
 */
export function passUnopposed(ctx: Context, pressed: Pressed): Promise<void> {
  return onItem(ctx, pressed, (tx, { meeting, item }) => {
    if (countedByHand(item)?.way === 'unopposed' && item.state !== 'void') return;
    const election = questionOf(tx, item);
    const majority = readSettings(election.settings).majority ?? DEFAULT_MAJORITY;
    if (isMotion(election) && !isDefaultMajority(majority))
      throw conflict('unopposed_needs_numbers', { share: shareOfWords(majority) });
    const standing = listStanding(tx, election.id).filter((option) => option.is_none_of_the_above === 0);
    const seats = seatsOf(tx, item);
    if (!isMotion(election)) {
      if (standing.length === 0) throw conflict('too_few_candidates', { min: 1 });
      if (standing.length > seats) throw conflict('more_than_seats', { candidates: standing.length, seats });
    }
    const count = { way: 'unopposed' as const, elected: standing.map(({ id }) => id) };
    takeCount(ctx, tx, { meeting, item, election }, count, pressed);
    recordAct(tx, item, 'meeting.item_unopposed', { elected: count.elected }, pressed.actor);
  });
}

/** Whether a rule needs the number of votes in the room. */
function needsPresent(meeting: Meeting, { settings }: Election): boolean {
  const { majority, quorum, quorum_share } = readSettings(settings);
  const hasQuorum = [quorum, quorum_share, meeting.quorum, meeting.quorum_share].some((one) => one != null);
  return hasQuorum || majority?.of === 'present' || majority?.of === 'electors';
}

function questionOf(tx: Tx, { election_id }: Item): Election {
  if (election_id === null) throw conflict('item_without_question');
  return getElection(tx, election_id);
}

/** A question without candidates is answered with yes or no. */
const isMotion = ({ ballot_type }: Election): boolean => rulesOf(ballot_type).options === null;

type Entered = HandCount extends infer Count
  ? Count extends unknown
    ? Omit<Count, keyof Electorate>
    : never
  : never;

/** Closes an item that was never open, and its question, which takes no ballots from then on. @throws 409 */
function takeCount(
  ctx: Context,
  tx: Tx,
  {
    meeting,
    item,
    election,
    present,
  }: { meeting: Meeting; item: Item; election: Election; present?: number | undefined },
  count: Entered,
  { actor }: Pressed,
): void {
  if (!takeStep(tx, item.id, 'count', actor)) throw conflict('item_state', { state: item.state });
  beginMeeting(tx, meeting, actor);
  storeOpening(tx, { meeting, item }, present, ctx.config.TIME_ZONE);
  storeClose(tx, meeting, item.id);
  storeCount(tx, item, { ...count, ...readElectorate(tx, election) } as HandCount);
  showItem(tx, item);
  endByOfficer(tx, election, actor);
}

const storeCount = (tx: Tx, { id }: Item, count: HandCount): number =>
  tx.run(
    build
      .updateTable('meeting_items')
      .set({ counted: JSON.stringify(count) })
      .where('id', '=', id),
  );
