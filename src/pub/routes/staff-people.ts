import { PERMISSIONS, ROLES } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { AuditQuery, listAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { listAssignments, RolesInput, setRoles } from '#people/roles.ts';

/** Who may do what, and what was done. */
export function staffPeople(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/roles',
    { config: { permission: 'roles:read' }, schema: { summary: 'Who may do what' } },
    async () => ({
      roles: ROLES,
      permissions: PERMISSIONS,
      assignments: (await listAssignments(ctx)).map(({ email, roles }) => ({ email, roles })),
    }),
  );

  app.put(
    '/api/admin/roles',
    {
      config: { permission: 'roles:write' },
      schema: { summary: 'Replace one person’s roles', body: RolesInput },
    },
    async (request) => {
      await setRoles(ctx, request.body, actorOf(request, ctx.now));
      return { ok: true, ...request.body };
    },
  );

  app.get(
    '/api/admin/audit',
    { config: { permission: 'audit:read' }, schema: { summary: 'What was done', querystring: AuditQuery } },
    async (request) => listAudit(ctx.db, request.query),
  );
}
