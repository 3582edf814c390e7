import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { linesOf } from '#kernel/http/form.ts';
import { type App, actorOf, answerDone, isForm, sendFile, sendHtml, wantsHtml } from '#kernel/http/http.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { officerTurnout } from '#voting/ballots/tokens.ts';
import { ExportQuery, exportElection } from '#voting/counting/export.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import {
  AttachmentInput,
  changeAttachment,
  changeDates,
  changeSettings,
  cloneElection,
  closeElection,
  createElection,
  DatesInput,
  deleteElection,
  ElectionInput,
  SettingsPatch,
} from '#voting/elections/changes.ts';
import { electionJson, electionsJson, getElection, listElections } from '#voting/elections/elections.ts';
import { publishedStatus } from '#voting/elections/publication.ts';
import { syncChangedElections } from '#voting/elections/workspace-link.ts';
import { forgetClosedLinks } from '#voting/invitations/invites.ts';
import { electionPageOf } from './election-page.ts';

const params = z.object({ id: Id });
const pageQuery = z.object({
  done: z.string().max(40).optional(),
  ask: z.string().max(40).optional(),
  batch: z.string().max(200).optional(),
  invites: z.string().max(20).optional(),
  invites_page: wholeNumber(1, 1_000_000).optional(),
});

export async function elections(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.post(
    '/elections',
    {
      config: { section: 'new' },
      schema: { body: ElectionInput },
      // The form has text areas with one name on each line.
      preValidation: async (request) => {
        if (!request.entered) return;
        const fields = request.body as Record<string, unknown>;
        for (const name of ['options', 'candidates'])
          if (typeof fields[name] === 'string') fields[name] = linesOf(fields[name]);
      },
    },
    async (request, reply) => {
      const id = await createElection(ctx, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { id, message: 'Election created' },
        `/admin/elections/${id}?done=created`,
      );
    },
  );

  app.get('/elections', { config: { json: true } }, async () => ({
    elections: await electionsJson(ctx, await listElections(ctx)),
  }));

  app.get('/elections/:id', { schema: { params, querystring: pageQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = await getElection(ctx, request.params.id);
    if (wantsHtml(request)) {
      return sendHtml(reply, await electionPageOf(ctx, election, request, request.query));
    }
    const { issued, used, invited } = await officerTurnout(ctx, election.id);
    return { election: await electionJson(ctx, election), turnout: { tokens: issued, used, invited } };
  });

  app.patch(
    '/elections/:id/dates',
    { config: { section: 'dates' }, schema: { params, body: DatesInput } },
    async (request, reply) => {
      const { id } = request.params;
      await changeDates(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, await changed(id), `/admin/elections/${id}?done=dates#dates`);
    },
  );

  app.patch(
    '/elections/:id/settings',
    { config: { section: 'settings' }, schema: { params, body: SettingsPatch } },
    async (request, reply) => {
      const { id } = request.params;
      await changeSettings(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, await changed(id), `/admin/elections/${id}?done=settings#settings`);
    },
  );

  app.patch(
    '/elections/:id/attachments',
    { config: { section: 'attachments' }, schema: { params, body: AttachmentInput } },
    async (request, reply) => {
      const { id } = request.params;
      await changeAttachment(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        await changed(id),
        `/admin/elections/${id}?done=attachment#attachments`,
      );
    },
  );

  app.post(
    '/elections/:id/close',
    { config: { section: 'close' }, schema: { params } },
    async (request, reply) => {
      const { id } = request.params;
      await closeElection(ctx, id, actorOf(request, ctx.now));
      await settleClosedElections(ctx);
      await forgetClosedLinks(ctx);
      // Not awaited: a workspace that is down must not hold up a close. It never throws.
      void syncChangedElections(ctx);
      return answerDone(request, reply, { success: true }, `/admin/elections/${id}?done=closed`);
    },
  );

  app.post(
    '/elections/:id/clone',
    { config: { section: 'clone' }, schema: { params } },
    async (request, reply) => {
      const id = await cloneElection(ctx, request.params.id, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { id, message: 'Election copied' },
        `/admin/elections/${id}?done=cloned`,
      );
    },
  );

  app.delete(
    '/elections/:id',
    {
      config: { section: 'delete' },
      schema: { params, body: z.object({ confirm: z.string().trim().optional() }) },
    },
    async (request, reply) => {
      const { title, id } = await getElection(ctx, request.params.id);
      if (isForm(request) && request.body.confirm !== title)
        throw badField('confirm', 'type the title exactly as it stands');
      await deleteElection(ctx, id, actorOf(request, ctx.now));
      return answerDone(request, reply, { success: true }, '/admin?done=deleted');
    },
  );

  app.get(
    '/elections/:id/published-status',
    { config: { json: true }, schema: { params } },
    async (request) => publishedStatus(ctx, await getElection(ctx, request.params.id)),
  );

  app.get(
    '/elections/:id/export',
    { schema: { params, querystring: ExportQuery } },
    async (request, reply) => {
      const file = await exportElection(ctx, await getElection(ctx, request.params.id), request.query);
      return sendFile(reply, file.name, file.type, file.body);
    },
  );

  async function changed(id: string) {
    return { success: true, election: await electionJson(ctx, await getElection(ctx, id)) };
  }
}
