import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { Covers } from '#pub/now-playing/art.ts';

/** Album covers from our own host. */
export function art(app: App, { ctx }: { ctx: Context }): void {
  const covers = new Covers(ctx);

  app.get(
    '/api/art/:playId',
    { schema: { params: z.object({ playId: z.string() }) } },
    async (request, reply) => {
      const id = /^[1-9]\d{0,14}$/.test(request.params.playId) ? Number(request.params.playId) : undefined;
      const cover = id === undefined ? undefined : await covers.find(id);
      if (!cover) throw new AppError(404, 'Image not found');
      return sendCached(request, reply, cover, 'public, max-age=86400');
    },
  );
}
