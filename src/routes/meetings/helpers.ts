import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { UNKNOWN_OFFICER } from '#kernel/access/actors.ts';
import { mayGrant } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery, type OtherAnswer } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { linesOf } from '#kernel/http/form.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import {
  HELPER_FIELDS,
  HELPER_ROLES,
  HelpersInput,
  helpersJson,
  listHelpers,
  proposedEnd,
  readHelpers,
} from '#meetings/helpers.ts';
import { ensureNotClosed, getMeeting, placeOf } from '#meetings/meetings.ts';
import { requireApproval, type SensitiveAct } from '#people/approvals/approvals.ts';
import { mailRoles } from '#people/notices.ts';
import {
  changedByGift,
  giveRoles,
  isOfficerRole,
  lastMoment,
  type RoleGift,
  readUntil,
} from '#people/roles.ts';
import { pendingAnswer, rehearse } from '#routes/people/with-approval.ts';
import { helpersPage } from '#views/meetings/admin/helpers.ts';

const params = z.object({ id: Id });
const ADDRESS = '/admin/meetings/:id/helpers';

/** Who chairs a meeting, keeps its door and counts: as JSON and as a page, for officers. */
export function helpers(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    ADDRESS,
    { schema: { params, querystring: doneQuery, summary: 'Who chairs, keeps the door and counts' } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { id } = getMeeting(ctx.db, request.params.id);
      if (wantsHtml(request))
        return sendHtml(reply, renderHelpers(ctx, request, id, { done: request.query.done === 'given' }));
      return helpersJson(ctx, readsRoles(request));
    },
  );
}

/** Whether somebody may see the page of roles, with the addresses of those who have one. */
const readsRoles = ({ viewer }: FastifyRequest): boolean => viewer?.permissions.has('roles:read') ?? false;

/** Gives these roles: for whoever may by a role of their own, as on the page of roles. */
export function givingRoles(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: `POST ${ADDRESS}`,
    summary: 'Give people the roles of chair, door and teller',
    permission: 'roles:write',
    sudo: true,
    params,
    body: HelpersInput,
    fromForm: (sent) => ({
      ...sent,
      ...Object.fromEntries(HELPER_FIELDS.map((field) => [field, linesOf(String(sent[field] ?? ''))])),
    }),
    refused: (request, refused) => renderHelpers(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, body, request }) => give(ctx, request, id, body),
    json: () => helpersJson(ctx, true),
    next: (_, { params: { id } }) => `/admin/meetings/${id}/helpers?done=given`,
  });
}

async function give(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { until: end, ...named }: z.output<typeof HelpersInput>,
): Promise<OtherAnswer | undefined> {
  const meeting = getMeeting(ctx.db, id);
  ensureNotClosed(meeting);
  const until = readUntil(ctx, { until: end, roles: [] });
  const gifts = readHelpers(ctx.db, named);
  const change = (within: Context) =>
    giveRoles(within, gifts, until, actorOf(request, ctx.now), (role) => mayGrant(request, role));
  const sensitive = sensitiveGift(ctx, meeting.title, gifts, until);
  const asked = sensitive && (await requireApproval(ctx, request, sensitive, () => rehearse(ctx, change)));
  // If it is done at once, the mails below say so, as where one person is given a role.
  if (asked && !('tell' in asked)) return pendingAnswer(request, asked);
  for (const one of await change(ctx)) mailRoles(ctx, request, one, request.viewer?.who ?? UNKNOWN_OFFICER);
  return undefined;
}

/** Who leads a meeting can do what officers can, so that it is a grave act to give that role; null for other roles. */
function sensitiveGift(
  ctx: Context,
  title: string,
  gifts: readonly RoleGift[],
  until: number | null,
): SensitiveAct | null {
  const given = gifts.map((gift) => ({ ...gift, ...changedByGift(ctx.db, gift, until, ctx.now()) }));
  if (!given.some((one) => one.given.some(isOfficerRole))) return null;
  const having = (role: string) => given.filter((one) => one.given.includes(role)).map(({ email }) => email);
  const details = [
    { label: t('meetings-admin.shared.chair'), value: having(HELPER_ROLES.chair).join(', ') },
    { label: t('meetings-admin.helpers.door'), value: having(HELPER_ROLES.door).join(', ') },
    { label: t('meetings-admin.shared.tellers'), value: having(HELPER_ROLES.tellers).join(', ') },
    {
      label: t('meetings-admin.helpers.until'),
      value: until === null ? t('meetings-admin.acts.no_end') : lastMoment(until, ctx.config.TIME_ZONE),
    },
  ].filter(({ value }) => value !== '');
  return { kind: 'roles', act: t('meetings-admin.acts.give_roles', { title }), details };
}

/** The page of the helpers, new or refused. @throws 404 */
function renderHelpers(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { done = false, refused }: { done?: boolean; refused?: RefusedForm },
): Html {
  const meeting = getMeeting(ctx.db, id);
  const helping = listHelpers(ctx);
  // Without a name there is only the address, which not everybody may see who reads this.
  const shows = readsRoles(request);
  const shown = HELPER_FIELDS.map((field) => ({
    field,
    people: helping[field].map(({ email, name, until }) => ({
      name: shows || name !== email ? name : t('meetings-admin.helpers.nameless'),
      until: until === null ? undefined : lastMoment(until, ctx.config.TIME_ZONE),
    })),
  }));
  return helpersPage({
    meeting: placeOf(meeting),
    helpers: shown,
    proposedEnd: proposedEnd(ctx, meeting),
    done,
    refused,
    viewer: request.viewer,
  });
}
