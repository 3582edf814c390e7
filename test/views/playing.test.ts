import { expect, test } from 'vitest';
import type { TrackRow } from '#pub/now-playing/tracks.ts';
import type { SentEvent, SentEvents } from '#pub/stream/stream-state.ts';
import { clockOf, coverOf, hear, sceneAt, unheard } from '#views/assets/playing/playing.js';

const START = Temporal.Instant.from('2026-11-21T22:00:00Z').epochMilliseconds;
const STALE = 600_000;
const SONG: TrackRow = {
  id: 7,
  startedAt: iso(START),
  artist: 'The Lantern Ferry',
  title: 'Harbour Lights',
  album: null,
  albumArtUrl: 'https://covers.example/a.jpg',
  durationMs: 221_000,
  isrc: '',
  source: null,
  confidence: null,
  silent: false,
};
const LYRICS = { trackId: 7, available: true, lrc: '[00:10.000]one\n[00:20.000]two\n' };

/** What a page knows after these events, all heard at one moment. */
function music(events: Partial<SentEvents>, at = START) {
  const heard = unheard();
  for (const event of Object.entries(events)) hear(heard, event as SentEvent, at);
  return heard;
}

test('a song is shown until it is stale', () => {
  const known = music({ track: SONG });

  expect(sceneAt(known, START + STALE, STALE)).toMatchObject({ track: SONG, position: STALE });
  expect(sceneAt(known, START + STALE + 1, STALE).track).toBeNull();
  expect(sceneAt(music({ track: null }), START, STALE).track).toBeNull();
  expect(sceneAt(unheard(), START, STALE).track).toBeNull();
});

test('while the connection is lost, a song is hidden when it has ended', () => {
  const known = { ...music({ track: SONG }), connected: false };

  expect(sceneAt(known, START + 221_000, STALE).track).toEqual(SONG);
  expect(sceneAt(known, START + 221_001, STALE).track).toBeNull();
  const endless = { ...music({ track: { ...SONG, durationMs: null } }), connected: false };
  expect(sceneAt(endless, START + 400_000, STALE).track).not.toBeNull();
});

test('while the device is offline, a song is hidden when it has ended', () => {
  const known = music({ track: SONG, status: { state: 'offline', qsysDown: false, quietActive: false } });
  expect(sceneAt(known, START + 221_000, STALE).track).toEqual(SONG);
  expect(sceneAt(known, START + 221_001, STALE).track).toBeNull();
  hear(known, ['status', { state: 'online', qsysDown: false, quietActive: false }], START);
  expect(sceneAt(known, START + 230_000, STALE).track).toEqual(SONG);
});

test('the lyrics are those of the song, or none', () => {
  const lineOf = (events: object, at: number) => {
    const { lines, line } = sceneAt(music({ track: SONG, ...events }), START + at, STALE);
    return [lines.length, line];
  };

  expect(lineOf({ lyrics: LYRICS }, 15_000)).toEqual([2, 0]);
  expect(lineOf({ lyrics: LYRICS }, 9_000)).toEqual([2, -1]);
  expect(lineOf({ lyrics: { ...LYRICS, trackId: 6 } }, 15_000)).toEqual([0, -1]);
  expect(lineOf({ lyrics: { trackId: 7, available: false } }, 15_000)).toEqual([0, -1]);
  expect(lineOf({ lyrics: { trackId: null, available: false } }, 15_000)).toEqual([0, -1]);
});

const OFFSET = {
  trackId: 7,
  offsetMs: 60_000,
  capturedAt: iso(START + 5_000),
  confidence: 0.9,
  available: true,
};

test('the known position of a song is kept when a new connection sends the state again', () => {
  const known = music({ track: SONG, offset: OFFSET }, START + 5_000);
  hear(known, ['track', { ...SONG }], START + 9_000);
  hear(known, ['offset', { trackId: null, offsetMs: null, available: false }], START + 9_000);

  expect(sceneAt(known, START + 9_000, STALE).position).toBe(64_000);
  hear(known, ['track', { ...SONG, id: 8, startedAt: iso(START + 9_000) }], START + 9_000);
  expect(sceneAt(known, START + 10_000, STALE).position).toBe(1_000);
});

test('the first offset of a page counts once its clock is set', () => {
  // The clock of this screen is an hour ahead.
  const known = music({ track: SONG, offset: OFFSET }, START + 3_605_000);
  hear(known, ['ping', { ts: START + 6_000 }], START + 6_000);

  expect(sceneAt(known, START + 9_000, STALE).position).toBe(64_000);
});

test('a song that begins in the future is at position 0', () => {
  expect(sceneAt(music({ track: SONG }), START - 2_000, STALE).position).toBe(0);
});

test.each([
  [0, '0:00'],
  [59_999, '0:59'],
  [187_000, '3:07'],
  [3_600_000, '60:00'],
])('%d ms are %s', (ms, words) => {
  expect(clockOf(ms)).toBe(words);
});

test('a cover comes from our own host', () => {
  expect(coverOf(SONG)).toBe('/api/art/7');
  expect(coverOf({ ...SONG, albumArtUrl: '' })).toBe('');
});

function iso(at: number): string {
  return new Date(at).toISOString();
}
