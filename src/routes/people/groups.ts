import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import {
  createGroup,
  deleteGroup,
  GroupInput,
  listGroups,
  updateGroup,
} from '#people/roll/kinds-and-groups.ts';

const params = z.object({ id: Id });

/** Routes for the groups of the club: committees, teams, lists. */
export function groups(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/groups',
    { config: { permission: 'people:read' }, schema: { summary: 'The groups of people' } },
    async () => ({ groups: listGroups(ctx.db) }),
  );

  app.post(
    '/api/admin/groups',
    { config: { permission: 'people:write' }, schema: { summary: 'A new group', body: GroupInput } },
    async (request) => createGroup(ctx, request.body, actorOf(request, ctx.now)),
  );

  app.patch(
    '/api/admin/groups/:id',
    {
      config: { permission: 'people:write' },
      schema: { summary: 'Rename a group', params, body: GroupInput },
    },
    async (request) => updateGroup(ctx, request.params.id, request.body, actorOf(request, ctx.now)),
  );

  app.delete(
    '/api/admin/groups/:id',
    { config: { permission: 'people:write' }, schema: { summary: 'Delete an empty group', params } },
    async (request) => {
      await deleteGroup(ctx, request.params.id, actorOf(request, ctx.now));
      return { ok: true };
    },
  );
}
