// Finds English that the catalogues do not hold, on a page in the pseudo-language.

import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { listCountries, listLanguages } from '#kernel/places.ts';

const WORDS = /[A-Za-z]{2,}/g;
const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' });

/** Words that are the same in every language, and parts of dates in the locale of the tests. */
const EVERYWHERE = new Set(
  (
    'API CSV GET HTML HTTP HTTPS IANA JSON PDF POST QR RFC SHA TLS TV UTC URL XML UTF PNG JPEG SVG ' +
    'Passkey OpenID iCal Wi-Fi Wi Fi Schulze Public House Version AM PM New York America km mph ' +
    'Mon Tue Wed Thu Fri Sat Sun Monday Tuesday Wednesday Thursday Friday Saturday Sunday ' +
    'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec January February March April June July August September ' +
    'October November December'
  ).split(' '),
);

/** Names of languages, countries, currencies and places, which the browser and Node write in the language of the reader. */
const NAMES = new Set(
  [
    ...listLanguages().map(({ name }) => name),
    ...listCountries().map(({ name }) => name),
    ...Intl.supportedValuesOf('timeZone'),
    ...Intl.supportedValuesOf('currency').map((code) => CURRENCIES.of(code) ?? ''),
  ].flatMap((name) => name.match(WORDS) ?? []),
);

/** The words that people and other services wrote: what is stored, but for the log, whose codes are English. */
export function storedWords({ db, config }: Context): Set<string> {
  const words = new Set<string>();
  const take = (value: unknown) => {
    for (const word of String(value).match(WORDS) ?? []) words.add(word);
  };
  const tables = db.all(
    build.selectFrom(sql<{ name: string; type: string }>`sqlite_master`.as('of')).select(['name', 'type']),
  );
  for (const { name, type } of tables) {
    if (type !== 'table' || name === 'audit_log' || /^(sqlite_|song_)/.test(name)) continue;
    for (const row of db.all<object>(build.selectFrom(sql`${sql.table(name)}`.as('of')).selectAll()))
      for (const value of Object.values(row)) if (typeof value === 'string') take(value);
  }
  for (const value of Object.values(config)) if (typeof value === 'string') take(value);
  return words;
}

/** @param known words of the data @returns texts outside of ⟦ and ⟧ that hold another word */
export async function leftInEnglish(page: Page, known: ReadonlySet<string>): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const ATTRIBUTES = ['aria-label', 'alt', 'placeholder', 'title'];
    // A text with tags is several nodes: what is inside of its brackets is looked for in the whole element.
    const isBlock = (element: Element) => !/^inline/.test(getComputedStyle(element).display);
    for (const element of document.querySelectorAll('body, body *:not(script, style, svg, svg *)')) {
      for (const name of ATTRIBUTES) {
        const value = element.getAttribute(name);
        if (value) found.push(value);
      }
      if (!isBlock(element)) continue;
      // The text of this block without that of the blocks inside it.
      let text = '';
      const walk = (node: Node) => {
        for (const child of node.childNodes) {
          if (child.nodeType === Node.TEXT_NODE) text += child.textContent;
          else if (child instanceof Element && !child.matches('script, style, svg, textarea, code')) {
            if (isBlock(child)) text += ' ';
            else walk(child);
          }
        }
      };
      walk(element);
      if (text.trim()) found.push(text.trim());
    }
    found.push(document.title);
    return [...new Set(found)];
  });
  return texts.flatMap((text) => {
    let rest = text;
    // Texts stand in texts.
    for (let before = ''; before !== rest; ) {
      before = rest;
      rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
    }
    const left = (rest.match(WORDS) ?? []).filter(
      (word) => !known.has(word) && !EVERYWHERE.has(word) && !NAMES.has(word),
    );
    return left.length > 0 ? [`English: ${rest.replace(/\s+/g, ' ').trim().slice(0, 120)}`] : [];
  });
}
