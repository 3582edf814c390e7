import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { type App, sendHtml } from '#kernel/http/http.ts';
import { flag, listOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { formatShort } from '#kernel/local-time.ts';
import { bulkInvitesPage } from '#views/voting/admin/invitations/bulk-invites.ts';
import { inviteResultPage } from '#views/voting/admin/invitations/bulk-invites-result.ts';
import { inviteCheckPage } from '#views/voting/admin/invitations/invite-check.ts';
import { type Election, endOf, getElection, listElections, statusOf } from '#voting/elections/elections.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { sampleMail } from '#voting/invitations/invitation-mails.ts';
import { checkInvites } from '#voting/invitations/invite-check.ts';
import type { InvitePlan } from '#voting/invitations/invites.ts';
import type { Invited } from '#voting/invitations/send-invitations.ts';
import { electionPageOf } from './election-page.ts';
import { goesOut, mailState } from './mail-state.ts';

const params = z.object({ id: Id });

/** What the form was sent with, read leniently: the check page says what is wrong with it. */
const Entered = z.object({
  emails: z.union([z.string(), z.array(z.string()).transform((list) => list.join('\n'))]).default(''),
  distribution_list_ids: listOf(z.string(), 100).default([]),
  election_ids: listOf(z.string(), 100).default([]),
  invite_mode: z.enum(['individual', 'batch']).default('batch'),
  queue: flag.default(false),
  batch_name: z.string().trim().max(200, 'must have at most 200 characters').default(''),
});

type Entered = z.output<typeof Entered>;

/** The pages on which invitations are prepared and checked. Nothing is sent from here. */
export async function invitePages(app: App, { ctx }: { ctx: Context }): Promise<void> {
  app.get(
    '/bulk-invites',
    { schema: { querystring: z.object({ election_ids: listOf(z.string(), 100).optional() }) } },
    async (request, reply) =>
      sendHtml(reply, await bulkForm(ctx, request, { election_ids: request.query.election_ids ?? [] })),
  );

  app.post('/bulk-invites/edit', async (request, reply) =>
    sendHtml(reply, await bulkForm(ctx, request, request.entered ?? {})),
  );
  app.post('/elections/:id/invite/edit', { schema: { params } }, async (request, reply) => {
    const election = await getElection(ctx, request.params.id);
    return sendHtml(reply, await electionPageOf(ctx, election, request, { inviting: request.entered ?? {} }));
  });

  app.post(
    '/bulk-invites/check',
    { config: { section: 'bulk-invites' }, schema: { body: Entered } },
    async (request, reply) => {
      if (request.body.election_ids.length === 0)
        throw badField('election_ids', 'choose at least one election');
      const elections = await Promise.all(request.body.election_ids.map((id) => getElection(ctx, id)));
      return checkPage(ctx, request, reply, elections, request.body);
    },
  );
  app.post(
    '/elections/:id/invite/check',
    { config: { section: 'invite' }, schema: { params, body: Entered } },
    async (request, reply) =>
      checkPage(ctx, request, reply, [await getElection(ctx, request.params.id)], request.body, true),
  );

  app.post('/bulk-invites/preview', { schema: { body: Entered } }, async (request, reply) => {
    const elections = await Promise.all(request.body.election_ids.map((id) => getElection(ctx, id)));
    return sendMail(ctx, reply, elections, request.body);
  });
  app.post('/elections/:id/invite/preview', { schema: { params, body: Entered } }, async (request, reply) =>
    sendMail(ctx, reply, [await getElection(ctx, request.params.id)], request.body),
  );
}

/** The form, fresh or with what was entered and what is wrong with it. */
export async function bulkForm(
  ctx: Context,
  request: FastifyRequest,
  entered: Record<string, unknown>,
  error?: AppError,
) {
  const elections = (await listElections(ctx)).filter(
    (election) => statusOf(election, ctx.now()) !== 'closed',
  );
  return bulkInvitesPage({
    elections: elections.map((election) => invitable(ctx, election)),
    lists: await listDistributionLists(ctx),
    entered,
    errors: error?.errors ?? [],
    message: error?.message,
    ...mailState(ctx),
    reader: request.reader,
  });
}

/** What became of invitations that a form sent. */
export function sendResult(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: InvitePlan,
  invited: Invited,
  single: boolean,
) {
  const waiting = plan.elections.filter(
    (election) => plan.queue && statusOf(election, ctx.now()) === 'scheduled',
  );
  return sendHtml(
    reply,
    inviteResultPage({
      single: single ? plan.elections[0] : undefined,
      elections: plan.elections,
      mode: plan.mode,
      queue: plan.queue,
      batch_name: plan.batch_name,
      summary: invited.summary,
      results: invited.results,
      goesOut: goesOut(ctx, waiting),
      reader: request.reader,
    }),
  );
}

async function checkPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  elections: Election[],
  body: Entered,
  single = false,
) {
  if (elections.some((election) => statusOf(election, ctx.now()) === 'closed'))
    throw new AppError(400, 'Election is closed');
  const { invite_mode: mode, queue } = body;
  const { rows, mails } = await checkInvites(ctx, elections, {
    text: body.emails,
    listIds: body.distribution_list_ids,
    mode,
    queue,
  });
  const waits = (election: Election) => queue && statusOf(election, ctx.now()) === 'scheduled';
  return sendHtml(
    reply,
    inviteCheckPage({
      single: single ? elections[0] : undefined,
      elections: elections.map((election) => ({ ...invitable(ctx, election), waits: waits(election) })),
      mode,
      queue,
      batch_name: body.batch_name || null,
      entered: request.entered ?? {},
      rows,
      mails,
      goesOut: goesOut(ctx, elections.filter(waits)),
      samples: samplesOf(ctx, elections, mode),
      ...mailState(ctx),
      reader: request.reader,
    }),
  );
}

function samplesOf(ctx: Context, elections: Election[], mode: 'individual' | 'batch') {
  return mode === 'batch'
    ? [sampleMail(ctx, elections, mode)]
    : elections.map((election) => sampleMail(ctx, [election], mode));
}

/** The mail as it will look. Mail clients need styles in the markup, which no page of ours may have. */
function sendMail(ctx: Context, reply: FastifyReply, elections: Election[], { invite_mode }: Entered) {
  const [sample] = samplesOf(ctx, elections, invite_mode);
  if (!sample) throw badField('election_ids', 'choose at least one election');
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'",
    )
    .header('referrer-policy', 'no-referrer')
    .send(sample.html.toString());
}

function invitable(ctx: Context, election: Election) {
  const zone = ctx.config.TIME_ZONE;
  return {
    id: election.id,
    title: election.title,
    status: statusOf(election, ctx.now()) as 'scheduled' | 'open',
    opens: formatShort(election.open_at, zone),
    closes: formatShort(endOf(election), zone),
  };
}
