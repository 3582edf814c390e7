import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { optionalText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { expireRequests, getRequest, notWaiting } from './requests.ts';
import { isOpen, OPEN, type RequestRow } from './rules.ts';

const DECISIONS = ['approved', 'declined', 'played', 'pending'] as const;

/** A decision of staff on a request; `pending` undoes another one. */
export const DecisionInput = z.object({
  status: z.enum(DECISIONS, coded('not_one_of', { values: DECISIONS })),
  reason: optionalText(120),
});

/**
 * Approves or declines a request of this evening, sets it back to pending, or marks it as played by hand.
 * @throws 404, 409 for a request whose song was heard or that has expired, or whose song was requested again since
 */
export async function decideRequest(
  ctx: Context,
  id: string,
  { status, reason }: z.output<typeof DecisionInput>,
  actor: Actor,
): Promise<RequestRow> {
  const decided = await ctx.write((tx) => {
    const request = getRequest(tx, id);
    const today = request.pub_day === pubDayOf(actor.at, ctx.config.TIME_ZONE);
    if (!today || !isChangeable(request, status)) throw notWaiting(request);
    const openAgain = build
      .selectFrom('song_requests')
      .select('id')
      .where((same) =>
        same.or([same('track_key', '=', request.track_key), same('name_key', '=', request.name_key)]),
      )
      .where('status', 'in', OPEN)
      .where('id', '<>', id);
    if (isOpen({ status }) && tx.first(openAgain)) {
      throw conflict('asked_again');
    }
    const changes = {
      status,
      reason: status === 'declined' ? reason : null,
      decided_at: actor.at,
      decided_by: actor.by ?? null,
      played_at: status === 'played' ? actor.at : null,
    };
    tx.run(build.updateTable('song_requests').set(changes).where('id', '=', id));
    const { artist, title } = request;
    const metadata = {
      request_id: id,
      artist,
      title,
      from: request.status,
      to: status,
      ...(reason && { reason }),
    };
    recordAudit(tx, actor, { action: 'request.moderated', metadata });
    return { ...request, ...changes };
  });
  return decided;
}

/** Whether a decision may follow: a song that staff marked as played by hand can only be put back. */
function isChangeable({ status, played_play_id }: RequestRow, next: string): boolean {
  if (status === 'played') return played_play_id === null && isOpen({ status: next });
  return isOpen({ status }) || status === 'declined';
}

/**
 * Closes past evenings: open requests expire, and the hashes of requesters and voters are deleted, with the notes; the
 * number of votes stays. Running it again changes nothing.
 */
export async function closeRequestDay(ctx: Context): Promise<void> {
  const today = pubDayOf(ctx.now(), ctx.config.TIME_ZONE);
  await ctx.write((tx) => {
    const past = build
      .selectFrom('song_requests')
      .select('id')
      .where('pub_day', '<', today)
      .where('browser_hash', '<>', '');
    tx.run(build.deleteFrom('song_request_votes').where('request_id', 'in', past));
    tx.run(
      build
        .updateTable('song_requests')
        .set({ browser_hash: '', client_hash: '', note: null })
        .where('pub_day', '<', today)
        .where('browser_hash', '<>', ''),
    );
    expireRequests(tx, today);
  });
}
