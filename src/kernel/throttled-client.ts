import { setTimeout } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { z } from 'zod';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { DAY, MINUTE, SECOND } from './clock.ts';
import type { Context } from './context.ts';
import {
  fetchUpstream,
  hasContent,
  noteRetirement,
  retryAfter,
  statusInWords,
  type UpstreamAnswer,
  type UpstreamRequest,
} from './upstream.ts';

/** Longest pause after a 429 or 503, even if the host asks for more. */
const LONGEST_PAUSE_MS = DAY;

/** Why nothing is asked after a 429 or 503. */
export const PAUSED = t('settings.upstream.pause');

/** The answer of a host: a value, undefined if it has none (404), or why there is no usable answer. */
export type HostAnswer<T> = { ok: true; value: T | undefined } | { ok: false; reason: Words };

/** Sends one request to a host; client and abort signal are already bound. */
export type Ask = <T>(url: string, shape: z.ZodType<T>) => Promise<HostAnswer<T>>;

/**
 * A client of a free third-party service: one request at a time with a pause between two, no requests during the pause
 * that a 429 or 503 asks for, and always with our User-Agent.
 */
export class ThrottledClient {
  readonly #ctx: Context;
  readonly #title: Words | undefined;
  readonly #spacingMs: number;
  readonly #timeoutMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  readonly #queue = new PQueue({ concurrency: 1 });

  /** @param title of the service, under which is noted that its address will be retired; without one the caller does */
  constructor(
    ctx: Context,
    {
      title,
      spacingMs = SECOND,
      timeoutMs = 8 * SECOND,
    }: { title?: Words; spacingMs?: number; timeoutMs?: number } = {},
  ) {
    this.#ctx = ctx;
    this.#title = title;
    this.#spacingMs = spacingMs;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a pause after a 429 or 503 of the host is not over yet. */
  get paused(): boolean {
    return this.#ctx.now() < this.#pausedUntil;
  }

  /**
   * Gets JSON of a known shape, after all earlier requests. A 429 or 503 pauses the client for the time of its
   * Retry-After, else for a minute.
   */
  get<T>(url: string, shape: z.ZodType<T>, signal?: AbortSignal): Promise<HostAnswer<T>> {
    return this.#queue.add(async () => read(await this.#fetch(url, { signal }), shape));
  }

  /** Sends one GET like `get`, with further headers, and returns the whole answer. */
  ask(url: string, request: Pick<UpstreamRequest, 'headers' | 'signal'>): Promise<UpstreamAnswer> {
    return this.#queue.add(() => this.#fetch(url, request));
  }

  async #fetch(
    url: string,
    { headers, signal }: Pick<UpstreamRequest, 'headers' | 'signal'>,
  ): Promise<UpstreamAnswer> {
    if (this.paused) return { ok: false, reason: PAUSED };
    const wait = this.#lastAt + this.#spacingMs - performance.now();
    if (wait > 0) await setTimeout(wait, undefined, { signal }).catch(() => {});
    const { userAgent, now } = this.#ctx;
    const answer = await fetchUpstream(url, {
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      timeoutMs: this.#timeoutMs,
      maxBytes: 2 * 1024 * 1024,
      signal,
    });
    this.#lastAt = performance.now();
    if (answer.ok && this.#title !== undefined) noteRetirement(this.#ctx, this.#title, answer);
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
  if (!hasContent(answer)) return { ok: false, reason: statusInWords(answer) };
  const parsed = shape.safeParse(jsonOf(answer.body));
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, reason: t('settings.upstream.shape') };
}

/** Undefined if the body is not JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
