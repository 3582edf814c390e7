import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND } from '#kernel/clock.ts';
import type { HouseNetwork } from '#kernel/house-network.ts';
import type { App } from './http.ts';

/** How long a stop waits for the first bytes of a new connection. */
const FIRST_BYTE_WITHIN_MS = SECOND;
const LOOK_EVERY_MS = 10;
const CLOSE_IDLE_EVERY_MS = 50;
const SHORT_TURN_MS = 2;
const CLOSE_ANYWAY_AFTER_MS = 5 * SECOND;

/** Connections that may wait to be accepted, mainly during a restart on a kept socket. The system has its own limit. */
const WAITING_AT_MOST = 4_096;

/** Fastify passes a backlog only with an address; for a socket of the parent Node reads it from the second argument. */
export function lengthenQueue({ server }: App): void {
  const listen = server.listen.bind(server) as (...args: unknown[]) => typeof server;
  server.listen = (options: unknown, ...rest: unknown[]) => listen(options, WAITING_AT_MOST, ...rest);
}

/**
 * Makes a stop accept no new connections, answer the requests on accepted ones, and wait for running requests but not
 * for idle keep-alive connections.
 */
export function closeConnectionsAtStop(app: App, house: HouseNetwork): void {
  const { server } = app;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // Node counts a connection as idle even if its next request has arrived but was not read yet; Fastify and Node would
  // close all of these when the stop begins.
  let waiting: Promise<unknown> | undefined;
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => undefined;
  app.addHook('preClose', async () => {
    if (!server.listening) return closeIdle();
    net.Server.prototype.close.call(server);
    const shut = house.stop();
    const began = performance.now();
    while (unread(open) && performance.now() < began + FIRST_BYTE_WITHIN_MS) await delay(LOOK_EVERY_MS);
    const timer = setInterval(() => afterReading(closeIdle, began), CLOSE_IDLE_EVERY_MS);
    // Connections of the house are closed by their own listeners, and not waited for by the server.
    const ended = Promise.all([shut, new Promise((closed) => server.once('close', closed))]);
    waiting = ended.finally(() => clearInterval(timer));
  });
  app.addHook('onClose', () => waiting);
}

const unread = (sockets: Set<Socket>) => sockets.values().some(({ bytesRead }) => bytesRead === 0);

/** Closes idle connections after Node has read, between a timer and an immediate; a long turn may leave data unread. */
function afterReading(closeIdle: () => void, began: number): void {
  const turn = performance.now();
  setImmediate(() => {
    const now = performance.now();
    if (now - turn < SHORT_TURN_MS || now - began > CLOSE_ANYWAY_AFTER_MS) closeIdle();
  });
}
