import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { MailReason } from './reasons.ts';

/** Time-outs of one dialogue with a mail server, in milliseconds. */
export interface DialogueLimits {
  /** Finding the server and connecting to it. */
  connect: number;
  /** Waiting for its greeting. */
  greeting: number;
  /** Its longest silence afterwards: the answer to the final dot of a mail is what takes longest. */
  silence: number;
  /** One try as a whole, even if the server keeps sending slowly. */
  attempt: number;
}

/** The limits of the queue. Nobody waits for it, so a server has the times of RFC 5321, 4.5.3.2. */
export const QUEUE_LIMITS: DialogueLimits = {
  connect: 30 * SECOND,
  greeting: 5 * MINUTE,
  silence: 10 * MINUTE,
  attempt: 45 * MINUTE,
};

/** How long a request waits for the outcome of a mail. */
export const REQUEST_WAITS = 30 * SECOND;
/** The same where an officer tests the server, or where the old server is to carry a warning first. */
export const TEST_WAITS = 20 * SECOND;
/** A mail that the server got and did not answer may have arrived: it is not sent again sooner. */
export const UNSURE_FOR = HOUR;

/** Why such a mail is unsure. */
export const NO_ANSWER =
  'The mail server got the mail and did not say whether it takes it' satisfies MailReason;
