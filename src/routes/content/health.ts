import type { ListChecks } from '#kernel/checks/checks.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { zoneName } from '#kernel/language/times.ts';
import { healthPage } from '#views/content/settings/health.ts';

/** The health page for people; programs use /health and /metrics. */
export function healthRoutes(app: App, { ctx, listChecks }: { ctx: Context; listChecks: ListChecks }): void {
  app.get(
    '/admin/health',
    { config: { permission: 'settings:write' }, schema: { summary: 'How the service is' } },
    async ({ identity }, reply) =>
      sendHtml(
        reply,
        healthPage({ checks: await listChecks(), zone: zoneName(ctx.config.TIME_ZONE), identity }),
      ),
  );
}
