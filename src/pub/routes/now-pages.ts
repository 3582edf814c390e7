import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage, sendTvPage } from '#kernel/http/pages.ts';
import { whenEnabled } from '#pub/http/feature-flags.ts';
import { pageBuild } from '#pub/http/page-build.ts';
import { currentTrack, findLatestPlay } from '#pub/now-playing/current.ts';
import { readHistory } from '#pub/now-playing/history.ts';
import type { TrackRow } from '#pub/now-playing/tracks.ts';
import { pubDayOf } from '#pub/pub-day.ts';
import { hasScreenings } from '#pub/screen/screenings.ts';
import { readCursor } from '#pub/setlist/setlist.ts';
import { type NowProps, nowPage } from '#views/pub/now/now.ts';
import { barRightScreen } from '#views/pub/tv/bar-right.ts';
import { projectorScreen } from '#views/pub/tv/projector.ts';

const HistoryQuery = z.object({ before: z.string({ error: 'must be one ISO 8601 time' }).optional() });

/** The pages of what is playing: two screens on the wall, and one for every pocket. */
export function nowPages(app: App, { ctx }: { ctx: Context }): void {
  const { TIME_ZONE: zone, NOW_PLAYING_STALE_MS: staleMs, SETLIST_DB: listening } = ctx.config;
  const screen = { build: pageBuild(ctx), zone, staleMs };
  const barRight = barRightScreen(screen);
  const projector = projectorScreen(screen);

  app.get(
    '/tv/bar-right',
    { schema: { summary: 'The right TV: what is playing' } },
    async (_request, reply) => sendTvPage(reply, barRight),
  );
  app.get('/tv/projector', { schema: { summary: 'The projector: lyrics' } }, async (_request, reply) =>
    sendTvPage(reply, projector),
  );

  app.get(
    '/now',
    {
      onRequest: whenEnabled(listening, { words: 'Nobody listens to the music here.' }),
      schema: { summary: 'What is playing, and what was', querystring: HistoryQuery },
    },
    async (request, reply) => {
      const { before } = request.query;
      return sendSharedPage(ctx, request, reply, ['/now', before], async () => {
        const cursor = cursorOf(before, zone);
        const track = cursor ? null : currentTrack(findLatestPlay(ctx), ctx.now(), staleMs);
        const { evenings, nextBefore } = readHistory(ctx, { before: cursor, playing: track?.id });
        const earlier = nextBefore && `/now?before=${encodeURIComponent(nextBefore)}`;
        return nowPage({
          playing: track && playingOf(track),
          evenings,
          tonight: pubDayOf(ctx.now(), zone),
          zone,
          earlier,
          past: cursor !== undefined,
          staleMs,
          ways: waysOn(ctx),
        });
      });
    },
  );
}

function cursorOf(before: string | undefined, zone: string) {
  const cursor = before === undefined ? undefined : readCursor(before, zone);
  if (before !== undefined && !cursor) throw badField('before', 'must be an ISO 8601 time');
  return cursor;
}

function playingOf(track: TrackRow): NowProps['playing'] {
  const { id, artist, title, album, albumArtUrl, requested } = track;
  return { id, artist, title, album, cover: albumArtUrl && `/api/art/${id}`, requested: requested === true };
}

function waysOn({ config }: Context): NowProps['ways'] {
  return [
    ...(config.SETLIST_REQUESTS_ENABLED ? [{ href: '/requests', label: 'Ask for a song' }] : []),
    ...(config.SETLIST_TONIGHT_ENABLED ? [{ href: '/setlist/tonight', label: 'Tonight in figures' }] : []),
    ...(hasScreenings(config) ? [{ href: '/screen', label: 'Films we have seen' }] : []),
    ...(config.FEEDBACK_ENABLED ? [{ href: '/feedback', label: 'Tell the house' }] : []),
  ];
}
