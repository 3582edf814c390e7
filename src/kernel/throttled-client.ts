import { setTimeout } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { z } from 'zod';
import { DAY, MINUTE, SECOND } from './clock.ts';
import type { Context } from './context.ts';
import { fetchUpstream, retryAfter, type UpstreamAnswer } from './upstream.ts';

/** Nobody is waited for longer than this, whatever they say. */
const LONGEST_PAUSE_MS = DAY;

/** What a host had to say: a value, undefined for what it does not have, or why there is no usable answer. */
export type HostAnswer<T> = { ok: true; value: T | undefined } | { ok: false; reason: string };

/** One request to a host, without who asks and when to stop. */
export type Ask = <T>(url: string, shape: z.ZodType<T>) => Promise<HostAnswer<T>>;

/**
 * A client of a free service that others run: one request at a time, a pause between two, none after a 429 or 503 for
 * as long as it says, and always with our User-Agent.
 */
export class ThrottledClient {
  readonly #ctx: Context;
  readonly #spacingMs: number;
  readonly #timeoutMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(ctx: Context, { spacingMs = SECOND, timeoutMs = 8 * SECOND } = {}) {
    this.#ctx = ctx;
    this.#spacingMs = spacingMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether the host has answered 429 or 503, and its pause is not over. */
  get paused(): boolean {
    return this.#ctx.now() < this.#pausedUntil;
  }

  /**
   * Gets JSON of a known shape, in its turn. An answer of 429 or 503 pauses the host for as long as it says, else for
   * a minute.
   */
  get<T>(url: string, shape: z.ZodType<T>, signal?: AbortSignal): Promise<HostAnswer<T>> {
    return this.#queue.add(async () => read(await this.#fetch(url, signal), shape));
  }

  async #fetch(url: string, signal: AbortSignal | undefined): Promise<UpstreamAnswer> {
    if (this.paused) return { ok: false, reason: 'it asked for a pause' };
    const wait = this.#lastAt + this.#spacingMs - performance.now();
    if (wait > 0) await setTimeout(wait, undefined, { signal }).catch(() => {});
    const { userAgent, now } = this.#ctx;
    const answer = await fetchUpstream(url, {
      headers: { accept: 'application/json', 'user-agent': userAgent },
      timeoutMs: this.#timeoutMs,
      maxBytes: 2 * 1024 * 1024,
      signal,
    });
    this.#lastAt = performance.now();
    if (answer.ok && (answer.status === 429 || answer.status === 503)) {
      const pause = retryAfter(answer.headers, now()) ?? MINUTE;
      this.#pausedUntil = now() + Math.min(pause, LONGEST_PAUSE_MS);
    }
    return answer;
  }
}

function read<T>(answer: UpstreamAnswer, shape: z.ZodType<T>): HostAnswer<T> {
  if (!answer.ok) return answer;
  if (answer.status === 404) return { ok: true, value: undefined };
  if (answer.status !== 200) return { ok: false, reason: `status ${answer.status}` };
  const parsed = shape.safeParse(jsonOf(answer.body));
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, reason: 'its answer has an unexpected shape' };
}

/** Undefined for what is no JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
