import { z } from 'zod';
import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { forbidden } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
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
import { tellingSharers } from './shared-address.ts';
import { askForStaffAccess } from './staff-access.ts';

const params = z.object({ id: Id });

/** The JSON routes of the roll of members. */
export function people(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/people',
    {
      config: { permission: 'people:read' },
      schema: { summary: 'The roll of members', querystring: PeopleQuery },
    },
    async (request) => {
      const { past, ...query } = request.query;
      // The list reveals who has signed in within two years and who has not.
      if (past && !may(request, 'people:erase'))
        throw forbidden('Who may be erased is shown to those who may erase');
      const among = past ? await findPastMembers(ctx, todayOf(ctx)) : undefined;
      return listPeople(ctx, { ...query, among }, query);
    },
  );

  app.post(
    '/api/admin/people',
    { config: { permission: 'people:write' }, schema: { summary: 'A new person', body: PersonInput } },
    async (request) =>
      tellingSharers(ctx, request, () => createRollPerson(ctx, request.body, editorOf(ctx, request))),
  );

  app.get(
    '/api/admin/people/:id',
    { config: { permission: 'people:read' }, schema: { summary: 'One person of the roll', params } },
    async (request) => getPerson(ctx, request.params.id),
  );

  app.patch(
    '/api/admin/people/:id',
    {
      config: { permission: 'people:write' },
      schema: { summary: 'Change a person', params, body: PersonPatch },
    },
    async (request) => {
      const emails = request.body.addresses?.map(({ email }) => email) ?? [];
      const notifyOthers = await askForStaffAccess(ctx, request, request.params.id, emails);
      const changed = await tellingSharers(ctx, request, () =>
        updatePerson(ctx, request.params.id, request.body, editorOf(ctx, request)),
      );
      notifyOthers();
      return changed;
    },
  );
}
