import { z } from 'zod';
import { IcalInput, IcalPatch } from '#content/ical/sources/input.ts';
import { readByHand } from '#content/ical/sources/reading.ts';
import { listHolidays } from '#content/ical/sources/shown.ts';
import { addSource, changeSource, listSources, removeSource } from '#content/ical/sources/sources.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { icalPage } from '#views/content/ical.ts';
import { readInBackground } from './ical-background.ts';

const PAGE = '/admin/content/ical';
const params = z.object({ id: Id });
const doneQuery = z.object({ done: z.string().max(20).optional().catch(undefined) });

const DONE: Record<string, string> = {
  added: 'It was added and is being read. Load this page again to see what came.',
  saved: 'The change was saved.',
  read: 'It was read.',
  removed: 'It was removed, and its events with it.',
};

/** Converts the form fields to the format of the JSON route. */
const fromForm = (entered: unknown): unknown => {
  if (typeof entered !== 'object' || entered === null) return entered;
  const {
    filter_field: field,
    filter_contains: contains,
    goes_to,
    ...rest
  } = entered as Record<string, unknown>;
  return {
    ...rest,
    goes_to: typeof goes_to === 'string' && goes_to !== 'holidays' ? goes_to.split(' ') : goes_to,
    filter: typeof field === 'string' && field !== '' ? { field, contains } : null,
  };
};

/** The page of the external calendars, with a form for each. */
export function icalPages(app: App, { ctx }: { ctx: Context }): void {
  const shown = () => ({
    sources: listSources(ctx),
    holidays: listHolidays(ctx),
    zone: ctx.config.TIME_ZONE,
  });
  const config = {
    permission: 'content:write' as const,
    ...refusedOn(({ identity }, refused) => icalPage({ ...shown(), identity, refused })),
  };

  app.get(
    PAGE,
    {
      config: { permission: 'content:read' },
      schema: { summary: 'Calendars we read', querystring: doneQuery },
    },
    async ({ identity, query }, reply) =>
      sendHtml(reply, icalPage({ ...shown(), identity, done: ownValue(DONE, query.done) })),
  );

  app.post(
    PAGE,
    { config, schema: { hide: true, body: z.preprocess(fromForm, IcalInput) } },
    async (request, reply) => {
      readInBackground(ctx, await addSource(ctx, request.body, actorOf(request, ctx.now)));
      return reply.redirect(`${PAGE}?done=added`, 303);
    },
  );

  app.patch(
    `${PAGE}/:id`,
    { config, schema: { hide: true, params, body: z.preprocess(fromForm, IcalPatch) } },
    async (request, reply) => {
      const { id } = request.params;
      if (await changeSource(ctx, id, request.body, actorOf(request, ctx.now))) readInBackground(ctx, id);
      return reply.redirect(`${PAGE}?done=saved`, 303);
    },
  );

  app.delete(`${PAGE}/:id`, { config, schema: { hide: true, params } }, async (request, reply) => {
    await removeSource(ctx, request.params.id, actorOf(request, ctx.now));
    return reply.redirect(`${PAGE}?done=removed`, 303);
  });

  app.post(`${PAGE}/:id/read`, { config, schema: { hide: true, params } }, async (request, reply) => {
    await readByHand(ctx, request.params.id);
    return reply.redirect(`${PAGE}?done=read`, 303);
  });
}
