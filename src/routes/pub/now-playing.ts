import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { cachedJson, sendCached } from '#kernel/http/cached-response.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { guardedBy } from '#kernel/http/route-table.ts';
import { t } from '#kernel/language/message.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { findPairedScreen } from '#pub/devices/heartbeats.ts';
import { findNamedScreen, ScreenQuery } from '#pub/devices/screens.ts';
import { listAnnouncementsNow } from '#pub/display/announcements.ts';
import { currentTrack, findLatestPlay, findSnapshot } from '#pub/now-playing/current.ts';
import { OffsetInput, recordOffset } from '#pub/now-playing/offset.ts';
import type { TrackRow } from '#pub/now-playing/tracks.ts';
import { ingest } from '#pub/plays/ingest.ts';
import { IngestBody } from '#pub/plays/ingest-body.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { listGamesTonight } from '#pub/screen/tonight.ts';
import { readCursor, readHistory, readSetlist } from '#pub/setlist/setlist.ts';
import { NowPlayingStream } from '#pub/stream/stream.ts';
import { type NowProps, nowPage } from '#views/pub/now.ts';
import { deviceGuard, needsSetlist } from './device-guard.ts';
import { allowAnyPage } from './listenbrainz.ts';
import { screenSecret } from './screen-cookie.ts';

const PAGE = 100;
const LARGEST_PAGE = 500;

const before = z.string(coded('not_one_iso_time')).optional();
const SetlistQuery = z.object({
  limit: z
    .string()
    .optional()
    .catch(undefined)
    .transform((text) => (/^\s*[+-]?\d+\s*$/.test(text ?? '') ? clamped(Number(text)) : PAGE)),
  before,
});

/** The routes that the capture device posts to. */
export function ingestion(app: App, { ctx }: { ctx: Context }): void {
  app.addHook('onRoute', guardedBy('device'));
  app.addHook('onRequest', allowAnyPage);
  app.addHook('onRequest', deviceGuard(ctx));
  app.addHook('onRequest', needsSetlist(ctx));

  // The type of the report decides which fields it must have, so `parseReport` validates it.
  const readLater = { schema: { body: IngestBody }, validatorCompiler: () => () => true };
  app.post('/api/now-playing/ingest', { ...readLater, bodyLimit: 8 * 1024 }, async (request) =>
    ingest(ctx, request.body),
  );
  app.post('/api/now-playing/offset', { schema: { body: OffsetInput }, bodyLimit: 1024 }, async (request) => {
    await recordOffset(ctx, request.body);
    return { ok: true };
  });
}

/** The current and the earlier songs: as a stream, as JSON, and as a page. */
export function nowPlaying(app: App, { ctx }: { ctx: Context }): void {
  const { NOW_PLAYING_STALE_MS: staleMs, SETLIST_DB: enabled } = ctx.config;
  const zone = () => ctx.config.TIME_ZONE;
  const onRequest = needsSetlist(ctx);
  const stream = new NowPlayingStream(ctx);
  // The server waits for open responses when it closes: streams would stay open for minutes.
  app.addHook('preClose', async () => stream.close());
  if (enabled) app.addHook('onReady', async () => stream.start());

  app.get(
    '/api/now-playing/current',
    {
      config: { admission: 'uncounted' },
      exposeHeadRoute: false,
      onRequest,
      schema: { querystring: ScreenQuery },
    },
    async (request, reply) => {
      const secret = screenSecret(ctx, request);
      const paired = secret === undefined ? undefined : findPairedScreen(ctx.db, secret)?.id;
      stream.open(request, reply, paired ?? findNamedScreen(ctx, request.query));
    },
  );

  app.get(
    '/api/now-playing/setlist',
    { onRequest, schema: { querystring: SetlistQuery } },
    async (request, reply) => {
      const { limit, before } = request.query;
      const page = readSetlist(ctx, limit, parseBefore(before, zone()));
      return sendCached(request, reply, cachedJson(page), 'no-cache');
    },
  );
  app.get('/api/now-playing/snapshot', { onRequest: [onRequest, noStore] }, async () => ({
    track: findSnapshot(ctx),
  }));

  app.get(
    '/now',
    {
      config: { part: 'music' },
      schema: { summary: 'What is playing, and what was', querystring: z.object({ before }) },
    },
    async (request, reply) => {
      const { before } = request.query;
      return sendSharedPage(ctx, request, reply, ['/now', before], async () => {
        const cursor = parseBefore(before, zone());
        const track = cursor ? null : currentTrack(findLatestPlay(ctx), ctx.now(), staleMs);
        const { evenings, nextBefore } = readHistory(ctx, { before: cursor, playing: track?.id });
        const earlier = nextBefore && `/now?before=${encodeURIComponent(nextBefore)}`;
        return nowPage({
          playing: track && playingTrack(track),
          evenings,
          tonight: pubDayOf(ctx.now(), zone()),
          zone: zone(),
          earlier,
          past: cursor !== undefined,
          staleMs,
          ways: listLinks(ctx),
          announcements: listAnnouncementsNow(ctx),
          games: listGamesTonight(ctx),
        });
      });
    },
  );
}

/** @throws 400 */
function parseBefore(before: string | undefined, zone: string) {
  if (before === undefined || before.trim() === '') return undefined;
  const cursor = readCursor(before, zone);
  if (!cursor) throw badField('before', 'not_iso_time');
  return cursor;
}

function playingTrack(track: TrackRow): NowProps['playing'] {
  const { id, artist, title, album, albumArtUrl, requested } = track;
  return { id, artist, title, album, cover: albumArtUrl && `/api/art/${id}`, requested: requested === true };
}

/** The links to other pages. */
function listLinks(ctx: Context): NowProps['ways'] {
  const { config } = ctx;
  return [
    ...(isOn(ctx, 'requests') ? [{ href: '/requests', label: t('pub.requests.ask_for_song') }] : []),
    ...(config.SETLIST_TONIGHT_ENABLED
      ? [{ href: '/setlist/tonight', label: t('pub.now.tonight_in_figures') }]
      : []),
  ];
}

function clamped(limit: number): number {
  return Math.min(LARGEST_PAGE, Math.max(1, limit));
}
