import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND } from '#kernel/clock.ts';
import type { App } from './http.ts';

/** How long a connection may take to send something before a stop closes it. */
const FIRST_BYTE_WITHIN_MS = SECOND;
const LOOK_EVERY_MS = 10;
const CLOSE_IDLE_EVERY_MS = 50;
const SHORT_TURN_MS = 2;
const CLOSE_ANYWAY_AFTER_MS = 5 * SECOND;

/** Connections that may wait to be taken, in a socket that outlives a restart above all. The system has its own limit. */
const WAITING_AT_MOST = 4_096;

/** Fastify hands a length on for addresses alone; for a socket of the parent Node reads it from its second argument. */
export function lengthenQueue({ server }: App): void {
  const listen = server.listen.bind(server) as (...args: unknown[]) => typeof server;
  server.listen = (options: unknown, ...rest: unknown[]) => listen(options, WAITING_AT_MOST, ...rest);
}

/**
 * A stop takes no new connections, answers what came over those it took, and waits for requests, not for connections
 * that clients keep for later ones.
 */
export function closeConnectionsAtStop(app: App): void {
  const { server } = app;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // To Node a connection is idle too whose next request has come and was not read yet; Fastify and Node would close
  // all of them as the stop begins.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => undefined;
  app.addHook('preClose', async () => {
    if (!server.listening) return closeIdle();
    net.Server.prototype.close.call(server);
    const began = performance.now();
    while (unread(open) && performance.now() < began + FIRST_BYTE_WITHIN_MS) await delay(LOOK_EVERY_MS);
    const timer = setInterval(() => afterReading(closeIdle, began), CLOSE_IDLE_EVERY_MS);
    server.once('close', () => clearInterval(timer));
  });
}

const unread = (sockets: Set<Socket>) => sockets.values().some(({ bytesRead }) => bytesRead === 0);

/** Between a timer and an immediate Node reads what has come; what came during a long turn it has not read. */
function afterReading(closeIdle: () => void, began: number): void {
  const turn = performance.now();
  setImmediate(() => {
    const now = performance.now();
    if (now - turn < SHORT_TURN_MS || now - began > CLOSE_ANYWAY_AFTER_MS) closeIdle();
  });
}
