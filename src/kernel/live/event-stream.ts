import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, SECOND } from '#kernel/clock.ts';
import type { Connections } from '#kernel/http/connections.ts';

/** One named event of a stream; `data` is sent as JSON. */
export interface StreamEvent {
  event: string;
  data: unknown;
  id?: number;
}

/** The data of a ping. */
export interface Ping {
  ts: number;
  /** Kept by a fan-out engine for clients that connect later: its time may be old. */
  stored?: true;
}

interface Options {
  now: Clock;
  connections: Connections;
  /** Longest life of a stream; each ends at a random moment of the last fifth of it. */
  lifetimeMs: number;
  /** Called on every tick while a stream is open, to send changes that depend only on the time. */
  onTick: () => void;
  /** Called once the last stream has ended. */
  onEmpty?: () => void;
  /** The time between two ticks; by default a second. */
  tickMs?: number;
}

/** How much a client may leave unread, and for how long, before it is disconnected. */
const BACKLOG_BYTES = 256 * 1024;
const BACKLOG_MS = 15 * SECOND;

const KEEPALIVE_MS = 15 * SECOND;
/** Interval of the pings, by which clients detect a dead stream. */
export const PING_MS = 30 * SECOND;

interface Stream {
  response: ServerResponse;
  leave: () => void;
  endsAt: number;
  /** Since when the client has not been reading. */
  blockedAt?: number;
  /** The newest frame of each event, pending until the client reads again. */
  waiting?: Map<string, Buffer>;
}

/**
 * Sends server-sent events to many clients. A frame is serialised once and written to every socket; nothing is awaited,
 * so that a slow client does not delay others. One timer serves all.
 */
export class EventStreams {
  readonly #options: Options;
  readonly #streams = new Set<Stream>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #keptAliveAt = 0;
  #pingedAt = 0;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    // Fine enough to end a short-lived stream within its last fifth.
    this.#tickMs = Math.min(options.tickMs ?? SECOND, Math.max(1, options.lifetimeMs / 50));
  }

  get size(): number {
    return this.#streams.size;
  }

  /**
   * Takes over a request and sends these events, then a ping, then all events of `send`.
   * @param screen the screen with kept places that it is
   */
  open(request: FastifyRequest, reply: FastifyReply, events: StreamEvent[], screen?: string): void {
    const { now, connections } = this.#options;
    const response = reply.raw;
    reply.hijack();
    // The client left while its first events were being read: no close event would remove the stream later.
    if (response.destroyed) return;
    // The answer ends with its connection, so that frames are written without chunked encoding.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      // The headers set by hooks: Fastify does not send them on a hijacked reply.
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // Caddy and nginx compress answers without an encoding, even with no-transform, and would buffer events.
      'content-encoding': 'identity',
      connection: 'close',
    });
    const first = [...events, ping(now())].map(frameOf).join('');
    const stream: Stream = {
      response,
      leave: connections.enter(request.client, screen),
      endsAt: this.#endOf(now()),
    };
    response.on('error', ignored);
    response.once('close', () => this.#forget(stream));
    this.#streams.add(stream);
    this.#start();
    this.#give(stream, '', Buffer.from(`: connected\n\nretry: ${retryMs()}\n\n${first}`));
    if (this.#closed) this.#end(stream);
  }

  /** Sends events to every open stream. */
  send(events: StreamEvent[]): void {
    for (const event of events) this.#fanOut(event.event, Buffer.from(frameOf(event)));
  }

  /** Ends every stream, and each that is still being opened. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#streams) this.#end(stream);
  }

  #fanOut(name: string, frame: Buffer): void {
    for (const stream of this.#streams) this.#give(stream, name, frame);
  }

  #give(stream: Stream, name: string, frame: Buffer): void {
    if (stream.blockedAt === undefined) {
      if (!stream.response.write(frame)) this.#block(stream);
      return;
    }
    stream.waiting ??= new Map();
    stream.waiting.delete(name);
    stream.waiting.set(name, frame);
    if (backlogOf(stream) > BACKLOG_BYTES) this.#cut(stream);
  }

  #block(stream: Stream): void {
    stream.blockedAt = this.#options.now();
    stream.response.once('drain', () => {
      delete stream.blockedAt;
      const { waiting } = stream;
      delete stream.waiting;
      for (const [name, frame] of waiting ?? []) this.#give(stream, name, frame);
    });
  }

  #tick(): void {
    const { now, onTick } = this.#options;
    onTick();
    const at = now();
    if (isDue(at, this.#keptAliveAt, KEEPALIVE_MS)) {
      this.#keptAliveAt = at;
      this.#fanOut('', Buffer.from(`: keepalive ${at}\n\n`));
    }
    if (isDue(at, this.#pingedAt, PING_MS)) {
      this.#pingedAt = at;
      this.send([ping(at)]);
    }
    for (const stream of this.#streams) {
      if (stream.blockedAt !== undefined && at - stream.blockedAt >= BACKLOG_MS) this.#cut(stream);
      else if (at >= stream.endsAt) this.#end(stream);
    }
  }

  /** Random, so that screens that connected together do not reconnect together; less one tick, the longest delay. */
  #endOf(from: number): number {
    const { lifetimeMs } = this.#options;
    return from + lifetimeMs * 0.8 + Math.random() * (lifetimeMs * 0.2 - this.#tickMs);
  }

  #end(stream: Stream): void {
    // A regular end would wait behind the unread data.
    if (stream.blockedAt !== undefined) this.#cut(stream);
    else {
      this.#forget(stream);
      stream.response.end();
    }
  }

  #cut(stream: Stream): void {
    this.#forget(stream);
    stream.response.destroy();
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream);
    stream.leave();
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#options.onEmpty?.();
  }

  #start(): void {
    if (this.#timer) return;
    this.#keptAliveAt = this.#options.now();
    this.#pingedAt = this.#options.now();
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
  }
}

const ping = (ts: number): StreamEvent => ({ event: 'ping', data: { ts } satisfies Ping });

/** JSON has no line breaks, so it is always one line of data. */
function frameOf({ event, data, id }: StreamEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Also true when the clock was set back. */
function isDue(now: number, last: number, every: number): boolean {
  return Math.abs(now - last) >= every;
}

/** How long the browser waits before it reconnects: randomly 1 to 5 s. */
function retryMs(): number {
  return Math.round(SECOND * (1 + 4 * Math.random()));
}

function backlogOf({ response, waiting }: Stream): number {
  let bytes = response.writableLength;
  for (const frame of waiting?.values() ?? []) bytes += frame.byteLength;
  return bytes;
}

/** Errors need no handling: the server closes a failed socket, which closes its stream. */
function ignored(): void {}
