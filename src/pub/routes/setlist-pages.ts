import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendPrepared } from '#kernel/http/cached-response.ts';
import { notFound } from '#kernel/http/errors.ts';
import { type App, sendHtml } from '#kernel/http/http.ts';
import { sendDisabled } from '#pub/http/feature-flags.ts';
import { findRollup, firstRollups, RETRY_AFTER, readRollup } from '#pub/setlist/rollups/store.ts';
import type { Surface } from '#pub/setlist/rollups/surface.ts';
import { findSurface, isEnabled, SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { computingPage, setlistPage, surfacePage, surfacePicture } from '#views/pub/setlist/page.ts';
import { computing, RangeQuery, SWITCHED_OFF } from './setlist-surfaces.ts';

const params = z.object({ surface: z.string() });

/** The surfaces of the setlist as pages, and the pictures that go with links to them. */
export async function setlistPages(app: App, { ctx }: { ctx: Context }): Promise<void> {
  const zone = ctx.config.TIME_ZONE;
  const enabled = SURFACES.filter((surface) => isEnabled(ctx.config, surface)).map(({ name }) => name);

  for (const address of ['/setlist', '/setlist/']) {
    app.get(address, { schema: { summary: 'The setlist, told in seven ways' } }, async (_request, reply) =>
      sendHtml(reply, setlistPage({ enabled, rollups: await firstRollups(ctx) })),
    );
  }

  app.get(
    '/setlist/:surface',
    { schema: { summary: 'A surface of the setlist', params, querystring: RangeQuery } },
    async (request, reply) => {
      const surface = getSurface(request.params.surface);
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const { name } = surface;
      const found = await findRollup(ctx, name, request.query.range);
      if (!found) return waiting(reply, name, enabled);
      const { answer, range, ranges } = found;
      const rollup = readRollup(answer.body);
      const origin = ctx.config.BASE_URL ?? '';
      return sendHtml(
        reply,
        surfacePage({ enabled, rollup, range, ranges, etag: answer.etag, origin, zone }),
      );
    },
  );

  app.get(
    '/og/setlist/:file',
    {
      config: { json: true },
      schema: {
        summary: 'The picture of a surface',
        params: z.object({ file: z.string() }),
        querystring: RangeQuery,
      },
    },
    async (request, reply) => {
      const [, wanted = ''] = /^([a-z-]+)\.png$/.exec(request.params.file) ?? [];
      const surface = getSurface(wanted);
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const found = await findRollup(ctx, surface.name, request.query.range);
      if (!found) throw computing(reply);
      const picture = await ctx.shareImages.draw(surfacePicture(readRollup(found.answer.body)));
      return sendPrepared(request, reply, picture, 'public, max-age=300');
    },
  );
}

/** @throws 404 */
function getSurface(name: string): Surface {
  const surface = findSurface(name);
  if (!surface) throw notFound();
  return surface;
}

function waiting(reply: FastifyReply, name: string, enabled: readonly string[]): FastifyReply {
  reply.header('retry-after', RETRY_AFTER).header('cache-control', 'no-store');
  return sendHtml(reply, computingPage(name, enabled), 503);
}
