import { HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import type { Limit } from '#kernel/http/rate-limit.ts';
import { mailboxOf } from '#kernel/mail-addresses.ts';

/** Sign-up mails to one mailbox in an hour; addresses that differ only after a plus count as one mailbox. */
const TO_A_MAILBOX = 5;
/** The share of the hourly mails that may be sent in one minute, and the share that one client may cause. */
const SHARE = 1 / 5;
/** Not `EVERYBODY`: the owner’s limit is what the mail provider takes, so there is no pace beyond it. */
const ALL = 'all';

/**
 * Counts one sign-up, which sends a mail to an address that anybody may have entered. The limits do not depend on who
 * is a subscriber, so a refusal does not show it. @throws 429
 */
export function countSignUp(ctx: Context, { client, email }: { client: string; email: string }): void {
  const ofAll = ctx.config.SIGN_UP_MAILS_PER_HOUR;
  const share = Math.ceil(ofAll * SHARE);
  const limits: Limit[] = [
    { name: 'sign-ups', client: ALL, limit: ofAll, window: HOUR },
    { name: 'sign-ups in a minute', client: ALL, limit: share, window: MINUTE },
    { name: 'sign-ups of a client', client, limit: share, window: HOUR },
    { name: 'sign-ups of a mailbox', client: mailboxOf(email), limit: TO_A_MAILBOX, window: HOUR },
  ];
  const until = ctx.limiter.hitAll(limits);
  if (until !== undefined) throw tooManyRequests('too_many_requests', until - ctx.now());
}
