import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { trackKey } from '#pub/now-playing/track-key.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { addPlays, type PlayRow } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectedSurfaces } from './oracle.ts';

const GENRES = ['rock', 'jazz', 'house', 'electronic', null];
const SONGS = Array.from({ length: 14 }, (_, index) => ({
  artist: index % 5 === 0 ? 'Sigur Rós' : `Artist ${index % 6}`,
  title: `Song ${index}${index === 3 ? ' (feat. Somebody)' : ''}`,
  album: index % 3 === 0 ? null : `Album ${index % 4}`,
  genre: GENRES[index % GENRES.length] ?? null,
  isrc: index % 4 === 0 ? `USRC1760${String(7000 + index)}` : '',
}));

/** Evenings before both clock changes, around New Year, and a year apart. */
const STARTS = [
  '2025-11-02T03:30:00Z',
  '2026-03-08T05:00:00Z',
  '2025-12-31T23:00:00Z',
  '2026-07-01T08:40:00Z',
];

const minutesOn = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 9 * 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 9 * 60, max: 26 * 60 }) },
);

const row = fc.record({
  song: fc.nat(SONGS.length - 1),
  /** Seconds after the row before it. */
  after: fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 240, max: 1500 })),
  what: fc.oneof(
    { weight: 10, arbitrary: fc.constant('song' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('silence' as const, 'film' as const, 'hidden' as const, 'asked' as const),
    },
  ),
});

const evening = fc.record({
  start: fc.constantFrom(...STARTS),
  days: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(-364, -120, -65, 60, 364)),
  minutes: minutesOn,
  rows: fc.array(row, { minLength: 1, maxLength: 24 }),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('play' as const), evening }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('hide' as const, 'revert' as const, 'rename' as const, 'genre' as const),
      nth: fc.nat(500),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Two songs at one moment, the first of which is heard again. */
const AT_ONCE: Step = {
  do: 'play',
  evening: {
    start: STARTS[0]!,
    days: 0,
    minutes: 0,
    rows: [
      { song: 0, after: 0, what: 'song' },
      { song: 10, after: 0, what: 'song' },
      { song: 0, after: 30, what: 'song' },
      { song: 10, after: 571, what: 'song' },
      { song: 1, after: 240, what: 'song' },
    ],
  },
};

test('after every run the surfaces equal a full recount', async () => {
  await using service = await testApp();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      await empty(service);
      const votes = new Map<string, number>();
      for (const one of steps) {
        await take(service, one, votes);
        await refreshRollups(service.ctx);
        expect(await served(service)).toEqual(await worked(service, votes));
      }
    }),
    { numRuns: 25, examples: [[[AT_ONCE]]] },
  );
});

/** Removes all plays, and makes the service count from the beginning. */
async function empty({ ctx, clock }: TestApp): Promise<void> {
  clock.now = Date.parse('2026-03-09T01:00:00Z');
  await ctx.write((tx) => {
    for (const table of ['plays', 'song_requests', 'track_genres', 'setlist_rollups'] as const)
      tx.run(build.deleteFrom(table));
    tx.run(build.updateTable('rollup_state').set({ version: 0, max_play_id: 0, today: 0, settled: 0 }));
  });
}

async function take(service: TestApp, one: Step, votes: Map<string, number>): Promise<void> {
  const { ctx } = service;
  if (one.do === 'wait') {
    service.clock.now += one.days * DAY;
    return;
  }
  if (one.do === 'play') {
    await addPlays(ctx, await rowsOf(service, one.evening, votes));
    return;
  }
  const plays = ctx.db.all(build.selectFrom('plays').selectAll().orderBy('id'));
  const play = plays[one.nth % Math.max(1, plays.length)];
  if (!play) return;
  await ctx.write((tx) => {
    const change = (set: object) => tx.run(build.updateTable('plays').set(set).where('id', '=', play.id));
    if (one.do === 'genre') {
      tx.run(build.updateTable('plays').set({ genre: 'jazz' }).where('track_key', '=', play.track_key));
      tx.run(
        build
          .replaceInto('track_genres')
          .values({ track_key: play.track_key, genre: 'jazz', fetched_at: 0, expires_at: 0 }),
      );
      return;
    }
    if (one.do === 'hide') change({ hidden: 1 - play.hidden });
    if (one.do === 'rename' && play.silent === 0) {
      const names = { artist: 'Björk', title: 'Jóga' };
      change({ ...names, isrc: '', track_key: trackKey(names) });
    }
    // Reverting a film turns all its songs into music.
    if (one.do === 'revert')
      tx.run(build.updateTable('plays').set({ kind: 'music' }).where('id', '>=', play.id));
  });
}

async function rowsOf(
  { ctx, clock }: TestApp,
  {
    start,
    days,
    minutes,
    rows,
  }: { start: string; days: number; minutes: number; rows: { song: number; after: number; what: string }[] },
  votes: Map<string, number>,
): Promise<PlayRow[]> {
  let at = Date.parse(start) + days * DAY + minutes * MINUTE;
  const made: PlayRow[] = [];
  for (const { song, after, what } of rows) {
    at += after * 1000;
    // Nothing is heard in the future.
    if (at > clock.now) break;
    if (what === 'silence') {
      made.push({ started_at: at, artist: '', title: '', silent: 1 });
      continue;
    }
    const play: PlayRow = { ...SONGS[song]!, started_at: at };
    if (what === 'film') play.kind = 'video';
    if (what === 'hidden') play.hidden = 1;
    if (what === 'asked') play.request_id = await request(ctx, `${at} ${song}`, song % 4, votes);
    made.push(play);
  }
  return made;
}

async function request(
  ctx: TestApp['ctx'],
  id: string,
  many: number,
  votes: Map<string, number>,
): Promise<string> {
  votes.set(id, many);
  const base = {
    id,
    track_key: id,
    name_key: id,
    artist: 'A',
    title: 'T',
    status: 'played' as const,
    votes: many,
  };
  const who = { pub_day: '2026-01-01', browser_hash: '', client_hash: '', created_at: 0 };
  await ctx.write((tx) => tx.run(build.replaceInto('song_requests').values({ ...base, ...who })));
  return id;
}

async function served({ ctx }: TestApp): Promise<Record<string, unknown>> {
  const rows = ctx.db.all(build.selectFrom('setlist_rollups').select(['surface', 'range', 'payload']));
  return Object.fromEntries(
    rows.map(({ surface, range, payload }) => {
      const { range: of, sampleSize, data } = JSON.parse(Buffer.from(payload).toString());
      return [
        `${surface} ${range}`,
        { from: of.from, to: of.to, sampleSize, data: comparable(surface, data) },
      ];
    }),
  );
}

/** Without texts, which have their own tests. */
function comparable(surface: string, data: Record<string, unknown>): unknown {
  if (surface === 'persona') return { id: data.id, traits: data.traits };
  if (surface !== 'stories') return data;
  const items = data.items as { kind: string; metric: { value: number } }[];
  return { items: items.map(({ kind, metric }) => ({ kind, value: metric.value })) };
}

async function worked({ ctx, clock }: TestApp, votes: Map<string, number>) {
  const rows = ctx.db.all(build.selectFrom('plays').selectAll());
  const music = rows.filter((one) => !one.silent && !one.hidden && one.kind === 'music');
  const last = Math.max(...music.map(({ started_at }) => started_at));
  const open = clock.now - last < HOUR / 2;
  return expectedSurfaces({ rows, now: clock.now, zone: ctx.config.TIME_ZONE, open, votes });
}
