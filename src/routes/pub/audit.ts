import type { FastifyRequest } from 'fastify';
import {
  AuditPageQuery,
  AuditQuery,
  ENTRIES_A_PAGE,
  listAudit,
  listAuditActions,
} from '#kernel/access/audit-listing.ts';
import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { zoneName } from '#kernel/language/times.ts';
import { listFoldedAudit } from '#people/folded-log.ts';
import { staffAuditPage } from '#views/pub/staff-audit.ts';

/** The audit log, as JSON and as a page. */
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
    {
      config: { permission: 'audit:read' },
      schema: { summary: 'What was done', querystring: AuditPageQuery },
    },
    async (request, reply) => {
      const { fold, limit = ENTRIES_A_PAGE, ...rest } = request.query;
      const query = { ...rest, limit };
      const log = listFoldedAudit(ctx, query, readerOf(request), fold === 'on');
      const actions = listAuditActions(ctx.db, readerOf(request));
      const zone = zoneName(ctx.config.TIME_ZONE);
      return sendHtml(
        reply,
        staffAuditPage({ ...log, actions, query: { ...query, fold }, zone }, request.identity),
      );
    },
  );
}
