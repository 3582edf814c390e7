import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { EventStreams, PING_MS, type StreamEvent } from '#kernel/live/event-stream.ts';
import { ensureConnectionSlot } from '#kernel/live/sockets.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { listChangedSince } from '#pub/devices/screens.ts';
import { findCard } from '#pub/screen/now-showing.ts';
import { CHANNELS, publishedChanges, storedPing } from './published.ts';
import {
  computeState,
  diffState,
  type Facts,
  readFacts,
  type SentEvents,
  type StreamState,
} from './stream-state.ts';

/**
 * The now-playing stream. All clients have the same state: each change and each tick computes the next one, and all
 * clients get the difference; a new client gets the whole state first.
 */
export class NowPlayingStream {
  readonly #ctx: Context;
  readonly #streams: EventStreams;
  readonly #subscriptions: (() => void)[];
  #facts: Facts | undefined;
  #state: StreamState | undefined;
  /** Whether anything changed since the facts were read. */
  #stale = true;
  /** Counts changes of what is on the big screen, so that only the newest card is sent. */
  #decisions = 0;
  /** When staff made the last change of a screen that was sent. Changes of the same millisecond are sent again. */
  #toldAt: number;
  /** The state that was last published to the engine. */
  #published: StreamState | undefined;
  #pingedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#toldAt = ctx.now();
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
      ctx.hub.on('menu', () => this.#sendName('menu')),
      ctx.hub.on('screens', () => this.#sendTold()),
    ];
  }

  /** Starts publishing to the fan-out engine, if there is one, even without clients here: it has clients of its own. */
  start(): void {
    const { publisher } = this.#ctx;
    if (!publisher) return;
    publisher.start(CHANNELS);
    this.#timer = setInterval(() => this.#tick(), SECOND);
    this.#tick();
  }

  /**
   * Sends a client the whole state, and from then on every change.
   * @param screen a screen that staff named, for which places are kept
   * @throws 503 when too many are connected
   */
  open(request: FastifyRequest, reply: FastifyReply, screen?: string): void {
    ensureConnectionSlot(this.#ctx, request, reply, screen);
    const state = this.#sendChanges(this.#readFacts());
    this.#streams.open(request, reply, diffState(undefined, state, this.#ctx.now()), screen);
  }

  /** Ends every stream. */
  close(): void {
    clearInterval(this.#timer);
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#streams.close();
  }

  /** Sends an event without data: pages that show this kind of data then fetch it. */
  #sendName(event: 'settings' | 'content' | 'menu'): void {
    this.#sendNews(event, {});
  }

  /** Whether there are clients or an engine to send to. */
  #isHeard(): boolean {
    return this.#streams.size > 0 || this.#timer !== undefined;
  }

  /** Sends an event that is not part of the state, so new clients do not get it. */
  #sendNews<Name extends keyof SentEvents>(event: Name, data: SentEvents[Name]): void {
    const news: StreamEvent = { event, data };
    this.#streams.send([news]);
    this.#ctx.publisher?.send([{ ...news, keep: false }]);
  }

  /** Sends the engine's clients the changes that come with time alone, and the pings. */
  #tick(): void {
    this.#update();
    const { now, publisher } = this.#ctx;
    const at = now();
    if (Math.abs(at - this.#pingedAt) < PING_MS) return;
    this.#pingedAt = at;
    publisher?.send([storedPing(now)]);
  }

  /** Reads the new facts only while there is somebody to send to. */
  #onNews(): void {
    this.#stale = true;
    if (this.#isHeard()) this.#update();
  }

  /** Sends the current card. It is not part of the state, so new clients do not get it. */
  async #sendCard(): Promise<void> {
    const decision = ++this.#decisions;
    if (!this.#isHeard() || !isOn(this.#ctx, 'big_screen')) return;
    try {
      const data = await findCard(this.#ctx);
      if (decision === this.#decisions) this.#sendNews('screen', data);
    } catch (err) {
      this.#ctx.log.error({ err }, 'what is on the big screen could not be read');
    }
  }

  /** Tells screens that staff changed their settings: each sends a heartbeat at once, whose answer has the changes. */
  #sendTold(): void {
    const { changed, last } = listChangedSince(this.#ctx, Math.min(this.#toldAt, this.#ctx.now()));
    this.#toldAt = last;
    if (this.#isHeard()) for (const data of changed) this.#sendNews('screens', data);
  }

  #update(): void {
    try {
      this.#readFacts();
    } catch (err) {
      // The next tick tries again; until then the previous facts are used.
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

  /** Computes the current state and sends what changed. */
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
