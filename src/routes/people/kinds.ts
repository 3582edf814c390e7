import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import {
  createKind,
  deleteKind,
  KindInput,
  KindPatch,
  listKinds,
  updateKind,
} from '#people/roll/kinds-and-groups.ts';

const params = z.object({ id: Id });

/** Routes for the club's kinds of membership. */
export function kinds(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/kinds',
    { config: { permission: 'people:read' }, schema: { summary: 'The kinds of membership' } },
    async () => ({ kinds: listKinds(ctx.db) }),
  );

  app.post(
    '/api/admin/kinds',
    {
      config: { permission: 'people:write' },
      schema: { summary: 'A new kind of membership', body: KindInput },
    },
    async (request) => createKind(ctx, request.body, actorOf(request, ctx.now)),
  );

  app.patch(
    '/api/admin/kinds/:id',
    {
      config: { permission: 'people:write' },
      schema: {
        summary: 'Rename a kind of membership, or change its right to vote',
        params,
        body: KindPatch,
      },
    },
    async (request) => updateKind(ctx, request.params.id, request.body, actorOf(request, ctx.now)),
  );

  app.delete(
    '/api/admin/kinds/:id',
    {
      config: { permission: 'people:write' },
      schema: { summary: 'Delete a kind that nobody has or had', params },
    },
    async (request) => {
      await deleteKind(ctx, request.params.id, actorOf(request, ctx.now));
      return { ok: true };
    },
  );
}
