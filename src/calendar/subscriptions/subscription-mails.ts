import { ensureBaseUrl } from '#calendar/feed/feed-links.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import { findSubscriber } from './subscribers.ts';
import { unsubscribeUrl } from './unsubscribing.ts';
import { findPending } from './verifications.ts';

/** The data of a mail about a calendar subscription. */
export interface SubscriptionMailProps {
  club: MailClub;
  /** Until when the link works, or when the calendar ends. */
  until: Words;
  /** Opens a page with a button; opening it changes nothing. */
  link: string;
  /** Opens the page that ends the subscription. */
  stop?: string | undefined;
}

/** @throws 500 naming the variables without which no mail can be sent */
export function ensureMailConfigured(ctx: Context): void {
  const missing = ctx.mailer.missing();
  if (missing.length > 0) throw new AppError(500, 'configuration_missing', { names: missing });
}

/** What the mail of a link is made of; undefined if the link was used, withdrawn or has expired. */
export function findLinkMail(ctx: Context, id: string) {
  const pending = findPending(ctx, id);
  if (!pending) return undefined;
  const { code, calendar_id, email, expires_at } = pending;
  const stop = unsubscribeUrl(ctx, calendar_id, email);
  const props: SubscriptionMailProps = {
    club: mailClub(ctx.config),
    until: formatWhen(expires_at, ctx.config.TIME_ZONE),
    // A page with a button, so that programs that open every link of a mail do not use it up.
    link: `${ensureBaseUrl(ctx.config)}/subscribe-programs/confirm?v=${code}`,
    stop,
  };
  const headers = { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  const isStopped = findSubscriber(ctx.db, calendar_id, email)?.disabled_at != null;
  return { props, headers, isStopped };
}
