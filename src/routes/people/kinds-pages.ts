import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import {
  createGroup,
  createKind,
  deleteGroup,
  deleteKind,
  GroupInput,
  KindInput,
  KindPatch,
  listGroups,
  listKinds,
  updateGroup,
  updateKind,
} from '#people/roll/kinds-and-groups.ts';
import { kindsPage } from '#views/people/kinds-and-groups.ts';

const params = z.object({ id: Id });
const doneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });

const DONE: Record<string, string> = {
  added: 'It was added.',
  saved: 'The change was saved.',
  deleted: 'It was deleted.',
};

/** The page with the club's kinds of membership and groups, with a form for each. */
export function kindsPages(app: App, { ctx }: { ctx: Context }): void {
  const lists = () => ({ kinds: listKinds(ctx.db), groups: listGroups(ctx.db) });
  const config = {
    permission: 'people:write' as const,
    ...refusedOn(({ identity }, refused) => kindsPage({ ...lists(), identity, refused })),
  };

  app.get(
    '/admin/people/kinds',
    {
      config: { permission: 'people:read' },
      schema: { summary: 'Kinds of membership and groups', querystring: doneQuery },
    },
    async ({ identity, query }, reply) =>
      sendHtml(reply, kindsPage({ ...lists(), identity, done: ownValue(DONE, query.done) })),
  );

  app.post(
    '/admin/people/kinds',
    { config, schema: { hide: true, body: KindInput } },
    async (request, reply) => {
      await createKind(ctx, request.body, actorOf(request, ctx.now));
      return reply.redirect('/admin/people/kinds?done=added', 303);
    },
  );

  app.patch(
    '/admin/people/kinds/:id',
    { config, schema: { hide: true, params, body: KindPatch } },
    async (request, reply) => {
      await updateKind(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      return reply.redirect('/admin/people/kinds?done=saved', 303);
    },
  );

  app.delete(
    '/admin/people/kinds/:id',
    { config, schema: { hide: true, params } },
    async (request, reply) => {
      await deleteKind(ctx, request.params.id, actorOf(request, ctx.now));
      return reply.redirect('/admin/people/kinds?done=deleted', 303);
    },
  );

  app.post(
    '/admin/people/groups',
    { config, schema: { hide: true, body: GroupInput } },
    async (request, reply) => {
      await createGroup(ctx, request.body, actorOf(request, ctx.now));
      return reply.redirect('/admin/people/kinds?done=added', 303);
    },
  );

  app.patch(
    '/admin/people/groups/:id',
    { config, schema: { hide: true, params, body: GroupInput } },
    async (request, reply) => {
      await updateGroup(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      return reply.redirect('/admin/people/kinds?done=saved', 303);
    },
  );

  app.delete(
    '/admin/people/groups/:id',
    { config, schema: { hide: true, params } },
    async (request, reply) => {
      await deleteGroup(ctx, request.params.id, actorOf(request, ctx.now));
      return reply.redirect('/admin/people/kinds?done=deleted', 303);
    },
  );
}
