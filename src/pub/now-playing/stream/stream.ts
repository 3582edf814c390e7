import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { EventStreams, PING_MS, type StreamEvent } from '#kernel/live/event-stream.ts';
import { ensureConnectionSlot } from '#kernel/live/sockets.ts';
import { findLastTold } from '#pub/room/screens.ts';
import { findCard } from '#pub/screen/now-showing.ts';
import { CHANNELS, publishedChanges, storedPing } from './published.ts';
import { computeState, diffState, type Facts, readFacts, type StreamState } from './stream-state.ts';

/**
 * The stream of what is playing. All clients know the same state: news and every tick compute the next one, and all
 * get the difference; a new client gets the whole state first.
 */
export class NowPlayingStream {
  readonly #ctx: Context;
  readonly #streams: EventStreams;
  readonly #subscriptions: (() => void)[];
  #facts: Facts | undefined;
  #state: StreamState | undefined;
  /** There was news since the facts were read. */
  #stale = true;
  /** How often staff decided what is on the big screen. */
  #decisions = 0;
  /** What the engine was told last. */
  #published: StreamState | undefined;
  #pingedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#streams = new EventStreams({
      now: ctx.now,
      connections: ctx.connections,
      lifetimeMs: ctx.config.NOW_PLAYING_SSE_MAX_CONNECTION_MS,
      onTick: () => this.#update(),
    });
    this.#subscriptions = [
      ctx.hub.on(['plays', 'device', 'controls', 'lyrics', 'offset', 'takeovers'], () => this.#onNews()),
      ctx.hub.on('showing', () => void this.#sendCard()),
      ctx.hub.on('settings', () => this.#sendName('settings')),
      ctx.hub.on('content', () => this.#sendName('content')),
      ctx.hub.on('screens', () => this.#sendTold()),
    ];
  }

  /** Begins to publish to the fan-out engine, where there is one: it has clients that nobody here sees. */
  start(): void {
    const { publisher } = this.#ctx;
    if (!publisher) return;
    publisher.start(CHANNELS);
    this.#timer = setInterval(() => this.#tick(), SECOND);
    this.#tick();
  }

  /** Sends a client the whole state, and from then on every change. @throws 503 when it is one too many */
  open(request: FastifyRequest, reply: FastifyReply): void {
    ensureConnectionSlot(this.#ctx, request, reply);
    const state = this.#sendChanges(this.#readFacts());
    this.#streams.open(request, reply, diffState(undefined, state, this.#ctx.now()));
  }

  /** Ends every stream. */
  close(): void {
    clearInterval(this.#timer);
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#streams.close();
  }

  /** Says that there is something new: pages that show any of it ask for it. */
  #sendName(event: 'settings' | 'content'): void {
    this.#sendNews({ event, data: {} });
  }

  /** Whether anybody hears of changes. */
  #isHeard(): boolean {
    return this.#streams.size > 0 || this.#timer !== undefined;
  }

  /** Sends what is no part of the state: a new client is not told. */
  #sendNews(news: StreamEvent): void {
    this.#streams.send([news]);
    this.#ctx.publisher?.send([{ ...news, keep: false }]);
  }

  /** What time alone has changed, and the pings, for the clients of the engine. */
  #tick(): void {
    this.#update();
    const { now, publisher } = this.#ctx;
    const at = now();
    if (Math.abs(at - this.#pingedAt) < PING_MS) return;
    this.#pingedAt = at;
    publisher?.send([storedPing(now)]);
  }

  /** While nobody hears nothing is read. */
  #onNews(): void {
    this.#stale = true;
    if (this.#isHeard()) this.#update();
  }

  /** The card as the last decision leaves it; it is no part of the state, so a new client is not told. */
  async #sendCard(): Promise<void> {
    const decision = ++this.#decisions;
    if (!this.#isHeard() || !this.#ctx.config.NOW_SHOWING_ENABLED) return;
    try {
      const data = await findCard(this.#ctx);
      if (decision === this.#decisions) this.#sendNews({ event: 'screen', data });
    } catch (err) {
      this.#ctx.log.error({ err }, 'what is on the big screen could not be read');
    }
  }

  /** Tells a screen that staff changed something of it: its next heartbeat, sent at once, is answered with what. */
  #sendTold(): void {
    const data = this.#isHeard() ? findLastTold(this.#ctx) : undefined;
    if (data) this.#sendNews({ event: 'screens', data });
  }

  #update(): void {
    try {
      this.#readFacts();
    } catch (err) {
      // The next tick tries again; until then the state follows from the facts of before.
      this.#ctx.log.error({ err }, 'what is playing could not be read');
    }
    if (this.#facts) this.#sendChanges(this.#facts);
  }

  #readFacts(): Facts {
    if (!this.#facts || this.#stale) {
      this.#facts = readFacts(this.#ctx);
      this.#stale = false;
    }
    return this.#facts;
  }

  /** Computes the state of this moment and sends what changed. */
  #sendChanges(facts: Facts): StreamState {
    const now = this.#ctx.now();
    const previous = this.#state;
    const state = computeState(facts, now, this.#ctx.config);
    this.#state = state;
    if (this.#streams.size > 0) this.#streams.send(diffState(previous, state, now));
    if (this.#timer) {
      this.#ctx.publisher?.send(publishedChanges(this.#published, state, now));
      this.#published = state;
    }
    return state;
  }
}
