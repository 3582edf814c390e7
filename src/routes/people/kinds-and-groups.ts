import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actsOn, doneQuery } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
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

const ADDED = ['added', t('people-admin.kinds_and_groups.done_added')] as const;
const SAVED = ['saved', t('people-admin.kinds_and_groups.done_saved')] as const;
const DELETED = ['deleted', t('people-admin.kinds_and_groups.done_deleted')] as const;

/** The club's kinds of membership, and its groups: committees, teams, lists. */
export function kindsAndGroups(app: App, { ctx }: { ctx: Context }): void {
  const lists = () => ({ kinds: listKinds(ctx.db), groups: listGroups(ctx.db) });
  const page = actsOn(app, ctx, {
    at: { api: '/api/admin', form: '/admin/people' },
    permission: 'people:write',
    page: () => '/admin/people/kinds',
    refused: ({ identity }, refused) => kindsPage({ ...lists(), identity, refused }),
  });

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
      sendHtml(reply, kindsPage({ ...lists(), identity, done: page.said(query.done) })),
  );

  page.add('POST /kinds', 'A new kind of membership', {
    body: KIND.input,
    run: ({ body, actor }) => createKind(ctx, body, actor),
    json: (kind) => kind,
    done: ADDED,
  });
  page.add('PATCH /kinds/:id', 'Rename a kind of membership, or change its right to vote', {
    params,
    body: KIND.patch,
    run: ({ params: { id }, body, actor }) => updateKind(ctx, id, body, actor),
    json: (kind) => kind,
    done: SAVED,
  });
  page.add('DELETE /kinds/:id', 'Delete a kind that nobody has or had', {
    params,
    run: ({ params: { id }, actor }) => deleteKind(ctx, id, actor),
    done: DELETED,
  });

  page.add('POST /groups', 'A new group', {
    body: GROUP.input,
    run: ({ body, actor }) => createGroup(ctx, body, actor),
    json: (group) => group,
    done: ADDED,
  });
  page.add('PATCH /groups/:id', 'Rename a group', {
    params,
    body: GROUP.input,
    run: ({ params: { id }, body, actor }) => updateGroup(ctx, id, body, actor),
    json: (group) => group,
    done: SAVED,
  });
  page.add('DELETE /groups/:id', 'Delete an empty group', {
    params,
    run: ({ params: { id }, actor }) => deleteGroup(ctx, id, actor),
    done: DELETED,
  });
}
