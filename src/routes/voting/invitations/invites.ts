import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { otherReader } from '#kernel/access/readers.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Html } from '#kernel/html.ts';
import { act, type OtherAnswer } from '#kernel/http/act.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, listOf } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort, zoneName } from '#kernel/language/times.ts';
import { clubReader } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import type { SensitiveAct } from '#people/approvals/approvals.ts';
import { optionalDay } from '#people/roll/search.ts';
import { withApproval } from '#routes/people/with-approval.ts';
import { issuerOf, placed } from '#routes/voting/officers-page/address.ts';
import { goesOut, mailState, rollChoice } from '#routes/voting/officers-page/codes-and-invitations.ts';
import { onPage, renderIssuerPage } from '#routes/voting/officers-page/page.ts';
import { invitationMail } from '#views/mail/invitation.ts';
import { renderMail } from '#views/mail/layout.ts';
import { bulkInvitesPage } from '#views/voting/admin/invitations/bulk-invites.ts';
import { inviteResultPage } from '#views/voting/admin/invitations/bulk-invites-result.ts';
import { inviteCheckPage } from '#views/voting/admin/invitations/invite-check.ts';
import { listSpareCodes } from '#voting/ballots/spare-codes.ts';
import { electionStatus, endTime } from '#voting/elections/elections.ts';
import { getIssuer, type Issuer, listIssuers, questionsOfAll } from '#voting/elections/issuers.ts';
import { ensureChoice, listWithoutChoice } from '#voting/elections/options.ts';
import { getIssuerTurnout } from '#voting/elections/turnout.ts';
import { mayReadRoll, shownRows } from '#voting/electors/roll-access.ts';
import type { InvitePlan } from '#voting/invitations/create-invites.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';
import { sampleInvitation } from '#voting/invitations/invitation-mails.ts';
import { startInvitations } from '#voting/invitations/invitation-runs.ts';
import { checkInvites } from '#voting/invitations/invite-check.ts';
import { BulkInviteInput, InviteInput, type InviteMode, listInvites } from '#voting/invitations/invites.ts';
import { SENT_AT_ONCE } from '#voting/invitations/mailings.ts';
import { listPrepared, planPrepared } from '#voting/invitations/prepared.ts';
import {
  asSent,
  LONG_FORM,
  RECIPIENTS_PER_FORM,
  RECIPIENTS_PER_REQUEST,
} from '#voting/invitations/recipients.ts';
import { type Invited, inviteAll, planInvites } from '#voting/invitations/send-invitations.ts';
import { sendTestMails, TestMailsInput } from '#voting/invitations/test-mails.ts';

const params = z.object({ id: Id });

/** The fields of the form, parsed leniently: the check page shows what is wrong. */
const InviteForm = z.object({
  emails: z.union([z.string(), z.array(z.string()).transform((list) => list.join('\n'))]).default(''),
  distribution_list_ids: listOf(z.string(), 100).default([]),
  roll_kinds: listOf(z.string(), 100).default([]),
  roll_groups: listOf(z.string(), 100).default([]),
  roll_on: optionalDay,
  election_ids: listOf(z.string(), 100).default([]),
  invite_mode: z.enum(['individual', 'batch']).default('batch'),
  queue: flag.default(false),
  batch_name: z
    .string()
    .trim()
    .max(200, coded('too_long', { max: 200 }))
    .default(''),
});

type InviteForm = z.output<typeof InviteForm>;

/** The members of the roll that a form chooses; undefined if nothing is ticked. */
function rollOf({ roll_kinds: kinds, roll_groups: groups, roll_on: on }: InviteForm) {
  return kinds.length + groups.length === 0 ? undefined : { kinds, groups, on };
}

/** Invitations to one election or ballot paper: the form, its check, a preview of the mail, and the sending. */
export function invites(app: App, { ctx }: { ctx: Context }): void {
  const form = onPage(ctx, 'invite');
  const { refused, refusedStatuses } = form;

  for (const url of ['/admin/elections/:id/invites', '/admin/papers/:id/invites'])
    app.get(url, { config: { json: true }, schema: { params } }, async (request) => {
      const rows = listInvites(ctx.db, issuerOf(ctx, request).id, mayReadRoll(request));
      return {
        invites: rows.map(({ id, email, name, status, created_at, sent_at, used, error, ...row }) => ({
          id,
          email,
          ...(name !== null && { name }),
          status,
          created_at,
          sent_at,
          used,
          error,
          ...(row.slip !== null && { slip: row.slip }),
          ...(row.withdrawn_at !== null && { withdrawn_at: row.withdrawn_at }),
          ...(row.ended && { ended: true }),
          ...(row.roll_email !== null && { roll_email: row.roll_email }),
        })),
      };
    });

  for (const url of ['/admin/elections/:id/invite/edit', '/admin/papers/:id/invite/edit'])
    app.post(url, { bodyLimit: LONG_FORM, schema: { params } }, async (request, reply) => {
      const asked = { page: 'mails' as const, enteredInvitation: request.entered ?? {} };
      return sendHtml(reply, renderIssuerPage(ctx, issuerOf(ctx, request), request, asked));
    });

  for (const url of ['/admin/elections/:id/invite/check', '/admin/papers/:id/invite/check'])
    app.post(
      url,
      { bodyLimit: LONG_FORM, config: { refused, refusedStatuses }, schema: { params, body: InviteForm } },
      async (request, reply) => {
        const elections = [issuerOf(ctx, request)];
        await ensureMayAddElectors(ctx, request, elections);
        return checkPage(ctx, request, reply, elections, request.body, true);
      },
    );

  for (const url of ['/admin/elections/:id/invite/preview', '/admin/papers/:id/invite/preview'])
    app.post(url, { bodyLimit: LONG_FORM, schema: { params, body: InviteForm } }, async (request, reply) =>
      sendSample(ctx, reply, [issuerOf(ctx, request)], request.body),
    );

  act(app, ctx, {
    ...form,
    both: ['POST /admin/elections/:id/invite', 'POST /admin/papers/:id/invite'],
    bodyLimit: LONG_FORM,
    body: InviteInput,
    run: async ({ params: { id }, body, actor, request }) => {
      issuerOf(ctx, request);
      const usual = ([one]: Issuer[]) => one?.invite_mode ?? 'individual';
      return invite(ctx, { request, actor }, { ...body, election_ids: [id] }, usual);
    },
    json: ({ invited }, { body }) => invited && { ...invited, results: asSent(invited.results, body.emails) },
    next: (done, { request }) => afterInviting(ctx, request, done, true),
  });

  act(app, ctx, {
    ...form,
    both: 'POST /admin/elections/:id/invite/prepared',
    summary: 'Invite the electors that were taken over from a void election',
    run: async ({ params: { id }, actor, request }) => {
      const election = issuerOf(ctx, request);
      const invitees = listPrepared(ctx.db, id);
      if (invitees.length === 0) throw new AppError(400, 'all_invited');
      const plan = planPrepared(ctx, election, invitees);
      return addElectors(ctx, request, plan, async () => ({
        queued: invitees.length,
        mailing_id: await startInvitations(ctx, plan, actor),
      }));
    },
    json: (started) => ({ success: true, ...started }),
    next: ({ mailing_id }) => `/admin/mailings/${mailing_id}`,
  });

  act(app, ctx, {
    api: 'POST /admin/test-emails',
    body: TestMailsInput,
    run: ({ body }) => sendTestMails(ctx, body),
    json: (sent) => sent,
  });
}

/** Invitations to several elections at once: the same. */
export function bulkInvites(app: App, { ctx }: { ctx: Context }): void {
  const refused = (request: FastifyRequest, form: RefusedForm) => bulkForm(ctx, request, form.entered, form);

  app.get(
    '/admin/bulk-invites',
    {
      config: { permission: 'elections:run' },
      schema: { querystring: z.object({ election_ids: listOf(z.string(), 100).optional() }) },
    },
    async (request, reply) =>
      sendHtml(reply, bulkForm(ctx, request, { election_ids: request.query.election_ids ?? [] })),
  );

  app.post('/admin/bulk-invites/edit', { bodyLimit: LONG_FORM }, async (request, reply) =>
    sendHtml(reply, bulkForm(ctx, request, request.entered ?? {})),
  );
  app.post(
    '/admin/bulk-invites/check',
    { bodyLimit: LONG_FORM, config: { refused }, schema: { body: InviteForm } },
    async (request, reply) => {
      if (request.body.election_ids.length === 0) throw badField('election_ids', 'choose_election');
      const elections = request.body.election_ids.map((id) => getIssuer(ctx.db, id));
      await ensureMayAddElectors(ctx, request, elections);
      return checkPage(ctx, request, reply, elections, request.body);
    },
  );
  const preview = { bodyLimit: LONG_FORM, schema: { body: InviteForm } };
  app.post('/admin/bulk-invites/preview', preview, async (request, reply) => {
    const elections = request.body.election_ids.map((id) => getIssuer(ctx.db, id));
    return sendSample(ctx, reply, elections, request.body);
  });

  act(app, ctx, {
    both: 'POST /admin/bulk-invites',
    bodyLimit: LONG_FORM,
    body: BulkInviteInput,
    refused,
    refusedStatuses: [400],
    run: ({ body, actor, request }) => invite(ctx, { request, actor }, body),
    json: ({ invited }, { body }) => invited && { ...invited, results: asSent(invited.results, body.emails) },
    next: (done, { request }) => afterInviting(ctx, request, done, false),
  });
}

/** Renders the form, new or with the entered fields and their errors. */
function bulkForm(
  ctx: Context,
  request: FastifyRequest,
  entered: Record<string, unknown>,
  problem?: RefusedForm,
) {
  const elections = listIssuers(ctx.db).filter(
    (election) => election.trial === 0 && electionStatus(election, ctx.now()) !== 'closed',
  );
  return bulkInvitesPage({
    elections: elections.map((election) => invitable(ctx, election)),
    zone: zoneName(ctx.config.TIME_ZONE),
    lists: listDistributionLists(ctx.db),
    roll: rollChoice(ctx),
    entered,
    errors: problem?.errors ?? [],
    message: problem?.message,
    ...mailState(ctx),
    viewer: request.viewer,
  });
}

/**
 * Checks who may invite once an election has opened: the invited people are late electors. @throws 403 without
 * elections:certify or a fresh proof
 */
export async function ensureMayInvite(
  ctx: Context,
  request: FastifyRequest,
  elections: readonly Issuer[],
): Promise<void> {
  if (await ensureMayAddElectors(ctx, request, elections)) ensureSudo(ctx, request);
}

/** The same for the check, which changes nothing and so needs no proof. @returns whether the electors would be late */
async function ensureMayAddElectors(
  ctx: Context,
  request: FastifyRequest,
  elections: readonly Issuer[],
): Promise<boolean> {
  const late = elections.some(({ opened_at }) => opened_at !== null);
  if (late) await demand(ctx, request, 'elections:certify');
  return late;
}

/** The outcome of an invitation: its rows, or the id of the mailing that continues in the background. */
type Done = { plan: InvitePlan } & (
  | { invited: Invited; mailing?: undefined }
  | { invited?: undefined; mailing: string }
);

/** Invites the recipients of a request, at most 2,000 from a script. Mails of long forms are sent in the background. */
async function invite(
  ctx: Context,
  { request, actor }: { request: FastifyRequest; actor: Actor },
  { election_ids, ...input }: z.output<typeof BulkInviteInput>,
  usual: (elections: Issuer[]) => InviteMode = () => 'batch',
): Promise<Done | OtherAnswer> {
  const isPage = wantsHtml(request);
  if (!isPage && (input.emails?.length ?? 0) > RECIPIENTS_PER_REQUEST)
    throw badField('emails', 'too_many_entries', { max: RECIPIENTS_PER_REQUEST });
  const most = isPage ? RECIPIENTS_PER_FORM : RECIPIENTS_PER_REQUEST;
  const plan = planInvites(ctx, election_ids, input, usual, most);
  const inBackground = isPage && (plan.inBackground || plan.invitees.length > SENT_AT_ONCE);
  return addElectors(ctx, request, plan, async (on): Promise<Done> => {
    if (inBackground) return { plan, mailing: await startInvitations(on, plan, actor) };
    const invited = await inviteAll(on, plan, actor);
    return { plan, invited: withShownRows(ctx, request, plan, invited) };
  });
}

/** Calls `run` with its context if that is allowed. Electors of an election that has opened are a sensitive act. */
async function addElectors<T>(
  ctx: Context,
  request: FastifyRequest,
  plan: InvitePlan,
  run: (on: Context) => Promise<T>,
): Promise<T | OtherAnswer> {
  await ensureMayInvite(ctx, request, plan.elections);
  const opened = plan.elections.filter(({ opened_at }) => opened_at !== null);
  const titles = opened.map(({ title }) => title).join(', ');
  const names = plan.invitees.map(({ person, name, email }) => person?.name ?? name ?? email ?? '–');
  const late: SensitiveAct = {
    kind: 'codes',
    act: t('voting-admin.invites.add_electors_which_open', { elections: opened.length, titles }),
    details: [
      { label: t('voting-admin.invites.electors'), value: String(names.length) },
      { label: t('voting-admin.invites.names'), value: names.join(', ') },
    ],
  };
  return withApproval(ctx, request, opened.length > 0 ? late : undefined, () => run(ctx), { tried: run });
}

/** Without people:read, leaves out the rows that the request did not name itself. The counts stay complete. */
function withShownRows(ctx: Context, request: FastifyRequest, plan: InvitePlan, invited: Invited): Invited {
  const ids = plan.elections.map(({ id }) => id);
  const named = plan.invitees.flatMap(({ email, person }) =>
    email === null || (person !== null && person.as_of !== null) ? [] : [email],
  );
  return { ...invited, results: shownRows(ctx.db, request, ids, invited.results, named) };
}

/** The page with the results of an invitation form, or the address of the mailing. */
function afterInviting(
  ctx: Context,
  request: FastifyRequest,
  { plan, invited, mailing }: Done,
  single: boolean,
): Html | string {
  if (mailing !== undefined) return `/admin/mailings/${mailing}`;
  const waiting = plan.elections.filter(
    (election) => plan.queue && electionStatus(election, ctx.now()) === 'scheduled',
  );
  return inviteResultPage({
    single: single && plan.elections[0] ? placed(ctx, request, plan.elections[0]) : undefined,
    elections: plan.elections,
    mode: plan.mode,
    queue: plan.queue,
    batch_name: plan.batch_name,
    summary: invited.summary,
    results: invited.results,
    goesOut: goesOut(ctx, waiting),
    viewer: request.viewer,
  });
}

/** Sends the check page: what will happen to each row, and a preview of the mail. It sends no mail. */
function checkPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  elections: Issuer[],
  body: InviteForm,
  single = false,
) {
  if (elections.some((election) => electionStatus(election, ctx.now()) === 'closed'))
    throw new AppError(400, 'election_closed');
  const questions = questionsOfAll(ctx.db, elections);
  ensureChoice(ctx, questions);
  const { invite_mode: mode, queue } = body;
  const roll = rollOf(body);
  const { rows, mails } = checkInvites(ctx, elections, {
    text: body.emails,
    listIds: body.distribution_list_ids,
    roll,
    mode,
    queue,
  });
  const waits = (election: Issuer) => queue && electionStatus(election, ctx.now()) === 'scheduled';
  return sendHtml(
    reply,
    inviteCheckPage({
      single: single && elections[0] ? placed(ctx, request, elections[0]) : undefined,
      elections: elections.map((election) => ({ ...invitable(ctx, election), waits: waits(election) })),
      zone: zoneName(ctx.config.TIME_ZONE),
      mode,
      queue,
      batch_name: body.batch_name || null,
      entered: request.entered ?? {},
      rows,
      roll,
      showRoll: mayReadRoll(request),
      mails,
      goesOut: goesOut(ctx, elections.filter(waits)),
      withoutChoice: listWithoutChoice(ctx.db, questions).map(({ election, candidates }) => ({
        id: election.id,
        title: election.title,
        candidates,
      })),
      spare: elections.flatMap((election) => spareOf(ctx, election)),
      samples: composeSamples(ctx, elections, mode),
      ...mailState(ctx),
      viewer: request.viewer,
    }),
  );
}

function spareOf(ctx: Context, election: Issuer) {
  const batches = listSpareCodes(ctx.db, election.id);
  if (batches.length === 0) return [];
  return [{ election, batches, issued: getIssuerTurnout(ctx.db, election).issued }];
}

function composeSamples(ctx: Context, elections: Issuer[], mode: 'individual' | 'batch') {
  return mode === 'batch'
    ? [sampleOf(ctx, elections, mode)]
    : elections.map((election) => sampleOf(ctx, [election], mode));
}

/** As it is for somebody who has not chosen a language. */
const sampleOf = (ctx: Context, elections: Issuer[], mode: 'individual' | 'batch') =>
  renderMail(invitationMail(sampleInvitation(ctx, elections, mode)), clubReader(), otherReader(ctx));

/** Sends a preview of the mail. Mail clients need inline styles, which the policy of other pages forbids. */
function sendSample(ctx: Context, reply: FastifyReply, elections: Issuer[], { invite_mode }: InviteForm) {
  const [sample] = composeSamples(ctx, elections, invite_mode);
  if (!sample) throw badField('election_ids', 'choose_election');
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'",
    )
    .header('referrer-policy', 'no-referrer')
    .send(sample.html);
}

function invitable(ctx: Context, election: Issuer) {
  const zone = ctx.config.TIME_ZONE;
  return {
    id: election.id,
    title: election.title,
    isPaper: election.isPaper,
    status: electionStatus(election, ctx.now()) as 'scheduled' | 'open',
    opens: formatShort(election.open_at, zone),
    closes: formatShort(endTime(election), zone),
  };
}
