import type { Context } from '#kernel/context.ts';
import { type App, neverStored } from '#kernel/http.ts';
import { demandPermission, permissionGuard } from '#kernel/permissions.ts';
import { art } from './routes/art.ts';

/** The pub domain: what the room shows, hears and asks for. */
export async function pub(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(art, { ctx });
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('onRequest', neverStored);
  });
}
