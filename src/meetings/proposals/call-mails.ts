import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Reader, Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { flag } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { findMembers } from '#people/roll/members.ts';
import type { CallState, ProposalKind } from './periods.ts';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** About a row of `meeting_items`. */
    'nomination-call': { origin: string };
    /** About a row of `meetings`. */
    'motion-call': { origin: string };
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
 * Mails a call to everybody who may vote on the day of the meeting. Whoever calls stores when.
 * @param ref what the mails are about @returns how many mails
 * @throws 409 once the call is over, without anybody, and for one that was mailed before unless `again` says so
 */
export function putCallMails(
  ctx: Context,
  tx: Tx,
  kind: ProposalKind,
  call: { meeting: Meeting; ref: string; state: CallState; mailed_at: number | null; origin: string },
  { again }: z.output<typeof CallMailInput>,
): number {
  if (call.state === 'over') throw conflict(`${kind}s_over`);
  if (call.mailed_at !== null && !again) throw conflict('mailed_before');
  const addresses = listCalled(tx, call.meeting, ctx.config.TIME_ZONE);
  if (addresses.length === 0) throw conflict('nobody_has_address');
  const { ref, origin } = call;
  for (const email of addresses)
    putMail(tx, { kind: `${kind}-call`, ref, email, facts: { origin } }, ctx.now());
  return addresses.length;
}
