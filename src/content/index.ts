import { demandPermission, permissionGuard } from '#kernel/access/permissions.ts';
import { sudoGuard } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { records } from './routes/records.ts';

/** What the club writes itself: hours, people behind the bar, slides. */
export async function content(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('preValidation', sudoGuard(ctx));
    staff.addHook('onRequest', noStore);
    await staff.register(records, { ctx });
  });
}
