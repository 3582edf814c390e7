import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { oneOf, optionalText } from '#kernel/http/validation.ts';
import { compareNames } from '#kernel/locale.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { ensurePrepared } from '#meetings/item-states.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import { isNewDecision } from '#meetings/proposals/proof.ts';
import { addCandidate, seatsOf } from '#meetings/questions.ts';
import { listOptions } from '#voting/elections/elections.ts';
import { callState, findCall } from './calls.ts';
import { findNomination, listNominations, nominationState } from './nominations.ts';

export const DecisionInput = z.object({
  decision: oneOf(['accept', 'refuse']),
  reason: optionalText(500),
});

/**
 * Accepts a nomination, which makes the nominee a candidate, or refuses it with a reason; the nominee gets a mail.
 * The same decision again changes nothing.
 * @throws 400 without a reason; 404; 409 if it is not confirmed and seconded, or was decided otherwise
 */
export function decideNomination(
  ctx: Context,
  { meetingId, itemId, nominationId }: { meetingId: string; itemId: string; nominationId: string },
  { decision, reason }: z.output<typeof DecisionInput>,
  origin: string,
  actor: Actor,
): Promise<void> {
  if (decision === 'refuse' && reason === null) throw badField('reason', 'required');
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const item = getItem(tx, itemId, meetingId);
    const nomination = findNomination(tx, nominationId);
    if (nomination?.item_id !== itemId) throw notFound('nomination_not_found');
    const after = decision === 'accept' ? 'accepted' : 'refused';
    if (!isNewDecision('nomination', nominationState(tx, nomination), after)) return;
    ensurePrepared(item);
    tx.run(
      build
        .updateTable('nominations')
        .set({
          decision: after,
          reason: decision === 'refuse' ? reason : null,
          decided_at: actor.at,
          decided_by: actor.by ?? 'key',
          option_id: decision === 'accept' ? addCandidate(tx, item, nomination, actor) : null,
        })
        .where('id', '=', nominationId),
    );
    recordAudit(tx, actor, {
      action: after === 'accepted' ? 'nomination.accepted' : 'nomination.refused',
      metadata: { meeting: meetingId, item: itemId, nomination: nominationId },
      ...(reason !== null && { personal: { reason } }),
    });
    // An unconfirmed address may be a stranger's.
    if (nomination.consented_at !== null)
      putMail(
        tx,
        { kind: 'nomination-decision', ref: nominationId, email: nomination.email, facts: { origin } },
        ctx.now(),
      );
  });
}

/** Accepts all nominations that wait for a decision, as `decideNomination` does each. @returns how many */
export async function acceptAll(
  ctx: Context,
  { meetingId, itemId }: { meetingId: string; itemId: string },
  origin: string,
  actor: Actor,
): Promise<number> {
  getItem(ctx.db, itemId, meetingId);
  const waiting = listReady(ctx.db, itemId);
  for (const { id: nominationId } of waiting)
    await decideNomination(
      ctx,
      { meetingId, itemId, nominationId },
      { decision: 'accept', reason: null },
      origin,
      actor,
    );
  return waiting.length;
}

/** The nominations that wait for a decision. */
export const listReady = (reader: Reader, itemId: string) =>
  listNominations(reader, itemId).filter((one) => nominationState(reader, one) === 'ready');

/** How many candidates an item has, and how many it needs. */
export interface CandidateCount {
  seats: number;
  accepted: number;
  /** After the close: fewer than seats, or exactly as many. */
  too_few: boolean;
  as_many_as_seats: boolean;
}

/** The call of an item in few words, for its agenda; undefined without one. */
export function callSummary(reader: Reader, item: Item, now: number) {
  const call = findCall(reader, item.id);
  if (!call) return undefined;
  return {
    state: callState(reader, item, call, now),
    opens_at: isoTime(call.opens_at),
    closes_at: isoTime(call.closes_at),
    waiting: listReady(reader, item.id).length,
    ...countCandidates(reader, item, now),
  };
}

/** Whoever is on the ballot; until there is one, whose nomination was accepted. */
function candidatesOf(reader: Reader, { id, election_id }: Item): { name: string }[] {
  if (election_id !== null)
    return listOptions(reader, election_id).filter((option) => option.is_none_of_the_above === 0);
  return listNominations(reader, id).filter(
    ({ decision, withdrawn_at }) => decision === 'accepted' && withdrawn_at === null,
  );
}

/** The names of the candidates, once nobody else can be nominated: until then nobody sees who stands. */
export const shownCandidates = (reader: Reader, item: Item): string[] =>
  candidatesOf(reader, item)
    .map(({ name }) => name)
    .sort(compareNames);

/** Counts the candidates of an item against its seats. */
export function countCandidates(reader: Reader, item: Item, now: number): CandidateCount {
  const seats = seatsOf(reader, item);
  const accepted = candidatesOf(reader, item).length;
  const call = findCall(reader, item.id);
  const isOver = call !== undefined && now >= call.closes_at;
  return {
    seats,
    accepted,
    too_few: isOver && accepted < seats,
    as_many_as_seats: isOver && accepted === seats,
  };
}
