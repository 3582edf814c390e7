/** Controls other than white space, and characters that are not drawn: joiners, direction marks, fillers, tags. */
export const NOT_DRAWN =
  /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{fff9}-\u{fffb}]|(?![\s\u0085])\p{Cc}/gu;

/** White space, also what looks like it: an empty braille cell, and the control for a next line. */
const BLANK = /[\s\u0085\u2800]+/gu;

/**
 * Characters that are not drawn but change how their neighbours are: joiners within words of the scripts that need
 * them and within emoji, variants of a character, and the region of a flag.
 */
const SHAPING = [
  // Within words of scripts other than those below.
  /(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d](?=\p{L})(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])/gu,
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu,
  /(?<=\p{Emoji})(?:\ufe0e|\ufe0f)/gu,
  /(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu,
  /(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007f}]/gu,
];

/** Whether somebody who reads the text sees anything. */
export const isVisible = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(NOT_DRAWN, '').replace(/[\u2800\u{1d159}]/gu, ''));

/** Whether a text has characters that are not drawn, or that turn it around. */
export const hasInvisible = (text: string): boolean => text.search(NOT_DRAWN) !== -1;

/**
 * A name as it is stored and shown: in NFC, in one line, without characters that are not drawn or that turn the text
 * around.
 */
export function cleanName(text: string): string {
  return drawnOnly(text)
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029\u2800]+/g, ' ')
    .trim();
}

/**
 * Removes the accents of Latin, Greek and Cyrillic letters, which people leave out when they type; in NFKD. The marks of
 * other scripts are letters to their readers: vowels of Hindi and Thai, the marks of kana.
 */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu, '');

/** A text of several lines in NFC, trimmed, in which nothing is unseen or turns it around. */
export const cleanLines = (text: string): string => drawnOnly(text.replace(/\r\n?/g, '\n')).trim();

function drawnOnly(text: string): string {
  const shaping = new Set(SHAPING.flatMap((of) => Array.from(text.matchAll(of), ({ index }) => index)));
  return text.replace(NOT_DRAWN, (char, index: number) => (shaping.has(index) ? char : '')).normalize('NFC');
}

/**
 * The form in which names are compared: two names with one form look the same, apart from the case of their letters.
 */
export const nameKey = (text: string): string =>
  foldCase(text.replace(NOT_DRAWN, '').replace(BLANK, ' ').trim().normalize('NFC')).normalize('NFC');

/** Folds the case of letters as Unicode does, `ß` with `ss`. The dotless `ı` stays another letter than `i`. */
function foldCase(text: string): string {
  return text
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .join('ı');
}

/** Whether two names look the same to a reader. */
export const isSameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other);
