import { ensureBaseUrl } from '#calendar/feed/feed-links.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { type MailClub, mailClub } from '#kernel/mail/club.ts';
import type { SendResult } from '#kernel/mail/mailer.ts';
import { unsubscribeUrl } from './unsubscribing.ts';
import type { Pending } from './verifications.ts';

/** The longest time that a request for a mail waits until the mail is sent. */
const WITHIN = 9 * SECOND;

/** The data of a mail about a calendar subscription. */
export interface SubscriptionMailProps {
  club: MailClub;
  /** The formatted time until which the link works, or at which the calendar ends. */
  until: string;
  /** Opens a page with a button, which changes nothing by itself. */
  link: string;
  /** Opens the page that ends the subscription. */
  stop?: string | undefined;
}

/** Composes a mail about a calendar subscription; the caller provides the wording. */
export type ComposeSubscriptionMail = (props: SubscriptionMailProps) => {
  subject: string;
  text: string;
  html: string;
};

/** @throws 500 naming the variables without which no mail can be sent */
export function ensureMailConfigured(ctx: Context): void {
  const missing = ctx.mailer.missing();
  if (missing.length > 0) throw new AppError(500, `Missing configuration: ${missing.join(', ')}`);
}

/** Mails a link to its address. Never throws for a failed mail. */
export function mailLink(
  ctx: Context,
  pending: Pending,
  compose: ComposeSubscriptionMail,
): Promise<SendResult> {
  const { id, code, calendar_id, email, expires_at } = pending;
  const stop = unsubscribeUrl(ctx, calendar_id, email);
  const mail = compose({
    club: mailClub(ctx.config),
    until: formatWhen(expires_at, ctx.config.TIME_ZONE),
    // A page with a button, so that programs that open every link of a mail do not use it up.
    link: `${ensureBaseUrl(ctx.config)}/subscribe-programs/confirm?v=${code}`,
    stop,
  });
  const headers = { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return ctx.mailer.send({ to: email, id: `calendar-${id}`, headers, ...mail }, { within: WITHIN });
}
