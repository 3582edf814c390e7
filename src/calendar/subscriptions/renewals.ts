import type { CalendarId } from '#calendar/calendars.ts';
import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { OutboxMail } from '#kernel/mail/outbox.ts';
import { findSubscriber } from './subscribers.ts';
import { tokenLife } from './tokens.ts';
import { findPending, startRenewal, withdraw } from './verifications.ts';

const REMIND_BEFORE = 14 * DAY;
/** Maximum mails of one run; the next run stores the others. */
const A_RUN = 500;

/** Stores a mail for everyone whose feed address is about to expire, one for all of a person's addresses. */
export async function remindOfExpiry(ctx: Context): Promise<void> {
  if (ctx.mailer.missing().length > 0) return;
  const due = listDue(ctx);
  if (due.length === 0) return;
  await ctx.write((tx) => {
    for (const { id, ...asked } of due) {
      startRenewal(ctx, tx, asked);
      setReminded(tx, id, ctx.now() + remindBefore(ctx.config), ctx.now());
    }
  });
}

/**
 * Deletes the link of a mail that was not sent. If the server had put it off, the person is reminded anew at the next
 * run; a mail that was refused is not sent again.
 */
export function endRenewal(ctx: Context, tx: Tx, { ref, email, put_off_at }: OutboxMail): void {
  const pending = findPending(ctx, ref ?? '');
  if (!pending) return;
  withdraw(tx, pending.id);
  const subscriber = findSubscriber(tx, pending.calendar_id, email);
  if (subscriber && put_off_at !== null)
    setReminded(tx, subscriber.id, ctx.now() + remindBefore(ctx.config), null);
}

interface Due {
  id: string;
  calendar_id: CalendarId;
  email: string;
  name: string;
  /** The latest expiry of the addresses that are about to expire. */
  expires_at: number;
}

function listDue(ctx: Context): Due[] {
  const rows = ctx.db.all(
    build
      .selectFrom('feed_tokens')
      .innerJoin('subscribers', 'subscribers.id', 'feed_tokens.subscriber_id')
      .innerJoin('calendars', 'calendars.id', 'subscribers.calendar_id')
      .select(['subscribers.id', 'calendar_id', 'email', 'name'])
      .select((of) => of.fn.max('expires_at').as('expires_at'))
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', ctx.now())
      .where('expires_at', '<=', ctx.now() + remindBefore(ctx.config))
      .where('reminded_at', 'is', null)
      .where('disabled_at', 'is', null)
      .where('enabled', '=', 1)
      .groupBy('subscribers.id')
      .orderBy('expires_at')
      .limit(A_RUN),
  );
  return rows.map((row) => ({ ...row, calendar_id: row.calendar_id as CalendarId }));
}

/** @param until the latest expiry of the addresses that the mail is about */
function setReminded(tx: Tx, subscriber_id: string, until: number, reminded_at: number | null): void {
  tx.run(
    build
      .updateTable('feed_tokens')
      .set({ reminded_at })
      .where('subscriber_id', '=', subscriber_id)
      .where('expires_at', '<=', until),
  );
}

/** If tokens live only for a short time, the reminder comes in its last quarter. */
const remindBefore = (config: Config) => Math.min(REMIND_BEFORE, tokenLife(config) / 4);
