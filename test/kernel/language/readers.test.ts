import { afterEach, expect, it, onTestFinished } from 'vitest';
import { addMadeLanguage } from '#kernel/language/catalogues.ts';
import {
  acceptedLanguages,
  firstOffered,
  offeredLanguages,
  readerIn,
  readerOfClub,
} from '#kernel/language/readers.ts';
import { setClubReader } from '#kernel/locale.ts';
import { pseudoText } from '#test/support/pseudo-language.ts';

afterEach(() => setClubReader({ language: 'en', locale: 'en-US' }));

/** Catalogues for a language, each text as in English. */
const offer = (...languages: string[]) => {
  for (const language of languages) onTestFinished(addMadeLanguage(language, (text) => text));
};

it.each([
  [undefined, []],
  ['de', ['de']],
  ['de-CH, fr;q=0.9, en;q=0.8, *;q=0.5', ['de-CH', 'fr', 'en']],
  ['en;q=0.2, fr;q=0.8, it', ['it', 'fr', 'en']],
  ['fr;q=0, de;q=0.1', ['de']],
  [' de ; q=0.5 , nl', ['nl', 'de']],
  ['<script>, de;q=2, ;;, en-x-long', ['en-x-long']],
])('Accept-Language %j names %j', (header, languages) => {
  expect(acceptedLanguages(header)).toEqual(languages);
});

it('a header of any length is read', () => {
  expect(acceptedLanguages('de,'.repeat(5_000)).length).toBeLessThan(50);
});

it('a language is offered once all its texts exist, and found by a tag with a country', () => {
  expect(offeredLanguages()).not.toContain('da');
  expect(firstOffered(['sv', 'da'])).toBeUndefined();
  offer('da');
  expect(offeredLanguages('officers')).toContain('da');
  expect(firstOffered([null, 'sv', 'da-DK', 'en'])).toBe('da');
  expect(firstOffered(['EN-us'])).toBe('en');
});

it.each([
  [null, 'en-US', { language: 'en', locale: 'en-US' }],
  ['da', 'en-IE', { language: 'da', locale: 'da' }],
  [null, 'da-GL', { language: 'da', locale: 'da-GL' }],
  ['en', 'da-DK', { language: 'en', locale: 'en-DK' }],
  // No texts exist in Swedish: the formats are as the club wants them.
  ['sv', 'sv-SE', { language: 'en', locale: 'sv-SE' }],
])('a club with the language %j and the locale %s reads as %j', (language, locale, reader) => {
  offer('da');
  expect(readerOfClub(language, locale)).toEqual(reader);
});

it.each([
  ['en-IE', 'en', 'en-IE'],
  ['en-AT', 'de', 'de-AT'],
  ['en-US', 'de', 'de'],
  ['en-CA', 'fr', 'fr-CA'],
  ['en', 'es', 'es-US'],
])('in a club with the locale %s a reader of %s has the locale %s', (club, language, locale) => {
  setClubReader({ language: 'en', locale: club });
  expect(readerIn(language)).toEqual({ language, locale });
});

it.each([
  ['Vote', '⟦Vöötéé⟧'],
  ['{n, plural, one {# day} other {# days}}, {day}', '⟦{n,plural,one{# dààÿ} other{# dààÿš}}, {day}⟧'],
  ['<link>Set it up</link>', '⟦<link>Šéét ïït üüp</link>⟧'],
])('the pseudo-language of %j is %j', (english, text) => {
  expect(pseudoText(english)).toBe(text);
});
