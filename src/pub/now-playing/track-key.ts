/** The unit separator: stands in no name. */
const BETWEEN = '\u001f';

/** Says which plays are the same song: the recording code when it is a valid one, else artist and title. */
export function trackKey(song: { artist: string; title: string; isrc?: string | null }): string {
  return readIsrc(song.isrc ?? '') ?? nameKey(song.artist, song.title);
}

/** Artist and title without what spellings differ in; the same for every recording of a song under these names. */
export function nameKey(artist: string, title: string): string {
  return `${normalized(artist)}${BETWEEN}${normalized(title)}`;
}

/** An ISRC in its normal spelling, `USRC17607839`; undefined for a text that is none. */
export function readIsrc(text: string): string | undefined {
  const isrc = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(isrc) ? isrc : undefined;
}

/**
 * A name as it is compared: no accents, case, punctuation, guests or remaster notes. A live recording stays a song
 * of its own. A name made of punctuation alone is compared as it is written.
 */
export function normalized(name: string): string {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = wordsOf(plainName(folded));
  return words || wordsOf(folded) || folded.trim();
}

/** A name without guests and remaster notes. */
export function plainName(name: string): string {
  const spaced = name.trim().replace(/\s+/g, ' ');
  const plain = spaced.replace(GUESTS, ' ').replace(REMASTERED, ' ').trim();
  return plain || name;
}

const wordsOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

/** `(feat. Someone)`, `[ft Someone]`, and `feat. Someone` up to the end or a bracket. */
const GUESTS = / ?[([](?:feat|ft|featuring)\b[^)\]]*[)\]]| (?:feat|ft|featuring)\b\.? [^([]*/giu;

/** `- Remastered 2011`, `- 2011 Remaster`, `(2011 Remastered Version)`. */
const REMASTERED = / - (?:\d{4} )?remaster[^([]*| ?[([](?:\d{4} )?remaster[^)\]]*[)\]]/giu;
