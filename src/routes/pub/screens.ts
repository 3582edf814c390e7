import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MENU_SECTION } from '#content/kinds/menu-section.ts';
import { time } from '#content/records/fields.ts';
import { listPublished } from '#content/records/published.ts';
import { findPubState } from '#content/shifts.ts';
import { formOnward } from '#kernel/access/path-onward.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, actsOn, doneQuery } from '#kernel/http/act.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendFraming, sendHtml } from '#kernel/http/pages.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { wifiCode, wifiOf } from '#kernel/settings/house.ts';
import { siteVersion } from '#kernel/site.ts';
import {
  findNames,
  findPairedScreen,
  type HeartbeatAnswer,
  HeartbeatInput,
  recordHeartbeat,
  WIFI_CODE,
} from '#pub/devices/heartbeats.ts';
import { offeredPictures } from '#pub/devices/offered-pictures.ts';
import { findPower } from '#pub/devices/power.ts';
import {
  changeScreen,
  identifyScreen,
  PairInput,
  pairScreen,
  RepairInput,
  reloadScreen,
  removeScreen,
  repairScreen,
  ScreenInput,
} from '#pub/devices/screen-admin.ts';
import { screenFromForm, screenToForm } from '#pub/devices/screen-form.ts';
import { findById, getRow, getScreen, listScreens } from '#pub/devices/screens.ts';
import type { Visitors } from '#pub/devices/visitors.ts';
import { drawQr } from '#pub/display/images.ts';
import { pageBuild } from '#views/assets.ts';
import { type ScreenPart, screenPage, screenPath } from '#views/pub/staff-screen.ts';
import { pairingSheet, screensPage, wifiSheet } from '#views/pub/staff-screens.ts';
import { endScreenCookie, screenSecret, setScreenCookie } from './screen-cookie.ts';
import { originOf } from './screen-origin.ts';

/** Heartbeats per address: many screens share one address, and each sends one a minute. */
const BEATS_A_MINUTE = 120;

const pageQuery = doneQuery.extend({
  /** From the QR code of a screen that wants to be paired. */
  code: z.string().max(20).optional().catch(undefined),
  /** The time of today that a preview shows. */
  at: time.optional().catch(undefined),
});

interface Deps {
  ctx: Context;
  visitors: Visitors;
}

/** The heartbeats of the screens; the answer sets their clock and has the name that staff gave them. */
export function screens(app: App, { ctx, visitors }: Deps): void {
  app.post(
    '/api/screens/heartbeat',
    {
      bodyLimit: 3072,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'screens', BEATS_A_MINUTE),
      schema: { summary: 'The heartbeat of a screen', body: HeartbeatInput },
    },
    async (request, reply): Promise<HeartbeatAnswer> => {
      const { body } = request;
      reply.header('cache-control', 'no-store');
      const version = pageBuild(ctx.version, siteVersion(ctx));
      const secret = body.preview ? undefined : screenSecret(ctx, request);
      if (secret === undefined && !body.named) visitors.saw(body, ctx.now());
      // A preview on the staff page counts as a visitor too; it gets the name and groups of the screen it previews.
      const told =
        secret !== undefined || body.named
          ? await recordHeartbeat(ctx, body, { secret, version }).catch((error) => {
              if (error instanceof AppError && error.statusCode === 410) endScreenCookie(ctx, request, reply);
              throw error;
            })
          : findNames(ctx, body);
      if (secret !== undefined) setScreenCookie(ctx, request, reply, secret);
      return {
        ok: true,
        now: ctx.now(),
        build: version,
        ...(findPubState(ctx).open && { open: true }),
        ...told,
      };
    },
  );
}

/** The code of the Wi-Fi, for paired screens alone: it holds the password. */
export function screenWifi(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    WIFI_CODE,
    { config: { part: 'screens' }, schema: { summary: 'The code of the Wi-Fi, for paired screens' } },
    async (request, reply) => {
      const secret = screenSecret(ctx, request);
      const code = wifiCode(ctx.config.settings);
      if (secret === undefined || code === undefined || !findPairedScreen(ctx.db, secret))
        throw notFound('not_found');
      return sendCached(request, reply, await drawQr(ctx, code), 'private, no-store');
    },
  );
}

/** For a script beside a screen: whether its panel is to be on. Anybody may ask, who knows the id of a screen. */
export function screenPower(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/screens/:id/power',
    {
      onRequest: rateLimit(ctx.limiter, ctx.now, 'power of screens', BEATS_A_MINUTE),
      schema: { summary: 'Whether the panel of a screen is to be on or off', params: z.object({ id: Id }) },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return findPower(ctx, request.params.id);
    },
  );
}

/** For staff: the list of screens, pairing one, and the actions on each. */
export function staffScreens(app: App, { ctx, visitors }: Deps): void {
  const read = { permission: 'now_showing:read' } as const;
  const params = z.object({ id: Id });
  const build = () => pageBuild(ctx.version, siteVersion(ctx));
  const common = (request: FastifyRequest) => ({
    now: ctx.now(),
    zone: ctx.config.TIME_ZONE,
    identity: request.identity,
    done: page.said((request.query as { done?: string }).done),
    code: (request.query as { code?: string }).code,
  });
  const renderList = (request: FastifyRequest, refused?: RefusedForm): Html => {
    const { screens } = listScreens(ctx, build());
    const origin = originOf(ctx, request);
    return screensPage({ screens, visitors: visitors.count(ctx.now()), origin, refused, ...common(request) });
  };
  const render = (request: FastifyRequest, id: string, part: ScreenPart, refused?: RefusedForm): Html =>
    screenPage({
      part,
      screen: getScreen(ctx, id, build()),
      stored: screenToForm(ctx, getRow(ctx.db, id)),
      pictures: offeredPictures(ctx, id),
      sections: listPublished(ctx, MENU_SECTION).map((one) => ({ id: one.id, title: one.body.title })),
      at: (request.query as { at?: string }).at,
      refused,
      ...common(request),
    });

  const page = actsOn(app, ctx, {
    at: { api: '/api/admin/screens/:id', form: '/admin/pub/screens/:id' },
    params,
    permission: 'screens:manage',
    page: ({ id }) => `/admin/pub/screens/${id}`,
    refused: (request, refused) => render(request, request.params.id, '', refused),
    said: {
      paired: t('pub-staff.screen_done.paired'),
      renamed: t('pub-staff.screen_done.renamed'),
      retired: t('pub-staff.screen_done.retired'),
      forgotten: t('pub-staff.screen_done.forgotten'),
    },
  });

  app.get(
    '/api/admin/screens',
    { config: read, schema: { summary: 'Screens: their state, and what each shows' } },
    async () => ({ ...listScreens(ctx, build()), visitors: visitors.count(ctx.now()) }),
  );
  app.get(
    '/admin/pub/screens',
    { config: read, schema: { summary: 'The screens', querystring: pageQuery } },
    async (request, reply) => sendFraming(reply, renderList(request)),
  );
  app.get(
    '/admin/pub/screens/print',
    { config: read, schema: { summary: 'How a TV is paired, for paper' } },
    async (request, reply) =>
      sendHtml(reply, pairingSheet({ origin: originOf(ctx, request), identity: request.identity })),
  );
  app.get(
    '/admin/pub/wifi',
    { config: read, schema: { summary: 'The Wi-Fi for guests, for paper' } },
    async (request, reply) => {
      const { settings } = ctx.config;
      const code = wifiCode(settings);
      const { default: QRCode } = await import('qrcode');
      const qr = code === undefined ? undefined : QRCode.create(code, { errorCorrectionLevel: 'M' }).modules;
      return sendHtml(reply, wifiSheet({ wifi: wifiOf(settings), qr, identity: request.identity }));
    },
  );
  app.get(
    '/admin/pub/screens/:id',
    {
      config: read,
      schema: { summary: 'A screen, with what it shows', params, querystring: pageQuery },
    },
    async (request, reply) => sendFraming(reply, render(request, request.params.id, '')),
  );
  const manage = { permission: 'screens:manage' } as const;
  app.get(
    '/admin/pub/screens/:id/shows',
    { config: manage, schema: { summary: 'What a screen shows, and when', params, querystring: pageQuery } },
    async (request, reply) => sendHtml(reply, render(request, request.params.id, 'shows')),
  );
  app.get(
    '/admin/pub/screens/:id/place',
    { config: manage, schema: { summary: 'Where a screen is', params, querystring: pageQuery } },
    async (request, reply) => sendHtml(reply, render(request, request.params.id, 'place')),
  );

  // Where people look for them.
  const hidden = { config: read, schema: { hide: true } };
  app.get('/admin/screens', hidden, async (_request, reply) => reply.redirect('/admin/pub/screens', 302));
  app.get('/admin/screens/:id', { config: read, schema: { hide: true, params } }, async (request, reply) =>
    reply.redirect(`/admin/pub/screens/${encodeURIComponent(request.params.id)}`, 302),
  );

  act(app, ctx, {
    api: 'POST /api/admin/screens',
    form: 'POST /admin/pub/screens',
    summary: 'Pair the screen that shows a code',
    permission: 'screens:manage',
    body: PairInput,
    fromForm: (fields) => screenFromForm(fields),
    refused: renderList,
    run: async ({ body, actor }) => ({ id: await pairScreen(ctx, body, actor) }),
    json: ({ id }) => ({ ok: true, id }),
    next: ({ id }, { request }) => formOnward(request.entered) ?? `/admin/pub/screens/${id}?done=paired`,
  });

  act(app, ctx, {
    api: 'PATCH /api/admin/screens/:id',
    form: 'POST /admin/pub/screens/:id',
    summary: 'What a screen is called and shows, and when it is off',
    permission: 'screens:manage',
    params,
    body: ScreenInput,
    fromForm: (fields, { params: { id } }) => screenFromForm(fields, findById(ctx.db, id)),
    refused: (request, refused) => render(request, request.params.id, partOf(refused.entered), refused),
    run: ({ params: { id }, body, actor }) => changeScreen(ctx, id, body, actor),
    next: (_, { params: { id }, request }) => `${screenPath(id, partOf(request.entered))}?done=renamed`,
  });

  page.add('POST /repair', 'Pair another browser as this screen', {
    body: RepairInput.optional().transform((body) => body ?? {}),
    run: async ({ params: { id }, body, actor }) => ({ code: await repairScreen(ctx, id, body, actor) }),
    json: ({ code }) => ({ ok: true, code }),
    done: ['repaired', t('pub-staff.screen_done.repaired')],
  });

  page.add('POST /retire', 'Take a screen out of use', {
    run: ({ params: { id }, actor }) => removeScreen(ctx, id, 'screen.retired', actor),
    next: '/admin/pub/screens?done=retired',
  });

  act(app, ctx, {
    api: 'DELETE /api/admin/screens/:id',
    form: 'POST /admin/pub/screens/:id/forget',
    summary: 'Forget a screen',
    permission: 'screens:manage',
    params,
    run: ({ params: { id }, actor }) => removeScreen(ctx, id, 'screen.forgotten', actor),
    next: '/admin/pub/screens?done=forgotten',
  });

  page.add('POST /reload', 'Have a screen load its page again', {
    permission: 'controls:write',
    run: ({ params: { id }, actor }) => reloadScreen(ctx, id, actor),
    done: ['reload', t('pub-staff.screen_done.reload')],
  });

  page.add('POST /identify', 'Have a screen show its name', {
    permission: 'controls:write',
    run: ({ params: { id }, actor }) => identifyScreen(ctx, id, actor),
    done: ['identify', t('pub-staff.screen_done.identify')],
  });
}

/** The page of a screen that has the form which was sent. */
const partOf = (entered: Readonly<Record<string, unknown>> = {}): ScreenPart =>
  entered.mixes === undefined ? 'place' : 'shows';
