import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { NominationCallsTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { choiceField, momentField, numberField, record, tickField } from '#kernel/http/record.ts';
import { ensurePrepared } from '#meetings/item-states.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';

export type Call = Selectable<NominationCallsTable>;

const SECONDERS_AT_MOST = 5;

/** The rules of a call. The words of its form are `CALL_WORDS`. */
export const CALL = record({
  opens_at: momentField(),
  closes_at: momentField(),
  who: choiceField(['members', 'anybody'], { is: 'radios' }),
  seconders: numberField(0, SECONDERS_AT_MOST),
  picture: tickField(),
});

const callByItem = prepare((p: { item_id: string }) =>
  build.selectFrom('nomination_calls').selectAll().where('item_id', '=', p.item_id),
);

export const findCall = (reader: Reader, itemId: string): Call | undefined =>
  reader.first(callByItem({ item_id: itemId }));

/** @throws 404 where no candidates are called for */
export function getCall(reader: Reader, itemId: string): Call {
  const call = findCall(reader, itemId);
  if (!call) throw notFound('no_nominations');
  return call;
}

export const isCallOpen = ({ opens_at, closes_at }: Call, now: number): boolean =>
  now >= opens_at && now < closes_at;

/** Whether nominations are taken. With the vote, or the end of the meeting, they are over, whatever the dates say. */
export function callState(reader: Reader, item: Item, call: Call, now: number): 'before' | 'open' | 'over' {
  const isOver = item.state !== 'prepared' || getMeeting(reader, item.meeting_id).state === 'closed';
  if (isOver || now >= call.closes_at) return 'over';
  return now < call.opens_at ? 'before' : 'open';
}

/** @throws 409 outside the period */
export function ensureCallOpen(call: Call, now: number): void {
  if (!isCallOpen(call, now))
    throw conflict(now < call.opens_at ? 'nominations_not_open' : 'nominations_over');
}

/**
 * Calls for candidates, or changes the call; a later close extends it, also once it is over.
 * @throws 400; 404; 409 for an item that was voted on
 */
export function callForCandidates(
  ctx: Context,
  meetingId: string,
  itemId: string,
  input: z.output<typeof CALL.input>,
  actor: Actor,
): Promise<void> {
  const fields = CALL.columns(input, ctx);
  const { opens_at, closes_at, who, seconders } = fields;
  if (closes_at <= opens_at) throw badField('closes_at', 'after_opening');
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const item = getItem(tx, itemId, meetingId);
    if (item.kind !== 'election') throw conflict('only_elections_have_nominations');
    ensurePrepared(item);
    const before = findCall(tx, itemId);
    // Until it closes for the first time, nothing was promised.
    const isExtended = before !== undefined && actor.at >= before.opens_at && closes_at > before.closes_at;
    const first_closes_at = isExtended ? before.first_closes_at : closes_at;
    tx.run(
      build
        .insertInto('nomination_calls')
        .values({ item_id: itemId, ...fields, first_closes_at })
        .onConflict((conflict) => conflict.column('item_id').doUpdateSet({ ...fields, first_closes_at })),
    );
    recordAudit(tx, actor, {
      action: isExtended ? 'nominations.extended' : 'nominations.called',
      metadata: {
        meeting: meetingId,
        item: itemId,
        ...(before && { from: periodOf(before) }),
        to: periodOf(fields),
        who,
        seconders,
      },
    });
  });
}

const periodOf = ({ opens_at, closes_at }: Pick<Call, 'opens_at' | 'closes_at'>) => ({
  opens_at: isoTime(opens_at),
  closes_at: isoTime(closes_at),
});
