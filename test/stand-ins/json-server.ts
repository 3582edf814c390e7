import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The answer to a request: JSON (200 unless said otherwise), a status, one that never comes, one that is no JSON, or a dropped connection.
 */
export type Answer =
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { status: number; headers?: Record<string, string> }
  | 'hang'
  | 'garbage'
  | 'drop';

export interface JsonServer {
  url: string;
  /** Every request so far: its path with the query, its headers, when it came. */
  requests: { path: string; query: URLSearchParams; headers: http.IncomingHttpHeaders; at: number }[];
  /** Returns the answer to a path; undefined means 404. */
  answer: (path: string, query: URLSearchParams) => Answer | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a stand-in for an external JSON API on a free local port. */
export async function jsonServer(answer: JsonServer['answer'] = () => undefined): Promise<JsonServer> {
  const server = http.createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://x');
    fake.requests.push({ path, query, headers: request.headers, at: performance.now() });
    const given = fake.answer(path, query) ?? { status: 404 };
    if (given === 'hang') return;
    if (given === 'drop') response.destroy();
    else if (given === 'garbage') response.end('<html>not today</html>');
    else if ('json' in given)
      response.writeHead(given.status ?? 200, given.headers).end(JSON.stringify(given.json));
    else response.writeHead(given.status, given.headers).end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const fake: JsonServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return fake;
}
