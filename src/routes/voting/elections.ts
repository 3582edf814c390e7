import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField } from '#kernel/http/errors.ts';
import { linesOf } from '#kernel/http/form.ts';
import { type App, answerDone, isForm, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { addDays, localDate, nextFullHour, toLocalInput, zoneName } from '#kernel/local-time.ts';
import { graveActs } from '#routes/people/grave-acts.ts';
import { enteredText, isTicked } from '#views/components/entered.ts';
import { ballotPreview } from '#views/voting/admin/ballot-preview.ts';
import { cloneFormPage } from '#views/voting/admin/election/clone-form.ts';
import { electionFormPage } from '#views/voting/admin/election-form.ts';
import { getOfficerTurnout } from '#voting/ballots/tokens.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { closeElection, createElection, ElectionInput } from '#voting/elections/changes.ts';
import { CloneInput, cloneElection, proposeCopy } from '#voting/elections/clone.ts';
import {
  electionJson,
  electionsJson,
  endTime,
  getElection,
  listElections,
} from '#voting/elections/elections.ts';
import { VoidInput, voidAndRepeat } from '#voting/elections/void.ts';
import { syncChangedElections } from '#voting/elections/workspace-link.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';
import { refusedOnElectionPage, renderElectionPage } from './election-page.ts';

const params = z.object({ id: Id });
/** The message and the section after an election was created, by how its voting codes are handed out. */
const NEXT_STEP = new Map([
  ['mail', 'created-mail#invitations'],
  ['paper', 'created-paper#tokens'],
]);
/** The page on which an officer closed it. */
const closeQuery = z.object({ from: z.literal('chair').optional().catch(undefined) });
const pageQuery = z.object({
  done: z.string().max(40).optional(),
  ask: z.string().max(40).optional(),
  batch: z.string().max(200).optional(),
  mailing: z.string().max(64).optional(),
  said: z.string().max(20).optional(),
});

/** The elections themselves: list, create, copy, close, delete, and the officers' page of each. */
export function elections(app: App, { ctx }: { ctx: Context }): void {
  const zone = () => zoneName(ctx.config.TIME_ZONE);
  const acts = graveActs(ctx);

  app.get('/admin/elections/new', { config: { permission: 'elections:write' } }, async (request, reply) =>
    sendHtml(
      reply,
      electionFormPage({
        entered: {},
        errors: [],
        zone: zone(),
        viewer: request.viewer,
        proposed: proposeWindow(ctx),
      }),
    ),
  );

  app.post('/admin/elections/preview', async (request, reply) => {
    const entered = request.entered ?? {};
    const text = (name: string) => enteredText(entered, name);
    const type = z.enum(['SIMPLE_TRIPLE', 'RANKED_CONDORCET', 'POLL']).safeParse(entered.ballot_type);
    const names = type.data === 'POLL' ? linesOf(text('options')) : linesOf(text('candidates'));
    if (type.data === 'RANKED_CONDORCET' && isTicked(entered, 'none_of_the_above')) {
      names.push('None of the above');
    }
    const preview =
      type.data &&
      ballotPreview({
        title: text('title'),
        description: text('description') || null,
        ballot_type: type.data,
        names,
        multiple: text('settings.poll_response_type') === 'multiple',
        partial: text('settings.ranking') === 'partial',
      });
    const errors = preview ? [] : [{ path: 'ballot_type', message: 'is required' }];
    return sendHtml(
      reply,
      electionFormPage({ entered, errors, zone: zone(), preview, viewer: request.viewer }),
    );
  });

  app.post(
    '/admin/elections',
    {
      config: {
        refused: (request, { entered, errors }) =>
          electionFormPage({ entered, errors, zone: zone(), viewer: request.viewer }),
      },
      schema: { body: ElectionInput },
      // `open_now` sets open_at to the present time. The form has text areas with one name on each line.
      preValidation: async (request) => {
        const fields = request.body as Record<string, unknown> | undefined;
        if (flag.safeParse(fields?.open_now).data) fields!.open_at = isoTime(ctx.now());
        if (!request.entered || !fields) return;
        for (const name of ['options', 'candidates'])
          if (typeof fields[name] === 'string') fields[name] = linesOf(fields[name]);
      },
    },
    async (request, reply) => {
      const id = await createElection(ctx, request.body, actorOf(request, ctx.now));
      const next = NEXT_STEP.get(enteredText(request.entered ?? {}, 'hand_out')) ?? 'created';
      return answerDone(
        request,
        reply,
        { id, message: 'Election created' },
        `/admin/elections/${id}?done=${next}`,
      );
    },
  );

  app.get('/admin/elections', { config: { json: true } }, async () => ({
    elections: electionsJson(ctx, listElections(ctx.db)),
  }));

  app.get('/admin/elections/:id', { schema: { params, querystring: pageQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const election = getElection(ctx.db, request.params.id);
    if (wantsHtml(request)) {
      return sendHtml(reply, renderElectionPage(ctx, election, request, request.query));
    }
    const { issued, used, invited } = getOfficerTurnout(ctx.db, election.id);
    return { election: electionJson(ctx, election), turnout: { tokens: issued, used, invited } };
  });

  app.post(
    '/admin/elections/:id/close',
    {
      config: { permission: 'elections:certify', sudo: true, ...refusedOnElectionPage(ctx, 'close') },
      schema: { params, querystring: closeQuery },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { title, closed_at } = getElection(ctx.db, id);
      const notifyOthers =
        closed_at === null ? await acts.about(request, `Close “${title}” before its time`) : undefined;
      await closeElection(ctx, id, actorOf(request, ctx.now));
      notifyOthers?.();
      await settleClosedElections(ctx);
      await deleteClosedLinks(ctx);
      // Not awaited: a workspace that is down must not hold up a close. It never throws.
      void syncChangedElections(ctx);
      return answerDone(
        request,
        reply,
        { success: true },
        `/admin/elections/${id}${request.query.from ? '/chair' : ''}?done=closed`,
      );
    },
  );

  app.get(
    '/admin/elections/:id/void',
    { config: { permission: 'elections:certify' }, schema: { params } },
    async (request, reply) =>
      sendHtml(reply, renderCloneForm(ctx, request.params.id, request, undefined, true)),
  );

  app.post(
    '/admin/elections/:id/void',
    {
      config: {
        permission: 'elections:certify',
        sudo: true,
        refused: (request, refused) =>
          renderCloneForm(ctx, (request.params as { id: string }).id, request, refused, true),
        refusedStatuses: [400, 409],
      },
      schema: {
        params,
        body: VoidInput,
        summary: 'Close an election as void, and copy it with its electors',
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { title } = getElection(ctx.db, id);
      const notifyOthers = await acts.about(request, `Declare “${title}” void and repeat it`);
      const copy = await voidAndRepeat(ctx, id, request.body, actorOf(request, ctx.now));
      notifyOthers();
      await settleClosedElections(ctx);
      await deleteClosedLinks(ctx);
      void syncChangedElections(ctx);
      const answer = { success: true, id: copy };
      return answerDone(request, reply, answer, `/admin/elections/${copy}?done=repeated`);
    },
  );

  app.get(
    '/admin/elections/:id/clone',
    { config: { permission: 'elections:write' }, schema: { params } },
    async (request, reply) => sendHtml(reply, renderCloneForm(ctx, request.params.id, request)),
  );

  app.post(
    '/admin/elections/:id/clone',
    {
      config: {
        refused: (request, refused) =>
          renderCloneForm(ctx, (request.params as { id: string }).id, request, refused),
      },
      schema: { params, body: CloneInput },
    },
    async (request, reply) => {
      // A copy made with the form needs a title, because members see it.
      if (isForm(request) && request.body.title === null) throw badField('title', 'is required');
      const id = await cloneElection(ctx, request.params.id, request.body, actorOf(request, ctx.now));
      return answerDone(
        request,
        reply,
        { id, message: 'Election copied' },
        `/admin/elections/${id}?done=cloned`,
      );
    },
  );
}

/** Proposes a voting period of a week from the next full hour. */
function proposeWindow({ now, config: { TIME_ZONE: zone } }: Context) {
  const open = nextFullHour(now(), zone);
  return { open_at: toLocalInput(open, zone), close_at: toLocalInput(addDays(open, 7, zone), zone) };
}

/** A title without the year of the election that it was copied from; unchanged where nothing else would be left. */
const withoutYear = (title: string, year: string): string =>
  title.replace(new RegExp(`[\\s,:–-]*\\(?(?<![\\d/])${year}(?![\\d/])\\)?`), '').trim() || title;

/** Renders the form for a copy, new or refused. @throws 404 */
function renderCloneForm(
  ctx: Context,
  id: string,
  request: FastifyRequest,
  { errors, entered }: Pick<RefusedForm, 'errors' | 'entered'> = { errors: [], entered: {} },
  repeats = false,
) {
  const election = getElection(ctx.db, id);
  const zone = ctx.config.TIME_ZONE;
  const { open_at, close_at } = proposeCopy(ctx, election);
  const { title } = election;
  const fullHour = (at: number) => toLocalInput(nextFullHour(at, zone), zone);
  const proposed = {
    title: repeats ? title : withoutYear(title, localDate(endTime(election), zone).slice(0, 4)),
    open_at: fullHour(open_at),
    close_at: fullHour(close_at),
  };
  return cloneFormPage({
    election,
    entered: { ...proposed, ...entered },
    errors,
    repeats,
    zone: zoneName(zone),
    viewer: request.viewer,
  });
}
