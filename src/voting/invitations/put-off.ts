import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';

const SOONEST = MINUTE;
const LATEST = HOUR;
const GIVEN_UP_AFTER = DAY;

/** Of an invitation or another mail: when the mail server first put it off, and when it is tried next, in milliseconds. */
export interface PutOff {
  put_off_at: number | null;
  due_at: number | null;
}

/** Of a mail that is not put off. */
export const NOT_PUT_OFF: PutOff = { put_off_at: null, due_at: null };

/**
 * When a mail is tried again that the server puts off (a 4xx answer, RFC 5321, 4.5.4.1): as long after this try as it has
 * waited by now, a minute at the least and an hour at the most.
 * @returns undefined once that has gone on for a day: then the mail has failed
 */
export function nextTry({ put_off_at }: Pick<PutOff, 'put_off_at'>, now: number): PutOff | undefined {
  const since = put_off_at ?? now;
  if (now - since >= GIVEN_UP_AFTER) return undefined;
  return { put_off_at: since, due_at: now + Math.min(LATEST, Math.max(SOONEST, now - since)) };
}
