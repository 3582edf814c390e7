import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import { withheldPage } from '#views/voting/admin/withheld.ts';
import { countBallots } from '#voting/ballots/ballot-store.ts';
import { showWithheldFigures } from '#voting/elections/changes.ts';
import { endTime, getElection } from '#voting/elections/elections.ts';

const params = z.object({ id: Id });

/** Figures that stay hidden because few ballots came in after a re-opening: an owner can show them. */
export function withheld(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/elections/:id/withheld',
    { config: { permission: 'elections:read' }, schema: { params } },
    async (request, reply) => {
      const election = getElection(ctx.db, request.params.id);
      const when = (at: number) => formatShort(at, ctx.config.TIME_ZONE);
      const { id, title, reopened_at, reopened_ballots, figures_withheld } = election;
      return sendHtml(
        reply,
        withheldPage({
          election: { id, title },
          withheld: figures_withheld === 1 && reopened_at !== null,
          ballots: countBallots(ctx.db, id) - (reopened_ballots ?? 0),
          from: when(reopened_at ?? 0),
          until: when(endTime(election)),
          mayShow: request.granted?.has('settings:write') ?? false,
          viewer: request.viewer,
        }),
      );
    },
  );

  act(app, ctx, {
    both: 'POST /admin/elections/:id/withheld',
    permission: 'settings:write',
    sudo: true,
    params,
    run: ({ params: { id }, actor }) => showWithheldFigures(ctx, id, actor),
    json: () => ({ success: true }),
    next: (_, { params: { id } }) => `/e/${id}`,
  });
}
