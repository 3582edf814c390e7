import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readAlt } from '#content/pictures/entered.ts';
import {
  addPicture,
  BUDGET,
  countPictures,
  deletePicture,
  describePicture,
  getPicture,
  getPictureFile,
  listPictures,
  sumOfBytes,
} from '#content/pictures/pictures.ts';
import { FILE_FIELD } from '#content/pictures/uploads.ts';
import { listAllUses, listUses, useJson } from '#content/pictures/uses.ts';
import { namesIn } from '#content/records/rows.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { badField } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, oneOf, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import { picturesPage } from '#views/content/pictures.ts';
import { changedBy } from './page-props.ts';

const params = z.object({ id: Id });
const NewPicture = z.object({
  alt: z.string(coded('not_text')).default(''),
  decorative: flag.default(false),
  focus: wholeNumber(1, 9).default(5),
});
const PictureWords = z
  .strictObject({
    alt: z.string(coded('not_text')).optional(),
    decorative: flag.optional(),
    focus: wholeNumber(1, 9).optional(),
  })
  .refine(({ alt, decorative }) => !(decorative && alt), {
    path: ['alt'],
    message: coded('described_decoration'),
  });
const ListQuery = z.object({
  page: wholeNumber(1, 1_000_000).default(1).catch(1),
  done: z.literal('removed').optional().catch(undefined),
});
/** Fills the rows of the grid at most widths. */
const A_PAGE = 24;
const FileQuery = z.object({
  size: oneOf(['480', '1920']).default('1920'),
});

/** Pictures of the club's own content, including those of drafts; public pictures are at `/api/image`. */
export function pictures(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    api: 'POST /api/admin/pictures',
    summary: 'A new picture: a form with one file',
    permission: 'content:write',
    config: { takesPicture: true },
    body: NewPicture,
    run: async ({ body: { decorative, focus, ...body }, actor, request: { upload: bytes } }) => {
      const alt = readAlt(body.alt, decorative, 'alt');
      if (!bytes) throw badField(FILE_FIELD, 'required');
      return addPicture(ctx, { bytes, alt, decorative, focus }, actor);
    },
    json: ({ id, width, height }) => ({ ok: true, id, width, height }),
  });

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
        used_in: listUses(ctx.db, id, ctx.now()).map(useJson),
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

  act(app, ctx, {
    api: 'PATCH /api/admin/pictures/:id',
    summary: 'Say something else of a picture, wherever it is shown',
    permission: 'content:write',
    params,
    body: PictureWords,
    run: async ({ params, body: { alt, decorative, focus }, actor }) => {
      const known = getPicture(ctx.db, params.id);
      // A picture with a description is not decorative.
      const isDecorative = decorative ?? (alt === undefined && known.decorative === 1);
      const words = {
        alt: readAlt(alt ?? known.alt, isDecorative, 'alt'),
        decorative: isDecorative,
        focus: focus ?? known.focus,
      };
      await describePicture(ctx, known.id, words, actor);
      return { id: known.id, ...words };
    },
    json: (described) => ({ ok: true, ...described }),
  });

  app.get(
    '/admin/content/pictures',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'All pictures, with where they are used', querystring: ListQuery },
    },
    async (request, reply) => sendHtml(reply, renderList(ctx, request, request.query)),
  );

  act(app, ctx, {
    api: 'DELETE /api/admin/pictures/:id',
    form: 'POST /admin/content/pictures/:id/remove',
    summary: 'Delete a picture that no record uses',
    permission: 'content:write',
    params,
    refused: (request, refused) => renderList(ctx, request, { page: 1, refused }),
    run: ({ params: { id }, actor }) => deletePicture(ctx, id, actor),
    next: '/admin/content/pictures?done=removed',
  });
}

function renderList(
  ctx: Context,
  { identity }: FastifyRequest,
  { page, done, refused }: { page: number; done?: string | undefined; refused?: RefusedForm },
): Html {
  const rows = listPictures(ctx.db, A_PAGE, (page - 1) * A_PAGE);
  const uses = listAllUses(ctx.db, ctx.now());
  const nameOf = namesIn(ctx.db);
  return picturesPage({
    identity,
    refused,
    done: done ? t('content-admin.pictures.picture_deleted') : undefined,
    taken: Math.round((100 * sumOfBytes(ctx.db)) / BUDGET),
    pictures: rows.map(({ id, alt, decorative, added_at, added_by }) => ({
      id,
      alt,
      decorative: decorative === 1,
      uses: uses.get(id) ?? [],
      added: changedBy(ctx, { changed_at: isoTime(added_at), changed_by: nameOf(added_by) }),
    })),
    pages: {
      page,
      pageSize: A_PAGE,
      total: countPictures(ctx.db),
      href: (number) => `/admin/content/pictures?page=${number}`,
    },
  });
}
