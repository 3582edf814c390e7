import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { NominationCallsTable } from '#kernel/db/schema.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { record, tickField } from '#kernel/http/record.ts';
import { ensurePrepared } from '#meetings/item-states.ts';
import { getItem, type Item } from '#meetings/items.ts';
import { ensureNotClosed, getMeeting } from '#meetings/meetings.ts';
import {
  CALL_FIELDS,
  type CallState,
  periodOf,
  periodState,
  planPeriod,
} from '#meetings/proposals/periods.ts';

export type Call = Selectable<NominationCallsTable>;

/** The rules of a call. The words of its form are `CALL_WORDS`. */
export const CALL = record({ ...CALL_FIELDS, picture: tickField() });

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

/** Whether nominations are taken. With the vote, or the end of the meeting, they are over, whatever the dates say. */
export function callState(reader: Reader, item: Item, call: Call, now: number): CallState {
  const isOver = item.state !== 'prepared' || getMeeting(reader, item.meeting_id).state === 'closed';
  return isOver ? 'over' : periodState(call, now);
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
  const { who, seconders } = fields;
  return ctx.write((tx) => {
    ensureNotClosed(getMeeting(tx, meetingId));
    const item = getItem(tx, itemId, meetingId);
    if (item.kind !== 'election') throw conflict('only_elections_have_nominations');
    ensurePrepared(item);
    const before = findCall(tx, itemId);
    const { isExtended, first_closes_at } = planPeriod(fields, before, actor.at);
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
