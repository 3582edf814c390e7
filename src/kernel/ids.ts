import { randomFillSync, randomUUID } from 'node:crypto';
import { z } from 'zod';

/** A time-ordered id (UUID v7, RFC 9562): 48 bits of milliseconds, then the random bits of a v4. */
export function newId(now: number): string {
  if (now !== prefixOf.now) {
    const time = now.toString(16).padStart(12, '0');
    prefixOf = { now, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return prefixOf.text + randomUUID().slice(15);
}

/** The time part of the last id, used again for ids of the same millisecond. */
let prefixOf = { now: Number.NaN, text: '' };

/** A random id (UUID v4) that does not reveal when it was made: for tokens, ballots and requests. */
export function newRandomId(): string {
  return randomUUID();
}

const CODE_BYTES = 16;

/** 128 random bits as 32 hexadecimal digits: an inclusion code, or a salt. */
export function newCode(): string {
  if (random.used === random.bytes.length) {
    randomFillSync(random.bytes);
    random.used = 0;
  }
  const from = random.used;
  random.used += CODE_BYTES;
  return random.bytes.toString('hex', from, random.used);
}

/** The bytes of the next codes. They are filled together, which is much faster; `randomUUID` does the same. */
const random = { bytes: Buffer.alloc(128 * CODE_BYTES), used: 128 * CODE_BYTES };

/** A path parameter that is an id; a malformed id is treated like an unknown one. */
export const Id = z.string();
