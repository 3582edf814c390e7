import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, answerDone } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import type { ActDetail } from '#people/approvals/approvals.ts';
import { graveActs } from '#routes/people/grave-acts.ts';
import {
  AttachmentInput,
  changeAttachment,
  changeDates,
  changeSettings,
  DatesInput,
  readWindow,
  SettingsPatch,
} from '#voting/elections/changes.ts';
import { type Election, electionJson, electionStatus, getElection } from '#voting/elections/elections.ts';
import { changeWording, WordingInput } from '#voting/elections/wording.ts';
import { refusedOnElectionPage } from './election-page.ts';

const params = z.object({ id: Id });

/** Title, description, dates, settings and the document of an election. */
export function electionChanges(app: App, { ctx }: { ctx: Context }): void {
  const acts = graveActs(ctx);
  app.patch(
    '/admin/elections/:id/dates',
    { config: refusedOnElectionPage(ctx, 'dates'), schema: { params, body: DatesInput } },
    async (request, reply) => {
      const { id } = request.params;
      // After the opening, new dates can extend voting, end it or open it again.
      const election = getElection(ctx.db, id);
      if (election.opened_at !== null) await demand(ctx, request, 'elections:certify');
      const { open_at, close_at } = readWindow(ctx, request.body);
      const status = electionStatus(election, ctx.now());
      const endsOrPauses = status === 'open' && (close_at <= ctx.now() || open_at > ctx.now());
      if (status === 'closed' || endsOrPauses) ensureSudo(ctx, request);
      const notifyOthers =
        election.opened_at === null
          ? undefined
          : await acts.about(request, datesAct(ctx, election), datesOf(ctx, election, request.body));
      await changeDates(ctx, id, request.body, actorOf(request, ctx.now));
      notifyOthers?.();
      return answerDone(request, reply, changed(id), `/admin/elections/${id}?done=dates#dates`);
    },
  );

  app.patch(
    '/admin/elections/:id',
    { config: refusedOnElectionPage(ctx, 'wording'), schema: { params, body: WordingInput } },
    async (request, reply) => {
      const { id } = request.params;
      await changeWording(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, changed(id), `/admin/elections/${id}?done=wording#text`);
    },
  );

  app.patch(
    '/admin/elections/:id/settings',
    { config: refusedOnElectionPage(ctx, 'settings'), schema: { params, body: SettingsPatch } },
    async (request, reply) => {
      const { id } = request.params;
      await changeSettings(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, changed(id), `/admin/elections/${id}?done=settings#settings`);
    },
  );

  app.patch(
    '/admin/elections/:id/attachments',
    {
      config: refusedOnElectionPage(ctx, 'attachments'),
      schema: { params, body: AttachmentInput },
    },
    async (request, reply) => {
      const { id } = request.params;
      await changeAttachment(ctx, id, request.body, actorOf(request, ctx.now));
      return answerDone(request, reply, changed(id), `/admin/elections/${id}?done=attachment#attachments`);
    },
  );

  function changed(id: string) {
    return { success: true, election: electionJson(ctx, getElection(ctx.db, id)) };
  }
}

/** Old and new dates and the reason, for the person who confirms them. */
function datesOf(ctx: Context, election: Election, input: z.output<typeof DatesInput>): ActDetail[] {
  const zone = ctx.config.TIME_ZONE;
  const { open_at, close_at } = readWindow(ctx, input);
  const span = (opens: number, closes: number) =>
    `${formatShort(opens, zone)} to ${formatShort(closes, zone)}`;
  return [
    { label: 'Dates now', value: span(election.open_at, election.close_at) },
    { label: 'New dates', value: span(open_at, close_at) },
    ...(input.reason === null ? [] : [{ label: 'Reason', value: input.reason }]),
  ];
}

function datesAct({ now }: Context, election: Election): string {
  const { title } = election;
  return electionStatus(election, now()) === 'closed'
    ? `Open “${title}” again`
    : `Change the dates of “${title}”, which is open`;
}
