import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY } from '#kernel/http/rate-limit.ts';

/** @throws 429 past RATE_LIMIT_SIGN_IN asks a minute from one client */
export function limitAsks(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('sign-in', client, ctx.config.RATE_LIMIT_SIGN_IN);
  if (!allowed) throw tooManyRequests('Rate limit exceeded', resetAt - ctx.now());
}

/** The same for passkeys, counted by themselves: each view of the sign-in page asks for one. @throws 429 */
export function limitPasskeys(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('passkeys', client, ctx.config.RATE_LIMIT_SIGN_IN);
  if (!allowed) throw tooManyRequests('Rate limit exceeded', resetAt - ctx.now());
}

/**
 * Whether an address gets one more mail with a code: once in a minute, five an hour for one client, twenty a day in
 * all. `pause`: whether the minute counts. One network cannot use up all that a member may have. Who asks never learns of it.
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
