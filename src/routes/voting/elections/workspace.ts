import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { onPage } from '#routes/voting/officers-page/page.ts';
import { workspaceLinkJson } from '#voting/elections/elections.ts';
import {
  linkElection,
  listDatabases,
  PagesQuery,
  searchPages,
  syncElection,
  unlinkElection,
  ValidateQuery,
  validatePage,
  WorkspaceLinkInput,
} from '#voting/elections/workspace-link.ts';

/** Queries of the workspace, and the link between an election and its page. */
export function workspace(app: App, { ctx }: { ctx: Context }): void {
  const onRequest = rateLimit(ctx.limiter, ctx.now, 'admin', ctx.config.RATE_LIMIT_ADMIN);

  app.get('/admin/workspace/databases', { config: { json: true }, onRequest }, async () => ({
    databases: await listDatabases(ctx),
  }));

  app.get(
    '/admin/workspace/databases/:databaseId/pages',
    {
      config: { json: true },
      onRequest,
      schema: { params: z.object({ databaseId: z.string() }), querystring: PagesQuery },
    },
    async (request) => searchPages(ctx, request.params.databaseId, request.query.query),
  );

  app.get(
    '/admin/workspace/pages/:pageId/validate',
    {
      config: { json: true },
      onRequest,
      schema: { params: z.object({ pageId: z.string() }), querystring: ValidateQuery },
    },
    async (request) => validatePage(ctx, request.params.pageId, request.query.property_name),
  );

  act(app, ctx, {
    ...onPage(ctx, 'workspace', 'workspace-linked'),
    refusedStatuses: [400, 403, 404, 409, 500, 502],
    both: 'POST /admin/elections/:id/workspace/link',
    body: WorkspaceLinkInput,
    run: ({ params: { id }, body, actor }) => linkElection(ctx, id, body, actor),
    json: (link) => ({ success: true, workspace_link: workspaceLinkJson(link) }),
  });

  act(app, ctx, {
    ...onPage(ctx, 'workspace', 'workspace-unlinked'),
    both: 'DELETE /admin/elections/:id/workspace/link',
    run: ({ params: { id }, actor }) => unlinkElection(ctx, id, actor),
  });

  act(app, ctx, {
    ...onPage(ctx, 'workspace', 'workspace-synced'),
    both: 'POST /admin/elections/:id/workspace/sync',
    run: ({ params: { id }, actor }) => syncElection(ctx, id, actor),
    json: (link) => ({ success: true, status: link.last_status, workspace_link: workspaceLinkJson(link) }),
  });
}
