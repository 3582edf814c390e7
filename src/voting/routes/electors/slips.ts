import QRCode from 'qrcode';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf, originOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { clubName } from '#kernel/mail/message.ts';
import { slipsPage } from '#views/voting/admin/slips.ts';
import { ballotPath } from '#voting/ballots/ballots.ts';
import { getElection } from '#voting/elections/elections.ts';
import { openSlips } from '#voting/electors/slips.ts';

/** Printed voting slips for electors who have no address. */
export function slips(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/admin/elections/:id/invites/slips',
    {
      config: { permission: 'elections:run', sudo: true },
      schema: { params: z.object({ id: Id }), summary: 'Voting slips for electors without an address' },
    },
    async (request, reply) => {
      // The slips carry names of the roll.
      await demand(ctx, request, 'people:read');
      const election = getElection(ctx.db, request.params.id);
      const opened = await openSlips(ctx, election, actorOf(request, ctx.now));
      const origin = ctx.config.BASE_URL ?? originOf(request);
      const slips = opened.map(({ name, token }) => {
        const url = `${origin}${ballotPath(election, token)}`;
        return { name, token, url, qr: QRCode.create(url, { errorCorrectionLevel: 'M' }).modules };
      });
      const closes = formatWhen(election.close_at, ctx.config.TIME_ZONE);
      return sendHtml(
        reply,
        slipsPage({
          club: clubName(ctx.config),
          election,
          closes,
          slips,
          kept: true,
          viewer: request.viewer,
        }),
      );
    },
  );
}
