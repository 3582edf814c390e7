import fs from 'node:fs';
import path from 'node:path';
import IntlMessageFormat from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { html } from '#kernel/html.ts';
import { AREAS, type Area, LANGUAGES, parseText, readArea } from '#kernel/language/catalogues.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, formatted } from '#kernel/language/words.ts';
import { say } from '#kernel/messages/messages.ts';
import { writeText } from '#kernel/shared/write-text.js';
import { faultsIn, faultsOf, hasArea, unreviewed, valueTypes } from '../../../scripts/texts.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

/** Every file in which a text can be used. */
const sources = ['src', 'views'].flatMap((folder) =>
  fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js)$/.test(file) && !file.includes('language/texts/'))
    .map((file) => fs.readFileSync(path.join(ROOT, folder, file), 'utf8')),
);

/** Every name in the sources, as the log writes it: `setAt` as `set_at`. */
const names = new Set(
  sources
    .flatMap((source) => source.match(/[A-Za-z_]\w*/g) ?? [])
    .map((name) => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()),
);

/** Whether a detail of the log is such a name, or one in another: `books_tokens_used`. */
const isNamed = (parts: readonly string[]): boolean =>
  names.has(parts.join('_')) ||
  parts.some((_, at) => at > 0 && names.has(parts.slice(0, at).join('_')) && isNamed(parts.slice(at)));

/** Actions that earlier versions recorded: their entries stay in the log. */
const EARLIER = new Set(['meeting.item_void_asked', 'paper.differences_settled']);

describe('the catalogues', () => {
  it.each(LANGUAGES)('of %s have no fault in the areas that they have', (language) => {
    expect(faultsOf(language, hasArea(language))).toEqual([]);
  });

  it.each(LANGUAGES.slice(1))(
    'of %s were read by a second person where votes and sign-in depend on them',
    (language) => {
      expect(unreviewed(language)).toEqual([]);
    },
  );

  it.each(Object.keys(AREAS) as Area[])(
    'have the types of src/kernel/language/texts/%s.ts: `npm run texts -- --write` updates it',
    (area) => {
      const types = path.join(ROOT, `src/kernel/language/texts/${area}.ts`);
      expect(fs.readFileSync(types, 'utf8')).toBe(valueTypes(area));
    },
  );

  it('hold no text that nothing uses', () => {
    const keys = Object.keys(AREAS).flatMap((area) =>
      Object.keys(readArea('en', area)).map((name) => `${area}.${name}`),
    );
    const named = new Set(sources.flatMap((source) => source.match(/'[a-z0-9_.-]+'/g) ?? []));
    // Errors are said by their code, see messages.test.ts, actions and details by their names in the audit log.
    const isCode = (key: string) => /^errors(-admin)?\.\w+$/.test(key);
    const isDetail = (key: string) => key.startsWith('audit.detail.') && isNamed(key.slice(13).split('_'));
    const nameOf = (key: string) => key.replace(/^audit\.action\./, '');
    const isUsed = (key: string) =>
      isCode(key) || isDetail(key) || EARLIER.has(nameOf(key)) || named.has(`'${nameOf(key)}'`);
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it.each([
    ['en', '{count, plural, one {# card} other {# cards}', 'Four cards', 'cannot be read'],
    [
      'pl',
      '{count, plural, one {#} other {#}}',
      '{count, plural, one {#} other {#}}',
      'lacks the form many, few',
    ],
    ['de', 'Die Stimme', '{count} votes', 'has the values none; English has count: Value'],
    ['de', 'Die <b>Stimme</b>', 'The <i>vote</i>', 'has the values b: Tag; English has i: Tag'],
    ['fr', "L'urne", 'The box', 'has straight quotation marks'],
    ['de', 'Urne ', 'Box', 'begins or ends with a space'],
  ])('of %s are refused with the text %j', (language, text, english, fault) => {
    expect(faultsIn(language, text, english).join()).toContain(fault);
  });
});

describe('a text', () => {
  it.each([
    ['en', '{count, plural, =0 {nobody} one {# member} other {# members}}', [0, 1, 2, 1_234]],
    ['fr', '{count, plural, one {# voix} many {# de voix} other {# voix}}', [0, 1, 1.5, 2]],
    ['pl', '{count, plural, one {# głos} few {# głosy} many {# głosów} other {# głosu}}', [1, 2, 5, 22, 1.5]],
    ['en', '{count, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', [1, 2, 3, 4, 11, 21]],
    ['en', '{count, select, 1 {one} other {several}} of {count, number}', [1, 2]],
    ['en', "It’s '{'{count}'}'", [7]],
  ])('is written as FormatJS writes it: %s %s', (language, text, counts) => {
    for (const count of counts)
      expect(
        writeText(
          parseText(text),
          { count },
          {
            language,
            number: (value) => new Intl.NumberFormat(language).format(value),
            put: String,
            tag: (_name, inside) => inside,
          },
        ),
      ).toBe(new IntlMessageFormat(text, language).format({ count }));
  });

  it('is escaped in markup, with tags as slots, and has no markup in plain text', () => {
    const line = t('common.set_up.line', { link: (inside) => html`<a href="/set-up">${inside}</a>` });
    expect(html`<p>${line}</p>`.for(ENGLISH)).toBe(
      '<p>This service is not set up yet. <a href="/set-up">Set it up</a></p>',
    );
    expect(line.for(ENGLISH)).toBe('This service is not set up yet. Set it up');
    const title = t('common.head.title', {
      title: 'Tea & “buns” <b>',
      club: formatted(({ locale }) => locale),
    });
    expect(html`<title>${title}</title>`.for(ENGLISH)).toBe(
      '<title>Tea &amp; “buns” &lt;b&gt; · en-US</title>',
    );
  });

  it('is refused by the compiler with another key, without its values, and with more', () => {
    const title = { title: 'Tea', club: 'Club' };
    const refused = [
      // @ts-expect-error No catalogue has this key.
      t('common.nav.no_such_text'),
      // @ts-expect-error The values are missing.
      t('common.head.title'),
      // @ts-expect-error A value is missing.
      t('common.head.title', { title: 'Tea' }),
      // @ts-expect-error The text has no such value.
      t('common.head.title', { ...title, more: 1 }),
      // @ts-expect-error The text has no values.
      t('common.nav.more', title),
      // @ts-expect-error A tag is a function.
      t('common.set_up.line', { link: 'here' }),
      // @ts-expect-error No error has this code.
      say('no_such_code'),
      // @ts-expect-error The text of the error has a value.
      say('too_long'),
      // @ts-expect-error The text of the error has no such value.
      say('too_long', { max: 1, least: 1 }),
    ];
    expect(refused).toHaveLength(9);
  });

  it.each([
    ['Ends {when}.', 'Ends 7:00 p.m.'],
    ['Ends <b>{when}</b>. Vote.', 'Ends <b>7:00 p.m.</b> Vote.'],
    ['{when}, or later.', '7:00 p.m., or later.'],
    ['{when}...', '7:00 p.m....'],
  ])('has one full stop where a value ends with one: %s', (text, written) => {
    const tag = (name: string, inside: string) => `<${name}>${inside}</${name}>`;
    const means = { language: 'es', number: String, put: String, tag };

    expect(writeText(parseText(text), { when: '7:00 p.m.' }, means)).toBe(written);
  });

  it('is not written before its reader is known', () => {
    expect(() => `${t('common.nav.more')}`).toThrow('before its reader was known');
    expect(() => String(html`<p>${t('common.nav.more')}</p>`)).toThrow('before its reader was known');
    expect(String(html`<p>${'Tea & buns'}</p>`)).toBe('<p>Tea &amp; buns</p>');
  });
});
