import { expect, test } from 'vitest';
import { inEnglish, keepText, readText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { readerIn } from '#kernel/language/readers.ts';
import { allOf, commas, formatShort } from '#kernel/language/times.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

test('a text is kept with its values and its dates, and is written for whoever reads it later', () => {
  const span = t('audit.log.span', {
    first: formatShort(NOON, 'UTC'),
    last: t('common.actor.officer'),
  });
  const read = readText(keepText(span));

  expect(inEnglish(read)).toBe('Sat, Nov 21, 2026, 12:00 PM to an officer');
  expect(typeof read !== 'string' && read.for({ language: 'en', locale: 'de-DE' })).toContain(
    '21. Nov. 2026',
  );
});

test('a row of texts is kept, and each is written for whoever reads it later', () => {
  const titles = commas(['Board', 'Lamps'].map((text) => t('common.quoted', { text })));
  const read = readText(keepText(t('meetings-admin.acts.late_papers', { n: 2, titles: titles! })));

  expect(inEnglish(read)).toBe('Let 2 papers join the announced result of “Board”, “Lamps”');
  expect(typeof read !== 'string' && read.for(readerIn('de'))).toContain('von „Board“, „Lamps“');
});

test('what people wrote is kept as it is, whatever it begins with', () => {
  for (const typed of ['Budget', '{"key":"common.actor.officer"}', '\u0001{"key":"x","values":{}}', ''])
    expect(readText(keepText(typed))).toBe(typed);
});

test('a text that holds anything else is refused at once', () => {
  expect(() => keepText(allOf(['a', 'b']))).toThrow('cannot be kept');
});

test.each([
  ['key', '"key":"common.actor.officer"', '"key":"voting-admin.access.renamed"'],
  ['value', '"first"', '"earliest"'],
])('a text is read in English by a version that has another %s', (_what, before, after) => {
  const span = t('audit.log.span', { first: '1 May', last: t('common.actor.officer') });
  const stored = keepText(span);

  expect(stored).toContain(before);
  expect(readText(stored.replace(before, after))).toBe('1 May to an officer');
});
