import { expect, test } from 'vitest';
import { corrected, follow, lineAt, parseLrc, position } from '#views/assets/playing/lyrics.js';

const START = Temporal.Instant.from('2026-11-21T22:00:00Z').epochMilliseconds;
const track = { id: 7, startedAt: iso(START) };
const SURE = 0.9;

test('timed lines are parsed, also empty ones, and other lines are skipped', () => {
  const lrc = '[00:17.120]First\n[00:20.410]\n[75:00.005]Late [live]\n\n[ar:Someone]\nno time';

  expect(parseLrc(lrc)).toEqual([
    { t: 17_120, text: 'First' },
    { t: 20_410, text: '' },
    { t: 4_500_005, text: 'Late [live]' },
  ]);
  expect(parseLrc('')).toEqual([]);
});

test('the line to show is the last that has begun', () => {
  const lines = parseLrc('[00:10.000]a\n[00:20.000]b\n[00:20.000]c');

  expect([0, 9_999, 10_000, 19_999, 20_000, 999_999].map((at) => lineAt(lines, at))).toEqual([
    -1, -1, 0, 0, 2, 2,
  ]);
  expect(lineAt([], 5_000)).toBe(-1);
});

test('without an offset a song began when it was reported', () => {
  expect(position(follow(track), START + 42_000)).toBe(42_000);
});

test('an offset sets the position in the song, from the moment it was captured', () => {
  const now = START + 30_000;
  const known = corrected(follow(track), offset(75_000, now - 4_000), now);

  expect(position(known, now)).toBe(79_000);
  expect(position(known, now + 10_000)).toBe(89_000);
});

test.each([
  ['of another song', { trackId: 8 }],
  ['that was cleared', { trackId: null, offsetMs: null }],
  ['cleared for this song', { offsetMs: null }],
  ['older than a minute', { capturedAt: iso(START + 30_000 - 60_001) }],
  ['that is not sure', { confidence: 0.49 }],
  ['that does not say how sure it is', { confidence: undefined }],
  ['without a time', { capturedAt: undefined }],
])('an offset %s changes nothing', (_which, fields) => {
  const now = START + 30_000;
  const known = corrected(follow(track), { ...offset(75_000, now), ...fields } as never, now);

  expect(position(known, now)).toBe(30_000);
});

test('the position from an offset is kept for the song when the service clears the offset', () => {
  const now = START + 30_000;
  const known = corrected(follow(track), offset(75_000, now), now);
  const later = corrected(known, { trackId: null, offsetMs: null }, now + 61_000);

  expect(position(later, now + 61_000)).toBe(136_000);
});

test('a correction below 150 ms is ignored, one up to 1.5 s is eased in, a larger one is a jump', () => {
  const now = START + 30_000;
  const by = (ms: number) => corrected(follow(track), offset(30_000 + ms, now), now);
  const course = (ms: number) => [0, 250, 500, 1_000, 2_000].map((at) => position(by(ms), now + at) - 30_000);

  expect(course(149)).toEqual([0, 250, 500, 1_000, 2_000]);
  expect(course(-149)).toEqual([0, 250, 500, 1_000, 2_000]);
  expect(course(1_000)).toEqual([0, 500, 1_000, 2_000, 3_000]);
  expect(course(-1_500)).toEqual([0, -125, -250, -500, 500]);
  expect(course(1_501)).toEqual([1_501, 1_751, 2_001, 2_501, 3_501]);
});

test('a second correction starts from the shown position', () => {
  const now = START + 30_000;
  const first = corrected(follow(track), offset(31_000, now), now);
  const shown = position(first, now + 500);
  const second = corrected(first, offset(32_000, now + 500), now + 500);

  expect(position(second, now + 500)).toBe(shown);
  expect(position(second, now + 1_500)).toBe(33_000);
});

function offset(offsetMs: number, capturedAt: number) {
  return { trackId: 7, offsetMs, capturedAt: iso(capturedAt), confidence: SURE };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
