import { plainCharacters, UNDECODED } from '#kernel/typed-codes.ts';
import { formatTypedCode, newTypedCode, TYPED_ALPHABET } from '#people/codes.ts';

/** A short code: 15 random characters of five bits, then a check character. */
const LENGTH = 16;
/** Characters that are read of a text. A pasted link is shorter, even with everything that mail filters add to it. */
const READ_AT_MOST = 4_000;
/** A longer text is not treated as a typed code. */
const TYPED_AT_MOST = 200;

/** The reason why a text contains no voting code. */
export type CodeProblem = { state: 'empty' | 'misread' | 'unreadable' } | { state: 'length'; length: number };

/** Returns a voting code of 75 random bits for printed slips, as it is shown and hashed: `K7P4-2MQX-9TDW-5HRC`. */
export function newShortCode(): string {
  const code = newTypedCode(LENGTH - 1);
  // The last character makes the checksum zero; adding it doubles the sum again.
  return formatTypedCode(code + TYPED_ALPHABET[times2(checksum(code))]);
}

/** Whether a code, as `readVotingCode` returns it, is a short one. */
export const isShortCode = (code: string): boolean => code.length === LENGTH + 3;

/**
 * Finds the voting code in a typed or pasted text. Letter case, spaces and dashes of any kind are ignored, O is read as
 * 0, I and L as 1. The code may be inside a link or a sentence.
 * @returns the code in its plain spelling, or why there is none
 */
export function readVotingCode(text: string): { code: string } | CodeProblem {
  if (PLAIN_UUID.test(text)) return { code: text };
  const decoded = plainCharacters(decode(text.slice(0, READ_AT_MOST)));
  const parameters = Array.from(decoded.matchAll(/[?&]t=([^&#\s]*)/gi), ([, value = '']) => value);
  for (const source of [...parameters, decoded]) {
    const bare = source.trim().replace(UNDECODED, '');
    // The end of a mailed code can be a short code by chance.
    const code = findUuid(source) ?? findUuid(bare) ?? findShortCode(source) ?? findShortCode(bare);
    if (code !== undefined) return { code };
  }
  // In a link or a long text it is not known which part was meant as the code, so its length cannot be reported.
  return /[/@]/.test(decoded) || decoded.length > TYPED_AT_MOST
    ? { state: 'unreadable' }
    : problemOf(wordsOf(decoded));
}

/**
 * Returns a code from a program or a link in its plain spelling. Letter case, width, spaces and dashes are ignored, so
 * are quotation marks and brackets around it, and characters that a mail program adds to a link: a full stop
 * behind the code, an undecoded equals sign before it. Undefined if the text contains anything else.
 */
export function plainCode(text: string): string | undefined {
  if (PLAIN_UUID.test(text) || isPrintedCode(text)) return text;
  const joined = plainCharacters(decode(text.slice(0, TYPED_AT_MOST + 1)))
    .replace(/^["'`=<\p{Ps}\p{Pi}\p{Pf}\s]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/[\s-]/g, '');
  const whole = (code: string) =>
    /^[\p{L}\p{N}]{16,32}$/u.test(code) ? (findUuid(code) ?? findShortCode(code)) : undefined;
  return whole(joined) ?? whole(joined.replace(UNDECODED, ''));
}

const PLAIN_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a short code exactly as it is printed: phones send it so with every request. */
const isPrintedCode = (text: string): boolean =>
  PRINTED.test(text) && checksum(text.replaceAll('-', '')) === 0;

const PRINTED = /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/;

/** Decodes percent-encoding up to three times: a link inside a link is encoded twice. */
function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('%'); round++)
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_all, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return decoded;
}

/** Splits a text into words, with the characters of a code that they may stand for. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKC').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words that are joined by dashes, as a code is printed. It begins at a word, so that a long one is read only once. */
const JOINED_BY_DASHES = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:\s*\p{Pd}\s*[\p{L}\p{N}]+)+/gu;

/** The code of a mail. */
function findUuid(text: string): string | undefined {
  const uuid = joinedWords(wordsOf(text), 32).find((one) => /^[0-9A-F]{12}4[0-9A-F]{19}$/.test(one));
  return uuid?.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function findShortCode(text: string): string | undefined {
  const words = wordsOf(text);
  // Other words can have a code's length and check character by chance. So words joined by dashes are tried first, then
  // groups of four, then all words; of several valid codes the last one counts, because a label precedes its code.
  const groups = words.filter(({ length }) => length === 4);
  const places = [
    ...Array.from(text.matchAll(JOINED_BY_DASHES), ([joined]) => wordsOf(joined)),
    groups,
    words,
  ];
  const codes = places.map((place) => joinedWords(place, LENGTH).findLast(isValid));
  const code = codes.find((one) => one !== undefined);
  return code === undefined ? undefined : formatTypedCode(code);
}

/** Joins adjacent words that have `length` characters together. */
function joinedWords(words: readonly string[], length: number): string[] {
  return words.flatMap((_, start) => {
    let joined = '';
    for (let at = start; at < words.length && joined.length < length; at++) joined += words[at];
    return joined.length === length ? [joined] : [];
  });
}

function problemOf(words: readonly string[]): CodeProblem {
  const { length } = words.join('');
  if (length === 0) return { state: 'empty' };
  const isGrouped = words.some((_, at) => [0, 1, 2, 3].every((next) => words[at + next]?.length === 4));
  if (length === LENGTH || isGrouped) return { state: 'misread' };
  return length > 8 && length < 24 ? { state: 'length', length } : { state: 'unreadable' };
}

const isValid = (code: string): boolean =>
  [...code].every((char) => TYPED_ALPHABET.includes(char)) && checksum(code) === 0;

/**
 * A weighted sum over GF(32): the weight of each character is a different power of 2, never zero. So one wrong
 * character, and a swap of any two, are always detected.
 */
function checksum(code: string): number {
  return [...code].reduce((sum, char) => times2(sum) ^ TYPED_ALPHABET.indexOf(char), 0);
}

/** Multiplies by 2 in GF(32), modulo x^5 + x^2 + 1: 2 generates all 31 elements that are not zero. */
function times2(value: number): number {
  const doubled = value << 1;
  return doubled & 32 ? doubled ^ 0b100101 : doubled;
}
