import { oncePerObject } from '#kernel/cache.ts';
import { clubReader } from '#kernel/locale.ts';
import { isComplete, languagesWithTexts } from './catalogues.ts';
import type { Reader } from './words.ts';

/**
 * The readers of a page: visitors (voters, members, guests, also those who sign in), officers and staff, or everybody
 * who sees what the club shows, such as a TV or a print.
 */
export type Readers = 'visitors' | 'officers' | 'club';

/** The languages that are offered, English first: to visitors with all public texts, to officers with all texts. */
export const offeredLanguages = (readers: Exclude<Readers, 'club'> = 'visitors'): readonly string[] =>
  offeredAmong(languagesWithTexts())[readers];

const offeredAmong = oncePerObject((languages: readonly string[]) => {
  const visitors = languages.filter((language) => isComplete(language, 'public'));
  return { visitors, officers: visitors.filter((language) => isComplete(language, 'officers')) };
});

/** The offered language that a tag names, or a part of it: `de-CH` is German. */
function offeredOf(tag: string, offered: readonly string[]): string | undefined {
  const lower = tag.toLowerCase();
  return offered.find((one) => one === lower) ?? offered.find((one) => one === lower.split('-')[0]);
}

/** The first of some languages that is offered. @param tags BCP 47 */
export function firstOffered(
  tags: readonly (string | null | undefined)[],
  readers: Exclude<Readers, 'club'> = 'visitors',
): string | undefined {
  const offered = offeredLanguages(readers);
  for (const tag of tags) {
    const found = tag ? offeredOf(tag, offered) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Most languages of a header that are looked at: a browser sends some ten. */
const LOOKED_AT = 30;

/** The languages of an Accept-Language header, the preferred first (RFC 9110, 12.5.4). */
export function acceptedLanguages(header: string | undefined): string[] {
  const weighed = (header ?? '')
    .split(',', LOOKED_AT)
    .map((part) => /^\s*([a-z0-9-]{1,35})\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i.exec(part))
    .map((found) => ({ tag: found?.[1], weight: Number(found?.[2] ?? 1) }));
  return weighed
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .flatMap(({ tag }) => tag ?? []);
}

/**
 * The reader of the club: its language, else that of its locale, else English. Its locale stays as it is, unless
 * texts in the language of the locale exist and the club has chosen another language.
 */
export function readerOfClub(chosen: string | null, locale: string): Reader {
  const own = new Intl.Locale(locale).language;
  const language = firstOffered([chosen, own]) ?? 'en';
  return { language, locale: firstOffered([own]) === undefined ? locale : localeIn(language, locale) };
}

/** A reader of a language: with the locale of the club if it is the club's, else with that of the club's country. */
export function readerIn(language: string): Reader {
  const club = clubReader();
  return language === club.language ? club : { language, locale: localeIn(language, club.locale) };
}

const locales = new Map<string, string>();

/** `de-AT` for German in a club with the locale en-AT; `de` where the runtime has no data for the pair. */
const localeIn = (tag: string, clubs: string): string =>
  locales.getOrInsertComputed(`${tag} ${clubs}`, () => {
    const { language } = new Intl.Locale(tag);
    const club = new Intl.Locale(clubs);
    if (language === club.language) return clubs;
    const { region } = club.maximize();
    return new Intl.DateTimeFormat(`${language}-${region}`).resolvedOptions().locale;
  });
