import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { computeState, diffState, type Facts } from '#pub/stream/stream-state.ts';
import { NOON } from '#test/support/app.ts';

const LIMITS = { NOW_PLAYING_STALE_MS: 10 * MINUTE, NOW_PLAYING_OFFLINE_MS: 90 * SECOND };
const PLAY = {
  id: 7,
  started_at: NOON,
  artist: 'Toots',
  title: 'Pressure Drop',
  album: null,
  album_art_url: '',
  isrc: '',
  source: null,
  confidence: null,
  duration_ms: null,
  silent: 0 as const,
  kind: 'music' as const,
  hidden: 0 as const,
  track_key: '',
  genre: null,
  request_id: null,
};
const DEVICE = {
  id: 1 as const,
  last_seen: NOON,
  verdict: null,
  candidate: null,
  qsys_down: 1 as const,
  quiet_active: 0 as const,
  device_id: null,
  version: null,
  uptime_s: null,
};
const OFFSET = {
  id: 1 as const,
  track_id: 7,
  offset_ms: 1_500,
  confidence: 0.8,
  source: 'chromaprint',
  captured_at: NOON,
};
const OFF = { barRightDisplay: true, projectorLyrics: false, barRightLyrics: false };
const FACTS: Facts = {
  latest: PLAY,
  lyrics: null,
  player: undefined,
  device: DEVICE,
  offset: OFFSET,
  controls: OFF,
  takeovers: [],
};
const PLAYER = { id: 1 as const, name: null, play_id: 1, reported_at: NOON, until: NOON + 200_000 };
const LYRICS: Facts = { ...FACTS, controls: { ...OFF, projectorLyrics: true } };

/** The names of the events from one state to another. */
function eventsBetween(before: Facts, after: Facts, from = NOON, to = from): string[] {
  const [previous, current] = [computeState(before, from, LIMITS), computeState(after, to, LIMITS)];
  return diffState(previous, current, to).map(({ event }) => event);
}
const dataOf = (facts: Facts, event: string, now = NOON) =>
  diffState(undefined, computeState(facts, now, LIMITS), now).find((one) => one.event === event);

test('a client without a state gets every event, in the fixed order', () => {
  const order = ['now_playing_display', 'track', 'status', 'lyrics_toggle'];
  const events = (facts: Facts) =>
    diffState(undefined, computeState(facts, NOON, LIMITS), NOON).map(({ event }) => event);

  expect(events(FACTS)).toEqual(order);
  expect(events(LYRICS)).toEqual([...order, 'lyrics', 'offset']);
});

test('a client with the same state gets no event', () => {
  expect(eventsBetween(FACTS, FACTS)).toEqual([]);
  expect(eventsBetween(LYRICS, structuredClone(LYRICS), NOON, NOON + 30 * SECOND)).toEqual([]);
});

test.each<[what: string, before: Facts, after: Facts, events: string[]]>([
  ['the next song', FACTS, { ...FACTS, latest: { ...PLAY, id: 8 } }, ['track']],
  ['the next song, with lyrics', LYRICS, { ...LYRICS, latest: { ...PLAY, id: 8 } }, ['track', 'lyrics']],
  ['a detail of the same song', FACTS, { ...FACTS, latest: { ...PLAY, album: 'A' } }, []],
  ['silence', FACTS, { ...FACTS, latest: { ...PLAY, id: 8, silent: 1 } }, ['track']],
  ['a song that was hidden', FACTS, { ...FACTS, latest: { ...PLAY, hidden: 1 } }, ['track']],
  ['a song under a film', FACTS, { ...FACTS, latest: { ...PLAY, id: 8, kind: 'video' } }, ['track']],
  ['no device', FACTS, { ...FACTS, device: undefined }, ['status']],
  ['a flag of the device', FACTS, { ...FACTS, device: { ...DEVICE, quiet_active: 1 } }, ['status']],
  ['another heartbeat', FACTS, { ...FACTS, device: { ...DEVICE, last_seen: NOON + 1 } }, []],
  [
    'the display switch',
    FACTS,
    { ...FACTS, controls: { ...OFF, barRightDisplay: false } },
    ['now_playing_display'],
  ],
  ['lyrics on', FACTS, LYRICS, ['lyrics_toggle', 'lyrics', 'offset']],
  ['lyrics off', LYRICS, FACTS, ['lyrics_toggle']],
  [
    'lyrics on another screen too',
    LYRICS,
    { ...LYRICS, controls: { ...LYRICS.controls, barRightLyrics: true } },
    ['lyrics_toggle'],
  ],
  ['lyrics found', LYRICS, { ...LYRICS, lyrics: { lrc: '[00:01.000]la\n', source: 'lrclib' } }, ['lyrics']],
  [
    'lyrics found while no screen shows them',
    FACTS,
    { ...FACTS, lyrics: { lrc: 'x', source: 'lrclib' } },
    [],
  ],
  ['an offset', LYRICS, { ...LYRICS, offset: { ...OFFSET, captured_at: NOON + 5 } }, ['offset']],
  ['an offset while no screen shows lyrics', FACTS, { ...FACTS, offset: { ...OFFSET, offset_ms: 9 } }, []],
])('%s', (_what, before, after, events) => {
  expect(eventsBetween(before, after)).toEqual(events);
});

test('by time alone the track, the device and the offset expire, each once', () => {
  const at = (ms: number) => eventsBetween(LYRICS, LYRICS, NOON + ms, NOON + ms + 1);

  expect(at(MINUTE - 1)).toEqual(['offset']);
  expect(at(90 * SECOND)).toEqual(['status']);
  expect(at(10 * MINUTE)).toEqual(['track', 'lyrics']);
  expect(at(11 * MINUTE)).toEqual([]);
});

test('a player replaces the device until its track ends', () => {
  const played: Facts = { ...FACTS, device: undefined, player: PLAYER };

  expect(eventsBetween({ ...played, player: undefined }, played)).toEqual(['status']);
  expect(dataOf(played, 'status')?.data).toEqual({ state: 'online', qsysDown: false, quietActive: false });
  expect(eventsBetween(played, played, NOON, NOON + 199_999)).toEqual([]);
  expect(eventsBetween(played, played, NOON + 199_999, NOON + 200_000)).toEqual(['status']);
});

test('the events carry the specified data', () => {
  const found: Facts = { ...LYRICS, lyrics: { lrc: '[00:01.000]la\n', source: 'manual' } };

  expect(dataOf(FACTS, 'track')).toMatchObject({
    id: 7,
    data: { id: 7, title: 'Pressure Drop', silent: false },
  });
  expect(dataOf({ ...FACTS, latest: undefined }, 'track')).toEqual({ event: 'track', data: null });
  expect(dataOf(FACTS, 'status')?.data).toEqual({ state: 'online', qsysDown: true, quietActive: false });
  expect(dataOf(FACTS, 'status', NOON + 2 * MINUTE)?.data).toEqual({
    state: 'offline',
    qsysDown: false,
    quietActive: false,
  });
  expect(dataOf(LYRICS, 'lyrics_toggle')?.data).toEqual({ enabled: true, projector: true, barRight: false });
  expect(dataOf(LYRICS, 'lyrics')?.data).toEqual({ trackId: 7, available: false });
  expect(dataOf(found, 'lyrics')?.data).toEqual({
    trackId: 7,
    available: true,
    lrc: '[00:01.000]la\n',
    source: 'manual',
  });
  expect(dataOf({ ...found, latest: undefined }, 'lyrics')?.data).toEqual({
    trackId: null,
    available: false,
  });
  expect(dataOf(LYRICS, 'offset', NOON + 4 * SECOND)?.data).toEqual({
    trackId: 7,
    offsetMs: 1_500,
    capturedAt: '2026-11-21T17:00:00.000Z',
    confidence: 0.8,
    ageMs: 4_000,
    available: true,
  });
  expect(dataOf({ ...LYRICS, offset: undefined }, 'offset')?.data).toEqual({
    trackId: null,
    offsetMs: null,
    available: false,
  });
});
