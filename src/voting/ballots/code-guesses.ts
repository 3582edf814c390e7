import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY } from '#kernel/http/rate-limit.ts';
import { findToken, findTokenAnywhere, hashToken } from './tokens.ts';
import { isShortCode, plainCode } from './voting-code.ts';

/** Unknown short codes that may be tried on an election in an hour before addresses that try many are refused unread. */
export const GUESSES_AN_HOUR = 10_000;

/** A code that a voter sent: for an election, or typed where the code alone says which one. */
export interface TriedCode {
  text: string;
  electionId: string | undefined;
  client: string;
}

/**
 * Looks up a code as a voter sent it. Unknown short codes are counted by election and address: links in mails have 122
 * random bits, and nobody guesses those. While an election has seen too many in an hour, addresses that sent too many
 * within a minute are refused whatever they send; before that a valid code passes at any address.
 * @returns the hash of a code that exists, used or not
 * @throws 429
 */
export function tryCode(ctx: Context, { text, electionId, client }: TriedCode): string | undefined {
  const isShort = isShortCode(plainCode(text) ?? '');
  const ofElection = {
    ...{ name: 'guesses of an election', client: electionId ?? EVERYBODY },
    ...{ limit: GUESSES_AN_HOUR, window: HOUR },
  };
  const ofClient = { name: 'guesses of an address', client, limit: ctx.config.RATE_LIMIT_VOTE };
  if (isShort && !ctx.limiter.look(ofElection).allowed) {
    const { allowed, resetAt } = ctx.limiter.look(ofClient);
    if (!allowed) throw tooManyRequests('Rate limit exceeded', resetAt - ctx.now());
  }
  const hash = hashToken(text);
  const found =
    electionId === undefined ? findTokenAnywhere(ctx.db, hash) : findToken(ctx.db, electionId, hash);
  if (found) return hash;
  if (isShort) {
    for (const { name, client: who, limit, window } of [{ ...ofClient, window: undefined }, ofElection])
      ctx.limiter.hit(name, who, limit, window);
  }
  return undefined;
}
