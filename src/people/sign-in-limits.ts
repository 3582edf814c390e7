import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { networkOf } from '#kernel/http/client.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY } from '#kernel/http/rate-limit.ts';

/** Limits requests for codes. @throws 429 after RATE_LIMIT_SIGN_IN requests a minute from one client */
export function limitAsks(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('sign-in', client, ctx.config.RATE_LIMIT_SIGN_IN);
  if (!allowed) throw tooManyRequests('rate_limit_exceeded', resetAt - ctx.now());
}

/** The same limit for passkeys, counted separately: each view of the sign-in page requests options. @throws 429 */
export function limitPasskeys(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('passkeys', client, ctx.config.RATE_LIMIT_SIGN_IN);
  if (!allowed) throw tooManyRequests('rate_limit_exceeded', resetAt - ctx.now());
}

const PAUSE = 'sign-in mails, each minute';

/** Ends the pause of a minute after a mail that was not sent. The other limits still count it. */
export const endPause = (ctx: Context, email: string, client: string): void =>
  ctx.limiter.forget(PAUSE, askerOf(email, client));

const askerOf = (email: string, client: string): string => `${client} ${email}`;

/**
 * Whether an address may get another mail with a code: one a minute (if `pause` is set) and five an hour for each
 * client that asks. Twenty a day in total, and 2,000 an hour for all addresses together, count the clients of networks
 * from which nobody of the address has signed in: strangers use up their own share, and not that of the member, who has
 * twenty a day from each network of theirs. The client does not learn the result.
 */
export function mayMail(ctx: Context, email: string, client: string, pause: boolean): boolean {
  const network = networkOf(client);
  const asker = askerOf(email, client);
  const inAll = isKnownNetwork(ctx.db, email, network)
    ? [{ name: 'sign-in mails, from a known network', client: `${network} ${email}`, limit: 20, window: DAY }]
    : [
        { name: 'sign-in mails, each day', client: email, limit: 20, window: DAY },
        { name: 'sign-in mails, of all', client: EVERYBODY, limit: 2_000, window: HOUR },
      ];
  return (
    ctx.limiter.hitAll([
      ...(pause ? [{ name: PAUSE, client: asker, limit: 1, window: MINUTE }] : []),
      { name: 'sign-in mails, of a client', client: asker, limit: 5, window: HOUR },
      ...inAll,
    ]) === undefined
  );
}

/** Whether somebody with this address has signed in from this network, and the session is still known. */
function isKnownNetwork(reader: Reader, email: string, network: string): boolean {
  const people = build.selectFrom('addresses').select('person_id').where('email', '=', email);
  const known = build.selectFrom('sessions').select('id').where('person_id', 'in', people);
  return reader.first(known.where('network', '=', network).limit(1)) !== undefined;
}
