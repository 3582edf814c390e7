import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may } from '#kernel/access/permissions.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { forbidden } from '#kernel/http/errors.ts';
import { linesOf, nestForm } from '#kernel/http/form.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag, optionalText, ROWS_A_PAGE, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { findStaffAccess } from '#people/approvals/staff-access.ts';
import { erasePerson } from '#people/erase/erase.ts';
import { listGroups, listKinds } from '#people/roll/kinds-and-groups.ts';
import { findPastMembers } from '#people/roll/past-members.ts';
import {
  createRollPerson,
  editorOf,
  getPerson,
  listPeople,
  todayOf,
  updatePerson,
} from '#people/roll/people.ts';
import { PersonInput, PersonPatch } from '#people/roll/person-input.ts';
import { PeopleQuery } from '#people/roll/search.ts';
import { isDay } from '#people/roll/standings.ts';
import { erasePage } from '#views/people/erase.ts';
import { newPersonPage, personPage } from '#views/people/person.ts';
import { rollPage } from '#views/people/roll.ts';
import { notifyAddressSharers } from './shared-address.ts';
import { withApproval } from './with-approval.ts';

/** Invalid parameters are ignored, so that an old bookmark still shows the roll. */
const PageQuery = z.object({
  q: optionalText(254).catch(null),
  kind: optionalText(80).catch(null),
  group: optionalText(80).catch(null),
  on: optionalText(10)
    .refine((text) => text === null || isDay(text))
    .catch(null),
  past: flag.default(false).catch(false),
  page: wholeNumber(1, 1_000_000).default(1).catch(1),
  done: z.string().max(20).optional().catch(undefined),
});
const params = z.object({ id: Id });

const DONE: Record<string, Words> = {
  added: t('people-admin.roll.done_added'),
  saved: t('people-admin.roll.done_saved'),
  erased: t('people-admin.roll.done_erased'),
  'erased-but-the-log': t('people-admin.roll.done_erased_but_the_log'),
};

/** The roll of members. */
export function people(app: App, { ctx }: { ctx: Context }): void {
  const choices = () => ({ kinds: listKinds(ctx.db), groups: listGroups(ctx.db) });
  const renderPerson = (
    { identity }: FastifyRequest,
    id: string,
    more: { refused?: RefusedForm; done?: Words | undefined },
  ) => personPage({ ...choices(), ...more, identity, person: getPerson(ctx, id) });

  app.get(
    '/api/admin/people',
    {
      config: { permission: 'people:read' },
      schema: { summary: 'The roll of members', querystring: PeopleQuery },
    },
    async (request) => {
      const { past, ...query } = request.query;
      // The list reveals who has signed in within two years and who has not.
      if (past && !may(request, 'people:erase')) throw forbidden('erasable_hidden');
      const among = past ? await findPastMembers(ctx, todayOf(ctx)) : undefined;
      return listPeople(ctx, { ...query, among }, query);
    },
  );

  app.get(
    '/admin/people',
    {
      config: { permission: 'people:read' },
      schema: { summary: 'The roll of members', querystring: PageQuery },
    },
    async (request, reply) => sendHtml(reply, await renderRoll(ctx, request.query, request)),
  );

  app.get(
    '/admin/people/new',
    { config: { permission: 'people:write' }, schema: { summary: 'The form for a new person' } },
    async ({ identity }, reply) => sendHtml(reply, newPersonPage({ ...choices(), identity })),
  );

  app.get(
    '/api/admin/people/:id',
    { config: { permission: 'people:read' }, schema: { summary: 'One person of the roll', params } },
    async (request) => getPerson(ctx, request.params.id),
  );

  app.get(
    '/admin/people/:id',
    {
      config: { permission: 'people:read' },
      schema: { summary: 'A person of the roll', params, querystring: doneQuery },
    },
    async (request, reply) =>
      sendHtml(reply, renderPerson(request, request.params.id, { done: ownValue(DONE, request.query.done) })),
  );

  act(app, ctx, {
    api: 'POST /api/admin/people',
    form: 'POST /admin/people',
    summary: 'A new person',
    permission: 'people:write',
    body: PersonInput,
    fromForm: readPersonForm,
    refused: ({ identity }, refused) => newPersonPage({ ...choices(), identity, refused }),
    run: ({ body, request }) =>
      notifyAddressSharers(ctx, request, () => createRollPerson(ctx, body, editorOf(ctx, request))),
    json: (person) => person,
    next: ({ id }) => `/admin/people/${id}?done=added`,
  });

  act(app, ctx, {
    api: 'PATCH /api/admin/people/:id',
    form: 'POST /admin/people/:id',
    summary: 'Change a person',
    permission: 'people:write',
    params,
    body: PersonPatch,
    fromForm: readPersonForm,
    refused: (request, refused) => renderPerson(request, request.params.id, { refused }),
    run: ({ params: { id }, body, request }) => {
      const emails = body.addresses?.map(({ email }) => email) ?? [];
      const update = (on: Context) => updatePerson(on, id, body, editorOf(ctx, request));
      return withApproval(
        ctx,
        request,
        findStaffAccess(ctx, request, id, emails),
        () => notifyAddressSharers(ctx, request, () => update(ctx)),
        { tried: update },
      );
    },
    json: (person) => person,
    next: ({ id }) => `/admin/people/${id}?done=saved`,
  });
}

/**
 * Turns the form of a person into the body of the API: one address per line, the first is the primary one; memberships
 * without a kind are dropped; no ticked group means no group.
 */
function readPersonForm(entered: Record<string, unknown>): Record<string, unknown> {
  const { addresses, standing, standings, groups = [], ...rest } = nestForm(entered);
  const lines = [addresses].flat().filter((text) => typeof text === 'string');
  return {
    ...rest,
    addresses: linesOf(lines.join('\n')).map((email, index) => ({ email, primary: index === 0 })),
    groups: [groups].flat(),
    ...(isChosen(standing) && { standing }),
    // Without stored standings the form has no fields for them.
    ...(Array.isArray(standings) && { standings: standings.filter(isChosen) }),
  };
}

const isChosen = (standing: unknown): boolean =>
  typeof standing === 'object' && standing !== null && 'kind' in standing && standing.kind !== '';

async function renderRoll(
  ctx: Context,
  { page, done, past, ...filter }: z.output<typeof PageQuery>,
  request: FastifyRequest,
): Promise<Html> {
  const proposed = past && may(request, 'people:erase');
  const [kinds, groups] = [listKinds(ctx.db), listGroups(ctx.db)];
  const known = <T extends { name: string }>(all: T[], name: string | null) =>
    all.some((one) => one.name === name) ? name : null;
  const asked = { ...filter, kind: known(kinds, filter.kind), group: known(groups, filter.group) };
  const offset = (page - 1) * ROWS_A_PAGE;
  // The first page of the unfiltered roll shows the number of people proposed for erasure.
  const isWhole = page === 1 && Object.values(asked).every((value) => value === null);
  const pastMembers =
    proposed || (isWhole && may(request, 'people:erase')) ? await findPastMembers(ctx, todayOf(ctx)) : [];
  const shown = { ...asked, among: proposed ? pastMembers : undefined };
  const { people, total } = listPeople(ctx, shown, { limit: ROWS_A_PAGE, offset });
  const to = (number: number) => {
    const parts = Object.entries({
      ...asked,
      past: proposed ? '1' : null,
      page: number > 1 ? String(number) : null,
    });
    return `/admin/people?${new URLSearchParams(parts.filter((part): part is [string, string] => part[1] !== null))}`;
  };
  return rollPage({
    people,
    pages: { page, pageSize: ROWS_A_PAGE, total, href: to },
    filter: asked,
    past: proposed,
    kinds,
    groups,
    identity: request.identity,
    pastMembers: pastMembers.length,
    done: ownValue(DONE, done),
  });
}

/** Routes for erasing a person: as JSON, and as a page that says what is erased and what stays. */
export function erase(app: App, { ctx }: { ctx: Context }): void {
  const renderPage = (
    id: string,
    identity: Parameters<typeof erasePage>[0]['identity'],
    refused?: RefusedForm,
  ): Html => erasePage({ person: getPerson(ctx, id), identity, refused });

  app.get(
    '/admin/people/:id/erase',
    {
      config: { permission: 'people:erase' },
      schema: { summary: 'What is deleted and what is kept when a person is erased', params },
    },
    async (request, reply) => sendHtml(reply, renderPage(request.params.id, request.identity)),
  );

  act(app, ctx, {
    api: 'POST /api/admin/people/:id/erase',
    form: 'POST /admin/people/:id/erase',
    summary: 'Erase what is kept about a person',
    permission: 'people:erase',
    sudo: true,
    params,
    refused: (request, refused) => renderPage(request.params.id, request.identity, refused),
    run: ({ params: { id }, request }) => erasePerson(ctx, id, editorOf(ctx, request)),
    json: ({ erased_at, entries_kept }) => ({ ok: true, erased_at: isoTime(erased_at), entries_kept }),
    next: ({ entries_kept }) => `/admin/people?done=erased${entries_kept > 0 ? '-but-the-log' : ''}`,
  });
}
