import { z } from 'zod';
import { readAlt } from '#content/pictures/entered.ts';
import {
  addPicture,
  deletePicture,
  describePicture,
  getPicture,
  getPictureFile,
} from '#content/pictures/pictures.ts';
import { FILE_FIELD } from '#content/pictures/uploads.ts';
import { listUses } from '#content/pictures/uses.ts';
import { namesIn } from '#content/records/rows.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { flag, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';

const params = z.object({ id: Id });
const NewPicture = z.object({
  alt: z.string({ error: 'must be a text' }).default(''),
  decorative: flag.default(false),
  focus: wholeNumber(1, 9).default(5),
});
const PictureWords = z
  .strictObject({
    alt: z.string({ error: 'must be a text' }).optional(),
    decorative: flag.optional(),
    focus: wholeNumber(1, 9).optional(),
  })
  .refine(({ alt, decorative }) => !(decorative && alt), {
    path: ['alt'],
    message: 'must be empty for a decorative picture',
  });
const FileQuery = z.object({
  size: z.enum(['480', '1920'], { error: 'must be 480 or 1920' }).default('1920'),
});

/** Pictures of the club's own content, including those of drafts; public pictures are at `/api/image`. */
export function pictures(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/api/admin/pictures',
    {
      config: { permission: 'content:write', takesPicture: true },
      schema: { summary: 'A new picture: a form with one file', body: NewPicture },
    },
    async (request) => {
      const { decorative, focus } = request.body;
      const alt = readAlt(request.body.alt, decorative, 'alt');
      const { upload: bytes } = request;
      if (!bytes) throw badField(FILE_FIELD, 'is required');
      const about = { bytes, alt, decorative, focus };
      const { id, width, height } = await addPicture(ctx, about, actorOf(request, ctx.now));
      return { ok: true, id, width, height };
    },
  );

  app.get(
    '/api/admin/pictures/:id',
    { config: { permission: 'content:read' }, schema: { summary: 'What is known of a picture', params } },
    async (request) => {
      const { id, alt, decorative, focus, width, height, ...row } = getPicture(ctx.db, request.params.id);
      return {
        id,
        alt,
        decorative: decorative === 1,
        focus,
        width,
        height,
        added_at: isoTime(row.added_at),
        added_by: namesIn(ctx.db)(row.added_by),
        used_in: listUses(ctx.db, id, ctx.now()),
      };
    },
  );

  app.get(
    '/api/admin/pictures/:id/file',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'The picture itself', params, querystring: FileQuery },
    },
    async (request, reply) => {
      const size = request.query.size === '480' ? 480 : 1920;
      const file = getPictureFile(ctx.db, request.params.id, size);
      return sendCached(request, reply, file, 'private, no-cache');
    },
  );

  app.patch(
    '/api/admin/pictures/:id',
    {
      config: { permission: 'content:write' },
      schema: {
        summary: 'Say something else of a picture, wherever it is shown',
        params,
        body: PictureWords,
      },
    },
    async (request) => {
      const { alt, decorative, focus } = request.body;
      const known = getPicture(ctx.db, request.params.id);
      // A picture with a description is not decorative.
      const isDecorative = decorative ?? (alt === undefined && known.decorative === 1);
      const words = {
        alt: readAlt(alt ?? known.alt, isDecorative, 'alt'),
        decorative: isDecorative,
        focus: focus ?? known.focus,
      };
      await describePicture(ctx, known.id, words, actorOf(request, ctx.now));
      return { ok: true, id: known.id, ...words };
    },
  );

  app.delete(
    '/api/admin/pictures/:id',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'Delete a picture that no record uses', params },
    },
    async (request) => {
      await deletePicture(ctx, request.params.id, actorOf(request, ctx.now));
      return { ok: true };
    },
  );
}
