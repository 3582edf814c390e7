import type { SubscriptionMailProps } from '#calendar/subscriptions/subscription-mails.ts';
import { t } from '#kernel/language/message.ts';
import type { MailLink, MailParts } from './layout.ts';

/** The request to confirm a calendar subscription. */
export function subscriptionMail({ club, until, link, stop }: SubscriptionMailProps): MailParts {
  return {
    club,
    subject: t('mail.subscription.confirm'),
    preheader: t('mail.subscription.one_click'),
    eyebrow: t('mail.subscription.eyebrow'),
    heading: t('mail.subscription.confirm'),
    body: [
      { kind: 'text', text: t('mail.subscription.asked') },
      { kind: 'facts', facts: [[t('mail.subscription.until'), until]] },
    ],
    link: { label: t('mail.subscription.button'), href: link },
    advice: t('mail.subscription.advice'),
    why: t('mail.subscription.why'),
    stop: stopLink(stop),
  };
}

/** The mail before a feed address expires; `until` is when the calendar would get no more updates. */
export function renewalMail({ club, until, link, stop }: SubscriptionMailProps): MailParts {
  return {
    club,
    subject: t('mail.renewal.subject'),
    preheader: t('mail.renewal.preheader', { until }),
    eyebrow: t('mail.subscription.eyebrow'),
    heading: t('mail.renewal.heading'),
    body: [
      { kind: 'text', text: t('mail.renewal.expires') },
      { kind: 'facts', facts: [[t('mail.renewal.until'), until]] },
    ],
    link: { label: t('mail.renewal.button'), href: link },
    advice: t('mail.renewal.advice'),
    why: t('mail.renewal.why'),
    stop: stopLink(stop),
  };
}

/** The answer to a subscription request for an address whose subscriptions an officer has stopped. */
export function stoppedMail({ club, stop }: Pick<SubscriptionMailProps, 'club' | 'stop'>): MailParts {
  return {
    club,
    subject: t('mail.stopped.subject'),
    preheader: t('mail.stopped.preheader'),
    eyebrow: t('mail.subscription.eyebrow'),
    heading: t('mail.stopped.subject'),
    body: [{ kind: 'text', text: t('mail.stopped.text') }],
    why: t('mail.subscription.why'),
    stop: stopLink(stop),
  };
}

function stopLink(href: string | undefined): MailLink | undefined {
  return href === undefined ? undefined : { label: t('mail.subscription.stop'), href };
}
