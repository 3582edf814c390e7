import { z } from 'zod';
import { MOVED_KINDS, moveOnMenu } from '#content/menu/order.ts';
import { listRecords } from '#content/records/reading.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { oneOf, ROWS_A_PAGE } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { type ContentPages, listedAt, orderOf } from './page-props.ts';

const Move = z.object({ direction: oneOf(['up', 'down']) });

/** The places of sections and of what they have. */
export function menuOrder(app: App, made: ContentPages): void {
  const { ctx } = made;
  for (const kind of MOVED_KINDS)
    act(app, ctx, {
      api: `POST /api/admin/content/${kind.name as 'menu_item'}/:id/move`,
      form: `POST /admin/content/${kind.name as 'menu_item'}/:id/move`,
      summary: 'Move it up or down by one place',
      permission: 'content:write',
      params: z.object({ id: Id }),
      body: Move,
      run: ({ params: { id }, body: { direction }, actor }) => moveOnMenu(ctx, kind, id, direction, actor),
      json: (done) => ({ ok: true, ...done }),
      // The page of the list that has it now.
      next: (_, { params: { id } }) => {
        const own = id.replaceAll('-', '');
        const { items } = listRecords(ctx, kind, { limit: 1_000 }, orderOf(kind, listedAt(made, kind)));
        const page =
          Math.floor(
            Math.max(
              0,
              items.findIndex((one) => one.id === own),
            ) / ROWS_A_PAGE,
          ) + 1;
        return `/admin/content/${kind.name}?page=${page}#r-${own}`;
      },
    });
}
