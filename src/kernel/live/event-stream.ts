import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Clock, SECOND } from '#kernel/clock.ts';
import type { Connections } from './connections.ts';

/** One named event of a stream; `data` is sent as JSON. */
export interface StreamEvent {
  event: string;
  data: unknown;
  id?: number;
}

interface Options {
  now: Clock;
  connections: Connections;
  /** Longest life of a stream; each ends at a random moment of the last fifth of it. */
  lifetimeMs: number;
  /** Called with every tick while a stream is open, to send what time alone has changed. */
  onTick: () => void;
}

/** What a client may leave unread, and for how long, before it is cut. */
const BACKLOG_BYTES = 256 * 1024;
const BACKLOG_MS = 15 * SECOND;

const KEEPALIVE_MS = 15 * SECOND;
/** Between two pings, by which clients notice that a stream has gone silent. */
export const PING_MS = 30 * SECOND;

interface Stream {
  response: ServerResponse;
  leave: () => void;
  endsAt: number;
  /** Since when the client has not been reading. */
  blockedAt?: number;
  /** The newest frame of each event that waits for it to read again. */
  waiting?: Map<string, Buffer>;
}

/**
 * Server-sent events to many clients. A frame is serialised once and given to every socket; nothing is awaited, so
 * a client that reads slowly costs itself only. One timer serves all.
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
    this.#tickMs = Math.min(SECOND, Math.max(1, options.lifetimeMs / 50));
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Takes a request over and sends it these events, then a ping, then whatever `send` is given. */
  open(request: FastifyRequest, reply: FastifyReply, events: StreamEvent[]): void {
    const { now, connections } = this.#options;
    const response = reply.raw;
    reply.hijack();
    // Closed while its first events were being read: no event would remove it later.
    if (response.destroyed) return;
    // Ends with its connection: without chunks a frame is written as it is.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      // What the hooks have set: Fastify does not send it on a reply that was taken over.
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      // Caddy and nginx compress what has no encoding, also against no-transform: events would wait in their buffers.
      'content-encoding': 'identity',
      connection: 'close',
    });
    const first = [...events, ping(now())].map(frameOf).join('');
    const stream: Stream = { response, leave: connections.enter(request.client), endsAt: this.#endOf(now()) };
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

  /** Random, so that screens which connected together do not come back together; the tick that ends it is allowed for. */
  #endOf(from: number): number {
    const { lifetimeMs } = this.#options;
    return from + lifetimeMs * 0.8 + Math.random() * (lifetimeMs * 0.2 - this.#tickMs);
  }

  #end(stream: Stream): void {
    // A goodbye would wait behind what is not being read.
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
  }

  #start(): void {
    if (this.#timer) return;
    this.#keptAliveAt = this.#options.now();
    this.#pingedAt = this.#options.now();
    this.#timer = setInterval(() => this.#tick(), this.#tickMs);
  }
}

const ping = (ts: number): StreamEvent => ({ event: 'ping', data: { ts } });

/** JSON has no line breaks, so it is always one line of data. */
function frameOf({ event, data, id }: StreamEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Also when the clock was set back. */
function isDue(now: number, last: number, every: number): boolean {
  return Math.abs(now - last) >= every;
}

/** When the browser should come back after an end: 1 to 5 s. */
function retryMs(): number {
  return Math.round(SECOND * (1 + 4 * Math.random()));
}

function backlogOf({ response, waiting }: Stream): number {
  let bytes = response.writableLength;
  for (const frame of waiting?.values() ?? []) bytes += frame.byteLength;
  return bytes;
}

/** A socket that fails is closed by the server itself, which closes its stream. */
function ignored(): void {}
