import type { Selectable } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { PasskeyChallengesTable } from '#kernel/db/schema.ts';
import { sha256 } from '#kernel/secrets.ts';
import { tidy } from '#people/short-lived.ts';

/** How long browsers wait for the user, and the service for the response. */
export const CHALLENGE_LIVES = 5 * MINUTE;
/** Pending challenges of one browser: each of its tabs may wait for a passkey. */
const CHALLENGES_AT_MOST = 8;

/** What a challenge is bound to: one browser, one use and, for a new passkey, one person. */
export interface ChallengeUse extends Pick<Selectable<PasskeyChallengesTable>, 'kind' | 'person_id'> {
  /** The value of the browser's ask cookie. */
  browser: string;
}

/** Stores a challenge until its response arrives. */
export async function storeChallenge(
  ctx: Context,
  challenge: string,
  { browser, kind, person_id }: ChallengeUse,
): Promise<void> {
  const browser_hash = sha256(browser);
  const expires_at = ctx.now() + CHALLENGE_LIVES;
  await ctx.write((tx) => {
    tx.run(
      build.insertInto('passkey_challenges').values({ challenge, browser_hash, kind, person_id, expires_at }),
    );
    const surplus = build
      .selectFrom('passkey_challenges')
      .select('challenge')
      .where('browser_hash', '=', browser_hash)
      .orderBy('expires_at', 'desc')
      .limit(-1)
      .offset(CHALLENGES_AT_MOST);
    tx.run(build.deleteFrom('passkey_challenges').where('challenge', 'in', surplus));
    tidy(tx, 'passkey_challenges', ctx.now());
  });
}

/** Consumes a challenge. @returns whether it was stored for this use; false for a repeated response */
export async function takeChallenge(
  ctx: Context,
  challenge: string,
  { browser, kind, person_id }: ChallengeUse,
): Promise<boolean> {
  const now = ctx.now();
  const taken = build
    .deleteFrom('passkey_challenges')
    .where('challenge', '=', challenge)
    .where('browser_hash', '=', sha256(browser))
    .where('kind', '=', kind)
    .where('person_id', 'is', person_id)
    .where('expires_at', '>', now)
    // A challenge from the future was stored before the clock was set back.
    .where('expires_at', '<=', now + CHALLENGE_LIVES);
  return (await ctx.write((tx) => tx.run(taken))) === 1;
}
