import { NOT_DRAWN } from './names.ts';
import { sha256 } from './secrets.ts';

/**
 * Dashes of any kind, also the minus sign and the Japanese sign for a long vowel, which keyboards put in their place.
 */
const DASHES = /[\p{Pd}\u2212\u2043\u02d7\u30fc\uff70]/gu;

/** A typed or pasted text in plain characters: none that is not drawn, normal width, one kind of dash. */
export const plainCharacters = (text: string): string =>
  text.replace(NOT_DRAWN, '').replace(DASHES, '-').normalize('NFKC');

/** The letters and digits of a typed code: spaces, dashes and quotation marks do not matter. */
export const lettersAndDigits = (text: string): string =>
  plainCharacters(text).replace(/[^\p{L}\p{N}]/gu, '');

/** The start of a parameter that a mail program took out of a mail without decoding `=3D`. */
export const UNDECODED = /^=?3D/i;

const TOKEN = /^[^\w-]*([\w-]{43})(?![\w-])/;

/**
 * The hash of the token of a link from a mail. Characters that mail programs and chats add to a link are left
 * out: a full stop, a bracket or a quotation mark behind it, an undecoded equals sign before it.
 */
export function hashOfLinkToken(text: string): string {
  const plain = plainCharacters(text.slice(0, 200));
  const [, token] = TOKEN.exec(plain) ?? TOKEN.exec(plain.replace(UNDECODED, '')) ?? [];
  return sha256(token ?? text);
}
