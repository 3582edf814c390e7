import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListenAt } from '#kernel/config.ts';
import { DatabaseInUse } from './database-error.ts';

/** How often the lock of the database is tried. */
const TRY_EVERY_MS = 500;

/**
 * Waits until no other process serves the database, then opens it: STANDBY=on. Meanwhile it listens at the address of
 * the service, and answers everything with 503; /health says `standby`.
 * @param open opens the context and its database. @throws DatabaseInUse while another process serves it
 * @returns undefined when `stop` came first
 */
export async function openWhenFree<T>(
  open: () => Promise<T>,
  at: ListenAt,
  stop: AbortSignal,
): Promise<T | undefined> {
  const first = await openIfFree(open);
  if (first) return first;
  const server = http.createServer(answer).listen(at);
  await once(server, 'listening');
  console.log(`Standby: another process serves the database; waiting at ${addressOf(server)}`);
  try {
    while (!stop.aborted) {
      await delay(TRY_EVERY_MS, undefined, { signal: stop }).catch(() => {});
      const opened = stop.aborted ? undefined : await openIfFree(open);
      if (opened) return opened;
    }
  } finally {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

async function openIfFree<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof DatabaseInUse) return undefined;
    throw error;
  }
}

function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  const health = request.url?.split('?', 1)[0] === '/health';
  const body = health
    ? { service: 'publichouse', status: 'standby', uptime_s: Math.floor(process.uptime()) }
    : { error: 'This process is a standby: another one serves', code: 'standby' };
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '5',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
}

function addressOf(server: http.Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
