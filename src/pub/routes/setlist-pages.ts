import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { preparePage, sendHtml, sendPreparedPage, sendSharedPage } from '#kernel/http/pages.ts';
import { sendDisabled } from '#pub/http/feature-flags.ts';
import { findRollup, firstRollups, RETRY_AFTER, readRollup } from '#pub/setlist/rollups/store.ts';
import type { Surface } from '#pub/setlist/rollups/surface.ts';
import { findSurface, isEnabled, SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { computingPage, setlistPage, surfacePage, surfacePicture } from '#views/pub/setlist/page.ts';
import { computing, RangeQuery, SWITCHED_OFF } from './setlist-surfaces.ts';

const params = z.object({ surface: z.string() });

/** The surfaces of the setlist as pages, and the pictures that go with links to them. */
export function setlistPages(app: App, { ctx }: { ctx: Context }): void {
  const zone = ctx.config.TIME_ZONE;
  const enabled = SURFACES.filter((surface) => isEnabled(ctx.config, surface)).map(({ name }) => name);

  for (const address of ['/setlist', '/setlist/']) {
    app.get(address, { schema: { summary: 'The setlist, told in seven ways' } }, async (request, reply) =>
      sendSharedPage(ctx, request, reply, ['/setlist'], async () =>
        setlistPage({ enabled, rollups: await firstRollups(ctx) }),
      ),
    );
  }

  app.get(
    '/setlist/:surface',
    { schema: { summary: 'A surface of the setlist', params, querystring: RangeQuery } },
    async (request, reply) => {
      const surface = getSurface(request.params.surface);
      if (!isEnabled(ctx.config, surface)) return sendDisabled(request, reply, SWITCHED_OFF);
      const { name } = surface;
      const { range: wanted } = request.query;
      const page = await sharedAnswer(ctx, ['/setlist', name, wanted], async () => {
        const found = findRollup(ctx, name, wanted);
        if (!found) return undefined;
        const { answer, range, ranges } = found;
        const rollup = readRollup(answer.body);
        const origin = ctx.config.BASE_URL ?? '';
        return preparePage(surfacePage({ enabled, rollup, range, ranges, etag: answer.etag, origin, zone }));
      });
      return page ? sendPreparedPage(request, reply, page) : waiting(reply, name, enabled);
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
      const { range } = request.query;
      const picture = await sharedAnswer(ctx, ['/og/setlist', surface.name, range], async () => {
        const found = findRollup(ctx, surface.name, range);
        return found && ctx.shareImages.draw(surfacePicture(readRollup(found.answer.body)));
      });
      if (!picture) throw computing(reply);
      return sendCached(request, reply, picture, 'public, max-age=300');
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
