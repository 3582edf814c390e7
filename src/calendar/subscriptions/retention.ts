import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { changeAccess } from './tokens.ts';

/** The statistics cover seven days; after that the requests for links are not needed. */
const LINKS_KEPT = 8 * DAY;
const KEPT = 90 * DAY;

/**
 * Deletes old data: expired links after eight days, reads of the feed and expired or revoked feed addresses after
 * ninety, and then the subscribers without an address. Subscribers who were stopped by an officer are kept.
 */
export async function forgetOldSubscriptions(ctx: Context): Promise<void> {
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
