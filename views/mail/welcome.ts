import type { MailClub } from '#kernel/mail/club.ts';
import { type Mail, renderMail } from './layout.ts';

/** Tells a member whom a list brought onto the roll where they sign in. @param link of the sign-in page */
export function welcomeMail({ club, name, link }: { club: MailClub; name: string; link: string }): Mail {
  return renderMail({
    club,
    subject: `Welcome to ${club.name} online`,
    preheader: 'Where you sign in, and how: without a password.',
    eyebrow: 'Welcome',
    heading: `Welcome, ${name}`,
    body: [
      {
        kind: 'text',
        text: `${club.name} has a page for its members. There you vote, see what is on, and find what the club keeps about you.`,
      },
      {
        kind: 'text',
        text: 'To sign in, open the page and enter the address to which this mail came. A code is mailed to you; there is no password.',
      },
    ],
    link: { label: 'Sign in', href: link },
    advice:
      'Nothing has to be done now. If you are not a member, tell the club, and it takes you off its list.',
    why: 'You get this mail once, because the club has your address on its list of members.',
  });
}
