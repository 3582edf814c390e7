import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameKey, normalizeName, parseIsrc, plainName, trackKey } from '#pub/now-playing/track-key.ts';

test.each([
  ['Café del Mar', 'cafe del mar'],
  ['  Two   Words ', 'two words'],
  ['AC/DC', 'ac dc'],
  ['Song (feat. Somebody)', 'song'],
  ['Song [ft. Somebody & Friends]', 'song'],
  ['Song feat. Somebody', 'song'],
  ['Song ft Somebody (Live)', 'song live'],
  ['Song - Remastered 2011', 'song'],
  ['Song - 2011 Remaster', 'song'],
  ['Song (2011 Remastered Version)', 'song'],
  ['Song - 2009 Remaster (Live)', 'song live'],
  ['Featherweight', 'featherweight'],
  ['Ft. Worth Blues', 'ft worth blues'],
  ['Remaster', 'remaster'],
  ['北京', '北京'],
  ['!!!', '!!!'],
  ['Ёлка', 'елка'],
  ['Τζάμπα', 'τζαμπα'],
  ['गायक', 'गायक'],
  ['ซอง\u200b', 'ซอง'],
  ['(feat. Nobody)', 'feat nobody'],
])('%s is compared as %s', (name, expected) => {
  expect(normalizeName(name)).toBe(expected);
});

test('a recording code makes two spellings one song; an invalid code does not', () => {
  const code = { artist: 'A', title: 'B', isrc: 'us-rc1-76-07839' };

  expect(trackKey(code)).toBe('USRC17607839');
  expect(trackKey({ ...code, title: 'Other', isrc: 'USRC17607839' })).toBe('USRC17607839');
  expect(trackKey({ ...code, isrc: 'unknown' })).toBe(nameKey('A', 'B'));
  expect(trackKey({ artist: 'A', title: 'B' })).toBe('a\u001fb');
  expect(parseIsrc('USRC1760783')).toBeUndefined();
});

test.each([
  ['राना', 'रीना'],
  ['काली', 'कला'],
  ['น้ำ', 'นำ'],
  ['かき', 'がき'],
  ['ハ', 'パ'],
  ['שָׁלוֹם', 'שלום'],
])('%s and %s are two names: their marks are letters', (one, other) => {
  expect(normalizeName(one)).not.toBe(normalizeName(other));
  expect(normalizeName(one)).toBe(normalizeName(one.normalize('NFD')));
});

test('a live recording is another song', () => {
  expect(nameKey('A', 'Song (Live at the Anchor)')).not.toBe(nameKey('A', 'Song'));
});

test('any name can be normalised, without regard to surrounding whitespace', () => {
  const part = fc.constantFrom(
    'a',
    'É',
    'e\u0301',
    ' ',
    '\t',
    '(feat. ',
    ' ft ',
    ')',
    ' - ',
    'Remaster',
    '2011 ',
    '北',
    '😀',
    '\ud800',
    '\u200b',
    '!',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const name = parts.join('');
      expect(normalizeName(` ${name}\t`)).toBe(normalizeName(name));
      if (name.trim()) expect(plainName(name)).not.toBe('');
    }),
  );
});
