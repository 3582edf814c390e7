import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { Id } from '#kernel/ids.ts';
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
import { refusedOnElectionPage } from './election-page.ts';

const params = z.object({ id: Id });

/** Queries of the workspace, and the link between an election and its page. */
export function workspace(app: App, { ctx }: { ctx: Context }): void {
  const onRequest = rateLimit(ctx.limiter, ctx.now, 'admin', ctx.config.RATE_LIMIT_ADMIN);
  const config = refusedOnElectionPage(ctx, 'workspace');

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

  app.post(
    '/admin/elections/:id/workspace/link',
    {
      config: { ...config, refusedStatuses: [400, 403, 404, 409, 500, 502] },
      schema: { params, body: WorkspaceLinkInput },
    },
    async (request, reply) => {
      const { id } = request.params;
      const link = await linkElection(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { success: true, workspace_link: workspaceLinkJson(link) },
        `/admin/elections/${id}?done=workspace-linked#workspace`,
      );
    },
  );

  app.delete(
    '/admin/elections/:id/workspace/link',
    { config, schema: { params } },
    async (request, reply) => {
      const { id } = request.params;
      await unlinkElection(ctx, id, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { success: true },
        `/admin/elections/${id}?done=workspace-unlinked#workspace`,
      );
    },
  );

  app.post('/admin/elections/:id/workspace/sync', { config, schema: { params } }, async (request, reply) => {
    const { id } = request.params;
    const link = await syncElection(ctx, id, actorOf(request, ctx.now));
    return answerDone(
      request,
      reply,
      { success: true, status: link.last_status, workspace_link: workspaceLinkJson(link) },
      `/admin/elections/${id}?done=workspace-synced#workspace`,
    );
  });
}
