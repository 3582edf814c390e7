import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccessLog } from '#calendar/access-log.ts';
import { ensureEnabled } from '#calendar/calendars.ts';
import type { CalendarContext } from '#calendar/context.ts';
import { fetchForeignFeed, plainCalendarId } from '#calendar/feed/automation.ts';
import type { Feed } from '#calendar/feed/feed.ts';
import { type CheckedToken, checkToken } from '#calendar/subscriptions/tokens.ts';
import { SECOND } from '#kernel/clock.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { sentMethod } from '#kernel/http/head.ts';
import { type App, accepts } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';

const CACHE_CONTROL = 'private, max-age=300';
/** No client needs more; each request for a different calendar is a request to the automation host. */
const FOREIGN_A_MINUTE = 60;

/** A parameter that may be missing, repeated or invalid: then it counts as empty, which gives no access. */
const secret = z.string().max(200).catch('');
const programsQuery = z.object({ token: secret, calendar_id: secret });
const internalQuery = z.object({ calendar_id: z.string().max(200).optional().catch(undefined) });

const REFUSALS: Record<Exclude<CheckedToken['state'], 'live'>, readonly [status: number, words: Words]> = {
  unknown: [404, t('calendar.feed.unknown')],
  revoked: [404, t('calendar.feed.unknown')],
  expired: [403, t('calendar.feed.expired', { path: '/subscribe-programs' })],
  disabled: [403, t('calendar.feed.disabled')],
  off: [403, t('calendar.feed.off')],
};

/** The feeds that calendar programs read. */
export function feeds(app: App, { ctx, accesses }: { ctx: CalendarContext; accesses: AccessLog }) {
  app.get(
    '/cal/programs.ics',
    { config: { json: true }, schema: { querystring: programsQuery } },
    // Not async, to save a promise: the calendar program of every subscriber requests it all day.
    (request, reply) => {
      const { token, calendar_id } = request.query;
      const checked = checkToken(ctx, token);
      const state = calendar_id === 'programs' ? checked.state : 'unknown';
      if (state !== 'live') {
        refuse(request, reply, REFUSALS[state]);
        return;
      }
      const { feed } = ctx.programmeFeed;
      if (!feed) return ctx.programmeFeed.load().then((loaded) => sendFeed(request, reply, loaded, checked));
      sendFeed(request, reply, feed, checked);
    },
  );

  function sendFeed(request: FastifyRequest, reply: FastifyReply, feed: Feed, checked: CheckedToken) {
    const { headers, client } = request;
    if (sentMethod(request) === 'GET') accesses.note(checked, headers['user-agent'] ?? '', client);
    if (headers['if-none-match'] === undefined && isSince(feed, headers['if-modified-since'])) {
      const { etag, lastModified } = feed;
      const validators = { etag, 'last-modified': lastModified, 'cache-control': CACHE_CONTROL };
      return reply.code(304).headers(validators).send();
    }
    const more = [
      'last-modified',
      feed.lastModified,
      'content-disposition',
      'inline; filename="programs.ics"',
    ];
    return sendCached(request, reply, feed, CACHE_CONTROL, more);
  }

  app.get(
    '/cal/internal.ics',
    { config: { json: true }, schema: { querystring: internalQuery } },
    async (request, reply) => {
      const { allowed, resetAt } = ctx.limiter.hit('internal.ics', request.client, FOREIGN_A_MINUTE);
      if (!allowed) throw tooManyRequests('too_many_requests', resetAt - ctx.now());
      await ensureEnabled(ctx, 'internal');
      const id = plainCalendarId(request.query.calendar_id);
      const feed = await fetchForeignFeed(ctx, id);
      const more = ['content-disposition', `inline; filename="${id}.ics"`];
      return sendCached(request, reply, feed, CACHE_CONTROL, more);
    },
  );
}

/** A program is answered in English, a person in their language. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  [status, words]: readonly [number, Words],
): FastifyReply {
  const reader = accepts(request, 'text/html') ? request.server.readerOf(request, 'visitors') : ENGLISH;
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' })
    .send(`${words.for(reader)}\n`);
}

/** Whether the feed is unchanged since the time of an If-Modified-Since header, which has whole seconds. */
function isSince({ changedAt }: Feed, since: string | undefined): boolean {
  const at = since === undefined ? Number.NaN : Date.parse(since);
  return Math.floor(changedAt / SECOND) * SECOND <= at;
}
