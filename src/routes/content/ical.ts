import { z } from 'zod';
import { copyEvent, listCopiable } from '#content/ical/sources/copying.ts';
import { IcalInput, IcalPatch, SOURCE } from '#content/ical/sources/input.ts';
import { readByHand, readSource } from '#content/ical/sources/reading.ts';
import { listHolidays } from '#content/ical/sources/shown.ts';
import {
  addSource,
  changeSource,
  getSource,
  listSources,
  removeSource,
  sourceJson,
} from '#content/ical/sources/sources.ts';
import type { Context } from '#kernel/context.ts';
import { act, actsOn, doneQuery } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { ROWS_A_PAGE, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatDate, formatInList } from '#kernel/language/times.ts';
import { localDate } from '#kernel/local-time.ts';
import { icalPage } from '#views/content/ical.ts';
import { icalEventsPage } from '#views/content/ical-events.ts';

const params = z.object({ id: Id });
const EventsQuery = z.object({ page: wholeNumber(1, 1_000_000).default(1).catch(1) });
const DAY = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const;

/** Subscribed calendars whose events the club shows. Their addresses are never returned. */
export function ical(app: App, { ctx }: { ctx: Context }): void {
  const shown = () => ({
    sources: listSources(ctx),
    holidays: listHolidays(ctx),
    zone: ctx.config.TIME_ZONE,
  });
  const page = actsOn(app, ctx, {
    at: { api: '/api/admin/ical', form: '/admin/content/ical' },
    permission: 'content:write',
    page: () => '/admin/content/ical',
    refused: ({ identity }, refused) => icalPage({ ...shown(), identity, refused }),
  });

  app.get(
    '/api/admin/ical',
    { config: { permission: 'content:read' }, schema: { summary: 'The calendars that are read' } },
    async () => ({ sources: listSources(ctx).map(sourceJson) }),
  );

  app.get(
    '/admin/content/ical',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'Calendars we read', querystring: doneQuery },
    },
    async ({ identity, query }, reply) =>
      sendHtml(reply, icalPage({ ...shown(), identity, done: page.said(query.done) })),
  );

  page.add('POST', 'Read a calendar', {
    body: IcalInput,
    fromForm,
    run: async ({ body, actor }) => {
      const id = await addSource(ctx, body, actor);
      readInBackground(ctx, id);
      return id;
    },
    json: (id) => ({ ok: true, ...sourceJson(getSource(ctx, id)) }),
    done: ['added', t('content-admin.ical.added_being_read_load_page')],
  });

  page.add('PATCH /:id', 'Change how a calendar is read and shown', {
    params,
    body: IcalPatch,
    fromForm,
    run: async ({ params: { id }, body, actor }) => {
      if (await changeSource(ctx, id, body, actor)) readInBackground(ctx, id);
    },
    json: (_, { params: { id } }) => ({ ok: true, ...sourceJson(getSource(ctx, id)) }),
    done: ['saved', t('content-admin.ical.change_saved')],
  });

  page.add('DELETE /:id', 'Read a calendar no more; its events go', {
    params,
    run: ({ params: { id }, actor }) => removeSource(ctx, id, actor),
    done: ['removed', t('content-admin.ical.removed_events')],
  });

  page.add('POST /:id/read', 'Read a calendar now', {
    params,
    run: ({ params: { id } }) => readByHand(ctx, id),
    json: (_, { params: { id } }) => ({ ok: true, ...sourceJson(getSource(ctx, id)) }),
    done: ['read', t('content-admin.ical.was_read')],
  });

  app.get(
    '/admin/content/ical/:id',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'Events of a subscribed calendar', params, querystring: EventsQuery },
    },
    async ({ identity, params: { id }, query: { page } }, reply) => {
      const source = getSource(ctx, id);
      const { TIME_ZONE: zone } = ctx.config;
      const all = listCopiable(ctx, source.id);
      const offset = (page - 1) * ROWS_A_PAGE;
      const events = all.slice(offset, offset + ROWS_A_PAGE).map(({ event, copy }) => {
        const when = event.allDay
          ? formatDate(localDate(event.start, zone), DAY)
          : formatInList(event.start, ctx.now(), zone);
        const { id, title, location: place, cancelled } = event;
        return { id, title, place, cancelled, copy, when };
      });
      const href = (number: number) => `/admin/content/ical/${encodeURIComponent(source.id)}?page=${number}`;
      const pages = { page, pageSize: ROWS_A_PAGE, total: all.length, href };
      return sendHtml(reply, icalEventsPage({ identity, source, events, pages }));
    },
  );

  act(app, ctx, {
    form: 'POST /admin/content/ical/:id/events/:event/copy',
    permission: 'content:write',
    params: params.extend({ event: z.string().max(64) }),
    run: ({ params: { id: source, event }, actor }) => copyEvent(ctx, { source, event }, actor),
    next: (id) => `/admin/content/event/${id}?done=copied`,
  });
}

/** Turns the fields of a form into the body of the API. */
function fromForm({ filter_field: field, filter_contains: contains, ...rest }: Record<string, unknown>) {
  return {
    ...SOURCE.readForm(rest),
    filter: typeof field === 'string' && field !== '' ? { field, contains } : null,
  };
}

/** Reads a calendar in the background, so that the response does not wait for it. */
function readInBackground(ctx: Context, id: string): void {
  readSource(ctx, id).catch((err: unknown) =>
    ctx.log.error({ err, source: id }, 'reading a calendar failed'),
  );
}
