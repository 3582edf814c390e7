import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
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
  GROUP,
  KIND,
  listGroups,
  listKinds,
  updateGroup,
  updateKind,
} from '#people/roll/kinds-and-groups.ts';
import { kindsPage } from '#views/people/kinds-and-groups.ts';

const params = z.object({ id: Id });

const DONE: Record<string, string> = {
  added: 'It was added.',
  saved: 'The change was saved.',
  deleted: 'It was deleted.',
};

/** The club's kinds of membership, and its groups: committees, teams, lists. */
export function kindsAndGroups(app: App, { ctx }: { ctx: Context }): void {
  const lists = () => ({ kinds: listKinds(ctx.db), groups: listGroups(ctx.db) });

  app.get(
    '/api/admin/kinds',
    { config: { permission: 'people:read' }, schema: { summary: 'The kinds of membership' } },
    async () => ({ kinds: listKinds(ctx.db) }),
  );
  app.get(
    '/api/admin/groups',
    { config: { permission: 'people:read' }, schema: { summary: 'The groups of people' } },
    async () => ({ groups: listGroups(ctx.db) }),
  );

  app.get(
    '/admin/people/kinds',
    {
      config: { permission: 'people:read' },
      schema: { summary: 'Kinds of membership and groups', querystring: doneQuery },
    },
    async ({ identity, query }, reply) =>
      sendHtml(reply, kindsPage({ ...lists(), identity, done: ownValue(DONE, query.done) })),
  );

  const change = {
    permission: 'people:write',
    ...refusedOn(({ identity }, refused) => kindsPage({ ...lists(), identity, refused })),
  } as const;

  act(app, ctx, {
    ...change,
    api: 'POST /api/admin/kinds',
    form: 'POST /admin/people/kinds',
    summary: 'A new kind of membership',
    body: KIND.input,
    run: ({ body, actor }) => createKind(ctx, body, actor),
    json: (kind) => kind,
    next: '/admin/people/kinds?done=added',
  });
  act(app, ctx, {
    ...change,
    api: 'PATCH /api/admin/kinds/:id',
    form: 'PATCH /admin/people/kinds/:id',
    summary: 'Rename a kind of membership, or change its right to vote',
    params,
    body: KIND.patch,
    run: ({ params: { id }, body, actor }) => updateKind(ctx, id, body, actor),
    json: (kind) => kind,
    next: '/admin/people/kinds?done=saved',
  });
  act(app, ctx, {
    ...change,
    api: 'DELETE /api/admin/kinds/:id',
    form: 'DELETE /admin/people/kinds/:id',
    summary: 'Delete a kind that nobody has or had',
    params,
    run: ({ params: { id }, actor }) => deleteKind(ctx, id, actor),
    next: '/admin/people/kinds?done=deleted',
  });

  act(app, ctx, {
    ...change,
    api: 'POST /api/admin/groups',
    form: 'POST /admin/people/groups',
    summary: 'A new group',
    body: GROUP.input,
    run: ({ body, actor }) => createGroup(ctx, body, actor),
    json: (group) => group,
    next: '/admin/people/kinds?done=added',
  });
  act(app, ctx, {
    ...change,
    api: 'PATCH /api/admin/groups/:id',
    form: 'PATCH /admin/people/groups/:id',
    summary: 'Rename a group',
    params,
    body: GROUP.input,
    run: ({ params: { id }, body, actor }) => updateGroup(ctx, id, body, actor),
    json: (group) => group,
    next: '/admin/people/kinds?done=saved',
  });
  act(app, ctx, {
    ...change,
    api: 'DELETE /api/admin/groups/:id',
    form: 'DELETE /admin/people/groups/:id',
    summary: 'Delete an empty group',
    params,
    run: ({ params: { id }, actor }) => deleteGroup(ctx, id, actor),
    next: '/admin/people/kinds?done=deleted',
  });
}
