import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { zoneName } from '#kernel/language/times.ts';
import { nextFullHour, toLocalInput } from '#kernel/local-time.ts';
import { findItemOf } from '#meetings/items.ts';
import { followUpInMeeting, listDeclined } from '#meetings/room/follow-up.ts';
import { placeOfQuestion } from '#routes/voting/officers-page/address.ts';
import { copiedPage } from '#routes/voting/officers-page/election.ts';
import { followUpFormPage } from '#views/voting/admin/election/follow-up-form.ts';
import {
  createFollowUp,
  FollowUpInput,
  getFollowable,
  listFollowUps,
  titleOf,
} from '#voting/counting/follow-up.ts';
import { proposeCopy } from '#voting/elections/clone.ts';
import { getElection } from '#voting/elections/elections.ts';
import { countCopied } from '#voting/elections/void.ts';

const params = z.object({ id: Id });

/** Elections that follow a closed one with the same electors. */
export function followUps(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/elections/:id/follow-up',
    { config: { permission: 'elections:certify' }, schema: { params } },
    async (request, reply) => sendHtml(reply, await form(request, getFollowable(ctx, request.params.id).id)),
  );

  act(app, ctx, {
    both: 'POST /admin/elections/:id/follow-up',
    summary: 'Make an election that follows a closed one, with the same electors',
    permission: 'elections:certify',
    params,
    body: FollowUpInput,
    refused: (request, refused) => form(request, request.params.id, refused),
    refusedStatuses: [400, 409],
    run: async ({ params: { id }, body, actor }): Promise<{ id: string; item?: string; meeting?: string }> =>
      (await followUpInMeeting(ctx, id, body, actor, true)) ?? {
        id: await createFollowUp(ctx, id, body, actor),
      },
    json: (made) => made,
    next: ({ id, meeting }) =>
      meeting ? `/admin/meetings/${meeting}/chair?done=followed-up` : copiedPage(ctx, id, 'followed-up'),
  });

  function chairOf(id: string): string | undefined {
    const item = findItemOf(ctx.db, id);
    return item && `/admin/meetings/${item.meeting_id}/chair`;
  }

  async function form(request: FastifyRequest, id: string, refused?: RefusedForm) {
    const election = getElection(ctx.db, id);
    const zone = ctx.config.TIME_ZONE;
    const { open_at, close_at } = proposeCopy(ctx, election);
    const choices = await listFollowUps(ctx, election, listDeclined(ctx.db, id));
    const fullHour = (at: number) => toLocalInput(nextFullHour(at, zone), zone);
    const proposed = {
      kind: choices[0]?.kind,
      title: titleOf(ctx.db, election),
      open_at: fullHour(open_at),
      close_at: fullHour(close_at),
    };
    return followUpFormPage({
      election: { id, title: election.title },
      choices: choices.map(({ kind, options, seats }) => ({
        kind,
        names: options.map(({ name }) => name),
        seats,
      })),
      chair: chairOf(id),
      ...countCopied(ctx.db, election),
      mailReady: ctx.mailer.missing().length === 0,
      entered: { ...proposed, ...refused?.entered },
      errors: refused?.errors ?? [],
      message: refused && refused.errors.length === 0 ? refused.message : undefined,
      zone: zoneName(zone),
      meeting: placeOfQuestion(ctx, id),
      viewer: request.viewer,
    });
  }
}
