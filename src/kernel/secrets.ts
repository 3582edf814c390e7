import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import { DatabaseError } from './db/database-error.ts';

/** SHA-256, lower-case hex: the form in which tokens, codes and submission ids are stored. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** Derives 32 key bytes for one purpose from SECRET_KEY (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'publichouse', purpose, 32));
}

/**
 * Reads the secret key from a file beside the database; creates the file (mode 0600) at the first start.
 * @throws DatabaseError when the file cannot be read or written, or holds less than 32 characters: encrypted data could
 *   not be read with another key.
 */
export function keyFromFile(file: string): string {
  const key = readOrMakeKey(file);
  if (key.length < 32)
    throw new DatabaseError(`The key file ${file} is damaged: it should hold at least 32 characters`);
  return key;
}

function readOrMakeKey(file: string): string {
  try {
    // `wx`: if two processes start together, one writes the key and the other reads it.
    fs.writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new DatabaseError(`The key file ${file} cannot be written: ${message}`);
  }
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new DatabaseError(`The key file ${file} cannot be read: ${(error as Error).message}`);
  }
}

const SEALED_AS = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text for one purpose, so that only `open` can read it (AES-256-GCM, each with a random nonce). */
export function seal(secretKey: string, purpose: string, plaintext: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secretKey, purpose), nonce);
  const sealed = [nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return SEALED_AS + Buffer.concat(sealed).toString('base64url');
}

/** Decrypts the output of `seal`; undefined if it was changed, or sealed with another key or for another purpose. */
export function open(secretKey: string, purpose: string, sealed: string): string | undefined {
  if (!sealed.startsWith(SEALED_AS)) return undefined;
  const bytes = Buffer.from(sealed.slice(SEALED_AS.length), 'base64url');
  // The decoder ignores invalid characters and the unused bits of the last one, which the tag does not cover.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || SEALED_AS + bytes.toString('base64url') !== sealed)
    return undefined;
  const decipher = createDecipheriv(
    'aes-256-gcm',
    sealingKey(secretKey, purpose),
    bytes.subarray(0, NONCE_BYTES),
  );
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function sealingKey(secretKey: string, purpose: string): Buffer {
  return deriveKey(secretKey, `seal: ${purpose}`);
}
