// Behaves like nginx with nchan (https://nchan.io), according to its documentation and sources: channels that keep one
// message, and streams of several channels. Messages are ordered by the second of their arrival, then by their number
// within that second in their channel, then by the position of the channel.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const STREAM = '/api/now-playing/current';

interface Channel {
  second: number;
  tag: number;
  /** The stored message. */
  message: string | undefined;
}

/** One request to publish. */
export interface Publication {
  channel: string;
  event: string;
  data: unknown;
  kept: boolean;
}

/** How it answers a publish or status request: normally, late, with a status, never, or by dropping the connection. */
export type Behaviour = 'work' | { late: number } | { status: number } | 'hang' | 'drop';

export class FanOutEngine implements AsyncDisposable {
  behaviour: Behaviour = 'work';
  /** Everything that was published, also before `forget()`. */
  readonly published: Publication[] = [];
  /** The number of publish and status requests, including failed ones. */
  requests = 0;
  /** The most such requests that were in progress at once. */
  mostAtOnce = 0;
  port = 0;
  #atOnce = 0;
  readonly #order: readonly string[];
  readonly #channels = new Map<string, Channel>();
  readonly #streams = new Set<http.ServerResponse>();
  readonly #waiting = new Set<() => void>();
  readonly #now: () => number;
  #server: http.Server | undefined;

  private constructor(order: readonly string[], now: () => number) {
    this.#order = order;
    this.#now = now;
  }

  /**
   * @param order the channels of its stream
   * @param now its clock, in seconds
   */
  static async open(
    order: readonly string[],
    now = () => Math.floor(Date.now() / 1_000),
    port = 0,
  ): Promise<FanOutEngine> {
    const engine = new FanOutEngine(order, now);
    engine.port = port;
    await engine.start();
    return engine;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get publishUrl(): string {
    return `${this.origin}/publish`;
  }

  get streams(): number {
    return this.#streams.size;
  }

  async start(): Promise<void> {
    this.#server = http.createServer((request, response) => void this.#answer(request, response));
    this.#server.listen({ port: this.port, host: '127.0.0.1', backlog: 4_096 });
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops, closes all connections, and clears all channels. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    this.forget();
    if (server) await new Promise((closed) => server.close(closed));
  }

  /** Clears all channels, as a restart does. */
  forget(): void {
    this.#channels.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** Waits until `when` returns true; checked before and after each request. */
  async until(when: () => boolean): Promise<void> {
    while (!when()) await new Promise<void>((wake) => this.#waiting.add(wake));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = request.url ?? '/';
    const [, channel] = /^\/publish\/([a-z_]+)$/.exec(url) ?? [];
    if (url === STREAM && /text\/event-stream/.test(request.headers.accept ?? '')) this.#open(response);
    else if (channel === undefined) response.writeHead(url === STREAM ? 403 : 404).end();
    else {
      this.requests += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
      this.#tell();
      await this.#serve(channel, request, response);
      this.#atOnce -= 1;
    }
    this.#tell();
  }

  #tell(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #serve(name: string, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { behaviour } = this;
    if (behaviour === 'hang') return;
    if (behaviour === 'drop') return void response.destroy();
    if (typeof behaviour === 'object' && 'late' in behaviour) await wait(behaviour.late);
    else if (typeof behaviour === 'object') return void response.writeHead(behaviour.status).end();
    if (request.method === 'POST') this.#publish(name, request.headers, body);
    const channel = this.#channels.get(name);
    if (!channel) return void response.writeHead(404).end();
    const found = request.method === 'GET' ? 200 : this.#streams.size > 0 ? 201 : 202;
    response.writeHead(found, { 'content-type': 'text/json' });
    response.end(
      JSON.stringify({
        messages: channel.message === undefined ? 0 : 1,
        requested: -1,
        subscribers: this.#streams.size,
        last_message_id: `${channel.second}:${channel.tag}`,
      }),
    );
  }

  #publish(name: string, headers: http.IncomingHttpHeaders, body: string): void {
    const event = String(headers['x-eventsource-event']);
    const kept = headers['x-stream-keep'] !== '0';
    this.published.push({ channel: name, event, data: JSON.parse(body), kept });
    const second = this.#now();
    const before = this.#channels.get(name);
    const tag = before?.second === second ? before.tag + 1 : 0;
    const message = `event: ${event}\nid: ${second}:${tag}\ndata: ${body}\n\n`;
    this.#channels.set(name, { second, tag, message: kept ? message : undefined });
    if (!this.#order.includes(name)) return;
    for (const stream of this.#streams) stream.write(message);
  }

  #open(response: http.ServerResponse): void {
    // Like nchan: no chunked encoding.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' });
    const kept = this.#order
      .flatMap((name, place) => ({ ...this.#channels.get(name), place }))
      .toSorted(
        (a, b) => (a.second ?? 0) - (b.second ?? 0) || (a.tag ?? 0) - (b.tag ?? 0) || a.place - b.place,
      )
      .map(({ message = '' }) => message);
    response.write(`: hi\n\n${kept.join('')}`);
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }
}
