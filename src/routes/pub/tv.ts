import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '#kernel/context.ts';
import { cachedResponse, sendCached } from '#kernel/http/cached-response.ts';
import type { App } from '#kernel/http/http.ts';
import { sendTvPage } from '#kernel/http/pages.ts';
import { atLineStart, localDate } from '#kernel/local-time.ts';
import { type Site, siteOf } from '#kernel/site.ts';
import { readEventsFeed } from '#pub/display/feeds.ts';
import { ASSETS_DIR, asset, pageBuild, sharedModule } from '#views/assets.ts';
import { logoAddress } from '#views/logo.ts';
import { closedFor } from '#views/pub/hours.ts';
import { barRightScreen } from '#views/pub/tv/bar-right.ts';
import { projectorScreen } from '#views/pub/tv/projector.ts';
import { type PlainScreen, tvScreen } from '#views/pub/tv/tv.ts';
import { stylesheetAddress } from '#views/stylesheets.ts';
import { iconAddress, themeAddress } from '#views/theme.ts';

/** Pages that the service worker caches for times without a network. */
const PAGES = ['/tv', '/tv/bar-right', '/tv/projector'];

/** The assets of these pages; the fonts are the faces that they use. */
const ASSETS = [
  ...['tv', 'playing'].flatMap((folder) =>
    readdirSync(join(ASSETS_DIR, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${folder}/${name}`),
  ),
  'base/icon.svg',
  'base/request.js',
  ...['fraunces-latin-600-normal', 'inter-latin-400-normal', 'inter-latin-600-normal'].map(
    (face) => `fonts/${face}.woff2`,
  ),
]
  .map(asset)
  .concat((['tv-main', 'tv-bar-right', 'tv-projector'] as const).map(stylesheetAddress))
  .concat(['event-status.js', 'game-note.js'].map((name) => sharedModule(`src/pub/display/shared/${name}`)));

/** The pages of the screens, and the service worker that lets them run without a network. */
export function tv(app: App, { ctx }: { ctx: Context }): void {
  const { NOW_PLAYING_STALE_MS: staleMs } = ctx.config;
  const zone = () => ctx.config.TIME_ZONE;

  app.get(
    '/tv',
    { config: { part: 'screens' }, schema: { summary: 'The main screen' } },
    async (_request, reply) =>
      sendTvPage(
        reply,
        tvScreen({
          build: pageBuild(ctx.version, siteOf(ctx).version),
          zone: zone(),
          plain: plainScreen(ctx),
        }),
      ),
  );
  app.get(
    '/tv/bar-right',
    { config: { part: 'screens' }, schema: { summary: 'The right TV: what is playing' } },
    async (_request, reply) =>
      sendTvPage(
        reply,
        barRightScreen({
          build: pageBuild(ctx.version, siteOf(ctx).version),
          zone: zone(),
          staleMs,
        }),
      ),
  );
  app.get(
    '/tv/projector',
    { config: { part: 'screens' }, schema: { summary: 'The projector: lyrics' } },
    async (_request, reply) =>
      sendTvPage(
        reply,
        projectorScreen({ build: pageBuild(ctx.version, siteOf(ctx).version), zone: zone(), staleMs }),
      ),
  );

  app.get('/tv-sw.js', { config: { json: true }, schema: { hide: true } }, async (request, reply) => {
    const script = Buffer.from(workerScript(siteOf(ctx), ctx.version));
    const answer = cachedResponse(script, 'text/javascript; charset=utf-8');
    return sendCached(request, reply, answer, 'no-cache', ['service-worker-allowed', '/tv']);
  });
}

/** Today in words, for browsers that do not run the scripts of the main screen. */
function plainScreen(ctx: Context): PlainScreen {
  const { todayEvents, carryoverEvents, pubTender, hoursKnown, pubDays } = readEventsFeed(ctx);
  const now = ctx.now();
  const today = localDate(now, ctx.config.TIME_ZONE);
  const day = pubDays?.find(({ date }) => date === today);
  const hours = pubTender.hours || day?.hours || closedFor(day?.reason);
  return {
    now,
    today: [...carryoverEvents, ...todayEvents]
      .filter(({ endIso }) => Date.parse(endIso) > now)
      .map(({ title, start, end }) => ({ title, when: start, note: end && `until ${end}` })),
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
