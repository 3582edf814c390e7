import type { WebsocketPluginOptions } from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';

/** How long a client has to answer the close frame when the service stops. */
const GOODBYE_MS = SECOND;

/** Options of WebSockets: small messages only, an error ends its socket, a stop ends all. */
export const socketOptions: WebsocketPluginOptions = {
  options: { maxPayload: 1024 },
  errorHandler: (_error, socket) => socket.terminate(),
  preClose(done) {
    const { clients } = this.websocketServer;
    for (const client of clients) client.close(1001, 'The service stops');
    setTimeout(() => {
      for (const client of clients) client.terminate();
    }, GOODBYE_MS).unref();
    done();
  },
};

/**
 * Refuses a stream or socket above the limit with 503. Retry-After is random, so that clients spread out.
 * @param screen the screen with kept places that it is
 */
export function ensureConnectionSlot(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  screen?: string,
): void {
  if (!ctx.connections.full(request.client, screen)) return;
  const retryAfter = 5 + Math.floor(Math.random() * 11);
  reply.header('retry-after', retryAfter);
  throw new AppError(503, 'too_many_connections', {}, { extra: { retryAfter } });
}
