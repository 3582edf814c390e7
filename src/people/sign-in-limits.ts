import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY } from '#kernel/http/rate-limit.ts';

/** Limits requests for codes. @throws 429 after RATE_LIMIT_SIGN_IN requests a minute from one client */
export function limitAsks(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('sign-in', client, ctx.config.RATE_LIMIT_SIGN_IN);
  if (!allowed) throw tooManyRequests('Rate limit exceeded', resetAt - ctx.now());
}

/** The same limit for passkeys, counted separately: each view of the sign-in page requests options. @throws 429 */
export function limitPasskeys(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('passkeys', client, ctx.config.RATE_LIMIT_SIGN_IN);
  if (!allowed) throw tooManyRequests('Rate limit exceeded', resetAt - ctx.now());
}

/**
 * Whether an address may get another mail with a code: one a minute (if `pause` is set), five an hour for one client,
 * twenty a day in total; and 2,000 an hour for all addresses together. The limit per client keeps one network from
 * using up the mails of a member. The client does not learn the result.
 */
export function mayMail(ctx: Context, email: string, client: string, pause: boolean): boolean {
  const limits = [
    ...(pause ? [{ name: 'sign-in mails, each minute', client: email, limit: 1, window: MINUTE }] : []),
    { name: 'sign-in mails, of a client', client: `${client} ${email}`, limit: 5, window: HOUR },
    { name: 'sign-in mails, each day', client: email, limit: 20, window: DAY },
    { name: 'sign-in mails, of all', client: EVERYBODY, limit: 2_000, window: HOUR },
  ];
  return ctx.limiter.hitAll(limits) === undefined;
}
