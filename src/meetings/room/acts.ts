import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { flag, optionalText, requiredText, wholeNumber } from '#kernel/http/validation.ts';
import { CLOSED_BY_CHAIR } from '#kernel/local-time.ts';
import { mixDoor } from '#meetings/door/mix.ts';
import { onItem, type Pressed, recordAct } from '#meetings/item-acts.ts';
import { takeStep } from '#meetings/item-states.ts';
import { findItemOf, type Item } from '#meetings/items.ts';
import { areMinutesSigned, beginMeeting, ensureNotClosed, type Meeting } from '#meetings/meetings.ts';
import { findAwaited, noteNoMore } from '#meetings/paper-count/awaited.ts';
import { forgetPapers } from '#meetings/paper-count/joining.ts';
import { countHandedOut, findSheet } from '#meetings/paper-count/sheet.ts';
import { ensureAskable } from '#meetings/questions.ts';
import { forgetAsked, type TwoPeople } from '#people/approvals/approvals.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { moveTimer, openByChair } from '#voting/elections/by-chair.ts';
import { announceIn, endByOfficer } from '#voting/elections/changes.ts';
import { getElection } from '#voting/elections/elections.ts';
import { getTurnout } from '#voting/elections/turnout.ts';
import { voidByChair } from '#voting/elections/void.ts';
import { storeClose, storeOpening } from './base.ts';
import { ensureDeclarable, listElected } from './declaring.ts';
import { ensureCounted, hasOpenPack } from './opening.ts';

/** How long a timer runs. */
const seconds = wholeNumber(30, 3_600);
/** An extension without a number. */
const ONE_MORE = 60;
/** The same extension pressed twice within this time is one. */
const PRESSED_TWICE = 5 * SECOND;

/** A request without a body is an empty one. */
const orEmpty = <Shape extends z.ZodType>(shape: Shape) => z.preprocess((body) => body ?? {}, shape);
/** A form without a choice or a number sends an empty text. */
export const ifAny = <Field extends z.ZodType>(field: Field) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), field.optional());

export const TIMER = { seconds: ifAny(seconds) };

/** Votes in the room as the chair counted them, where the door checks nobody in. */
export const presentVotes = ifAny(wholeNumber(0, 1_000_000));

export const OpenInput = orEmpty(z.object({ ...TIMER, present: presentVotes }));
export const ExtendInput = orEmpty(z.object(TIMER));
/** With a number the chair says "closing in 30 seconds". */
export const CloseInput = orEmpty(z.object(TIMER));
export const DeclareInput = orEmpty(
  z.object({
    /** Whether each of the elected accepts, by id; it can be sent later too. */
    accepts: z.record(z.string(), ifAny(flag)).optional(),
    /** Why more ballots than cards do not change the result. */
    note: optionalText(1_000),
    /** Whether the open seats are voted on again at once, by the same cards. */
    again: flag.optional(),
  }),
);
export const VoidItemInput = z.object({ reason: requiredText(300) });

/**
 * Opens an item: the meeting has begun, and who is present is its base. Opened already, nothing changes.
 * @throws 409 that names the state, or says what its question lacks
 */
export function openItem(ctx: Context, pressed: Pressed, input: z.output<typeof OpenInput>): Promise<void> {
  return onItem(ctx, pressed, (tx, { meeting, item }) => {
    if (item.counted !== null) throw conflict('counted_by_hand', { state: item.state });
    openIn(ctx, tx, { meeting, item }, input, pressed.actor);
  });
}

/** The same in a transaction. */
export function openIn(
  ctx: Context,
  tx: Tx,
  { meeting, item }: { meeting: Meeting; item: Item },
  { seconds: most, present }: z.output<typeof OpenInput>,
  actor: Actor,
): void {
  if (item.state === 'prepared') {
    ensureAskable(tx, item);
    ensureCounted(tx, meeting, { present, isNeeded: hasOpenPack(tx, meeting.id) });
  }
  if (!takeStep(tx, item.id, 'open', actor)) return;
  beginMeeting(tx, meeting, actor);
  const close_at = most === undefined ? CLOSED_BY_CHAIR : actor.at + most * SECOND;
  openByChair(tx, item.election_id ?? '', close_at, actor);
  const { voters, quorate } = storeOpening(tx, { meeting, item }, present, ctx.config.TIME_ZONE);
  showItem(tx, item);
  const metadata = { voters, quorate, ...(most !== undefined && { seconds: most }) };
  recordAct(tx, item, 'meeting.item_opened', metadata, actor);
}

/** Makes an item the one that is discussed. */
export function showItem(tx: Tx, { id, meeting_id }: Item): void {
  // Whoever spoke has spoken to the item before.
  const other = build.selectFrom('meetings').select('id').where('id', '=', meeting_id);
  tx.run(
    build
      .deleteFrom('speakers')
      .where('meeting_id', 'in', other.where('current_item', '!=', id))
      .where('began_at', 'is not', null),
  );
  tx.run(build.updateTable('meetings').set({ current_item: id }).where('id', '=', meeting_id));
}

/** The chair goes on to an item, also to one that nobody votes on; the meeting has begun. @throws 404, 409 */
export function callItem(ctx: Context, pressed: Pressed): Promise<void> {
  return onItem(ctx, pressed, (tx, { meeting, item }) => {
    beginMeeting(tx, meeting, pressed.actor);
    showItem(tx, item);
  });
}

/** Gives more time to vote; pressed twice at once, it is given once. @throws 409 that names the state */
export function extendItem(
  ctx: Context,
  pressed: Pressed,
  { seconds: more = ONE_MORE }: z.output<typeof ExtendInput>,
): Promise<void> {
  return onItem(ctx, pressed, (tx, { item }) => {
    const { actor } = pressed;
    if (item.state !== 'open') throw conflict('item_state', { state: item.state });
    if (item.extended_at !== null && actor.at - item.extended_at < PRESSED_TWICE) return;
    const election = getElection(tx, item.election_id ?? '');
    const isTimed = election.close_at < CLOSED_BY_CHAIR;
    const close_at = (isTimed ? election.close_at : actor.at) + more * SECOND;
    moveTimer(tx, election, { close_at, isTimed }, actor);
    tx.run(build.updateTable('meeting_items').set({ extended_at: actor.at }).where('id', '=', item.id));
    const metadata = { seconds: more, turnout: getTurnout(tx, election.id) };
    recordAct(tx, item, 'meeting.item_extended', metadata, actor);
  });
}

/** Closes an item, now or some seconds from now, and counts it. Closed already, nothing changes. @throws 409 */
export async function closeItem(
  ctx: Context,
  pressed: Pressed,
  { seconds: left }: z.output<typeof CloseInput> = {},
): Promise<void> {
  const { actor } = pressed;
  await onItem(ctx, pressed, (tx, { meeting, item }) => {
    if (left !== undefined && item.state === 'open') {
      const election = getElection(tx, item.election_id ?? '');
      const close_at = actor.at + left * SECOND;
      const isTimed = election.close_at < CLOSED_BY_CHAIR;
      if (close_at < election.close_at) moveTimer(tx, election, { close_at, isTimed }, actor);
      return;
    }
    if (!takeStep(tx, item.id, 'close', actor)) return;
    const election = getElection(tx, item.election_id ?? '');
    endByOfficer(tx, election, actor);
    const papers = countHandedOut(tx, item);
    const metadata = {
      turnout: getTurnout(tx, election.id),
      voters: storeClose(tx, meeting, item.id),
      ...(papers > 0 && { papers_handed_out: papers }),
    };
    recordAct(tx, item, 'meeting.item_closed', metadata, actor);
    // The sealing erases the write-ahead log.
    mixDoor(tx, item.meeting_id);
  });
  await settleClosedElections(ctx);
}

/**
 * Announces the result of a closed item. Announced already, only answers of the elected that were not known are added.
 * A note that no more papers come shows the figures first, and a second press announces them.
 * @returns whether they are shown now, and not announced
 * @throws 400 for an answer of somebody else; 409 that names the state, or says what has to be noted first
 */
export async function declareItem(
  ctx: Context,
  pressed: Pressed,
  { accepts, note: given_note }: z.output<typeof DeclareInput>,
): Promise<boolean> {
  // The entry names the hash of the ballots.
  await settleClosedElections(ctx);
  const { actor } = pressed;
  const declare = (tx: Tx, { item }: { item: Item }): boolean => {
    const isClosed = item.state === 'closed';
    const { note, shown } = isClosed ? ensureDeclarable(tx, item, given_note) : NOTHING_NOTED;
    if (shown) {
      const awaited = findAwaited(tx, item);
      noteNoMore(tx, item, note);
      recordAct(tx, item, 'paper.no_more', { ...awaited }, actor, note ?? '');
      return true;
    }
    const elected = listElected(tx, item);
    const given = Object.entries(accepts ?? {}).filter(([, answer]) => answer !== undefined);
    const other = given.map(([id]) => id).find((id) => !elected.some((one) => one.id === id));
    if (item.state !== 'open' && other !== undefined)
      throw badField(`accepts.${other}`, 'not_elected', { names: elected.map(({ name }) => name) });
    const moved = takeStep(tx, item.id, 'declare', actor);
    const known = acceptsOf(item);
    const answers = { ...Object.fromEntries(given), ...known };
    const added = Object.keys(answers).length > Object.keys(known).length;
    if (!moved && !added) return false;
    const set = {
      ...(Object.keys(answers).length > 0 && { accepts: JSON.stringify(answers) }),
      ...(moved && { note }),
    };
    tx.run(build.updateTable('meeting_items').set(set).where('id', '=', item.id));
    if (moved) forgetPapers(tx, item);
    // It was meant of the result as it was before.
    if (moved) forgetAsked(tx, 'meeting_void', voidPath(item));
    if (moved && item.election_id !== null && item.counted === null)
      announceIn(tx, getElection(tx, item.election_id), actor);
    const papers = moved ? findSheet(tx, item) : undefined;
    const metadata = {
      ...(added && { accepts: answers }),
      ...(moved && note !== null && { note }),
      ...(papers && { papers }),
    };
    recordAct(tx, item, moved ? 'meeting.item_declared' : 'meeting.election_accepted', metadata, actor);
    return false;
  };
  const shown = await onItem(ctx, pressed, declare, (tx, { meeting, item }) => {
    // A result that was not announced still can be.
    if (item.state === 'closed') return;
    // Somebody who was absent answers later, until the minutes are signed.
    if (item.state !== 'declared' || areMinutesSigned(tx, meeting)) ensureNotClosed(meeting);
  });
  await sealElections(ctx);
  return shown;
}

/** A lot after the announcement announces its result anew, on all pages at once. */
export function announceAnew(tx: Tx, electionId: string, actor: Actor): void {
  const item = findItemOf(tx, electionId);
  if (item?.state !== 'declared') return;
  // It was meant of the result as it was before.
  forgetAsked(tx, 'meeting_void', voidPath(item));
  recordAct(tx, item, 'meeting.item_declared_anew', {}, actor);
}

const NOTHING_NOTED = { note: null, shown: false };

export const acceptsOf = ({ accepts }: Pick<Item, 'accepts'>): Record<string, boolean> =>
  accepts === null ? {} : JSON.parse(accepts);

/**
 * Makes a vote void: by one person while it is open, afterwards by two, also after the meeting. Void already, nothing
 * changes.
 * @param two who does it after the close @throws 409 that names the state
 */
export function voidItem(
  ctx: Context,
  pressed: Pressed,
  { reason }: z.output<typeof VoidItemInput>,
  two?: TwoPeople,
): Promise<void> {
  const { actor } = pressed;
  const work = (tx: Tx, { meeting, item }: { meeting: Meeting; item: Item }) => {
    const { id, state, election_id } = item;
    if (state === 'void') return;
    if (isCounted(item) && !two) throw conflict('item_state', { state });
    takeStep(tx, id, 'void', actor);
    forgetPapers(tx, item);
    const published = two?.words.reason ?? reason;
    tx.run(build.updateTable('meeting_items').set({ void_reason: published }).where('id', '=', id));
    const by = two && { by_two: two.by_two };
    const voters = state === 'open' ? storeClose(tx, meeting, id) : undefined;
    if (election_id !== null) voidByChair(tx, getElection(tx, election_id), published, actor, by);
    recordAct(
      tx,
      item,
      'meeting.item_voided',
      { while: state, ...by, ...(voters && { voters }) },
      actor,
      published,
    );
  };
  // What was counted can turn out not to count at any time, also once the minutes are signed: they say so then.
  return onItem(ctx, pressed, work, (_, { meeting, item }) => {
    if (!isCounted(item)) ensureNotClosed(meeting);
  });
}

/** Where an item is made void. */
export const voidPath = ({ meeting_id, id }: Pick<Item, 'meeting_id' | 'id'>): string =>
  `/admin/meetings/${meeting_id}/items/${id}/void`;

/** Whether a vote is over and not void: what ends it then needs two people. */
export const isCounted = ({ state }: Pick<Item, 'state'>): boolean =>
  state === 'closed' || state === 'declared';
