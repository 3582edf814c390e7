import underPressure from '@fastify/under-pressure';
import type { Context } from '#kernel/context.ts';
import { AppError } from './errors.ts';
import type { App } from './http.ts';

/** When a client that was turned away should come again, in seconds. */
const COME_AGAIN_S = 5;

/**
 * Turns requests away at the door, with a 503 that says when to come again, while everything in the process waits
 * longer than OVERLOAD_DELAY_MS on average: what was let in before is finished first. /health answers all the same.
 */
export async function overload(app: App, ctx: Context): Promise<void> {
  const maxEventLoopDelay = ctx.config.OVERLOAD_DELAY_MS;
  if (maxEventLoopDelay === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay,
    sampleInterval: 1_000,
    pressureHandler: (request, reply) => {
      if (request.url === '/health') return;
      reply.header('retry-after', COME_AGAIN_S);
      throw new AppError(503, 'The house is very busy. Please try again in a moment', {
        extra: { retryAfter: COME_AGAIN_S },
      });
    },
  });
}
