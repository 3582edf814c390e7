import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type Clock, MINUTE, SECOND } from '#kernel/clock.ts';
import { limitedClient } from './client.ts';
import { type AppError, tooManyRequests } from './errors.ts';

interface Window {
  count: number;
  resetAt: number;
}

/**
 * At most `limit` requests in `window` milliseconds (by default a minute), for one limit name and client. The client
 * may have several parts with spaces between; each IPv6 address among them counts as its /64.
 */
export interface Limit {
  name: string;
  client: string;
  limit: number;
  window?: number;
}

/** What is left of a limit, and when its window ends. */
export interface Allowance {
  allowed: boolean;
  remaining: number;
  resetAt: number;
}

/**
 * The client name for limits of the whole service. Strangers can fill them, so they only slow: beyond such a limit
 * requests are let through at its own pace, some every ten seconds, see `RateLimiter.look`.
 */
export const EVERYBODY = '*';

const PACED = 10 * SECOND;

/** Most clients tracked for each limit; past that the oldest window is dropped. */
const CLIENTS_AT_MOST = 100_000;

/** Counts requests in fixed windows per limit name and client, in memory. All windows of a name have one length. */
export class RateLimiter {
  readonly #now: Clock;
  readonly #atMost: number;
  // By limit, then by client in the order in which the windows started, so the first client is always the oldest.
  readonly #windows = new Map<string, Map<string, Window>>();

  constructor(now: Clock, atMost = CLIENTS_AT_MOST) {
    this.#now = now;
    this.#atMost = atMost;
  }

  /** Counts one request of `of` against `limit` and returns the window after it. */
  hit(name: string, of: string, limit: number, length = MINUTE): Allowance {
    const now = this.#now();
    const client = keyOf(of);
    const windows = this.#windows.getOrInsertComputed(name, () => new Map());
    let window = this.#current(name, client, { length, now });
    if (!window) {
      windows.delete(client);
      if (windows.size >= this.#atMost) windows.delete(windows.keys().next().value ?? '');
      window = { count: 0, resetAt: now + length };
      windows.set(client, window);
    }
    window.count += 1;
    return {
      allowed: window.count <= limit,
      remaining: Math.max(0, limit - window.count),
      resetAt: window.resetAt,
    };
  }

  /**
   * Returns what is left of a limit without counting. `allowed`: whether one more request would be; of a limit of all
   * clients also by its pace.
   */
  look(limit: Limit): Allowance {
    const own = this.#look(limit);
    return own.allowed || limit.client !== EVERYBODY ? own : this.#look(paceOf(limit));
  }

  #look({ name, client, limit, window: length = MINUTE }: Limit): Allowance {
    const now = this.#now();
    const { count, resetAt } = this.#current(name, keyOf(client), { length, now }) ?? {
      count: 0,
      resetAt: now + length,
    };
    const remaining = Math.max(0, limit - count);
    return { allowed: remaining > 0, remaining, resetAt };
  }

  /**
   * Counts one request against all of these limits, or against none if one of them is used up.
   * @returns undefined when it was counted, else when the last of the used-up windows ends, in milliseconds
   */
  hitAll(limits: readonly Limit[]): number | undefined {
    const full = limits.map((limit) => this.look(limit)).filter(({ allowed }) => !allowed);
    if (full.length > 0) return Math.max(...full.map(({ resetAt }) => resetAt));
    for (const limit of limits) this.count(limit);
    return undefined;
  }

  /** Counts one request, whether it is allowed or not. */
  count(limit: Limit): void {
    if (limit.client === EVERYBODY && !this.#look(limit).allowed) this.#hit(paceOf(limit));
    this.#hit(limit);
  }

  #hit({ name, client, limit, window }: Limit): void {
    this.hit(name, client, limit, window);
  }

  /** Forgets what was counted for one client under a name. */
  forget(name: string, client: string): void {
    this.#windows.get(name)?.delete(keyOf(client));
  }

  #current(
    name: string,
    client: string,
    { length, now }: { length: number; now: number },
  ): Window | undefined {
    const window = this.#windows.get(name)?.get(client);
    // A window that starts in the future: the clock has been set back since.
    return window && window.resetAt > now && window.resetAt <= now + length ? window : undefined;
  }
}

/** What a limit of all clients lets through beyond itself: its share of every ten seconds, at least one request. */
const paceOf = ({ name, client, limit, window = MINUTE }: Limit): Limit => ({
  name: `${name}, beyond`,
  client,
  limit: Math.ceil((limit * PACED) / window),
  window: PACED,
});

const keyOf = (client: string): string =>
  client.includes(':') ? client.split(' ').map(limitedClient).join(' ') : client;

/**
 * An onRequest hook that counts against one named limit. If two are stacked, the later, narrower one sets the
 * headers; a refusal has none of them (specification: Rate limit mechanics 4).
 */
export function rateLimit(
  limiter: RateLimiter,
  now: Clock,
  name: string,
  limit: number,
): onRequestHookHandler {
  return ({ client }, reply, done) => {
    countRequest(limiter, now, { name, client, limit }, reply);
    done();
  };
}

/** Counts one request against a limit, and shows in the headers what is left. @throws 429 past the limit */
export function countRequest(limiter: RateLimiter, now: Clock, of: Limit, reply: FastifyReply): void {
  const allowance = limiter.hit(of.name, of.client, of.limit, of.window);
  if (!allowance.allowed) throw refuse(reply, allowance, now);
  showAllowance(reply, of.limit, allowance);
}

/**
 * An onRequest hook that counts the requests of all clients together: a client can use many addresses, or forge them.
 * Register it after the limit per client, which sets the headers.
 */
export function rateLimitOfAll(
  limiter: RateLimiter,
  now: Clock,
  name: string,
  limit: number,
): onRequestHookHandler {
  return (_request, reply, done) => {
    const resetAt = limiter.hitAll([{ name, client: EVERYBODY, limit }]);
    if (resetAt === undefined) done();
    else done(refuse(reply, { resetAt }, now));
  };
}

export interface FailureLimit {
  /** Sets the headers without counting. */
  show(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts one failure. @throws 429 past the limit */
  count(request: FastifyRequest, reply: FastifyReply): void;
}

/** A limit of failed requests: a successful one gets the headers, but is neither counted nor refused. */
export function failureLimit(limiter: RateLimiter, now: Clock, name: string, limit: number): FailureLimit {
  return {
    show({ client }, reply) {
      showAllowance(reply, limit, limiter.look({ name, client, limit }));
    },
    count({ client }, reply) {
      countRequest(limiter, now, { name, client, limit }, reply);
    },
  };
}

function showAllowance(reply: FastifyReply, limit: number, { remaining, resetAt }: Allowance): void {
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetAt,
  });
}

function refuse(reply: FastifyReply, { resetAt }: Pick<Allowance, 'resetAt'>, now: Clock): AppError {
  for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    reply.removeHeader(header);
  return tooManyRequests('rate_limit_exceeded', resetAt - now());
}
