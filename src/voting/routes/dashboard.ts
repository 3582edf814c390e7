import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatShort, zoneName } from '#kernel/local-time.ts';
import { listApprovals } from '#people/approvals/approvals.ts';
import { isSetUp } from '#people/set-up.ts';
import { dashboardPage } from '#views/voting/admin/dashboard.ts';
import { listDashboard } from '#voting/elections/dashboard.ts';

const done = z.object({ done: z.string().max(40).optional() });

/** The officers' overview of all elections. */
export function dashboard(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => ctx.config.TIME_ZONE;
  for (const url of ['/admin', '/admin/']) {
    app.get(url, { schema: { querystring: done } }, async (request, reply) => {
      const rows = listDashboard(ctx).map(({ open_at, ends_at, ...row }) => ({
        ...row,
        opens: formatShort(open_at, zone()),
        closes: formatShort(ends_at, zone()),
      }));
      const missing = ctx.mailer.missing();
      const sentence = request.query.done === 'deleted' ? 'The election was deleted.' : undefined;
      return sendHtml(
        reply,
        dashboardPage({
          rows,
          zone: zoneName(zone()),
          approvals: listApprovals(ctx).length,
          done: sentence,
          clockJumped: ctx.clockWatch.jumped,
          mail: { mailReady: missing.length === 0, missing },
          needsSetUp: !isSetUp(ctx),
          viewer: request.viewer,
        }),
      );
    });
  }
}
