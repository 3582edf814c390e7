import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { getElection } from '#voting/elections/elections.ts';
import { openSlips } from '#voting/electors/slips.ts';
import { sendSlips } from './printed-slips.ts';

/** Printed voting slips for electors without an address. */
export function slips(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/admin/elections/:id/invites/slips',
    {
      config: { permission: 'elections:run', sudo: true },
      schema: { params: z.object({ id: Id }), summary: 'Voting slips for electors without an address' },
    },
    async (request, reply) => {
      // The slips contain names from the roll.
      await demand(ctx, request, 'people:read');
      const election = getElection(ctx.db, request.params.id);
      const opened = await openSlips(ctx, election, actorOf(request, ctx.now));
      return sendSlips(ctx, request, reply, { election, codes: opened, kept: true });
    },
  );
}
