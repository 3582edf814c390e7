import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';

/** Wrong keys per minute and client that are answered with 401; further ones get 429. */
const TRIES = 5;
/** Audit entries per minute about wrong keys, for all clients together: many addresses must not fill the log. */
const ENTRIES = 20;

/**
 * Counts a refused request that carried a key. The first per client and minute is audited as `access.refused`, without
 * the key. The limit applies to wrong keys only: otherwise anybody behind the same address could lock out the holder of
 * the right key. The length of the keys is what prevents guessing.
 * @throws AppError 429 with `retryAfter` in seconds once a client sent more than 5 in a minute
 */
export async function countWrongKey(
  ctx: Context,
  request: FastifyRequest,
  key: 'ADMIN_API_KEY' | 'PUB_ADMIN_TOKEN' | 'NOW_PLAYING_INGEST_TOKEN',
): Promise<void> {
  const { allowed, remaining, resetAt } = ctx.limiter.hit('wrong keys', request.client, TRIES);
  const isFirst = remaining === TRIES - 1;
  if (isFirst && ctx.limiter.hit('wrong keys in the audit log', 'all', ENTRIES).allowed) {
    const metadata = { key, route: `${request.method} ${request.routeOptions.url ?? 'unknown'}` };
    await ctx.write((tx) =>
      recordAudit(tx, actorOf(request, ctx.now), { action: 'access.refused', metadata }),
    );
  }
  if (allowed) return;
  throw tooManyRequests('rate_limit_exceeded', resetAt - ctx.now());
}
