import { NOT_DRAWN, withoutAccents } from '#kernel/names.ts';

/** The unit separator, which never occurs in names. */
const SEPARATOR = '\u001f';

/** Returns the key of a song, the same for all its plays: a valid recording code (ISRC), else artist and title. */
export function trackKey(song: { artist: string; title: string; isrc?: string | null }): string {
  return parseIsrc(song.isrc ?? '') ?? nameKey(song.artist, song.title);
}

/** Artist and title, normalized: the same for every spelling and every recording. */
export function nameKey(artist: string, title: string): string {
  return `${normalizeName(artist)}${SEPARATOR}${normalizeName(title)}`;
}

/** Returns an ISRC in its normal spelling, `USRC17607839`; undefined for a text that is not an ISRC. */
export function parseIsrc(text: string): string | undefined {
  const isrc = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(isrc) ? isrc : undefined;
}

/**
 * Normalizes a name for comparison: without accents (see `withoutAccents`), case, punctuation, guest artists and remaster notes. A live
 * recording counts as another song. A name that consists only of punctuation is kept.
 */
export function normalizeName(name: string): string {
  const folded = withoutAccents(name.replace(NOT_DRAWN, '')).toLowerCase();
  const words = joinWords(plainName(folded));
  return words || joinWords(folded) || folded.trim();
}

/** Removes guest artists and remaster notes from a name. */
export function plainName(name: string): string {
  const spaced = name.trim().replace(/\s+/g, ' ');
  const plain = spaced.replace(GUESTS, ' ').replace(REMASTERED, ' ').trim();
  return plain || name;
}

const joinWords = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();

/** `(feat. Someone)`, `[ft Someone]`, and `feat. Someone` up to the end or a bracket. */
const GUESTS = / ?[([](?:feat|ft|featuring)\b[^)\]]*[)\]]| (?:feat|ft|featuring)\b\.? [^([]*/giu;

/** `- Remastered 2011`, `- 2011 Remaster`, `(2011 Remastered Version)`. */
const REMASTERED = / - (?:\d{4} )?remaster[^([]*| ?[([](?:\d{4} )?remaster[^)\]]*[)\]]/giu;
