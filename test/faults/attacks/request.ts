// Sends one request as an attacker can: any Host, any header, any spelling of the path, from any loopback address.
import http from 'node:http';

export interface Sent {
  method?: string;
  /** A list sends the header once for each value. */
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON. */
  body?: string | object;
  /** In place of a body of text. */
  bytes?: Buffer;
  /** The address of the client, within 127.0.0.0/8; by default one that was never used before. */
  from?: string;
  /** Milliseconds. */
  timeout?: number;
}

/** Status 0: no answer. 101: the socket was opened, and was closed again. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

let addresses = 0;

/** Returns a loopback address that no other attack has used, so that earlier rate limits do not matter. */
export function freshAddress(): string {
  addresses += 1;
  return `127.${1 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Sends `path` as it is spelled to the host and port of `origin`. */
export function ask(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body, bytes, from = freshAddress(), timeout = 60_000 }: Sent = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const payload = bytes ?? (typeof body === 'object' ? JSON.stringify(body) : body);
  const sent = {
    host: 'club.example',
    accept: 'application/json',
    ...(typeof body === 'object' && { 'content-type': 'application/json' }),
    ...(payload !== undefined && { 'content-length': String(Buffer.byteLength(payload)) }),
    ...headers,
  };
  return new Promise((resolve) => {
    const nothing = () => resolve({ status: 0, headers: {}, body: '' });
    const options = {
      hostname,
      port,
      path,
      method,
      headers: sent,
      localAddress: from,
      agent: false,
      timeout,
    };
    const request = http.request(options, (response) => {
      const { statusCode: status = 0, headers } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status, headers, body: text }));
      response.on('error', nothing);
    });
    request.on('upgrade', ({ headers }, socket) => {
      socket.destroy();
      resolve({ status: 101, headers, body: '' });
    });
    request.on('timeout', () => request.destroy());
    request.on('error', nothing);
    request.end(payload);
  });
}

/** Runs `work` for each item, `atOnce` at a time, and returns the results in order. */
export async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  atOnce = 32,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
