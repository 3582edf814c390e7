import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { shownSize } from '#kernel/images/image.ts';
import { getImage } from '#pub/display/images.ts';
import { findCover } from '#pub/now-playing/art.ts';

/** The longest side, in pixels. */
const ImageQuery = z.object({ size: shownSize(1920) });

/** Serves images of workspace pages and album covers, so that browsers need not load them from other hosts. */
export function images(app: App, { ctx }: { ctx: Context }): void {
  app.get<{ Params: { kind: string; pageId: string }; Querystring: z.infer<typeof ImageQuery> }>(
    '/api/image/:kind/:pageId',
    {
      schema: { summary: 'Image of an announcement, photo or QR code of a tender', querystring: ImageQuery },
      // Caches must not store error responses; successful responses override this header.
      onRequest: noStore,
    },
    async (request, reply) => {
      const { kind, pageId } = request.params;
      const { BASE_URL } = ctx.config;
      let shared = true;
      const image = await getImage(
        ctx,
        kind,
        pageId,
        () => {
          // Without BASE_URL the target of a drawn QR code depends on the request, so it must not be cached.
          shared = BASE_URL !== undefined;
          return getLinkOrigin(ctx, request);
        },
        request.query.size,
      );
      return sendCached(request, reply, image, shared ? 'public, max-age=120' : 'no-store');
    },
  );

  app.get(
    '/api/art/:playId',
    { schema: { params: z.object({ playId: z.string() }) } },
    async (request, reply) => {
      const id = /^[1-9]\d{0,14}$/.test(request.params.playId) ? Number(request.params.playId) : undefined;
      const cover = id === undefined ? undefined : await findCover(ctx, id);
      if (!cover) throw new AppError(404, 'image_not_found');
      return sendCached(request, reply, cover, 'public, max-age=86400');
    },
  );
}
