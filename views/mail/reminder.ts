import { type Mail, type MailParts, renderMail } from './layout.ts';
import { type BallotMailProps, LINK_ADVICE } from './voting-link.ts';

export type ReminderMailProps = Pick<BallotMailProps, 'clubName' | 'title' | 'closes' | 'link'>;

/** The reminder to somebody whose voting link has not been used. */
export function reminderMail(props: ReminderMailProps): Mail {
  return renderMail(reminderParts(props));
}

export function reminderParts({ clubName, title, closes, link }: ReminderMailProps): MailParts {
  return {
    clubName,
    subject: `Reminder: ${title}`,
    preheader: `Voting closes ${closes}.`,
    eyebrow: 'Your ballot is still waiting',
    heading: title,
    body: [
      { kind: 'text', text: 'Your link has not been used to vote yet.' },
      { kind: 'facts', facts: [['Voting closes', closes]] },
    ],
    link: { label: 'Vote now', href: link },
    advice: LINK_ADVICE,
    why: 'You get this mail because you were invited to vote in this election. If you have voted in the meantime, there is nothing left to do.',
  };
}
