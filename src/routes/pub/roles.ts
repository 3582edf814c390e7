import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { namesIn } from '#content/records/rows.ts';
import { UNKNOWN_OFFICER } from '#kernel/access/actors.ts';
import { mayGrant } from '#kernel/access/permissions.ts';
import { findRoles, listPeopleOf } from '#kernel/access/person-roles.ts';
import { isRole, PERMISSIONS, ROLES, type Role, roleLabel } from '#kernel/access/roles.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, type OtherAnswer } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import { formatInSentence } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { listPeopleWith, requireApproval, type SensitiveAct } from '#people/approvals/approvals.ts';
import { mailOwners, mailRoles } from '#people/notices.ts';
import {
  type Assignment,
  isOfficerRole,
  lastMoment,
  listAssignments,
  movedEnds,
  RolesInput,
  readUntil,
  setRoles,
} from '#people/roles.ts';
import { pendingAnswer, rehearse } from '#routes/people/with-approval.ts';
import { rolesPage } from '#views/pub/staff-roles.ts';

const PERMISSIONS_JSON = Object.fromEntries(
  Object.entries(PERMISSIONS).map(([name, words]) => [name, words.for(ENGLISH)]),
);

/** The roles of people, as JSON and as a page. */
export function roles(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/roles',
    { config: { permission: 'roles:read' }, schema: { summary: 'Who may do what' } },
    async () => ({
      roles: ROLES,
      permissions: PERMISSIONS_JSON,
      assignments: listAssignments(ctx).map(({ email, roles, until }) => {
        const ends = endsOf(until);
        return { email, roles, ...(Object.keys(ends).length > 0 && { until: ends }) };
      }),
    }),
  );

  app.get(
    '/admin/pub/roles',
    {
      config: { permission: 'roles:read' },
      schema: { summary: 'Who may do what', querystring: z.object({ done: z.unknown().optional() }) },
    },
    async (request, reply) => {
      const done = request.query.done === undefined ? undefined : t('pub-staff.staff_roles.changed');
      return sendHtml(reply, await renderPage(ctx, request, { done }));
    },
  );

  act(app, ctx, {
    api: 'PUT /api/admin/roles',
    form: 'POST /admin/pub/roles',
    summary: 'Replace one person’s roles',
    permission: 'roles:write',
    sudo: true,
    body: RolesInput,
    // A form without a ticked box sends no roles at all.
    fromForm: ({ roles = [], ...fields }) => ({ ...fields, roles }),
    refused: (request, refused) => renderPage(ctx, request, { refused }),
    run: ({ body, request }) => replaceRoles(ctx, request, body),
    json: (_, { body: { email, roles, until } }) => ({
      ok: true,
      email,
      roles,
      // Which of them has it, or another end, stands in `ends`.
      ...(until !== null && {
        until: isoTime(readUntil(ctx, { until, roles }) ?? 0),
        ends: endsOf(listAssignments(ctx).find((one) => one.email === email)?.until ?? {}),
      }),
    }),
    next: '/admin/pub/roles?done',
  });
}

/** The ends of roles as a client reads them. */
const endsOf = (until: Assignment['until']): Partial<Record<Role, string>> =>
  Object.fromEntries(Object.entries(until).map(([role, at]) => [role, isoTime(at)]));

async function replaceRoles(
  ctx: Context,
  request: FastifyRequest,
  input: z.output<typeof RolesInput>,
): Promise<OtherAnswer | undefined> {
  const until = readUntil(ctx, input);
  const act = sensitiveChange(ctx, input, until);
  const change = (within: Context) =>
    setRoles(within, { ...input, until }, actorOf(request, ctx.now), (role) => mayGrant(request, role));
  const asked = act && (await requireApproval(ctx, request, act, () => rehearse(ctx, change)));
  // If it is done at once, the mails below tell the others.
  if (asked && !('tell' in asked)) return pendingAnswer(request, asked);
  const before = await change(ctx);
  const by = request.identity?.who ?? UNKNOWN_OFFICER;
  mailRoles(ctx, request, { email: input.email, before, after: input.roles }, by);
  if (!before.includes('owner') && input.roles.includes('owner'))
    mailOwners(ctx, request, 'owner-notice', { owner: input.email, by });
  return undefined;
}

/** Granting officer or more, and taking a role away, let one person undo the rule of two: null for other changes. */
function sensitiveChange(
  ctx: Context,
  { email, roles }: z.output<typeof RolesInput>,
  until: number | null,
): SensitiveAct | null {
  const people = listPeopleOf(ctx.db, email);
  const before = people.flatMap(({ id }) => findRoles(ctx.db, id, ctx.now()));
  const after: string[] = roles;
  const { prolonged, shortened } = movedEnds(ctx.db, people[0]?.id, { before, after, until });
  // An earlier end takes away what is left of a role.
  const taken = [...before.filter((role) => !after.includes(role)), ...shortened];
  const given = [...after.filter((role) => !before.includes(role)), ...prolonged].filter(isOfficerRole);
  if (taken.length + given.length === 0) return null;
  const details = [
    { label: t('pub-staff.roles_act.now'), value: rolesInWords(before) },
    { label: t('pub-staff.roles_act.new'), value: rolesInWords(after) },
    ...(until === null
      ? []
      : [{ label: t('pub-staff.roles_act.until'), value: lastMoment(until, ctx.config.TIME_ZONE) }]),
  ];
  if (given.includes('owner'))
    return { kind: 'roles', act: t('pub-staff.roles_act.make_owner', { email }), details };
  const act =
    given.length > 0
      ? t('pub-staff.roles_act.make_officer', { email })
      : t('pub-staff.roles_act.take', { email });
  // The only owner could otherwise take the role of the one person who would have to confirm.
  const owners = listPeopleWith(ctx.db, 'roles:write', ctx.now());
  const permission = taken.some(isOfficerRole) && owners.length < 2 ? 'elections:certify' : 'roles:write';
  return { kind: 'roles', act, details, permission };
}

/** Roles one after the other, in a form that can be stored. One that this version does not know is as stored. */
function rolesInWords(roles: readonly string[]): Words | string {
  const [first = t('pub-staff.roles_act.none'), ...others] = roles.map(roleLabel);
  return others.reduce<Words | string>(
    (before, role) => t('pub-staff.roles_act.and_role', { before, role }),
    first,
  );
}

async function renderPage(
  ctx: Context,
  request: FastifyRequest,
  { done, refused }: { done?: Words | undefined; refused?: RefusedForm },
): Promise<Html> {
  const zone = ctx.config.TIME_ZONE;
  const nameOf = namesIn(ctx.db);
  const people = listAssignments(ctx).map(({ email, name, roles, until, granted_at, granted_by }) => ({
    email,
    name,
    roles,
    until: Object.fromEntries(Object.entries(until).map(([role, at]) => [role, lastMoment(at, zone)])),
    granted: givenWords(formatInSentence(granted_at, ctx.now(), zone), nameOf(granted_by)),
  }));
  return rolesPage({
    done,
    refused: refused && { ...refused, ...typedIn(refused) },
    people,
    identity: request.identity,
  });
}

/** What stood in a form that was refused. */
function typedIn({ entered }: RefusedForm) {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const roles = [entered.roles].flat().filter((role) => typeof role === 'string' && isRole(role));
  return { email: text(entered.email), roles, until: text(entered.until) };
}

/** Names who gave the roles; empty for a person who was erased. */
const givenWords = (when: Words, name: string | null): Words =>
  name === null
    ? t('pub-staff.staff_roles.given', { when })
    : t('pub-staff.staff_roles.given_by', { when, name });
