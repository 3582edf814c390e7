import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import { type App, sendFile } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { exportPerson, type OwnData } from '#people/export/own-data.ts';
import { exportRoll } from '#people/export/roll-csv.ts';
import { PeopleQuery } from '#people/roll/search.ts';
import { actorOfPerson, requireSignedIn } from './signed-in.ts';

const filter = PeopleQuery.omit({ past: true, limit: true, offset: true });

/** The export of one's own data. No HEAD route, because each export is audited. */
export function ownData(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/me/export',
    { exposeHeadRoute: false, schema: { summary: 'Everything that is kept about oneself' } },
    async (request, reply) => {
      const signedIn = requireSignedIn(ctx, request, reply);
      if (!signedIn) return reply;
      ensureSudo(ctx, request);
      const actor = actorOfPerson(ctx, request, signedIn);
      return sendPerson(reply, await exportPerson(ctx, signedIn.person.id, actor));
    },
  );
}

function sendPerson(reply: FastifyReply, data: OwnData): FastifyReply {
  return sendFile(
    reply,
    'person.json',
    'application/json; charset=utf-8',
    JSON.stringify(data, undefined, 2),
  );
}

/** The exports of the roll and of one person's data. No HEAD routes, because each export is audited. */
export function rollExport(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/people/export.csv',
    {
      exposeHeadRoute: false,
      config: { permission: 'people:export', sudo: true },
      schema: { summary: 'The roll of members as a CSV file', querystring: filter },
    },
    async (request, reply) => {
      const text = await exportRoll(ctx, request.query, actorOf(request, ctx.now));
      return sendFile(reply, 'members.csv', 'text/csv; charset=utf-8', text);
    },
  );

  app.get(
    '/api/admin/people/:id/export',
    {
      exposeHeadRoute: false,
      config: { permission: 'people:export', sudo: true },
      schema: { summary: 'Everything that is kept about a person', params: z.object({ id: Id }) },
    },
    async (request, reply) => {
      return sendPerson(reply, await exportPerson(ctx, request.params.id, actorOf(request, ctx.now)));
    },
  );
}
