import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';

/** A time-ordered id (UUID v7, RFC 9562): 48 bits of milliseconds, then the random bits of a v4. */
export function newId(now: number): string {
  if (now !== prefixOf.now) {
    const time = now.toString(16).padStart(12, '0');
    prefixOf = { now, text: `${time.slice(0, 8)}-${time.slice(8)}-7` };
  }
  return prefixOf.text + randomUUID().slice(15);
}

/** Of the last id: what arrives together has it in common. */
let prefixOf = { now: Number.NaN, text: '' };

/** A random id (UUID v4) that says nothing of when it was made: for tokens and ballots. */
export function newRandomId(): string {
  return randomUUID();
}

/** Makes ids for the requests of one run: a random beginning and a count, which costs less than chance each time. */
export function requestIds(): () => string {
  const run = randomUUID().slice(0, 24);
  let count = 0;
  return () => {
    count += 1;
    return run + count.toString(16).padStart(12, '0');
  };
}

/** 128 random bits as 32 hexadecimal digits: an inclusion code. */
export function newCode(): string {
  return randomBytes(16).toString('hex');
}

/** A path parameter that is an id; a malformed one is found as little as an unknown one. */
export const Id = z.string();
