import type { Context } from '#kernel/context.ts';
import { type App, neverStored } from '#kernel/http.ts';
import { demandPermission, permissionGuard } from '#kernel/permissions.ts';

/** The calendar domain: subscriptions, their feeds, and who may see and stop them. */
export async function calendar(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('onRequest', neverStored);
  });
}
