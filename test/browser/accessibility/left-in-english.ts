// Finds English that the catalogues do not hold, on a page in the pseudo-language.

import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { LANGUAGES, readArea } from '#kernel/language/catalogues.ts';
import { PROVIDERS } from '#kernel/mail/providers.ts';
import { listCountries, listLanguages, listZones } from '#kernel/places.ts';
import { living } from '#test/support/app.ts';
import { PSEUDO } from '#test/support/pseudo-language.ts';

const WORDS = /[\p{L}\p{M}]{2,}/gu;
const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' });

/** Words that are the same in every language, and what the locale of the tests makes of dates, units and lists. */
const EVERYWHERE = new Set(
  (
    'API CSV GET HTML HTTP HTTPS IANA JSON PDF POST QR RFC SHA TLS TV UTC URL XML UTF PNG JPEG SVG ' +
    'Passkey OpenID iCal Wi-Fi Wi Fi Schulze Public House Version AM PM km mph oz and or NFL MLB NBA WNBA NHL MLS MET Norway ' +
    'Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday ' +
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec January February March April June July August September ' +
    'October November December ' +
    // Of examples in hints.
    'Ada Lovelace Ann Bob'
  ).split(' '),
);

/** @returns the words of texts */
const wordsOf = (texts: readonly string[]): string[] => texts.flatMap((text) => text.match(WORDS) ?? []);

/** Names, which are no texts: of languages, also in themselves, countries, currencies, places, and providers of mail. */
const NAMES = new Set(
  wordsOf([
    ...[...listLanguages(), ...listCountries(), ...listZones('UTC')].map(({ name }) => name),
    ...Intl.supportedValuesOf('currency').flatMap((code) => [code, CURRENCIES.of(code) ?? '']),
    ...Intl.supportedValuesOf('timeZone'),
    ...LANGUAGES.map((language) => readArea(language, 'common')['language.name'] ?? ''),
    ...PROVIDERS.flatMap(({ name, user }) => [name, user ?? '']),
  ]),
);

/**
 * The words that people and other services wrote: what is stored, but for the log, and for codes, which are made of small
 * letters alone, as some names are.
 */
function storedWords({ db, config }: Context): string[] {
  const tables = db.all(
    build.selectFrom(sql<{ name: string; type: string }>`sqlite_master`.as('of')).select(['name', 'type']),
  );
  const rows = tables.flatMap(({ name, type }) =>
    type !== 'table' || /^(audit_log|sqlite_.*|song_(words|suffixes).*)$/.test(name)
      ? []
      : db.all<object>(build.selectFrom(sql`${sql.table(name)}`.as('of')).selectAll()),
  );
  return wordsOf(stringsIn([rows, config]));
}

const NAMED = /name|title|label|group|detail|page|screen/;

/** @returns the strings that a value holds, also in stored JSON, without codes. @param field in which it is */
function stringsIn(value: unknown, field = ''): string[] {
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value))
    return Object.entries(value).flatMap(([name, one]) =>
      stringsIn(one, Array.isArray(value) ? field : name),
    );
  if (typeof value !== 'string' || (/^[a-z_]+$/.test(value) && !NAMED.test(field))) return [];
  if (!/^[[{]/.test(value)) return [value];
  try {
    return stringsIn(JSON.parse(value), field);
  } catch {
    return [value];
  }
}

/** What is no word: addresses of all kinds, names of files, and codes, which are told by their shape. */
const CODES = [
  /https?:[^\s⟦⟧]+|[^\s⟦⟧|]+@[^\s⟦⟧|]+|(?<![^\s⟦⟧(|])\/[a-z][^\s⟦⟧|]+/g,
  // The end of an address whose middle is kept secret.
  /[^\s⟦⟧|]+\s…\s[^\s⟦⟧|]+/g,
  /[\w-]+(\.[\w-]+)+(\/[^\s⟦⟧|]*)?|[A-Z]+_[A-Z_]+/g,
  /\b[0-9A-Z]{3,4}(-[0-9A-Z]{3,4})+\b/g,
  /\b[\da-f]{4}( [\da-f]{4}){3,}\b/g,
  /[^\s⟦⟧|]*(\d|\w{30})[^\s⟦⟧|]*/g,
];

/** The letters that the pseudo-language changes: a word that has one of them is from no catalogue. */
const UNCHANGED = /[aceinosuy]/i;

/**
 * @param entered in the forms of this page and of those before
 * @returns what no catalogue holds and nobody entered: words outside of ⟦ and ⟧, and values within that are English.
 * Nothing in another language than the pseudo-language
 */
export async function englishOn(page: Page, entered: readonly string[] = []): Promise<string[]> {
  if (process.env.TEST_LANGUAGE !== PSEUDO) return [];
  const asked = [...new URL(page.url()).searchParams.values()];
  const known = new Set([...wordsOf([...entered, ...asked]), ...[...living].flatMap(storedWords)]);
  const texts = await page.evaluate(textsNow);
  return texts.flatMap((shown) => {
    // Without the places where an address may break.
    const text = shown.replaceAll('\u200B', '');
    const words = CODES.reduce((rest, code) => rest.replace(code, ' '), text).matchAll(
      /[⟦⟧]|[\p{L}\p{M}]+/gu,
    );
    let depth = 0;
    const left = new Set<string>();
    for (const [word] of words) {
      if (word === '⟦') depth += 1;
      else if (word === '⟧') depth -= 1;
      else if (word.length < 2 || known.has(word) || EVERYWHERE.has(word) || NAMES.has(word)) continue;
      else if (depth === 0 || UNCHANGED.test(word)) left.add(word);
    }
    return [...left].map((word) => {
      const at = text.indexOf(word);
      return `English: ${word}, in ${text.slice(Math.max(0, at - 30), at + 50).replace(/\s+/g, ' ')}`;
    });
  });
}

/**
 * Runs in the page. @returns its texts, in order, with | where an element begins or ends; then those of its attributes.
 * What is in another language than the page, and says so, is left out.
 */
function textsNow(): string[] {
  const parts: string[] = [];
  const attributes = new Set<string>([document.title]);
  const { lang } = document.documentElement;
  const walk = (element: Element) => {
    if (element.matches(`script, style, template, textarea, code, [lang]:not([lang="${lang}"])`)) return;
    // The first letters of a name beside it, and what the log keeps, whose codes are the same in every language.
    if (element.matches('.portrait-initials, [translate=no]')) return;
    for (const name of ['aria-label', 'alt', 'placeholder', 'title', 'label'])
      attributes.add(element.getAttribute(name) ?? '');
    parts.push('|');
    for (const child of element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        const inside = element.localName === 'noscript';
        const words = child.textContent ?? '';
        parts.push(
          inside ? new DOMParser().parseFromString(words, 'text/html').documentElement.innerText : words,
        );
      } else if (child instanceof Element) walk(child);
    }
    parts.push('|');
  };
  walk(document.body);
  return [parts.join(''), ...attributes];
}
