import { HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import type { Card } from '#pub/screen/card.ts';
import type { Game } from '#pub/screen/games.ts';
import { updateNowShowing } from '#pub/screen/now-showing.ts';
import { refreshScoreboard } from '#pub/screen/scoreboard-refresh.ts';
import { type FakeGame, type FakeScoreboard, startScoreboard } from '#test/stand-ins/scoreboard-server.ts';
import { type TestApp, testApp } from '#test/support/app.ts';

export const STAFF = { 'x-admin-token': 'a token for the staff' };

export interface Live {
  enabled: boolean;
  fetched_at: number;
  live: Game[];
  games: Game[];
  errors: { league: string; status: number | null; reason: string }[];
  stale: boolean;
}

export interface ScreenService extends TestApp {
  scores: FakeScoreboard;
  /** The games, once the source has been read. */
  live(): Promise<Live>;
  card(): Promise<Card>;
  /** One heartbeat of the capture device, with what it detects. */
  detects(kind: string, confidence?: number, hint?: string): Promise<void>;
  /** Moves the clock in steps and runs the jobs after each; `each` runs before the jobs. */
  pass(ms: number, each?: () => Promise<unknown>, step?: number): Promise<void>;
}

const HEARTBEAT = 30_000;

/** The whole service with all features of the screen switched on, and a scoreboard source. */
export async function screenService(
  games: FakeGame[] = [],
  env: Record<string, string> = {},
): Promise<ScreenService> {
  const scores = await startScoreboard(games);
  const service = await testApp({
    SPORTS_ENABLED: 'on',
    NOW_SHOWING_ENABLED: 'on',
    SCREENINGS_ENABLED: 'on',
    SPORTS_API_URL: scores.url,
    SPORTS_LEAGUES: 'hockey/nhl,basketball/nba',
    PUB_ADMIN_TOKEN: STAFF['x-admin-token'],
    ...env,
  });
  const { ctx, clock } = service;
  const end = service[Symbol.asyncDispose];
  return Object.assign(service, {
    scores,
    async live() {
      const ask = async () => (await service.get('/api/sports/live')).json<Live>();
      const known = await ask();
      if (known.fetched_at > 0) return known;
      // On a slow machine the first answer does not wait long enough for the source.
      await refreshScoreboard(ctx);
      return ask();
    },
    card: async () => (await service.get('/api/now-showing')).json<Card>(),
    async detects(kind: string, confidence = 0.9, hint?: string) {
      const content = { kind, confidence, ...(hint && { hint }) };
      await service.post('/api/now-playing/ingest', { heartbeat: true, content });
    },
    async pass(ms: number, each?: () => Promise<unknown>, step = HEARTBEAT) {
      for (const end = clock.now + ms; clock.now < end; ) {
        clock.now = Math.min(end, clock.now + step);
        await each?.();
        await refreshScoreboard(ctx);
        await updateNowShowing(ctx);
      }
    },
    async [Symbol.asyncDispose]() {
      // First the source, so that nothing waits for it.
      await scores[Symbol.asyncDispose]();
      await end();
    },
  });
}

/** Stores a film of two hours, with its songs; it ends at the new time of the clock. */
export async function showFilm(
  { ctx, clock }: TestApp,
  title: string | null,
  songs: string[],
): Promise<void> {
  const opened_at = clock.now;
  clock.now += 2 * HOUR;
  const id = newId(opened_at);
  const nothing = {
    confidence: null,
    override_at: null,
    doubted_at: null,
    reverted_at: null,
    reverted_by: null,
  };
  const screening = { id, title, kind: 'movie', origin: 'operator', shadow: 0, opened_at } as const;
  await ctx.write((tx) =>
    tx.run(
      build
        .insertInto('screenings')
        .values({ ...screening, ...nothing, closed_at: clock.now, close_reason: 'operator' }),
    ),
  );
  const unknown = {
    album: null,
    source: null,
    confidence: null,
    duration_ms: null,
    genre: null,
    request_id: null,
  };
  const plays = songs.map((song, index) => ({
    ...unknown,
    started_at: opened_at + index * MINUTE,
    artist: 'Dooley Wilson',
    title: song,
    kind: 'video' as const,
    screening_id: id,
    track_key: song,
  }));
  await ctx.write((tx) => tx.run(build.insertInto('plays').values(plays)));
}
