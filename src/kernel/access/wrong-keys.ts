import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';

/** Wrong keys a minute and client that are answered with the 401; what follows is a 429. */
const TRIES = 5;
/** Audit entries a minute about wrong keys of all clients: changing addresses must not fill the log. */
const ENTRIES = 20;

/**
 * Counts a request that was refused although it carried a key. The first of a client in a minute is audited as
 * `access.refused`, without the key. Only further wrong keys meet the limit: if it held for the right key too, anybody
 * behind the same address could lock its owner out. What makes guessing hopeless is the length of the keys.
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
  throw tooManyRequests('Rate limit exceeded', resetAt - ctx.now());
}
