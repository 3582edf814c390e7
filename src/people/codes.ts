import { createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from '#kernel/secrets.ts';
import { lettersAndDigits } from '#kernel/typed-codes.ts';

/** Crockford's base 32: no letter looks like a digit. */
export const TYPED_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = 4;

/** A random code of `length` characters, five bits each. */
export function newTypedCode(length: number): string {
  return Array.from(randomBytes(length), (byte) => TYPED_ALPHABET[byte % 32]).join('');
}

/**
 * The code of a request that has an id: the same each time, and unknown without SECRET_KEY. So it can be mailed again
 * and is not stored.
 */
export function derivedCode(secretKey: string, purpose: string, of: string, length: number): string {
  const bytes = createHmac('sha256', deriveKey(secretKey, `code: ${purpose}`))
    .update(of)
    .digest();
  return Array.from(bytes.subarray(0, length), (byte) => TYPED_ALPHABET[byte % 32]).join('');
}

/** Formats a code for display, in groups of four: `K7P4-2MQX`. */
export const formatTypedCode = (code: string): string =>
  (code.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-');

/**
 * Reads a code as people type or paste it: letter case, width, spaces, dashes, quotation marks and invisible characters
 * do not matter, O is 0, I and L are 1.
 * @returns undefined if the length or a character is wrong
 */
export function parseTypedCode(text: string, length: number): string | undefined {
  const code = lettersAndDigits(text).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === length && [...code].every((char) => TYPED_ALPHABET.includes(char))
    ? code
    : undefined;
}

/** The stored form of a code, which without SECRET_KEY does not reveal it. @param of id of what the code belongs to */
export function codeMac(secretKey: string, purpose: string, of: string, code: string): string {
  return createHmac('sha256', deriveKey(secretKey, purpose)).update(`${of}:${code}`).digest('hex');
}
