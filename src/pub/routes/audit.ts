import type { Context } from '#kernel/context.ts';
import { AuditQuery, listAudit, listAuditActions } from '#kernel/db/audit.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { staffAuditPage } from '#views/pub/staff-audit.ts';

/** What was done, as JSON and as a page. */
export function audit(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/audit',
    { config: { permission: 'audit:read' }, schema: { summary: 'What was done', querystring: AuditQuery } },
    async (request) => listAudit(ctx.db, request.query),
  );

  app.get(
    '/admin/pub/audit',
    { config: { permission: 'audit:read' }, schema: { summary: 'What was done', querystring: AuditQuery } },
    async (request, reply) => {
      const { logs, total } = listAudit(ctx.db, request.query);
      const entries = logs.map((entry) => ({
        ...entry,
        when: formatWhen(entry.timestamp, ctx.config.TIME_ZONE),
      }));
      const actions = listAuditActions(ctx.db);
      const log = { entries, total, actions, query: request.query };
      return sendHtml(reply, staffAuditPage(log, request.identity));
    },
  );
}
