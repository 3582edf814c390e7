import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { mailClub } from '#kernel/mail/club.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { getItem } from '#meetings/items.ts';
import { invitedPath } from '#meetings/keys.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { type CallMailInput, putCallMails } from '#meetings/proposals/call-mails.ts';
import { ensureMailConfigured } from '#voting/invitations/invite-mails.ts';
import { callState, findCall, getCall } from './calls.ts';

/**
 * Mails a call for candidates to everybody who may vote on the day of the meeting.
 * @returns how many mails
 * @throws 404; 409 once nominations are over, without anybody, and for one that was mailed before unless `again` says so
 */
export function mailCall(
  ctx: Context,
  { meetingId, itemId, origin }: { meetingId: string; itemId: string; origin: string },
  input: z.output<typeof CallMailInput>,
  actor: Actor,
): Promise<number> {
  ensureMailConfigured(ctx);
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    const item = getItem(tx, itemId, meetingId);
    const call = getCall(tx, itemId);
    const state = callState(tx, item, call, actor.at);
    const { mailed_at } = call;
    const mails = putCallMails(
      ctx,
      tx,
      'nomination',
      { meeting, ref: itemId, state, mailed_at, origin },
      input,
    );
    tx.run(build.updateTable('nomination_calls').set({ mailed_at: actor.at }).where('item_id', '=', itemId));
    const metadata = { meeting: meetingId, item: itemId, mails };
    recordAudit(tx, actor, { action: 'nominations.mailed', metadata });
    return mails;
  });
}

/** What the mail of a call is composed from; undefined once nominations are over. */
export function prepareCallMail(ctx: Context, { ref, facts }: OutboxMail<'nomination-call'>) {
  const call = findCall(ctx.db, ref ?? '');
  if (!call) return undefined;
  const item = getItem(ctx.db, call.item_id);
  if (callState(ctx.db, item, call, ctx.now()) === 'over') return undefined;
  const { id, title, held_at } = getMeeting(ctx.db, item.meeting_id);
  const zone = ctx.config.TIME_ZONE;
  return {
    club: mailClub(ctx.config),
    meeting: title,
    when: formatWhen(held_at, zone),
    office: item.title,
    text: item.text,
    opens: call.opens_at > ctx.now() ? formatWhen(call.opens_at, zone) : undefined,
    closes: formatWhen(call.closes_at, zone),
    seconders: call.seconders,
    link: facts.origin + invitedPath(ctx, { id }, `/m/${id}/nominate/${item.id}`),
  };
}
