import { z } from 'zod';
import type { CalendarId } from '#calendar/calendars.ts';
import { ensureBaseUrl } from '#calendar/feed/feed-links.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { open, seal } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { findSubscriber, type Subscriber } from './subscribers.ts';
import { changeAccess, revokeTokens } from './tokens.ts';

const PURPOSE = 'calendar unsubscribe';

/** The subscription to end. */
export interface Leaving {
  calendar_id: string;
  email: string;
}

/** Returns the address that ends a subscription. It is encrypted, so it cannot be forged or read. It never expires. */
export function unsubscribeUrl(ctx: Context, calendar_id: CalendarId, email: string): string {
  const u = seal(ctx.secretKey, PURPOSE, JSON.stringify({ calendar_id, email }));
  return `${ensureBaseUrl(ctx.config)}/api/subs/unsubscribe?u=${u}`;
}

/** Reads the subscription from such an address. @throws 404 */
export function readUnsubscribe(ctx: Context, u: string): Leaving {
  const sealed = open(ctx.secretKey, PURPOSE, u);
  if (sealed === undefined) throw notFound('no_calendar_of_link');
  return LeavingShape.parse(JSON.parse(sealed));
}

/** Finds the subscription of a feed token, live or not. @throws 404 for an unknown token */
export function ownerOf(ctx: Context, token: string): Leaving {
  const owner = ctx.db.first(
    build
      .selectFrom('feed_tokens')
      .innerJoin('subscribers', 'subscribers.id', 'feed_tokens.subscriber_id')
      .select(['calendar_id', 'email'])
      .where('token_hash', '=', hashOfLinkToken(token)),
  );
  if (!owner) throw notFound('no_calendar_of_link');
  return owner;
}

/**
 * Ends a subscription: revokes its feed addresses, deletes pending links, and sends no more mails. The person may sign
 * up again; a subscriber stopped by an officer stays disabled. A second call changes nothing.
 */
export async function unsubscribe(
  ctx: Context,
  { calendar_id, email }: Leaving,
  actor: Actor,
): Promise<void> {
  await changeAccess(ctx, (tx) => {
    const pending = build.deleteFrom('verifications').where('calendar_id', '=', calendar_id);
    tx.run(pending.where('email', '=', email).where('consumed_at', 'is', null));
    const subscriber = findSubscriber(tx, calendar_id, email);
    if (subscriber && subscriber.left_at === null) leave(tx, subscriber, ctx.now(), actor);
  });
}

function leave(tx: Tx, { id, calendar_id, disabled_at }: Subscriber, now: number, actor: Actor): void {
  const tokens_revoked = revokeTokens(tx, id, now);
  if (disabled_at !== null) return;
  tx.run(build.updateTable('subscribers').set({ left_at: now }).where('id', '=', id));
  const metadata = { calendar_id, subscriber_id: id, tokens_revoked };
  recordAudit(tx, actor, { action: 'subscriber.unsubscribed', metadata });
}

const LeavingShape = z.object({ calendar_id: z.string(), email: z.string() });
