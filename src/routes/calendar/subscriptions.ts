import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CalendarName, ensureEnabled, getCalendar } from '#calendar/calendars.ts';
import type { CalendarContext } from '#calendar/context.ts';
import { forwardSubscription } from '#calendar/feed/automation.ts';
import { ensureBaseUrl, feedLinks } from '#calendar/feed/feed-links.ts';
import { countSignUp } from '#calendar/sign-up-limits.ts';
import { passChallenge, siteKeyOf } from '#calendar/subscriptions/challenge.ts';
import { ensureMailConfigured } from '#calendar/subscriptions/subscription-mails.ts';
import { ASKED, requestSubscription, SubscriptionInput } from '#calendar/subscriptions/subscriptions.ts';
import { ownerOf, readUnsubscribe, unsubscribe } from '#calendar/subscriptions/unsubscribing.ts';
import { verify } from '#calendar/subscriptions/verifications.ts';
import { isoTime } from '#kernel/clock.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, type FieldError, notFound, tooManyRequests } from '#kernel/http/errors.ts';
import { type App, accepts, isForm, noStore } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { unsubscribedPage, unsubscribePage } from '#views/calendar/links.ts';
import type { SignUpError } from '#views/calendar/subscribe.ts';
import { sendRefusal } from './pages.ts';

const REQUESTS_A_MINUTE = 20;
/** Bodies of these routes are never larger. */
const bodyLimit = 16 * 1024;

const newQuery = z.object({ calendar_id: CalendarName });
const verifyQuery = z.object({ calendar_id: z.string().catch(''), v: z.string().max(200).catch('') });
const leaveQuery = z.object({ u: z.string().max(2_000).optional().catch(undefined) });
const leaveBody = z.object({ token: z.string().max(200).optional().catch(undefined) }).catch({});

/** Signing up, confirming with the link, and unsubscribing. */
export async function subscriptions(app: App, { ctx }: { ctx: CalendarContext }): Promise<void> {
  app.addHook('onRequest', noStore);

  app.get('/api/challenge-site-key', async () => ({ siteKey: siteKeyOf(ctx) }));

  app.post(
    '/api/subs/new',
    {
      bodyLimit,
      config: { refusedLocation: (errors) => `/subscribe-programs?error=${refusedPart(errors)}` },
      schema: { querystring: newQuery, body: SubscriptionInput },
      onRequest: async ({ client }) => {
        const { allowed, resetAt } = ctx.limiter.hit('subs', client, REQUESTS_A_MINUTE);
        if (!allowed) throw tooManyRequests('too_many_requests', resetAt - ctx.now());
      },
    },
    async (request, reply) => {
      const { name, email, turnstile_token, challenge_token } = request.body;
      const { calendar_id } = request.query;
      if (calendar_id === 'internal') {
        await ensureEnabled(ctx, calendar_id);
        // Counted here, because the automation host sends a mail to the address.
        countSignUp(ctx, { client: request.client, email });
        await forwardSubscription(ctx, { name, email });
        return { ok: true, message: 'Your request was passed on.' };
      }
      ensureMailConfigured(ctx);
      await ensureEnabled(ctx, calendar_id);
      await passChallenge(ctx, turnstile_token || challenge_token, request.client);
      await requestSubscription(ctx, { name, email }, actorOf(request, ctx.now));
      if (wantsJson(request)) return { ok: true, message: ASKED };
      return reply.redirect('/subscribe-programs?sent=1', 303);
    },
  );

  // Mail programs check a link with HEAD before they show it: that must not use it up.
  app.get(
    '/api/subs/verify',
    { exposeHeadRoute: false, schema: { querystring: verifyQuery } },
    async (request, reply) => {
      reply.headers({ 'referrer-policy': 'no-referrer', vary: 'Accept' });
      if (/prefetch/i.test(String(request.headers['sec-purpose'] ?? request.headers.purpose ?? ''))) {
        return reply.code(204).send();
      }
      try {
        const { calendar_id, v } = request.query;
        if (calendar_id !== 'programs') throw notFound('calendar_not_found');
        const { token, expires_at } = await verify(ctx, v, actorOf(request, ctx.now));
        const { title } = await getCalendar(ctx, calendar_id);
        const links = feedLinks(ensureBaseUrl(ctx.config), title, token);
        if (!wantsJson(request)) return reply.redirect(links.subscribeUrl, 303);
        return { ok: true, token, calId: calendar_id, expires_at: isoTime(expires_at), ...links };
      } catch (error) {
        if (!(error instanceof AppError) || !wantsPage(request)) throw error;
        return sendRefusal(ctx, reply, error);
      }
    },
  );

  await app.register(async (leaving: App) => {
    // RFC 8058: a mail provider posts one field, in either form encoding. Its content is ignored.
    leaving.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, _body, done) => {
      done(null, {});
    });

    leaving.get('/api/subs/unsubscribe', { schema: { querystring: leaveQuery } }, async (request, reply) => {
      const { u = '' } = request.query;
      try {
        return sendHtml(reply, unsubscribePage({ u, email: readUnsubscribe(ctx, u).email }));
      } catch (error) {
        if (!(error instanceof AppError) || wantsJson(request)) throw error;
        return sendRefusal(ctx, reply, error);
      }
    });

    leaving.post(
      '/api/subs/unsubscribe',
      {
        bodyLimit,
        config: { proofInBody: true },
        schema: { querystring: leaveQuery, body: leaveBody },
      },
      async (request, reply) => {
        const { u } = request.query;
        const who = u === undefined ? ownerOf(ctx, request.body.token ?? '') : readUnsubscribe(ctx, u);
        await unsubscribe(ctx, who, actorOf(request, ctx.now));
        if (isPageForm(request)) return sendHtml(reply, unsubscribedPage());
        return { ok: true, message: 'The calendar has stopped, and so have its mails.' };
      },
    );
  });
}

const wantsJson = (request: FastifyRequest): boolean => accepts(request, 'application/json');

/** Whether a browser shows the answer. */
const wantsPage = (request: FastifyRequest): boolean => !wantsJson(request) && accepts(request, 'text/html');

const isPageForm = (request: FastifyRequest): boolean => isForm(request) && wantsPage(request);

const BY_FIELD: Record<string, SignUpError> = {
  name: 'name',
  email: 'email',
  turnstile_token: 'challenge',
  challenge_token: 'challenge',
};

/** Returns the error that the sign-up page shows for a refused form. */
function refusedPart(errors: readonly FieldError[]): SignUpError {
  return BY_FIELD[errors[0]?.path ?? ''] ?? 'input';
}
