import type { Selectable } from 'kysely';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { PasskeyChallengesTable } from '#kernel/db/schema.ts';
import { sha256 } from '#kernel/secrets.ts';

/** How long browsers wait for the person, and the service for the answer. */
export const CHALLENGE_LIVES = 5 * MINUTE;
/** Challenges of one browser at once: each of its tabs may wait for a passkey. */
const CHALLENGES_AT_MOST = 8;

/** What a challenge is for: the same browser, the same use and, for a new passkey, the same person. */
export interface ChallengeUse extends Pick<Selectable<PasskeyChallengesTable>, 'kind' | 'person_id'> {
  /** The value of the cookie of the browser that asks. */
  browser: string;
}

/** Stores a challenge until its answer comes. */
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
  });
}

/** Uses a challenge up. @returns whether it was there for this use: the same answer comes in vain a second time */
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
    // One from the future is left from before the clock was set back.
    .where('expires_at', '<=', now + CHALLENGE_LIVES);
  return (await ctx.write((tx) => tx.run(taken))) === 1;
}
