import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { flag } from '#kernel/http/validation.ts';
import { formatWhen, localDate } from '#kernel/local-time.ts';
import { mailClub } from '#kernel/mail/club.ts';
import { type OutboxMail, putMail } from '#kernel/mail/outbox.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting, type Meeting } from '#meetings/meetings.ts';
import { findMembers } from '#people/roll/members.ts';
import { ensureMailConfigured } from '#voting/invitations/invite-mails.ts';
import { callState, findCall, getCall } from './calls.ts';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `meeting_items`. */
    'nomination-call': { origin: string };
  }
}

/** `again`: also to those who have had it. */
export const CallMailInput = z.object({ again: flag.default(false) });

/** The addresses of those who may vote on the day of a meeting, each once. */
export function listCalled(reader: Reader, { held_at }: Meeting, zone: string): string[] {
  const members = findMembers(reader, { on: null }, localDate(held_at, zone));
  return [...new Set(members.flatMap(({ email }) => email ?? []))];
}

/**
 * Mails a call for candidates to everybody who may vote on the day of the meeting.
 * @returns how many mails
 * @throws 404; 409 once nominations are over, without anybody, and for one that was mailed before unless `again` says so
 */
export function mailCall(
  ctx: Context,
  { meetingId, itemId, origin }: { meetingId: string; itemId: string; origin: string },
  { again }: z.output<typeof CallMailInput>,
  actor: Actor,
): Promise<number> {
  ensureMailConfigured(ctx);
  return ctx.write((tx) => {
    const meeting = getMeeting(tx, meetingId);
    const item = getItem(tx, itemId, meetingId);
    const call = getCall(tx, itemId);
    if (callState(tx, item, call, actor.at) === 'over') throw conflict('nominations_over');
    if (call.mailed_at !== null && !again) throw conflict('mailed_before');
    const addresses = listCalled(tx, meeting, ctx.config.TIME_ZONE);
    if (addresses.length === 0) throw conflict('nobody_has_address');
    for (const email of addresses)
      putMail(tx, { kind: 'nomination-call', ref: itemId, email, facts: { origin } }, ctx.now());
    tx.run(build.updateTable('nomination_calls').set({ mailed_at: actor.at }).where('item_id', '=', itemId));
    const metadata = { meeting: meetingId, item: itemId, mails: addresses.length };
    recordAudit(tx, actor, { action: 'nominations.mailed', metadata });
    return addresses.length;
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
    link: `${facts.origin}/m/${id}/nominate/${item.id}`,
  };
}
