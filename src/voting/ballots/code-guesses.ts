import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import type { Limit } from '#kernel/http/rate-limit.ts';
import { codeOf, findToken, findTokenAnywhere, hashToken } from './tokens.ts';
import { isShortCode, plainCode } from './voting-code.ts';

/** Unknown short codes per election and hour; after these, addresses that try many are refused without a look-up. */
export const GUESSES_AN_HOUR = 10_000;

/** A code that a voter sent, either for a given election or, if undefined, for the election that it belongs to. */
export interface TriedCode {
  text: string;
  electionId: string | undefined;
  client: string;
}

/**
 * Looks up a code as a voter sent it. Unknown short codes are counted by election and by address; the codes of links
 * in mails are not, because their 122 random bits cannot be guessed. While an election has seen too many in an hour,
 * short codes are refused, even valid ones, from addresses that sent too many unknown ones within a minute.
 * @returns the hash of a code that exists, used or not
 * @throws 429
 */
export function tryCode(ctx: Context, code: TriedCode): string | undefined {
  ensureMayTry(ctx, code);
  const { text, electionId } = code;
  const hash = hashToken(text, electionId);
  const found =
    electionId === undefined
      ? findTokenAnywhere(ctx.db, hash, ctx.now())
      : findToken(ctx.db, electionId, hash);
  if (found) return hash;
  countUnknown(ctx, code);
  return undefined;
}

/** The first part of `tryCode`. @throws 429 for a short code that is not looked up now, see there */
export function ensureMayTry(ctx: Context, code: TriedCode): void {
  if (ctx.limiter.look(ofElection(code)).allowed || !isShort(code)) return;
  const { allowed, resetAt } = ctx.limiter.look(ofClient(ctx, code));
  if (!allowed) throw tooManyRequests('rate_limit_exceeded', resetAt - ctx.now());
}

/** Counts a code that was looked up and is unknown. */
export function countUnknown(ctx: Context, code: TriedCode): void {
  if (!isShort(code)) return;
  for (const { name, client, limit, window } of [ofClient(ctx, code), ofElection(code)])
    ctx.limiter.hit(name, client, limit, window);
}

const isShort = ({ text, electionId }: TriedCode): boolean =>
  isShortCode(plainCode(codeOf(text, electionId)) ?? '');

/** Refuses nobody by itself, so unlike limits of everybody it has no pace beyond. */
const ofElection = ({ electionId }: TriedCode): Limit => ({
  name: 'guesses of an election',
  client: electionId ?? 'any election',
  limit: GUESSES_AN_HOUR,
  window: HOUR,
});

const ofClient = (ctx: Context, { client }: TriedCode): Limit => ({
  name: 'guesses of an address',
  client,
  limit: ctx.config.RATE_LIMIT_VOTE,
});
