import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestApp } from './app.ts';

/** One event as it was received. */
export interface Heard {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at
  data: any;
  id?: string;
}

/** A client of the now-playing stream over a real socket. */
export interface StreamClient {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** All text received so far. */
  text: string;
  /** The named events so far. */
  heard: Heard[];
  /** Waits until `when` accepts the events so far. */
  until(when: (heard: Heard[]) => boolean): Promise<void>;
  /** Waits for the next event with this name after those heard so far. */
  next(event: string): Promise<Heard>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  /** Resolves when the connection has ended, for any reason. */
  gone: Promise<void>;
  close(): void;
  request: http.ClientRequest;
}

/** Makes the service listen on a free port. @returns its address */
export async function listen(service: TestApp): Promise<string> {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
}

/** Opens the stream and waits for its first ping, which follows the initial state. */
export async function openStream(
  origin: string,
  headers: Record<string, string> = {},
  query = '',
  path = '/api/now-playing/current',
): Promise<StreamClient> {
  const request = http.get(`${origin}${path}${query}`, { headers, agent: false });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const waiting = new Set<() => void>();
  const client: StreamClient = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: '',
    heard: [],
    request,
    ended: new Promise((done) => response.on('end', done)),
    gone: new Promise((done) => response.on('close', done)),
    close: () => void request.destroy(),
    async until(when) {
      while (!when(client.heard)) await new Promise<void>((wake) => waiting.add(wake));
    },
    async next(event) {
      const from = client.heard.length;
      const find = () => client.heard.slice(from).find((one) => one.event === event);
      await client.until(() => find() !== undefined);
      return find()!;
    },
  };
  // A connection reset is also just an end.
  for (const end of [request, response]) end.on('error', () => {});
  response.setEncoding('utf8');
  let parsed = 0;
  response.on('data', (chunk: string) => {
    client.text += chunk;
    for (let end = client.text.indexOf('\n\n', parsed); end >= 0; end = client.text.indexOf('\n\n', parsed)) {
      const frame = readFrame(client.text.slice(parsed, end));
      if (frame) client.heard.push(frame);
      parsed = end + 2;
    }
    for (const wake of waiting) wake();
    waiting.clear();
  });
  if (client.status === 200) await client.until((heard) => heard.some(({ event }) => event === 'ping'));
  return client;
}

function readFrame(block: string): Heard | undefined {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]),
  );
  if (!fields.event) return undefined;
  return {
    event: fields.event,
    data: JSON.parse(fields.data ?? 'null'),
    ...(fields.id !== undefined && { id: fields.id }),
  };
}
