import { z } from 'zod';
import { withMeetings } from '#calendar/feed/meeting-events.ts';
import type { Program } from '#calendar/feed/programme.ts';
import { findPublicProgram, listOtherDates } from '#calendar/feed/public-programme.ts';
import { renderValidated } from '#calendar/feed/render.ts';
import { EVENT } from '#content/events/kind.ts';
import { eventPath } from '#content/events/shown.ts';
import { shareSiteOf } from '#content/pictures/logo.ts';
import { listImportedPages } from '#content/records/published.ts';
import type { Context } from '#kernel/context.ts';
import { cachedResponse, sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { rateLimitOfAll } from '#kernel/http/rate-limit.ts';
import { clubReader } from '#kernel/locale.ts';
import { type EventPageProps, eventPage, eventPicture } from '#views/calendar/event.ts';

/** Finds an event of the pub's screens by its id. */
export type FindPubEvent = (id: string) => (Program & EventImage) | undefined;

type EventImage = NonNullable<EventPageProps['image']>;

/** Drawing a picture takes tens of milliseconds of processor time; each shared event needs one. */
const PICTURES_A_MINUTE = 60;
const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
const params = z.object({ id: z.string().max(100) });

/** One event: its page, an iCalendar file, and a picture for sharing. Only for events on the public lists. */
export function eventPages(
  app: App,
  { ctx, findPubEvent }: { ctx: Context; findPubEvent: FindPubEvent },
): void {
  app.get('/events/:id', { schema: { summary: 'One event', params } }, async (request, reply) => {
    const { id } = request.params;
    // If two workspace pages were imported as one event, only one of the ids is kept.
    const kept = listImportedPages(ctx, EVENT).get(id);
    if (kept !== undefined && kept !== id)
      return reply.header('cache-control', 'public, max-age=3600').redirect(eventPath(kept), 308);
    return sendSharedPage(ctx, request, reply, ['/events', id], async () => {
      const { program, ofPub } = getEvent(ctx, findPubEvent, id);
      const { now, config } = ctx;
      const others = listOtherDates(ctx, program);
      const origin = config.BASE_URL ?? '';
      return eventPage({
        program,
        inPub: ofPub !== undefined,
        image: ofPub,
        others,
        now: now(),
        zone: config.TIME_ZONE,
        origin,
      });
    });
  });

  app.get(
    '/events/:id/calendar.ics',
    { config: { json: true }, schema: { summary: 'One event for a calendar', params } },
    async (request, reply) => {
      const { id } = request.params;
      const file = await sharedAnswer(ctx, ['/events.ics', id], async () => {
        const { program } = getEvent(ctx, findPubEvent, id);
        const { TIME_ZONE: zone } = ctx.config;
        const { body, fault } = renderValidated({
          zone,
          language: clubReader().language,
          programs: withMeetings(ctx, [program]),
        });
        if (fault) ctx.log.error({ ...fault, id }, 'the file of an event has a fault');
        if (body === undefined || fault) throw new AppError(500, 'event_not_written');
        return cachedResponse(Buffer.from(body), CALENDAR_TYPE);
      });
      return sendCached(request, reply, file, 'no-cache', [
        'content-disposition',
        'attachment; filename="event.ics"',
      ]);
    },
  );

  app.get(
    '/og/events/:file',
    {
      config: { json: true },
      onRequest: rateLimitOfAll(ctx.limiter, ctx.now, 'pictures of events', PICTURES_A_MINUTE),
      schema: { summary: 'The picture of an event', params: z.object({ file: z.string().max(110) }) },
    },
    async (request, reply) => {
      const id = request.params.file.replace(/\.png$/, '');
      const picture = await sharedAnswer(ctx, ['/og/events', id], async () => {
        const { program } = getEvent(ctx, findPubEvent, id);
        return ctx.shareImages.draw(eventPicture(program, ctx.config.TIME_ZONE, await shareSiteOf(ctx)));
      });
      return sendCached(request, reply, picture, 'public, max-age=300');
    },
  );
}

/** @throws 404 for an event that is on no list, or was over long ago */
function getEvent(
  ctx: Context,
  findPubEvent: FindPubEvent,
  id: string,
): { program: Program; ofPub: ReturnType<FindPubEvent> } {
  const ofPub = findPubEvent(id);
  const program = findPublicProgram(ctx, id) ?? ofPub;
  if (!program) throw notFound('no_such_event');
  return { program, ofPub };
}
