import { z } from 'zod';
import type { CalendarId } from '#calendar/calendars.ts';
import { ensureBaseUrl } from '#calendar/feed/feed-links.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import { open, seal, sha256 } from '#kernel/secrets.ts';
import { findSubscriber, type Subscriber } from './subscribers.ts';
import { changeAccess, revokeTokens, type TokenContext } from './tokens.ts';

const PURPOSE = 'calendar unsubscribe';

/** Whose mails and feed are to stop. */
export interface Leaving {
  calendar_id: string;
  email: string;
}

/** The address that ends a subscription: sealed, so that it can neither be made up nor read. It lives for ever. */
export function unsubscribeUrl(ctx: Context, calendar_id: CalendarId, email: string): string {
  const u = seal(ctx.secretKey, PURPOSE, JSON.stringify({ calendar_id, email }));
  return `${ensureBaseUrl(ctx.config)}/api/subs/unsubscribe?u=${u}`;
}

/** Whom such an address means. @throws 404 */
export function readUnsubscribe(ctx: Context, u: string): Leaving {
  const sealed = open(ctx.secretKey, PURPOSE, u);
  if (sealed === undefined) throw notFound('No calendar has this link: it may be incomplete');
  return LeavingShape.parse(JSON.parse(sealed));
}

/** Whom a token of the feed belongs to. @throws 404 unless it is one, live or not */
export function ownerOf(ctx: Context, token: string): Leaving {
  const owner = ctx.db.first(
    build
      .selectFrom('feed_tokens')
      .innerJoin('subscribers', 'subscribers.id', 'feed_tokens.subscriber_id')
      .select(['calendar_id', 'email'])
      .where('token_hash', '=', sha256(token)),
  );
  if (!owner) throw notFound('No calendar has this link: it may be incomplete');
  return owner;
}

/**
 * Ends a subscription: every address of the feed dies, links under way too, and no mail follows. Signing up again is
 * free; who was stopped by an officer stays so. Doing it twice changes nothing.
 */
export async function unsubscribe(
  ctx: TokenContext,
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
