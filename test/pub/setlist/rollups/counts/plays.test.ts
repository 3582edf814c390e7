import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { combineRows, type HeardRow } from '#pub/setlist/rollups/counts/plays.ts';

const HOUR = 60 * MINUTE;

/** Rows at these times: a letter is a song, `-` silence, `*` the same song heard in a film, `#` one that is hidden. */
function rows(...times: [at: number, what: string][]): HeardRow[] {
  return times.map(([started_at, what], index) => ({
    id: index + 1,
    started_at,
    artist: what === '-' ? '' : 'Artist',
    title: what === '-' ? '' : what,
    album: null,
    isrc: '',
    silent: what === '-' ? 1 : 0,
    hidden: what.endsWith('#') ? 1 : 0,
    kind: what.endsWith('*') ? 'video' : 'music',
    track_key: what === '-' ? '' : what.slice(0, 1),
    genre: null,
    request_id: null,
  }));
}

const describePlays = (heard: HeardRow[], nextAt?: number) =>
  combineRows(heard, nextAt).map(
    ({ title, at, dwellMs }) => `${title} at ${at / SECOND} for ${dwellMs / SECOND}`,
  );

test.each<[name: string, heard: HeardRow[], nextAt: number | undefined, plays: string[]]>([
  [
    'a row lasts until the next one',
    rows([0, 'a'], [200_000, 'b']),
    undefined,
    ['a at 0 for 200', 'b at 200 for 180'],
  ],
  ['the newest row counts for three minutes', rows([0, 'a']), undefined, ['a at 0 for 180']],
  ['no row counts for more than ten minutes', rows([0, 'a'], [HOUR, '-']), undefined, ['a at 0 for 600']],
  ['what comes after the rows ends the last', rows([0, 'a']), 90_000, ['a at 0 for 90']],
  [
    'less than half a minute is no play',
    rows([0, 'a'], [29_999, 'b'], [59_999, '-']),
    undefined,
    ['b at 29.999 for 30'],
  ],
  ['the same song within ten minutes goes on', rows([0, 'a'], [600_000, 'a']), undefined, ['a at 0 for 780']],
  [
    'the same song after more than ten is played again',
    rows([0, 'a'], [600_001, 'a']),
    undefined,
    ['a at 0 for 600', 'a at 600.001 for 180'],
  ],
  [
    'the ten minutes count from its last row',
    rows([0, 'a'], [550_000, 'a'], [1_100_000, 'a']),
    undefined,
    ['a at 0 for 1280'],
  ],
  [
    'silence between does not part it',
    rows([0, 'a'], [60_000, '-'], [300_000, 'a']),
    undefined,
    ['a at 0 for 240'],
  ],
  [
    'nor does another song',
    rows([0, 'a'], [60_000, 'b'], [300_000, 'a']),
    undefined,
    ['a at 0 for 240', 'b at 60 for 240'],
  ],
  [
    'short pieces of a song add up to a play',
    rows([0, 'a'], [20_000, '-'], [60_000, 'a'], [80_000, '-']),
    undefined,
    ['a at 0 for 40'],
  ],
  [
    'the sound of a film is no play, but ends one',
    rows([0, 'a'], [60_000, 'a*'], [90_000, 'b']),
    undefined,
    ['a at 0 for 60', 'b at 90 for 180'],
  ],
  ['nor is what a moderator hid', rows([0, 'a#'], [100_000, 'b']), undefined, ['b at 100 for 180']],
  [
    'a hidden row does not keep a song going',
    rows([0, 'a'], [550_000, 'a#'], [1_100_000, 'a']),
    undefined,
    ['a at 0 for 550', 'a at 1100 for 180'],
  ],
])('%s', (_name, heard, nextAt, plays) => {
  expect(describePlays(heard, nextAt)).toEqual(plays);
});

test('a row without an artist is skipped, and one without a key gets it from its names', () => {
  const [nameless, keyless] = rows([0, 'a'], [100_000, 'b']);
  const heard = [
    { ...nameless!, artist: '' },
    { ...keyless!, track_key: '', title: 'Ünïcode (feat. X)' },
  ];

  expect(combineRows(heard, undefined).map(({ key }) => key)).toEqual(['artist\u001funicode']);
});
