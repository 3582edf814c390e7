import type { MailParts } from './layout.ts';

/** What the mail that confirms a calendar subscription says. */
export interface SubscriptionMailProps {
  clubName: string;
  /** Until when the link confirms, as a ready string. */
  until: string;
  /** To a page with a button: opening it changes nothing. */
  link: string;
}

/** The request to confirm a calendar subscription. */
export function subscriptionParts({ clubName, until, link }: SubscriptionMailProps): MailParts {
  return {
    clubName,
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
  };
}
