import { z } from 'zod';
import { copyEvent, listCopiable } from '#content/ical/sources/copying.ts';
import { getSource } from '#content/ical/sources/sources.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { formatDate, formatShort, localDate } from '#kernel/local-time.ts';
import { icalEventsPage } from '#views/content/ical-events.ts';

const params = z.object({ id: Id });
const query = z.object({ page: wholeNumber(1, 1_000_000).default(1).catch(1) });
const A_PAGE = 50;
const DAY = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const;

/** The page of an external calendar's dates, each with a button that copies it into the club's own list. */
export function icalEvents(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/content/ical/:id',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'Events of a subscribed calendar', params, querystring: query },
    },
    async (request, reply) => {
      const source = getSource(ctx, request.params.id);
      const { TIME_ZONE: zone } = ctx.config;
      const all = listCopiable(ctx, source.id);
      const from = (request.query.page - 1) * A_PAGE;
      const to = (page: number) => `/admin/content/ical/${encodeURIComponent(source.id)}?page=${page}`;
      const shown = all.slice(from, from + A_PAGE).map(({ event, copy }) => {
        const when = event.allDay
          ? formatDate(localDate(event.start, zone), DAY)
          : formatShort(event.start, zone);
        const { id, title, location: place, cancelled } = event;
        return { id, title, place, cancelled, copy, when };
      });
      return sendHtml(
        reply,
        icalEventsPage({
          identity: request.identity,
          source,
          events: shown,
          pages: {
            from: from + 1,
            total: all.length,
            previous: from > 0 ? to(request.query.page - 1) : undefined,
            next:
              from + shown.length < all.length && shown.length > 0 ? to(request.query.page + 1) : undefined,
          },
        }),
      );
    },
  );

  app.post(
    '/admin/content/ical/:id/events/:event/copy',
    {
      config: { permission: 'content:write' },
      schema: { hide: true, params: params.extend({ event: z.string().max(64) }) },
    },
    async (request, reply) => {
      const { id: source, event } = request.params;
      const id = await copyEvent(ctx, { source, event }, actorOf(request, ctx.now));
      return reply.redirect(`/admin/content/event/${id}?done=copied`, 303);
    },
  );
}
