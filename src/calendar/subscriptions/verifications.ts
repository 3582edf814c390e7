import { type CalendarId, switchedOff } from '#calendar/calendars.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { forbidden, notFound, tooManyRequests } from '#kernel/http/errors.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { putMail } from '#kernel/mail/outbox.ts';
import { mailboxOf, spellingsOf } from '#kernel/mail-addresses.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { findSubscriber } from './subscribers.ts';
import { changeAccess, findLive, linkCode, mintToken, prolongTokens, tokenLife, tokenOf } from './tokens.ts';

/** How long a requested link is valid. */
const LINK_LIFE = 30 * MINUTE;
const COOLDOWN = 1 * MINUTE;
/** How long a used link gives the same answer again, for double clicks and for browsers that prefetch. */
const ANSWERS_AGAIN = 10 * MINUTE;

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    /** Both are about a row of `verifications`. */
    'calendar-link': object;
    'calendar-renewal': object;
  }
}

/** A link that is to be mailed. Only the hash of its code is stored, see `linkCode`. */
export interface Pending {
  id: string;
  code: string;
  calendar_id: CalendarId;
  email: string;
  expires_at: number;
}

interface Asked {
  calendar_id: CalendarId;
  email: string;
  name: string;
}

/**
 * Creates a link for an address. `count` is called after the check of the cooldown, and may refuse by throwing.
 * @throws 429 within 60 seconds of the last one to the same mailbox
 */
export function startVerification(
  ctx: Context,
  asked: Asked,
  count: () => void = () => undefined,
): Promise<Pending> {
  return ctx.write((tx) => {
    const now = ctx.now();
    const [name = '', domain = ''] = mailboxOf(asked.email).split('@');
    const last = tx.first(
      build
        .selectFrom('verifications')
        .select('created_at')
        // The comma is the next character after the plus: the index finds all addresses of this mailbox with a plus.
        .where(({ and, or, eb }) =>
          or([
            eb('email', 'in', [asked.email, `${name}@${domain}`]),
            and([
              eb('email', '>=', `${name}+`),
              eb('email', '<', `${name},`),
              eb('email', 'like', `%@${domain}`),
            ]),
          ]),
        )
        .where('kind', '=', 'request')
        .where('created_at', '>', now - COOLDOWN)
        // A row with a time in the future was stored by a wrong clock.
        .where('created_at', '<=', now)
        .orderBy('created_at', 'desc')
        .limit(1),
    );
    if (last) throw tooManyRequests('too_many_requests', last.created_at + COOLDOWN - now);
    count();
    return insert(ctx, tx, { ...asked, kind: 'request', now, expires_at: now + LINK_LIFE });
  });
}

/** Creates a link that renews a subscriber's feed, and its mail. It is valid until their feed address would expire. */
export function startRenewal(ctx: Context, tx: Tx, asked: Asked & { expires_at: number }): void {
  const now = ctx.now();
  const { id, email } = insert(ctx, tx, { ...asked, kind: 'renewal', now });
  putMail(tx, { kind: 'calendar-renewal', ref: id, email, facts: {} }, now);
}

/** A link that was not used and has not expired. */
export function findPending(ctx: Context, id: string): Pending | undefined {
  const found = ctx.db.first(
    build
      .selectFrom('verifications')
      .select(['calendar_id', 'email', 'expires_at'])
      .where('id', '=', id)
      .where('consumed_at', 'is', null)
      .where('expires_at', '>', ctx.now()),
  );
  if (!found) return undefined;
  return { ...found, calendar_id: found.calendar_id as CalendarId, id, code: linkCode(ctx, id) };
}

/** Deletes a link that was not mailed, and with it the cooldown. */
export function withdraw(tx: Tx, id: string): void {
  tx.run(build.deleteFrom('verifications').where('id', '=', id).where('consumed_at', 'is', null));
}

/**
 * Redeems a link: makes the person a subscriber and creates their token, once, in one transaction. For ten minutes
 * the same link returns the same token.
 * @throws 404 for a link that is unknown, expired or used up; 403 when the calendar is off or the subscriber stopped
 */
export async function verify(
  ctx: Context,
  code: string,
  actor: Actor,
): Promise<{ token: string; expires_at: number }> {
  const token = tokenOf(ctx, code);
  return changeAccess(ctx, (tx) => {
    const now = ctx.now();
    const found = tx.first(
      build
        .selectFrom('verifications')
        .innerJoin('calendars', 'calendars.id', 'verifications.calendar_id')
        .selectAll('verifications')
        .select('enabled')
        .where('code_hash', '=', hashOfLinkToken(code)),
    );
    const consumed = found?.consumed_at ?? null;
    const opens = found && (consumed === null ? found.expires_at > now : now - consumed <= ANSWERS_AGAIN);
    if (!opens) throw unknownLink();
    if (found.enabled === 0) throw switchedOff();
    const before = findSubscriber(tx, found.calendar_id, found.email);
    if (before && before.disabled_at !== null) throw forbidden('subscription_stopped');

    if (consumed !== null) {
      const live = findLive(tx, token, now);
      if (!live) throw unknownLink();
      return { token, expires_at: live.expires_at };
    }
    const claim = build.updateTable('verifications').set({ consumed_at: now }).where('id', '=', found.id);
    if (tx.run(claim.where('consumed_at', 'is', null)) !== 1) throw unknownLink();
    const subscriber_id = keepSubscriber(tx, found, now);
    const expires_at = now + tokenLife(ctx.config);
    const renewal = found.kind === 'renewal';
    if (renewal) prolongTokens(tx, { subscriber_id, now, expires_at });
    mintToken(tx, { token, subscriber_id, now, expires_at });
    const metadata = { calendar_id: found.calendar_id, subscriber_id, ...(renewal && { renewal }) };
    recordAudit(tx, actor, { action: 'subscription.verified', metadata });
    return { token, expires_at };
  });
}

const unknownLink = () => notFound('link_unknown');

function insert(
  ctx: Context,
  tx: Tx,
  asked: Asked & { kind: 'request' | 'renewal'; now: number; expires_at: number },
): Pending {
  const { calendar_id, email, name, kind, now, expires_at } = asked;
  const id = newRandomId();
  const code = linkCode(ctx, id);
  const row = { id, calendar_id, email, name, kind, created_at: now, expires_at, consumed_at: null };
  tx.run(build.insertInto('verifications').values({ ...row, code_hash: sha256(code) }));
  return { id, code, calendar_id, email, expires_at };
}

/** Creates a subscriber, or restores one who had unsubscribed. @returns their id */
function keepSubscriber(
  tx: Tx,
  { calendar_id, email, name }: { calendar_id: string; email: string; name: string },
  now: number,
): string {
  const kept = { name, search: `${name} ${spellingsOf(email).join(' ')}`.toLowerCase(), verified_at: now };
  const row = { id: newId(now), calendar_id, email, created_at: now, ...kept };
  const found = tx.first(
    build
      .insertInto('subscribers')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['calendar_id', 'email']).doUpdateSet({ ...kept, left_at: null }),
      )
      .returning('id'),
  );
  return found!.id;
}
