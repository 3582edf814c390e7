import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import { AuditQuery, listAudit, listAuditActions } from '#kernel/db/audit-listing.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { auditLogPage } from '#views/voting/admin/audit-log.ts';
import { listElections } from '#voting/elections/elections.ts';

export function auditLogs(app: App, { ctx }: { ctx: Context }): void {
  const log = { config: { permission: 'audit:read' }, schema: { querystring: AuditQuery } } as const;
  app.get('/admin/audit-logs', log, async (request, reply) => {
    reply.header('vary', 'Accept');
    const reader = { permissions: request.granted ?? new Set<Permission>(), now: ctx.now() };
    const { logs, total } = listAudit(ctx.db, request.query, reader);
    if (!wantsHtml(request)) return { logs, total };
    const entries = logs.map((entry) => ({
      ...entry,
      when: formatWhen(entry.timestamp, ctx.config.TIME_ZONE),
    }));
    const actions = listAuditActions(ctx.db, reader);
    const titles = Object.fromEntries(listElections(ctx.db).map(({ id, title }) => [id, title]));
    return sendHtml(
      reply,
      auditLogPage({ entries, total, actions, titles, query: request.query, viewer: request.viewer }),
    );
  });
}
