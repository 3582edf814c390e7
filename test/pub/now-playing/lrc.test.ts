import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatLrc, type LyricLine, parseLrc } from '#pub/now-playing/lrc.ts';

test.each<[rule: string, lrc: string, lines: [at: number, text: string][]]>([
  ['hundredths', '[00:17.12]First', [[17_120, 'First']]],
  ['tenths', '[00:17.5]First', [[17_500, 'First']]],
  ['thousandths', '[00:17.005]First', [[17_005, 'First']]],
  ['no fraction', '[00:17]First', [[17_000, 'First']]],
  ['a colon before the fraction', '[00:17:12]First', [[17_120, 'First']]],
  ['minutes past an hour', '[75:01.00]Late', [[4_501_000, 'Late']]],
  ['a byte order mark', '\ufeff[00:01.00]First', [[1_000, 'First']]],
  [
    'every kind of line end',
    '[00:01]a\r\n[00:02]b\r[00:03]c\n',
    [
      [1_000, 'a'],
      [2_000, 'b'],
      [3_000, 'c'],
    ],
  ],
  [
    'several stamps before one text',
    '[00:20][00:10]Chorus\n[00:15]Verse',
    [
      [10_000, 'Chorus'],
      [15_000, 'Verse'],
      [20_000, 'Chorus'],
    ],
  ],
  [
    'spaces between stamps',
    ' [00:10] [00:20] Chorus',
    [
      [10_000, 'Chorus'],
      [20_000, 'Chorus'],
    ],
  ],
  ['tags are not sung', '[ar: Artist]\n[ti:Title]\n[length: 03:20]\n[00:01]First', [[1_000, 'First']]],
  ['lines without a time are not sung', 'Written by someone\n[00:01]First', [[1_000, 'First']]],
  [
    'an empty text clears the screen',
    '[00:01]First\n[00:05]',
    [
      [1_000, 'First'],
      [5_000, ''],
    ],
  ],
  ['stamps of words are left out', '[00:01]<00:01.00>Two <00:01.50>words', [[1_000, 'Two words']]],
  ['so are they in square brackets', '[00:12.00]Hello [00:12.50]world', [[12_000, 'Hello world']]],
  ['a comma before the fraction', '[00:12,34]First', [[12_340, 'First']]],
  ['more digits than milliseconds', '[00:12.3456]First', [[12_345, 'First']]],
  ['hours', '[01:02:03.45]Late', [[3_723_450, 'Late']]],
  ['an invisible space before the stamp', '\u200b[00:01.00]First', [[1_000, 'First']]],
  ['markup', '[00:01]<i>Don&apos;t</i> stop &amp; go <3', [[1_000, "Don't stop & go <3"]]],
  ['a bracket in the text stays', '[00:01][Chorus] la', [[1_000, '[Chorus] la']]],
  [
    'lines of one moment keep their order',
    '[00:01]b\n[00:01]a',
    [
      [1_000, 'b'],
      [1_000, 'a'],
    ],
  ],
  ['a positive offset is sooner', '[offset:+500]\n[00:02]First', [[1_500, 'First']]],
  ['a negative one later', '[offset:-500]\n[00:02]First', [[2_500, 'First']]],
  ['an offset after a space, at the end', '[00:02]First\n[Offset: 250 ]', [[1_750, 'First']]],
  ['nothing before the beginning', '[offset:5000]\n[00:02]First', [[0, 'First']]],
  ['tabs and control characters are spaces', '[00:01]a\t\u0007b', [[1_000, 'a b']]],
])('%s', (_rule, lrc, lines) => {
  expect(parseLrc(lrc)).toEqual(lines.map(([at, text]) => ({ at, text })));
});

test.each([
  ['plain words', 'First line\nSecond line'],
  ['nothing', ''],
  ['stamps without words', '[00:01]\n[00:02]'],
  ['tags alone', '[ar: Artist]\n[offset: 5]'],
  ['more than 64 KB', `[00:01]${'é'.repeat(33_000)}`],
])('%s is no timed text', (_what, lrc) => {
  expect(parseLrc(lrc)).toBeUndefined();
});

test('at most 2,000 lines of 200 characters are kept', () => {
  const many = parseLrc('[00:01][00:02][00:03][00:04]la\n'.repeat(1_500));
  const long = parseLrc(`[00:01]${'x'.repeat(500)}`);

  expect(many).toHaveLength(2_000);
  expect(long?.[0]?.text).toHaveLength(200);
});

test('lines past the 4,000th are ignored', () => {
  const after = (rows: number) => parseLrc(`${'\n'.repeat(rows)}[00:01]la`);

  expect(after(3_999)).toEqual([{ at: 1_000, text: 'la' }]);
  expect(after(4_000)).toBeUndefined();
});

test.each(['\n', '\r', '\u2028', ' ', '[', '[00:01]', '<'])(
  '64 KB of %j are parsed in linear time',
  (piece) => {
    const text = piece.repeat(Math.floor((64 * 1024) / Buffer.byteLength(piece)));

    // A parser slower than linear would exceed the time limit of the test.
    for (let times = 0; times < 50; times += 1) parseLrc(text);
  },
);

test('formatted lines are parsed back to the same lines', () => {
  const line = fc.record({
    at: fc.integer({ min: 0, max: 99 * 60_000 }),
    text: fc.stringMatching(/^[a-z]{1,10}( [a-z]{1,10}){0,3}$/),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines: LyricLine[]) => {
      const sorted = lines.toSorted((a, b) => a.at - b.at);
      expect(parseLrc(formatLrc(sorted))).toEqual(sorted);
    }),
  );
});

test('any text is parsed without an error, into sorted lines without negative times', () => {
  const bits = fc.constantFrom(
    '[00:01]',
    '[1:2.3]',
    '[offset:',
    '+99',
    ']',
    '<00:01>',
    '\n',
    '\r',
    'la ',
    '[',
    '\ud800',
  );
  const texts = fc.array(fc.oneof(bits, fc.string({ maxLength: 5 })), { maxLength: 40 });
  fc.assert(
    fc.property(texts, (parts) => {
      const lines = parseLrc(parts.join('')) ?? [];
      const times = lines.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.every((at) => at >= 0)).toBe(true);
    }),
  );
});
