import type { CalendarId } from '#calendar/calendars.ts';
import { DAY } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { type ComposeSubscriptionMail, mailLink } from './subscription-mails.ts';
import { tokenLife } from './tokens.ts';
import { startRenewal, withdraw } from './verifications.ts';

const REMIND_BEFORE = 14 * DAY;
/** Maximum mails of one run; the next run sends the others. */
const A_RUN = 500;
/** After this many failures in a row the mail server is taken to be down. */
const ENOUGH = 5;

/**
 * Mails everyone whose feed address is about to expire, one mail for all of a person's addresses. Mails that cannot be
 * sent now are tried at the next run.
 */
export async function remindOfExpiry(ctx: Context, compose: ComposeSubscriptionMail): Promise<void> {
  if (ctx.mailer.missing().length > 0) return;
  let failed = 0;
  for (const due of await listDue(ctx)) {
    const pending = await startRenewal(ctx, due);
    const sent = await mailLink(ctx, pending, compose);
    if (!sent.ok) await withdraw(ctx, pending);
    // A mail that failed permanently is not tried again every hour.
    if (sent.ok || sent.permanent) await markReminded(ctx, due.id);
    failed = sent.ok ? 0 : failed + 1;
    if (failed === ENOUGH) return;
  }
}

interface Due {
  id: string;
  calendar_id: CalendarId;
  email: string;
  name: string;
  /** The latest expiry of the addresses that are about to expire. */
  expires_at: number;
}

async function listDue(ctx: Context): Promise<Due[]> {
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

async function markReminded(ctx: Context, subscriber_id: string): Promise<void> {
  const until = ctx.now() + remindBefore(ctx.config);
  await ctx.write((tx) =>
    tx.run(
      build
        .updateTable('feed_tokens')
        .set({ reminded_at: ctx.now() })
        .where('subscriber_id', '=', subscriber_id)
        .where('expires_at', '<=', until),
    ),
  );
}

/** If tokens live only for a short time, the reminder comes in its last quarter. */
const remindBefore = (config: Config) => Math.min(REMIND_BEFORE, tokenLife(config) / 4);
