import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY, type Limit } from '#kernel/http/rate-limit.ts';
import { mailboxOf } from '#kernel/mail-addresses.ts';

/** Mails about nominations and motions in an hour: to one mailbox, and of all. */
const TO_A_MAILBOX = 5;
const MAILS_OF_ALL: Limit = { name: 'proposal mails', client: EVERYBODY, limit: 400, window: HOUR };
/** Addresses that one client may enter in an hour. */
const OF_A_CLIENT = 40;

/**
 * Counts the addresses of a nomination or a motion against the client that entered them. Neither this limit nor the look at that of
 * all depends on who is a member, so a refusal does not tell. @throws 429
 */
export function countProposal(
  ctx: Context,
  { client, emails }: { client: string; emails: readonly string[] },
): void {
  const own: Limit = { name: 'addresses entered by a client', client, limit: OF_A_CLIENT, window: HOUR };
  const all = ctx.limiter.look(MAILS_OF_ALL);
  const until = all.allowed ? ctx.limiter.hitAll(emails.map(() => own)) : all.resetAt;
  if (until !== undefined) throw tooManyRequests('too_many_requests', until - ctx.now());
}

/**
 * Counts a mail that is to be sent. The limit of a mailbox refuses nothing, because strangers could fill it: the
 * page behind its earlier links leads to what waits for the same address.
 * @returns whether the mailbox gets it
 */
export function countMail(ctx: Context, email: string): boolean {
  const mailbox: Limit = {
    name: 'proposal mails to a mailbox',
    client: mailboxOf(email),
    limit: TO_A_MAILBOX,
    window: HOUR,
  };
  if (ctx.limiter.hitAll([mailbox]) !== undefined) return false;
  ctx.limiter.count(MAILS_OF_ALL);
  return true;
}
