import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A stand-in for another host: records every request and responds with `answer`. */
export interface Upstream {
  url: string;
  requests: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[];
  answer: (response: http.ServerResponse, body: string) => void;
}

export async function startUpstream(answer: Upstream['answer']): Promise<Upstream> {
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    upstream.requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    });
    upstream.answer(
      response.on('error', () => undefined),
      body,
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer,
  };
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return upstream;
}

export const json =
  (value: unknown, status = 200): Upstream['answer'] =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** Sends an endless body as fast as the client reads it; `sent` counts the bytes. */
export function endless(sent = { bytes: 0 }): Upstream['answer'] {
  const piece = Buffer.alloc(256 * 1024, 'x');
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/calendar' });
    response.write('BEGIN:VCALENDAR\r\n');
    const send = () => {
      do sent.bytes += piece.length;
      while (response.write(piece) && !response.destroyed);
    };
    response.on('drain', send);
    send();
  };
}
