import { DAY } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { changeAccess, type TokenContext } from './tokens.ts';

/** The figures look back seven days; after that nobody needs to know who asked for a link. */
const LINKS_KEPT = 8 * DAY;
const KEPT = 90 * DAY;

/**
 * Forgets what is over: links after eight days, reads of the feed and dead addresses of it after ninety, and then
 * the people who have none left. Who was stopped by an officer is remembered.
 */
export async function forgetOldSubscriptions(ctx: TokenContext): Promise<void> {
  const now = ctx.now();
  await changeAccess(ctx, (tx) => {
    const links = build.deleteFrom('verifications').where('created_at', '<', now - LINKS_KEPT);
    tx.run(links.where('expires_at', '<', now));
    tx.run(build.deleteFrom('feed_accesses').where('at', '<', now - KEPT));
    const dead = now - KEPT;
    tx.run(
      build
        .deleteFrom('feed_tokens')
        .where(({ or, eb }) => or([eb('revoked_at', '<', dead), eb('expires_at', '<', dead)])),
    );
    tx.run(
      build
        .deleteFrom('subscribers')
        .where('verified_at', '<', dead)
        .where('disabled_at', 'is', null)
        .where('id', 'not in', build.selectFrom('feed_tokens').select('subscriber_id')),
    );
  });
}
