import { getPictureFile } from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';

/** Browsers ask again after a day, because a picture is deleted with its election. */
const CACHE = 'public, max-age=86400';

/** Serves the pictures of candidates and options, and no others: the picture of a draft must not be public. */
export function candidatePictures(app: App, { ctx }: { ctx: Context }): void {
  app.get<{ Params: { picture: string } }>(
    '/assets/candidates/:picture',
    { config: { admission: 'uncounted' }, schema: { summary: 'The picture of a candidate or an option' } },
    async (request, reply) => {
      const { picture } = request.params;
      if (!/^[0-9a-f]{32}$/.test(picture) || !ctx.db.first(optionWith({ picture })))
        throw new AppError(404, 'Image not found');
      return sendCached(request, reply, getPictureFile(ctx.db, picture, 480), CACHE);
    },
  );
}

const optionWith = prepare((p: { picture: string }) =>
  build.selectFrom('options').select('id').where('picture', '=', p.picture).limit(1),
);
