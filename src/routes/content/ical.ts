import { z } from 'zod';
import { IcalInput, IcalPatch } from '#content/ical/sources/input.ts';
import { readByHand } from '#content/ical/sources/reading.ts';
import {
  addSource,
  changeSource,
  getSource,
  listSources,
  removeSource,
} from '#content/ical/sources/sources.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import { readInBackground } from './ical-background.ts';

const params = z.object({ id: Id });

/** External calendars whose events the club shows, as JSON. Their addresses are never returned. */
export function ical(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/ical',
    { config: { permission: 'content:read' }, schema: { summary: 'The calendars that are read' } },
    async () => ({ sources: listSources(ctx) }),
  );

  app.post(
    '/api/admin/ical',
    { config: { permission: 'content:write' }, schema: { summary: 'Read a calendar', body: IcalInput } },
    async (request) => {
      const id = await addSource(ctx, request.body, actorOf(request, ctx.now));
      readInBackground(ctx, id);
      return { ok: true, ...getSource(ctx, id) };
    },
  );

  app.patch(
    '/api/admin/ical/:id',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'Change how a calendar is read and shown', params, body: IcalPatch },
    },
    async (request) => {
      const { id } = request.params;
      if (await changeSource(ctx, id, request.body, actorOf(request, ctx.now))) readInBackground(ctx, id);
      return { ok: true, ...getSource(ctx, id) };
    },
  );

  app.delete(
    '/api/admin/ical/:id',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'Read a calendar no more; its events go', params },
    },
    async (request) => {
      await removeSource(ctx, request.params.id, actorOf(request, ctx.now));
      return { ok: true };
    },
  );

  app.post(
    '/api/admin/ical/:id/read',
    { config: { permission: 'content:write' }, schema: { summary: 'Read a calendar now', params } },
    async ({ params: { id } }) => {
      await readByHand(ctx, id);
      return { ok: true, ...getSource(ctx, id) };
    },
  );
}
