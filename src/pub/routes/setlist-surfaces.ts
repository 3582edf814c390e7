import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { AppError, badRequest, notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { rateLimit, rateLimitOfAll } from '#kernel/http/rate-limit.ts';
import { sendDisabled } from '#pub/http/feature-flags.ts';
import { findRollup, RETRY_AFTER } from '#pub/setlist/rollups/store.ts';
import { findSurface, isEnabled } from '#pub/setlist/rollups/surfaces.ts';
import { countShareClick, ShareClick } from '#pub/setlist/share-clicks.ts';

const CLICKS_A_MINUTE = 30;
const CLICKS_OF_ALL = 600;
const MOST_BYTES = 1024;

export const SWITCHED_OFF = { words: 'This page of the setlist is switched off.' };

export const RangeQuery = z.object({ range: z.string({ error: 'must be one text' }).max(20).optional() });

/** The surfaces of the setlist as JSON, as they were made by the job that counts. */
export async function setlistSurfaces(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get(
    '/api/setlist/:surface',
    {
      schema: {
        summary: 'A surface of the setlist',
        params: z.object({ surface: z.string() }),
        querystring: RangeQuery,
      },
    },
    async (request, reply) => {
      const surface = findSurface(request.params.surface);
      if (!surface) throw notFound();
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const rollup = findRollup(ctx, surface.name, request.query.range);
      if (!rollup) throw computing(reply);
      return sendCached(request, reply, rollup.answer, 'public, max-age=30');
    },
  );

  await app.register(shareClicks, { ctx });
}

/** The 503 of a surface that has nothing to show yet. */
export function computing(reply: FastifyReply): AppError {
  reply.header('retry-after', RETRY_AFTER).header('cache-control', 'no-store');
  return new AppError(503, 'computing');
}

/** A browser that leaves a page can only send text: here alone JSON may come as that. */
function shareClicks(app: App, { ctx }: { ctx: Context }): void {
  app.addContentTypeParser(
    'text/plain',
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(String(body)));
      } catch {
        done(badRequest('The body is no JSON'));
      }
    },
  );

  app.post(
    '/api/setlist/share-click',
    {
      bodyLimit: MOST_BYTES,
      onRequest: [
        rateLimit(ctx.limiter, ctx.now, 'share clicks', CLICKS_A_MINUTE),
        rateLimitOfAll(ctx.limiter, ctx.now, 'share clicks of all', CLICKS_OF_ALL),
      ],
      schema: { summary: 'Count that a surface was shared', body: ShareClick },
    },
    async (request) => {
      await countShareClick(ctx, request.body);
      return { ok: true };
    },
  );
}
