import { expect, test } from 'vitest';
import { ENGLISH } from '#kernel/language/words.ts';
import { shareOfWords, shareWords } from '#voting/share-words.ts';
import { needed, reaches, readFraction, type Share } from '#voting/shared/share.ts';

// Rules and numbers of Robert's Rules, BGB and Companies Act: more than half is never half plus one, two thirds of 31
// are 21.
test.each<[Share, base: number, needed: number]>([
  ['more_than_half', 40, 21],
  ['more_than_half', 41, 21],
  ['more_than_half', 1, 1],
  ['two_thirds', 30, 20],
  ['two_thirds', 31, 21],
  ['two_thirds', 32, 22],
  ['two_thirds', 33, 22],
  ['two_thirds', 107, 72],
  ['three_quarters', 100, 75],
  ['three_quarters', 101, 76],
  ['all', 17, 17],
  [{ at_least: '1/3' }, 100, 34],
  [{ at_least: '1/2' }, 40, 20],
  [{ more_than: '1/2' }, 40, 21],
  [{ more_than: '1/3' }, 99, 34],
  [{ at_least: '67/100' }, 3, 3],
  [{ at_least: '99/100' }, 9_007_199_254_740, 8_917_127_262_193],
  [{ at_least: '1/1' }, 5, 5],
])('%j of %d are %d', (share, base, least) => {
  expect(needed(share, base)).toBe(least);
  expect(reaches(share, least, base)).toBe(true);
  expect(reaches(share, least - 1, base)).toBe(false);
});

test('the needed number is the first that reaches the share, for every share and base', () => {
  const fractions = Array.from({ length: 12 }, (_, q) =>
    Array.from({ length: q + 1 }, (_, p) => `${p + 1}/${q + 1}`),
  ).flat();
  const shares = fractions.flatMap((text): Share[] => [{ at_least: text }, { more_than: text }]);
  for (const share of shares)
    for (let base = 1; base <= 60; base++) {
      const least = needed(share, base);
      expect([least, reaches(share, least, base), reaches(share, least - 1, base)]).toEqual([
        least,
        true,
        false,
      ]);
    }
});

test('nothing is a share of an empty base', () => {
  expect(reaches('all', 0, 0)).toBe(false);
  expect(reaches({ at_least: '1/100' }, 0, 0)).toBe(false);
  expect(needed('two_thirds', 0)).toBe(1);
});

test.each(['0/3', '4/3', '1/101', '1/0', '-1/2', '1.5/2', '1', '1 / 2', '', '1/2/3'])(
  '%j is not a fraction',
  (text) => {
    expect(readFraction(text)).toBeUndefined();
  },
);

test.each<[Share, string]>([
  ['more_than_half', 'more than half'],
  ['two_thirds', 'two thirds'],
  ['all', 'all'],
  [{ at_least: '2/3' }, 'at least two thirds'],
  [{ more_than: '1/2' }, 'more than half'],
  [{ at_least: '3/5' }, 'at least 3/5'],
])('%j is said as "%s"', (share, words) => {
  expect(shareWords(share).for(ENGLISH)).toBe(words);
});

test('a rule says of what', () => {
  expect(shareOfWords({ share: 'two_thirds', of: 'yes_no' }).for(ENGLISH)).toBe('two thirds of yes and no');
  expect(shareOfWords({ share: 'all', of: 'electors' }).for(ENGLISH)).toBe('all of the electors');
});
