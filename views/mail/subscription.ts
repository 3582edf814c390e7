import type { SubscriptionMailProps } from '#calendar/subscriptions/subscription-mails.ts';
import { type Mail, type MailLink, type MailParts, renderMail } from './layout.ts';

/** The request to confirm a calendar subscription. */
export function subscriptionMail(props: SubscriptionMailProps): Mail {
  return renderMail(subscriptionParts(props));
}

export function subscriptionParts({ club, until, link, stop }: SubscriptionMailProps): MailParts {
  return {
    club,
    subject: 'Confirm your calendar subscription',
    preheader: 'One click and the programme is in your calendar.',
    eyebrow: 'Calendar',
    heading: 'Confirm your calendar subscription',
    body: [
      {
        kind: 'text',
        text: 'Somebody, hopefully you, asked for the club’s programme in a calendar. The button confirms it.',
      },
      { kind: 'facts', facts: [['The link works until', until]] },
    ],
    link: { label: 'Confirm', href: link },
    advice: 'The link is yours alone. If you did not ask for it, you need not do anything.',
    why: 'You get this mail because your address was entered for a calendar subscription.',
    stop: stopLink(stop),
  };
}

/** The mail before a feed address expires; `until` is when the calendar would get no more updates. */
export function renewalMail({ club, until, link, stop }: SubscriptionMailProps): Mail {
  return renderMail({
    club,
    subject: 'Keep the club’s programme in your calendar',
    preheader: `One click keeps it beyond ${until}.`,
    eyebrow: 'Calendar',
    heading: 'Keep the programme in your calendar',
    body: [
      {
        kind: 'text',
        text:
          'Calendar addresses of the club expire, so that lost ones stop working. Yours is about to end. One ' +
          'click renews it in every calendar that has it; there is nothing to set up again.',
      },
      { kind: 'facts', facts: [['Without it the calendar ends', until]] },
    ],
    link: { label: 'Keep my calendar', href: link },
    advice: 'The link is yours alone. If you no longer want the calendar, you need not do anything.',
    why: 'You get this mail because you subscribed to the club’s programme.',
    stop: stopLink(stop),
  });
}

/** The answer to a subscription request for an address whose subscriptions an officer has stopped. */
export function stoppedMail({ club, stop }: Pick<SubscriptionMailProps, 'club' | 'stop'>): Mail {
  return renderMail({
    club,
    subject: 'Your calendar subscription',
    preheader: 'This address cannot subscribe at the moment.',
    eyebrow: 'Calendar',
    heading: 'Your calendar subscription',
    body: [
      {
        kind: 'text',
        text:
          'Somebody, hopefully you, asked for the club’s programme in a calendar. Subscriptions of this ' +
          'address were stopped by an officer of the club. If you think that is a mistake, please talk to one ' +
          'of them.',
      },
    ],
    why: 'You get this mail because your address was entered for a calendar subscription.',
    stop: stopLink(stop),
  });
}

function stopLink(href: string | undefined): MailLink | undefined {
  return href === undefined ? undefined : { label: 'Stop the calendar and its mails', href };
}
