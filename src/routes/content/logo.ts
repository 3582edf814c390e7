import { getLogo } from '#content/pictures/logo.ts';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { LOGO_SIZES, type LogoSize } from '#views/logo.ts';

/** The club's logo in the sizes used by pages, screens and emails. */
export function logo(app: App, { ctx }: { ctx: Context }): void {
  app.get<{ Params: { name: string } }>(
    '/assets/logo/:name',
    { config: { admission: 'uncounted' }, schema: { hide: true } },
    async (request, reply) => {
      const [, id = '', size = ''] = /^([0-9a-f]{32})-([a-z]+)\.png$/.exec(request.params.name) ?? [];
      if (!Object.hasOwn(LOGO_SIZES, size)) throw notFound('image_not_found');
      const picture = await getLogo(ctx, id, LOGO_SIZES[size as LogoSize]);
      return sendCached(request, reply, picture, 'public, max-age=31536000, immutable');
    },
  );
}
