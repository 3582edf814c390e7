import type { FastifyRequest } from 'fastify';
import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import { AuditQuery, listAudit, listAuditActions } from '#kernel/db/audit-listing.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { staffAuditPage } from '#views/pub/staff-audit.ts';

/** What was done, as JSON and as a page. */
export function audit(app: App, { ctx }: { ctx: Context }): void {
  const readerOf = ({ identity }: FastifyRequest) => ({
    permissions: identity?.permissions ?? new Set<Permission>(),
    now: ctx.now(),
  });

  app.get(
    '/api/admin/audit',
    { config: { permission: 'audit:read' }, schema: { summary: 'What was done', querystring: AuditQuery } },
    async (request) => listAudit(ctx.db, request.query, readerOf(request)),
  );

  app.get(
    '/admin/pub/audit',
    { config: { permission: 'audit:read' }, schema: { summary: 'What was done', querystring: AuditQuery } },
    async (request, reply) => {
      const { logs, total } = listAudit(ctx.db, request.query, readerOf(request));
      const entries = logs.map((entry) => ({
        ...entry,
        when: formatWhen(entry.timestamp, ctx.config.TIME_ZONE),
      }));
      const actions = listAuditActions(ctx.db, readerOf(request));
      const log = { entries, total, actions, query: request.query };
      return sendHtml(reply, staffAuditPage(log, request.identity));
    },
  );
}
