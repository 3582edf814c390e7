import { createHmac } from 'node:crypto';
import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/queries.ts';
import { newRandomId } from '#kernel/ids.ts';
import { deriveKey, sha256 } from '#kernel/secrets.ts';

/** Feed addresses that one person may have at a time; a further one revokes the oldest. */
const LIVE_AT_MOST = 10;

/** The state of a token. The feed answers `revoked` like `unknown`. */
export interface CheckedToken {
  state: 'live' | 'unknown' | 'revoked' | 'expired' | 'disabled' | 'off';
  id: string;
  subscriberId: string;
  expiresAt: number;
}

const UNKNOWN: CheckedToken = { state: 'unknown', id: '', subscriberId: '', expiresAt: 0 };

/** The code of a mailed link, by the id of its verification: always the same one, so that it need not be stored. */
export function linkCode({ secretKey }: Context, id: string): string {
  return createHmac('sha256', deriveKey(secretKey, 'calendar links')).update(id).digest('base64url');
}

/** Derives the token of a link: always the same one. It is not stored and cannot be derived without the secret key. */
export function tokenOf(ctx: Context, code: string): string {
  return createHmac('sha256', deriveKey(ctx.secretKey, 'calendar feed token'))
    .update(code)
    .digest('base64url');
}

/** The lifetime of a new token, in milliseconds. */
export const tokenLife = (config: Config): number => config.PROGRAMS_TOKEN_TTL_DAYS * DAY;

/** Checks a token: one hash, and one query if the token is not in the cache. */
export function checkToken(ctx: Context, token: string): CheckedToken {
  const token_hash = sha256(token);
  const find = () => ctx.db.first(byHash({ token_hash }));
  const found = ctx.cache.get(TOKENS, token_hash, find, [ctx.hub.version('erasures')]);
  if (!found) return UNKNOWN;
  const { id, subscriber_id, expires_at, revoked_at, disabled_at, enabled } = found;
  const known = { id, subscriberId: subscriber_id, expiresAt: expires_at };
  if (enabled === 0) return { state: 'off', ...known };
  if (disabled_at !== null) return { state: 'disabled', ...known };
  if (revoked_at !== null) return { state: 'revoked', ...known };
  return { state: expires_at > ctx.now() ? 'live' : 'expired', ...known };
}

/** Changes who may read the feed. The cache is cleared before the caller learns that the change is stored. */
export async function changeAccess<T>(ctx: Context, work: (tx: Tx) => T): Promise<T> {
  try {
    return await ctx.write(work);
  } finally {
    ctx.cache.forget(TOKENS);
  }
}

/** Finds a token that is still valid, within a transaction. */
export function findLive(tx: Tx, token: string, now: number): { expires_at: number } | undefined {
  return tx.first(
    build
      .selectFrom('feed_tokens')
      .select('expires_at')
      .where('token_hash', '=', sha256(token))
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now),
  );
}

/** Stores the hash of a new token of a subscriber. */
export function mintToken(
  tx: Tx,
  { token, subscriber_id, now, expires_at }: MintedToken & { token: string },
): void {
  const surplus = tx
    .all(liveOf(subscriber_id, now).orderBy('created_at', 'desc').orderBy('id', 'desc'))
    .slice(LIVE_AT_MOST - 1);
  if (surplus.length > 0) {
    const ids = surplus.map(({ id }) => id);
    tx.run(build.updateTable('feed_tokens').set({ revoked_at: now }).where('id', 'in', ids));
  }
  const row = { id: newRandomId(), subscriber_id, created_at: now, expires_at };
  const secret = { token_hash: sha256(token), last_four: token.slice(-4) };
  tx.run(build.insertInto('feed_tokens').values({ ...row, ...secret }));
}

interface MintedToken {
  subscriber_id: string;
  now: number;
  expires_at: number;
}

/**
 * Extends every live token of a subscriber to `expires_at`, so that no subscribed calendar stops updating. Their next
 * reminder is the one of the token that the renewal makes.
 */
export function prolongTokens(tx: Tx, { subscriber_id, now, expires_at }: MintedToken): void {
  tx.run(
    build
      .updateTable('feed_tokens')
      .set({ expires_at })
      .where('id', 'in', liveOf(subscriber_id, now).clearSelect().select('id')),
  );
}

/** Revokes the live tokens of a subscriber. @returns their number */
export function revokeTokens(tx: Tx, subscriber_id: string, now: number): number {
  const live = liveOf(subscriber_id, now).clearSelect().select('id');
  return tx.run(build.updateTable('feed_tokens').set({ revoked_at: now }).where('id', 'in', live));
}

const liveOf = (subscriber_id: string, now: number) =>
  build
    .selectFrom('feed_tokens')
    .select(['id', 'created_at'])
    .where('subscriber_id', '=', subscriber_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now);

interface FeedToken {
  id: string;
  subscriber_id: string;
  expires_at: number;
  revoked_at: number | null;
  disabled_at: number | null;
  enabled: number;
}

/** The tokens that were looked up since the last change, by hash: about ten megabytes. */
const TOKENS = kept<FeedToken | undefined>({ atMost: 20_000 });

const byHash = prepare((p: { token_hash: string }) =>
  build
    .selectFrom('feed_tokens')
    .innerJoin('subscribers', 'subscribers.id', 'feed_tokens.subscriber_id')
    .innerJoin('calendars', 'calendars.id', 'subscribers.calendar_id')
    .select([
      'feed_tokens.id',
      'subscriber_id',
      'feed_tokens.expires_at',
      'revoked_at',
      'disabled_at',
      'enabled',
    ])
    .where('token_hash', '=', p.token_hash),
);
