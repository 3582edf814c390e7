import fs from 'node:fs';
import path from 'node:path';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Element } from '#kernel/shared/write-text.js';
import type { Catalogues, Texts } from './texts.ts';

/** The languages that catalogues exist for, English first: texts that another one lacks are English. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The areas that texts are divided into. The public ones are what voters, members, guests, TVs, prints and mails show;
 * officers and staff alone see the others.
 */
export const AREAS = {
  common: 'public',
  errors: 'public',
  mail: 'public',
  voting: 'public',
  'sign-in': 'public',
  people: 'public',
  pub: 'public',
  tv: 'public',
  calendar: 'public',
  content: 'public',
  meetings: 'public',
  'voting-admin': 'officers',
  audit: 'officers',
  'people-admin': 'officers',
  'pub-staff': 'officers',
  'content-admin': 'officers',
  'meetings-admin': 'officers',
  settings: 'officers',
  // The errors that officers and staff alone are shown.
  'errors-admin': 'officers',
} as const satisfies Record<keyof Catalogues, 'public' | 'officers'>;
export type Area = keyof typeof AREAS;

/** The folder of the catalogues: `<language>/<area>.json`, each a flat object of texts in ICU MessageFormat 1. */
export const CATALOGUES = path.join(import.meta.dirname, '../../../views/languages');

/** The languages that have a folder of catalogues, also those that are not declared yet. */
export const listCatalogues = (): string[] =>
  fs.readdirSync(CATALOGUES, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));

/** A text as it is kept: parsed, or a string without values. */
export type Parsed = string | readonly Element[];

/** Reads the texts of an area as they are written; empty where the language does not have it. @throws for no JSON */
export function readArea(language: string, area: string): Record<string, string> {
  const file = path.join(CATALOGUES, language, `${area}.json`);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
}

const read = new Map<string, ReadonlyMap<string, string>>();
const parsed = new Map<string, Map<string, Parsed>>();

/** So many texts of a language are kept parsed, some 2 MB; all that there are would take eight. */
const MOST_PARSED = 1500;

/** Every text of a language, by its key, which begins with the area. */
function textsOf(language: string): ReadonlyMap<string, string> {
  return read.getOrInsertComputed(
    language,
    () =>
      new Map(
        Object.keys(AREAS).flatMap((area) =>
          Object.entries(readArea(language, area)).map(([name, text]) => [`${area}.${name}`, text] as const),
        ),
      ),
  );
}

/**
 * Finds a text, parsed at its first use; an English one where the language has none.
 * @throws for a key that English does not have, which types exclude
 */
export function findText(language: string, key: string): Parsed {
  const known = parsed.get(language)?.get(key);
  if (known !== undefined) return known;
  const text = textsOf(language).get(key) ?? textsOf('en').get(key);
  if (text === undefined) throw new TypeError(`There is no text ${key}`);
  const found = parseText(text);
  const kept = parsed.getOrInsertComputed(language, () => new Map<string, Parsed>());
  const [oldest] = kept.keys();
  if (kept.size >= MOST_PARSED && oldest !== undefined) kept.delete(oldest);
  kept.set(key, found);
  return found;
}

/** How a text stands in every language that has it. */
export const inAllLanguages = (key: keyof Texts): ReadonlySet<string> =>
  new Set(languagesWithTexts().flatMap((language) => textsOf(language).get(key) ?? []));

/** Whether there is a text with a key. */
export const isText = (key: string): key is keyof Texts => textsOf('en').has(key);

/** The keys of an area, without its name. */
export const listNames = (area: Area): string[] => Object.keys(readArea('en', area));

/** Parses a text. @throws where it is not ICU MessageFormat 1 */
export function parseText(text: string): Parsed {
  const elements = parse(text, { captureLocation: false });
  const [only] = elements;
  // Elements of other kinds, such as dates, are refused by the check of the catalogues.
  return elements.length === 1 && only?.type === 0 ? only.value : (elements as unknown as Element[]);
}

/** Whether a language has every text of the areas of a kind. */
export function isComplete(language: string, kind: 'public' | 'officers'): boolean {
  const texts = textsOf(language);
  return [...textsOf('en').keys()].every(
    (key) => AREAS[key.slice(0, key.indexOf('.')) as Area] !== kind || texts.has(key),
  );
}

let withTexts: readonly string[] = LANGUAGES;

/** The languages with texts, English first: another list whenever one was made or removed. */
export const languagesWithTexts = (): readonly string[] => withTexts;

/**
 * Adds a language that is made from the English texts, until it is removed. Tests and the demo see by a made one which
 * texts the catalogues do not hold, and what becomes too long; translators see a language that is not complete.
 * @param language a tag of private use, such as `en-x-long`, or one that has a folder of catalogues
 * @param make gets the English text, and that of the folder
 * @returns a function that removes it
 */
export function addMadeLanguage(
  language: string,
  make: (english: string, own: string | undefined) => string,
): () => void {
  const own = textsOf(language);
  const texts = [...textsOf('en')].map(([key, text]) => [key, make(text, own.get(key))] as const);
  const forget = () => {
    read.delete(language);
    parsed.delete(language);
  };
  forget();
  read.set(language, new Map(texts));
  withTexts = [...new Set([...withTexts, language])];
  return () => {
    forget();
    withTexts = LANGUAGES.includes(language as Language)
      ? [...withTexts]
      : withTexts.filter((one) => one !== language);
  };
}
