import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { deviceOf, setSessionCookie } from '#kernel/access/sessions.ts';
import { namesThisMachine } from '#kernel/access/trust.ts';
import type { Context } from '#kernel/context.ts';
import { isOverruled } from '#kernel/db/settings.ts';
import { isTimeZone } from '#kernel/environment/checks.ts';
import { actorOf } from '#kernel/http/client.ts';
import { isSecure } from '#kernel/http/cookies.ts';
import { AppError, fieldError, notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { languageOf, sendHtml } from '#kernel/http/pages.ts';
import { emailAddress, optionalText, REQUIRED_TEXT, requiredName } from '#kernel/http/validation.ts';
import { clubName as nameOfClub } from '#kernel/mail/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import { listCountries, listLanguages, type Named, placeOf, zoneOf } from '#kernel/places.ts';
import { SETTINGS } from '#kernel/settings/table.ts';
import { isSetUp, type SetUpCode, setUp } from '#people/set-up.ts';
import { FIRST_STEPS } from '#views/content/first-steps.ts';
import { setUpPage } from '#views/people/set-up.ts';

const clubName = optionalText(100).refine(
  (text) => text === null || !/\p{Cc}/u.test(text),
  coded('not_one_line'),
);
/** A code of a list, however its letters are spelled. */
const listed = (entries: () => readonly Named[], problem: 'not_language' | 'not_country') =>
  optionalText(20).transform((text, issues) => {
    if (text === null) return null;
    const found = entries().find(({ code }) => code.toLowerCase() === text.toLowerCase());
    if (found) return found.code;
    issues.addIssue({ code: 'custom', message: coded(problem) });
    return z.NEVER;
  });
const timeZone = optionalText(64).refine((zone) => zone === null || isTimeZone(zone), coded('not_time_zone'));
/**
 * The address under which the browser opened this page, for the person to confirm. Browsers send Sec-Fetch-Site only
 * over https and to their own machine, so it reveals https behind a proxy that is not listed in TRUSTED_PROXIES.
 */
function addressBar(ctx: Context, request: FastifyRequest): string {
  const https = isSecure(ctx, request) || (request.headers['sec-fetch-site'] && !namesThisMachine(request));
  return `${https ? 'https' : 'http'}://${request.headers.host ?? ''}`;
}

/** For a browser that names no language. */
const USUAL_PLACE = { language: 'en', country: 'US' };

const body = z.object({
  code: z.string(REQUIRED_TEXT).max(64, coded('too_long', { max: 64 })),
  name: requiredName(200),
  email: emailAddress,
  club_name: clubName,
  language: listed(listLanguages, 'not_language'),
  country: listed(listCountries, 'not_country'),
  time_zone: timeZone,
  base_url: SETTINGS.base_url.input.optional(),
});

/** Routes that create the first owner, with the code printed at the start. 404 once there is an owner. */
export function setUpRoutes(app: App, { ctx, code }: { ctx: Context; code: SetUpCode }): void {
  const club = (request: FastifyRequest) => {
    const isOpen = (name: 'club_name' | 'locale' | 'time_zone' | 'base_url') =>
      !isOverruled(ctx.config, name);
    const place = placeOf(request.headers['accept-language']);
    return {
      ...(isOpen('club_name') && { name: nameOfClub(ctx.config) }),
      ...(isOpen('locale') && { place: place ?? USUAL_PLACE }),
      ...(isOpen('time_zone') && { zone: (place && zoneOf(place.country)) ?? ctx.config.TIME_ZONE }),
      ...(isOpen('base_url') && { address: addressBar(ctx, request) }),
    };
  };

  app.get('/set-up', async (request, reply) => {
    if (isSetUp(ctx)) throw notFound('not_found');
    return sendHtml(reply, setUpPage({ club: club(request), language: languageOf(request) }));
  });

  app.post(
    '/set-up',
    {
      config: {
        refused: (request, { errors, entered }) => {
          if (isSetUp(ctx)) throw notFound('not_found');
          return setUpPage({ errors, entered, club: club(request), language: languageOf(request) });
        },
      },
      bodyLimit: 8 * 1024,
      schema: { body, summary: 'Make the first owner' },
    },
    async (request, reply) => {
      const isForm = wantsHtml(request);
      try {
        const actor = actorOf(request, ctx.now);
        const token = await setUp(ctx, code, request.body, deviceOf(request), actor);
        setSessionCookie(ctx, request, reply, token, true);
        return isForm ? reply.redirect(FIRST_STEPS, 303) : { ok: true, next: FIRST_STEPS };
      } catch (error) {
        if (!isForm || !(error instanceof AppError) || error.statusCode !== 403) throw error;
        const errors = [fieldError('code', 'not_set_up_code')];
        return sendHtml(
          reply,
          setUpPage({ errors, entered: request.body, club: club(request), language: languageOf(request) }),
          403,
        );
      }
    },
  );
}
