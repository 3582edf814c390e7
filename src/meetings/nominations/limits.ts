import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY, type Limit } from '#kernel/http/rate-limit.ts';
import { mailboxOf } from '#kernel/mail-addresses.ts';

/** Mails about nominations in an hour: to one mailbox, because of one client, and of all. */
const TO_A_MAILBOX = 5;
const OF_A_CLIENT = 40;
const OF_ALL = 400;

/**
 * Counts the mails of a nomination, which go to addresses that anybody may have entered. The limits do not depend on who
 * is a member, so a refusal does not tell. @throws 429
 */
export function countNomination(
  ctx: Context,
  { client, emails }: { client: string; emails: readonly string[] },
): void {
  const mailboxes = new Set(emails.map(mailboxOf));
  const limits: Limit[] = [...mailboxes].flatMap((mailbox) => [
    { name: 'nomination mails', client: EVERYBODY, limit: OF_ALL, window: HOUR },
    { name: 'nomination mails of a client', client, limit: OF_A_CLIENT, window: HOUR },
    { name: 'nomination mails to a mailbox', client: mailbox, limit: TO_A_MAILBOX, window: HOUR },
  ]);
  const until = ctx.limiter.hitAll(limits);
  if (until !== undefined) throw tooManyRequests('too_many_requests', until - ctx.now());
}
