import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { EventStreams } from '#kernel/live/event-stream.ts';
import { ensureRoom } from '#kernel/live/sockets.ts';
import { changes, type Facts, readFacts, type Scene, sceneOf } from './stream-state.ts';

/**
 * The stream of what is playing. All clients know the same scene: news and every tick make the next one, and all get
 * the difference; who comes new gets the whole scene and from then on what the others get.
 */
export class NowPlayingStream {
  readonly #ctx: Context;
  readonly #streams: EventStreams;
  readonly #deafen: () => void;
  #facts: Facts | undefined;
  #scene: Scene | undefined;
  /** Something has changed since the facts were read. */
  #news = true;
  #reading: Promise<void> | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#streams = new EventStreams({
      now: ctx.now,
      connections: ctx.connections,
      lifetimeMs: ctx.config.NOW_PLAYING_SSE_MAX_CONNECTION_MS,
      onTick: () => this.#tick(),
    });
    this.#deafen = ctx.hub.on(['plays', 'device', 'controls', 'lyrics', 'offset'], () => this.#hear());
  }

  /** Sends a client everything, and from then on every change. @throws 503 when it is one too many */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#news) await this.#read();
    // Only now: of those that waited for the same reading, no more get in than there is room for.
    ensureRoom(this.#ctx, request, reply);
    this.#look();
    this.#streams.open(request, reply, this.#scene ? changes(undefined, this.#scene, this.#ctx.now()) : []);
  }

  /** Ends every stream. */
  close(): void {
    this.#deafen();
    this.#streams.close();
  }

  /** While nobody listens nothing is read. */
  #hear(): void {
    this.#news = true;
    if (this.#streams.size > 0) this.#readOrLog();
  }

  #tick(): void {
    // A reading that failed is tried again.
    if (this.#news) this.#readOrLog();
    this.#look();
  }

  #readOrLog(): void {
    this.#read().catch((err: unknown) => this.#ctx.log.error({ err }, 'what is playing could not be read'));
  }

  /** Reads until there is no more news; who asks meanwhile shares the reading. */
  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#news) {
      this.#news = false;
      try {
        this.#facts = await readFacts(this.#ctx);
      } catch (error) {
        this.#news = true;
        throw error;
      }
      this.#look();
    }
  }

  /** Makes the scene of this moment and sends what is new in it. */
  #look(): void {
    if (!this.#facts) return;
    const now = this.#ctx.now();
    const previous = this.#scene;
    this.#scene = sceneOf(this.#facts, now, this.#ctx.config);
    if (this.#streams.size > 0) this.#streams.send(changes(previous, this.#scene, now));
  }
}
