import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND } from '#kernel/clock.ts';
import type { App } from './http.ts';

/** How long a connection may take to send something before a stop closes it. */
const FIRST_BYTE_WITHIN_MS = SECOND;
const LOOK_EVERY_MS = 10;
const CLOSE_IDLE_EVERY_MS = 50;

/**
 * A stop takes no new connections, answers what came over those it took, and waits for requests, not for connections
 * that clients keep for later ones.
 */
export function closeConnectionsAtStop(app: App): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    if (!app.server.listening) return;
    // That of http closes connections whose request was not read yet as well: to Node they are idle.
    net.Server.prototype.close.call(app.server);
    const waitUntil = performance.now() + FIRST_BYTE_WITHIN_MS;
    while (unread(open) && performance.now() < waitUntil) await delay(LOOK_EVERY_MS);
    const timer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    app.server.once('close', () => clearInterval(timer));
  });
}

const unread = (sockets: Set<Socket>) => sockets.values().some(({ bytesRead }) => bytesRead === 0);
