import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesThisMachine } from '#kernel/access/trust.ts';
import type { Context } from '#kernel/context.ts';
import { isOnThisMachine } from '#kernel/environment/checks.ts';
import type { Html } from '#kernel/html.ts';
import { cachedResponse, sendCached } from '#kernel/http/cached-response.ts';
import { isSecure } from '#kernel/http/cookies.ts';
import type { App } from '#kernel/http/http.ts';
import { sendTvPage } from '#kernel/http/pages.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, localDate, offsetsFrom } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import { type Site, siteOf, siteVersion } from '#kernel/site.ts';
import { findPairedScreen, findShown } from '#pub/devices/heartbeats.ts';
import { framedBy } from '#pub/devices/mixes.ts';
import type { ScreenPage } from '#pub/devices/screen-record.ts';
import { PAGE_ADDRESSES } from '#pub/devices/screens.ts';
import { readEventsFeed } from '#pub/display/feeds.ts';
import { linkPath } from '#pub/display/links.ts';
import { ASSETS_DIR, asset, pageBuild, sharedModule } from '#views/assets.ts';
import { logoAddress } from '#views/logo.ts';
import { closedFor } from '#views/pub/hours.ts';
import { barRightScreen } from '#views/pub/tv/bar-right.ts';
import { pairScreenPage } from '#views/pub/tv/pair.ts';
import { projectorScreen } from '#views/pub/tv/projector.ts';
import { turnedScreen } from '#views/pub/tv/turned.ts';
import { type PlainScreen, tvScreen } from '#views/pub/tv/tv.ts';
import { stylesheetAddress } from '#views/stylesheets.ts';
import { iconAddress, themeAddress } from '#views/theme.ts';
import { screenSecret } from './screen-cookie.ts';
import { originOf } from './screen-origin.ts';

/** Pages that the service worker caches for times without a network. */
const PAGES = ['/tv', '/tv/bar-right', '/tv/projector'];

/** The assets of these pages; the fonts are the faces that they use. */
const ASSETS = [
  ...['tv', 'tv/menu', 'playing'].flatMap((folder) =>
    readdirSync(join(ASSETS_DIR, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${folder}/${name}`),
  ),
  'tv/styles/turned.css',
  'base/icon.svg',
  'base/request.js',
  'base/texts.js',
  ...['fraunces-latin-600-normal', 'inter-latin-400-normal', 'inter-latin-600-normal'].map(
    (face) => `fonts/${face}.woff2`,
  ),
]
  .map(asset)
  .concat((['tv-main', 'tv-bar-right', 'tv-projector'] as const).map(stylesheetAddress))
  .concat(['event-status.js', 'game-note.js'].map((name) => sharedModule(`src/pub/display/shared/${name}`)))
  .concat(['menu-words.js', 'write-text.js'].map((name) => sharedModule(`src/kernel/shared/${name}`)));

/** The pages of the screens, and the service worker that lets them run without a network. */
export function tv(app: App, { ctx }: { ctx: Context }): void {
  const { NOW_PLAYING_STALE_MS: staleMs } = ctx.config;
  const zone = () => ctx.config.TIME_ZONE;

  const part = { part: 'screens' } as const;
  const made = () => ({
    build: pageBuild(ctx.version, siteVersion(ctx)),
    zone: zone(),
    offsets: offsetsFrom(ctx.now(), zone()),
  });

  app.get('/tv', { config: part, schema: { summary: 'The main screen' } }, async (request, reply) =>
    sendScreen(ctx, request, reply, 'tv', () => tvScreen({ ...made(), plain: plainScreen(ctx) })),
  );
  app.get(
    '/tv/bar-right',
    { config: part, schema: { summary: 'The right TV: what is playing' } },
    async (request, reply) =>
      sendScreen(ctx, request, reply, 'bar-right', () =>
        barRightScreen({
          ...made(),
          staleMs,
          requestsAt: (ctx.config.BASE_URL ?? '') + linkPath('requests'),
        }),
      ),
  );
  app.get(
    '/tv/projector',
    { config: part, schema: { summary: 'The projector: lyrics' } },
    async (request, reply) =>
      sendScreen(ctx, request, reply, 'projector', () => projectorScreen({ ...made(), staleMs })),
  );
  app.get(
    '/s',
    { config: part, schema: { summary: 'The code of a TV that wants to be paired' } },
    async (request, reply) =>
      sendScreen(ctx, request, reply, undefined, () => {
        const origin = originOf(ctx, request);
        return pairScreenPage({
          ...made(),
          plain: plainScreen(ctx),
          isLasting: isSecure(ctx, request) || namesThisMachine(request),
          address: `${origin.replace(/^https?:\/\//, '')}/admin/pub/screens`,
          isHereOnly: isOnThisMachine(origin),
        });
      }),
  );

  app.get('/tv-sw.js', { config: { json: true }, schema: { hide: true } }, async (request, reply) => {
    const script = Buffer.from(workerScript(siteOf(ctx), ctx.version));
    const answer = cachedResponse(script, 'text/javascript; charset=utf-8');
    return sendCached(request, reply, answer, 'no-cache', ['service-worker-allowed', '/tv']);
  });
}

/**
 * Sends a page for a TV. A paired screen gets its own page wherever it looks, turned as staff decided; a preview gets
 * the page that it asks for.
 * @param page undefined for the one that shows how to pair it, with the address of the service
 */
function sendScreen(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  page: ScreenPage | undefined,
  make: () => Html,
): FastifyReply {
  const query = request.query as Record<string, unknown>;
  const secret = 'preview' in query ? undefined : screenSecret(ctx, request);
  const paired = secret === undefined ? undefined : findPairedScreen(ctx.db, secret);
  if (paired && paired.page !== page)
    return reply.header('cache-control', 'no-store').redirect(PAGE_ADDRESSES[paired.page], 302);
  const turn = paired?.turn ?? 0;
  if (turn !== 0 && query.turned !== String(turn))
    return sendTvPage(
      reply,
      turnedScreen({ turn, address: `${PAGE_ADDRESSES[paired!.page]}?turned=${turn}` }),
    );
  const screen = paired ?? (page && findShown(ctx.db, { name: query.screen, page }));
  const framed = screen ? framedBy(screen) : [];
  return sendTvPage(reply, make(), { framed, namesAddress: page === undefined });
}

/** Today in words, for browsers that do not run the scripts of the main screen. */
function plainScreen(ctx: Context): PlainScreen {
  const { todayEvents, carryoverEvents, pubTender, hoursKnown, pubDays } = readEventsFeed(ctx);
  const now = ctx.now();
  const today = localDate(now, ctx.config.TIME_ZONE);
  const day = pubDays?.find(({ date }) => date === today);
  const hours = pubTender.hours || day?.hours || forClub(closedFor(day?.reason));
  return {
    now,
    today: [...carryoverEvents, ...todayEvents]
      .filter(({ endIso }) => Date.parse(endIso) > now)
      .map(({ title, start, end, open_ended }) => ({
        title,
        when: open_ended ? forClub(t('tv.row.from', { time: start })) : start,
        note: end && !open_ended ? forClub(t('tv.row.until', { time: end })) : '',
      })),
    hours: hoursKnown ? atLineStart(hours) : '',
    note: hoursKnown && pubTender.noteState !== 'inactive' ? pubTender.note : '',
    who: pubTender.name,
  };
}

/** The service worker's script. It changes with every build and every change of the settings, so browsers update it. */
function workerScript(site: Site, version: string): string {
  const build = pageBuild(version, site.version);
  const { accent, logo } = site;
  const own = [
    themeAddress(accent),
    ...(logo === null ? [iconAddress(accent)] : [logoAddress(logo, 'screen'), logoAddress(logo, 'slide')]),
  ].filter((address) => address !== undefined);
  // A browser's cache rejects a list that has an address twice.
  const assets = [...new Set([...ASSETS, ...own])];
  return `self.TV = ${JSON.stringify({ build, pages: PAGES, assets })};
importScripts(${JSON.stringify(asset('tv/worker.js'))});
`;
}
