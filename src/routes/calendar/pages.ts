import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { getCalendar } from '#calendar/calendars.ts';
import type { CalendarContext } from '#calendar/context.ts';
import { ensureBaseUrl, feedLinks } from '#calendar/feed/feed-links.ts';
import { listProgrammeAhead } from '#calendar/feed/public-programme.ts';
import { siteKeyOf } from '#calendar/subscriptions/challenge.ts';
import { type CheckedToken, checkToken } from '#calendar/subscriptions/tokens.ts';
import { type AppError, notFound } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { sendHtml, sendHtmlWith, sendSharedPage } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import { shownParts } from '#kernel/settings/parts.ts';
import { linksPage } from '#views/calendar/links.ts';
import { programmePage } from '#views/calendar/programme.ts';
import {
  confirmPage,
  refusedPage,
  SIGN_UP_ERRORS,
  type SignUpError,
  type SignUpProps,
  sentPage,
  subscribePage,
} from '#views/calendar/subscribe.ts';

const one = z.string().max(200).optional().catch(undefined);
const query = z.object({ token: one, sent: one, error: one });
const confirmQuery = z.object({ v: z.string().max(200).catch('') });

const DEAD_LINKS: Record<Exclude<CheckedToken['state'], 'live'>, readonly [status: number, text: Words]> = {
  unknown: [404, t('calendar.link.unknown')],
  revoked: [404, t('calendar.link.revoked')],
  expired: [403, t('calendar.link.expired')],
  disabled: [403, t('calendar.link.disabled')],
  off: [403, SIGN_UP_ERRORS.closed],
};

/** The pages of the calendar. */
export async function pages(app: App, { ctx }: { ctx: CalendarContext }): Promise<void> {
  await app.register(async (own: App) => {
    // Their addresses contain tokens, or their content is valid only for a moment.
    own.addHook('onRequest', noStore);

    own.get('/subscribe-programs', { schema: { querystring: query } }, async (request, reply) => {
      const { token, sent, error } = request.query;
      if (token !== undefined) return sendLinks(ctx, reply, token);
      if (sent !== undefined) return sendHtml(reply, sentPage());
      const known = error !== undefined && Object.hasOwn(SIGN_UP_ERRORS, error);
      const said = known ? (error as SignUpError) : undefined;
      return sendForm(ctx, reply, subscribePage({ ...(await formOf(ctx)), error: said }), 200);
    });

    own.get(
      '/subscribe-programs/confirm',
      { schema: { querystring: confirmQuery } },
      async (request, reply) => {
        const { v } = request.query;
        if (v === '') return sendRefusal(ctx, reply, notFound('link_incomplete'));
        return sendHtml(reply, confirmPage({ code: v }));
      },
    );
  });

  const places = z.object({ place: z.string().max(300).catch('').default('') });
  app.get(
    '/programme',
    { config: { part: 'calendar' }, schema: { querystring: places } },
    async (request, reply) => {
      const { place } = request.query;
      return sendSharedPage(ctx, request, reply, ['/programme', place], async () => {
        const { enabled } = await getCalendar(ctx, 'programs');
        return programmePage(listProgrammeAhead(ctx, place), { enabled });
      });
    },
  );
}

/** Sends a page that says why a link did not work, with the form to request another one. */
export async function sendRefusal(
  ctx: CalendarContext,
  reply: FastifyReply,
  error: AppError,
): Promise<FastifyReply> {
  const title =
    error.statusCode === 404 ? t('calendar.link.does_not_work') : t('calendar.link.not_possible_now');
  // While it is not possible, the code in the address stays good.
  return refuse(
    ctx,
    reply,
    error.statusCode,
    title,
    sentence(error.pageText ?? error.message),
    error.statusCode !== 404,
  );
}

/** A text with a full stop. */
const sentence = (text: Words | string): Words =>
  formatted((reader) => `${typeof text === 'string' ? text : text.for(reader)}.`);

async function sendLinks(ctx: CalendarContext, reply: FastifyReply, token: string): Promise<FastifyReply> {
  const { state, expiresAt } = checkToken(ctx, token);
  if (state !== 'live') {
    const [status, text] = DEAD_LINKS[state];
    // Only a calendar that is switched off keeps a live link; the other links give no access any more.
    return refuse(ctx, reply, status, t('calendar.link.does_not_work'), text, state === 'off');
  }
  const { title } = await getCalendar(ctx, 'programs');
  const links = feedLinks(ensureBaseUrl(ctx.config), title, token);
  const expires = formatWhen(expiresAt, ctx.config.TIME_ZONE);
  const { default: QRCode } = await import('qrcode');
  const qr = QRCode.create(links.subscribeUrl, { errorCorrectionLevel: 'M' }).modules;
  return sendHtml(reply, linksPage({ links, token, expires, qr }));
}

async function refuse(
  ctx: CalendarContext,
  reply: FastifyReply,
  status: number,
  title: Words,
  text: Words | string,
  isLive = false,
) {
  const page = refusedPage({ ...(await formOf(ctx)), title, text });
  // Its address gives no access any more, and with no-referrer some browsers would send its form without an origin.
  if (!isLive) reply.header('referrer-policy', 'same-origin');
  return sendForm(ctx, reply, page, status);
}

async function formOf(ctx: CalendarContext): Promise<SignUpProps> {
  const { enabled } = await getCalendar(ctx, 'programs');
  const { calendar } = shownParts(ctx);
  const siteKey = siteKeyOf(ctx);
  // The widget's script is in the same folder as the address that verifies its answers.
  const script = new URL('api.js', ctx.config.CHALLENGE_VERIFY_URL).href;
  const canMail = ctx.mailer.missing().length === 0;
  return { enabled: enabled && calendar, canMail, ...(siteKey && { challenge: { siteKey, script } }) };
}

function sendForm(
  ctx: CalendarContext,
  reply: FastifyReply,
  page: Parameters<typeof sendHtml>[1],
  status: number,
) {
  if (siteKeyOf(ctx) === null) return sendHtml(reply, page, status);
  return sendHtmlWith(reply, page, new URL(ctx.config.CHALLENGE_VERIFY_URL).origin, status);
}
