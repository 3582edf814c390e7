import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  BUDGET,
  countPictures,
  deletePicture,
  listPictures,
  sumOfBytes,
} from '#content/pictures/pictures.ts';
import { listAllUses } from '#content/pictures/uses.ts';
import { namesIn } from '#content/records/rows.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { picturesPage } from '#views/content/pictures.ts';
import { changedBy } from './page-props.ts';

const params = z.object({ id: Id });
const ListQuery = z.object({
  page: wholeNumber(1, 1_000_000).default(1).catch(1),
  done: z.literal('removed').optional().catch(undefined),
});

const A_PAGE = 50;

/** The list of all pictures, and its buttons. */
export function picturePages(app: App, { ctx }: { ctx: Context }): void {
  const render = (
    { identity }: FastifyRequest,
    { page, done, refused }: { page: number; done?: string | undefined; refused?: RefusedForm },
  ): Html => {
    const offset = (page - 1) * A_PAGE;
    const rows = listPictures(ctx.db, A_PAGE, offset);
    const total = countPictures(ctx.db);
    const uses = listAllUses(ctx.db, ctx.now());
    const nameOf = namesIn(ctx.db);
    const to = (number: number) => `/admin/content/pictures?page=${number}`;
    return picturesPage({
      identity,
      refused,
      done: done && 'The picture was deleted.',
      taken: Math.round((100 * sumOfBytes(ctx.db)) / BUDGET),
      pictures: rows.map(({ id, alt, decorative, added_at, added_by }) => ({
        id,
        alt,
        decorative: decorative === 1,
        uses: uses.get(id) ?? [],
        added: changedBy(ctx, { changed_at: isoTime(added_at), changed_by: nameOf(added_by) }),
      })),
      pages: {
        from: offset + 1,
        total,
        previous: page > 1 ? to(page - 1) : undefined,
        next: offset + rows.length < total && rows.length > 0 ? to(page + 1) : undefined,
      },
    });
  };

  app.get(
    '/admin/content/pictures',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'All pictures, with where they are used', querystring: ListQuery },
    },
    async (request, reply) => sendHtml(reply, render(request, request.query)),
  );

  app.post(
    '/admin/content/pictures/:id/remove',
    {
      config: {
        permission: 'content:write',
        ...refusedOn((request, refused) => render(request, { page: 1, refused })),
      },
      schema: { hide: true, params },
    },
    async (request, reply) => {
      await deletePicture(ctx, request.params.id, actorOf(request, ctx.now));
      return reply.redirect('/admin/content/pictures?done=removed', 303);
    },
  );
}
