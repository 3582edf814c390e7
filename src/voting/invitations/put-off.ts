import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';

const SOONEST = MINUTE;
const LATEST = HOUR;
const GIVEN_UP_AFTER = DAY;

/** When the mail server first deferred a mail, and when the mail is tried again, in milliseconds. */
export interface PutOff {
  put_off_at: number | null;
  due_at: number | null;
}

/** The values for a mail that is not deferred. */
export const NOT_PUT_OFF: PutOff = { put_off_at: null, due_at: null };

/**
 * Returns when to try a mail again that the server deferred (a 4xx answer, RFC 5321, 4.5.4.1): the pause is the time
 * since the first deferral, at least a minute and at most an hour.
 * @returns undefined after a day: then the mail has failed
 */
export function nextTry({ put_off_at }: Pick<PutOff, 'put_off_at'>, now: number): PutOff | undefined {
  const since = put_off_at ?? now;
  if (now - since >= GIVEN_UP_AFTER) return undefined;
  return { put_off_at: since, due_at: now + Math.min(LATEST, Math.max(SOONEST, now - since)) };
}
