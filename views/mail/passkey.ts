import type { MailClub } from '#kernel/mail/club.ts';
import type { PasskeyNews } from '#people/notices.ts';
import { type Mail, renderMail } from './layout.ts';

export interface PasskeyMailProps {
  club: MailClub;
  news: PasskeyNews;
  /** Already formatted. */
  when: string;
  /** The page of the person's passkeys. */
  link: string;
}

/** Tells somebody what happened to one of their passkeys. */
export function passkeyMail({ club, news, when, link }: PasskeyMailProps): Mail {
  const { heading, text } = says(news, club, when);
  return renderMail({
    club,
    heading,
    subject: `${heading} · ${club.name}`,
    preheader: 'Was it not you? Then tell an officer of the club.',
    eyebrow: 'Passkeys',
    body: [{ kind: 'text', text }],
    link: { label: 'Your passkeys', href: link },
    advice: 'Was it not you? Remove what you do not know, sign out everywhere else and tell an officer.',
    why: 'You get this mail because it is about how you sign in to the club.',
  });
}

function says(news: PasskeyNews, club: MailClub, when: string): { heading: string; text: string } {
  switch (news.is) {
    case 'added':
      return {
        heading: 'A passkey was added',
        text: `The passkey “${news.name}” was added at ${when}. It signs you in to ${club.name} without a mail.`,
      };
    case 'removed':
      return {
        heading: 'A passkey was removed',
        text: `The passkey “${news.name}” was removed at ${when}. Sessions that it opened have ended.`,
      };
    case 'copied':
      return {
        heading: 'A passkey was refused',
        text: `A passkey of yours was used at ${when} and refused, as it seems to have been copied: it has counted fewer uses than ${club.name} knows of. Remove it and make a new one.`,
      };
  }
}
