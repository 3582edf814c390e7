import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { listMissing } from '#meetings/door/heard.ts';
import { listApprovals } from '#people/approvals/approvals.ts';
import { countGivenBack } from '#voting/elections/ways-to-vote.ts';

/** Without it anybody could try out which few numbers of papers give a mark. */
const KEY = randomBytes(32);

/**
 * Another text whenever something has changed that officers alone see on the page of the chair: papers and their
 * batches, what waits for a second person, packs, cards that came back, and doors without network. Everybody gets it
 * with the room, and learns from it only that something has changed.
 */
export function officersMark(ctx: Context, meetingId: string): string {
  const of = { meeting_id: meetingId };
  const seen = [
    ctx.db.all(sheetsOf(of)),
    ctx.db.all(batchesOf(of)),
    ctx.db.all(packsOf(of)),
    countGivenBack(ctx.db, meetingId),
    listApprovals(ctx).map(({ id }) => id),
    missingDoors(ctx, meetingId),
  ];
  return createHmac('sha256', KEY).update(JSON.stringify(seen)).digest('hex').slice(0, 16);
}

const itemsOf = (meetingId: string) =>
  build.selectFrom('meeting_items').select('id').where('meeting_id', '=', meetingId);

const sheetsOf = prepare((p: { meeting_id: string }) =>
  build
    .selectFrom('paper_sheets')
    .selectAll()
    .where('item_id', 'in', itemsOf(p.meeting_id))
    .orderBy('item_id'),
);

const batchesOf = prepare((p: { meeting_id: string }) =>
  build.selectFrom('paper_batches').selectAll().where('item_id', 'in', itemsOf(p.meeting_id)).orderBy('id'),
);

const packsOf = prepare((p: { meeting_id: string }) =>
  build.selectFrom('card_packs').select(['id', 'state']).where('meeting_id', '=', p.meeting_id).orderBy('id'),
);

/** The doors without network, as long as they are the same ones: nothing is stored when one is heard again. */
export const missingDoors = (ctx: Context, meetingId: string): string =>
  JSON.stringify(listMissing(ctx, meetingId).map(({ letters, waiting }) => [letters, waiting]));
