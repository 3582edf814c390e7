import {
  AuditPageQuery,
  AuditQuery,
  ENTRIES_A_PAGE,
  listAudit,
  listAuditActions,
} from '#kernel/access/audit-listing.ts';
import type { Context } from '#kernel/context.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { zoneName } from '#kernel/language/times.ts';
import { listFoldedAudit } from '#people/folded-log.ts';
import { auditLogPage } from '#views/voting/admin/audit-log.ts';
import { listElections } from '#voting/elections/elections.ts';
import { listPapers } from '#voting/elections/issuers.ts';
import { auditReader } from '#voting/elections/visibility.ts';

export function auditLogs(app: App, { ctx }: { ctx: Context }): void {
  const log = { config: { permission: 'audit:read' }, schema: { querystring: AuditPageQuery } } as const;
  app.get('/admin/audit-logs', log, async (request, reply) => {
    reply.header('vary', 'Accept');
    const reader = auditReader(ctx, request.granted);
    if (!wantsHtml(request)) return listAudit(ctx.db, AuditQuery.parse(request.query), reader);
    const { fold, limit = ENTRIES_A_PAGE, ...rest } = request.query;
    const query = { ...rest, limit };
    const log = listFoldedAudit(ctx, query, reader, fold === 'on');
    const actions = listAuditActions(ctx.db, reader);
    const titles = Object.fromEntries([
      ...listPapers(ctx.db).map(({ id, title }) => [id, { title, isPaper: true }] as const),
      ...listElections(ctx.db).map(({ id, title }) => [id, { title }] as const),
    ]);
    return sendHtml(
      reply,
      auditLogPage({
        ...log,
        actions,
        titles,
        query: { ...query, fold },
        zone: zoneName(ctx.config.TIME_ZONE),
        viewer: request.viewer,
      }),
    );
  });
}
