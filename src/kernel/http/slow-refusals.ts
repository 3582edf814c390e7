import type { onSendHookHandler } from 'fastify';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { EVERYBODY } from './rate-limit.ts';

/** Refused keys, tokens and codes an hour, of all clients together, beyond which each further answer is delayed. */
export const SLOWED: readonly { beyond: number; ms: number }[] = [
  { beyond: 1_000, ms: 50 },
  { beyond: 10_000, ms: 200 },
  { beyond: 100_000, ms: 1_000 },
];

/**
 * An onSend hook: delays 401 answers while the whole service refuses many. Limits per client do not stop somebody who
 * has many addresses, and a limit of all clients that refused would let them lock everybody out.
 */
export function slowRefusals({ limiter }: Pick<Context, 'limiter'>): onSendHookHandler {
  return (_request, reply, payload, done) => {
    if (reply.statusCode !== 401) return done(null, payload);
    const exceeded = SLOWED.filter(
      ({ beyond }) => !limiter.hit(`refused, beyond ${beyond}`, EVERYBODY, beyond, HOUR).allowed,
    );
    const delay = exceeded.at(-1)?.ms;
    if (delay === undefined) done(null, payload);
    else setTimeout(done, delay, null, payload);
  };
}
