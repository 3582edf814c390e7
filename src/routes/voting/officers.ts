import { adminGuard } from '#kernel/access/guards.ts';
import { attachViewer } from '#kernel/access/permissions.ts';
import type { Permission } from '#kernel/access/roles.ts';
import { sudoGuard } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { guardedBy } from '#kernel/http/route-table.ts';

/** Guards a scope of routes for officers. No cache may keep what they answer. */
export function guardOfficers(ctx: Context, scope: App): void {
  scope.addHook('onRoute', guardedBy('officer'));
  scope.addHook('onRequest', adminGuard(ctx));
  scope.addHook('onRequest', attachViewer(ctx));
  scope.addHook('preValidation', sudoGuard(ctx));
  scope.addHook('onRequest', noStore);
}

/** By default, routes need `elections:read` for GET and HEAD, and `permission` for all other methods. */
export function writing(
  permission: Permission,
  ...routes: ((app: App, options: { ctx: Context }) => unknown)[]
) {
  return async (app: App, options: { ctx: Context }): Promise<void> => {
    app.addHook('onRoute', (route) => {
      const reads = [route.method].flat().every((method) => method === 'GET' || method === 'HEAD');
      route.config = { permission: reads ? 'elections:read' : permission, ...route.config };
    });
    for (const register of routes) await register(app, options);
  };
}
