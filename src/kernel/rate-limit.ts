import type { onRequestHookHandler } from 'fastify';
import { type Clock, MINUTE } from './clock.ts';
import { AppError } from './errors.ts';

interface Window {
  count: number;
  resetAt: number;
}

/** Clients remembered at once for each limit; past that the oldest window gives way. */
const CLIENTS_AT_MOST = 100_000;

/** Counts requests in fixed windows of 60 seconds per limit name and client, in memory. */
export class RateLimiter {
  readonly #now: Clock;
  readonly #atMost: number;
  // By limit, then by client in the order in which the windows started, so the first client is always the oldest.
  readonly #windows = new Map<string, Map<string, Window>>();

  constructor(now: Clock, atMost = CLIENTS_AT_MOST) {
    this.#now = now;
    this.#atMost = atMost;
  }

  /** Counts one request of `client` against `limit` and returns the window after it. */
  hit(name: string, client: string, limit: number): { allowed: boolean; remaining: number; resetAt: number } {
    const now = this.#now();
    const windows = this.#windows.getOrInsertComputed(name, () => new Map());
    let window = windows.get(client);
    // A window that starts in the future is left from before the clock was set back.
    if (!window || window.resetAt <= now || window.resetAt > now + MINUTE) {
      windows.delete(client);
      if (windows.size >= this.#atMost) windows.delete(windows.keys().next().value ?? '');
      window = { count: 0, resetAt: now + MINUTE };
      windows.set(client, window);
    }
    window.count += 1;
    return {
      allowed: window.count <= limit,
      remaining: Math.max(0, limit - window.count),
      resetAt: window.resetAt,
    };
  }
}

/**
 * An onRequest hook that counts against one named limit. Where two are stacked the later, narrower one sets the
 * headers; a refusal carries none of them (specification: Rate limit mechanics 4).
 */
export function rateLimit(
  limiter: RateLimiter,
  now: Clock,
  name: string,
  limit: number,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { allowed, remaining, resetAt } = limiter.hit(name, request.client, limit);
    if (allowed) {
      reply.headers({
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': resetAt,
      });
      done();
      return;
    }
    for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      reply.removeHeader(header);
    const retryAfter = Math.max(1, Math.ceil((resetAt - now()) / 1_000));
    done(new AppError(429, 'Rate limit exceeded', { extra: { retryAfter } }));
  };
}
