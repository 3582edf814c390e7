import { t } from '#kernel/language/message.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { MailParts } from './layout.ts';

/** Tells a member whom a list brought onto the roll where they sign in. @param link of the sign-in page */
export function welcomeMail({ club, name, link }: { club: MailClub; name: string; link: string }): MailParts {
  return {
    club,
    subject: t('mail.welcome.subject', { club: club.name }),
    preheader: t('mail.welcome.preheader'),
    eyebrow: t('mail.welcome.eyebrow'),
    heading: t('mail.welcome.heading', { name }),
    body: [
      { kind: 'text', text: t('mail.welcome.page', { club: club.name }) },
      { kind: 'text', text: t('mail.welcome.how') },
    ],
    link: { label: t('mail.sign_in.button'), href: link },
    advice: t('mail.welcome.advice'),
    why: t('mail.welcome.why'),
  };
}
