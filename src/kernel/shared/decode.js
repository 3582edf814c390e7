// This module also runs in browsers.

/** @typedef {{ text: string, encoding: string }} DecodedFile the text of a file, and the encoding in which it was read */

/** A file that is not text. */
export class NoTextFile extends Error {}

/** The first bytes of files that are not text: zip archives (current spreadsheets), older spreadsheets, PDF. */
const NO_TEXTS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x25, 0x50, 0x44, 0x46],
];

/** The characters of the DOS code page 850 from 0x80 on; for the letters that names have, 437 is the same. */
const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/**
 * Decodes a list that somebody brings.
 * @param {Uint8Array} bytes
 * @returns {DecodedFile}
 * @throws NoTextFile for a spreadsheet or another file that is not text
 */
export function decodeFile(bytes) {
  if (NO_TEXTS.some((start) => start.every((byte, at) => bytes[at] === byte))) throw new NoTextFile();
  return decodeText(bytes);
}

/**
 * Decodes a text by its byte order mark, which is removed; without one as UTF-16 if it has the zero bytes of it, as
 * UTF-8 if it is that, else in the named charset. With none, a few bytes that are not UTF-8 become U+FFFD; with more
 * the 8-bit encoding is taken whose characters look most like words.
 * @param {Uint8Array} bytes
 * @param {string} [charset] of the Content-Type; unknown names are ignored
 * @returns {DecodedFile}
 */
export function decodeText(bytes, charset) {
  const wide = wideEncoding(bytes);
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: 'UTF-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    const named = charset === undefined ? undefined : decoderOf(charset);
    if (named) return { text: named.decode(bytes), encoding: named.encoding };
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  const wrong = text.match(/\ufffd/g)?.length ?? 0;
  const right = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  if (right > wrong) return { text, encoding: 'UTF-8' };
  const [best = { text, encoding: 'UTF-8' }] = [
    { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' },
    { text: decodeDos(bytes), encoding: 'DOS (code page 850)' },
    { text: new TextDecoder('macintosh').decode(bytes), encoding: 'Mac Roman' },
  ]
    .map((decoded) => ({ decoded, score: likeness(decoded.text) }))
    .sort((a, b) => b.score - a.score)
    .map(({ decoded }) => decoded);
  return best;
}

const SAMPLE = 512;

/**
 * The encoding of a file in UTF-16, with or without a byte order mark. Even in Chinese text the line breaks, separators
 * and digits have a zero byte, always on the same side; single zero bytes of other files count as nothing.
 * @param {Uint8Array} bytes
 * @returns {'utf-16le' | 'utf-16be' | undefined}
 */
export function wideEncoding(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  let [even, odd] = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) {
      if (at % 2 === 0) even += 1;
      else odd += 1;
    }
  if (Math.max(even, odd) <= sample.length / 16 || Math.max(even, odd) <= 3 * Math.min(even, odd))
    return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** @param {string} charset */
function decoderOf(charset) {
  try {
    return new TextDecoder(charset.trim());
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes */
function decodeDos(bytes) {
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : DOS[byte - 0x80];
  return text;
}

/**
 * How much the characters beyond ASCII look like letters of words: small ones within, capitals at the start.
 * @param {string} text
 */
function likeness(text) {
  let score = 0;
  for (const { 0: char, index } of text.matchAll(/[^\0-\x7f]/g)) {
    const [before = '', after = ''] = [text[index - 1], text[index + 1]];
    const inWord = /\p{L}/u.test(before) || /\p{L}/u.test(after);
    if (/[\p{Ll}]/u.test(char) && char !== 'ƒ') score += inWord ? 1 : -1;
    else if (/\p{Lu}/u.test(char)) score += /\p{Ll}/u.test(before) ? -1 : /\p{L}/u.test(after) ? 1 : 0;
    else if (/[’‘“”–—€]/.test(char)) score += 1;
    else score -= inWord ? 2 : 1;
  }
  return score;
}

/**
 * What in a decoded text looks wrongly decoded: the code of its words, how many lines have it, the numbers of the first
 * of them with commas, whether there are more, and a word with it.
 * @typedef {{ code: 'import_unreadable_characters' | 'import_wrong_letters', n: number, lines: string,
 *   more: 'more' | 'other', found: string }} Doubt
 */

/** @param {string} text @returns {Doubt[]} */
export function listDoubts(text) {
  const lines = text.split('\n');
  /** @param {Doubt['code']} code @param {RegExp} pattern @returns {Doubt[]} */
  const doubt = (code, pattern) => {
    const places = lines.flatMap((line, index) => {
      const at = line.search(pattern);
      return at === -1 ? [] : [{ line: index + 1, found: wordAt(line, at) }];
    });
    const [first] = places;
    if (!first) return [];
    const named = places.slice(0, LINES_NAMED).map(({ line }) => line);
    const more = places.length > LINES_NAMED ? 'more' : 'other';
    return [{ code, n: places.length, lines: named.join(', '), more, found: first.found }];
  };
  return [
    ...doubt('import_unreadable_characters', /[\ufffd\x80-\x84\x86-\x9f]/),
    ...doubt('import_wrong_letters', /[ÃÂ][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ¡-¿]/),
  ];
}

/** Most characters of a word that are shown before and after the place that is meant. */
const SHOWN = 40;

/**
 * The word at a place of a line.
 * @param {string} line
 * @param {number} at
 */
function wordAt(line, at) {
  const before =
    line
      .slice(Math.max(0, at - SHOWN), at)
      .split(/\s/)
      .pop() ?? '';
  const [after = ''] = line.slice(at, at + SHOWN).split(/\s/);
  return before + after;
}

const LINES_NAMED = 5;
