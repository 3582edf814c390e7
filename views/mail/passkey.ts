import { t } from '#kernel/language/message.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { PasskeyNews } from '#people/notices.ts';
import type { MailParts, Text } from './layout.ts';

export interface PasskeyMailProps {
  club: MailClub;
  news: PasskeyNews;
  when: Text;
  /** The page of the person's passkeys. */
  link: string;
}

/** Tells somebody what happened to one of their passkeys. */
export function passkeyMail({ club, news, when, link }: PasskeyMailProps): MailParts {
  const { heading, text } = says(news, club, when);
  return {
    club,
    heading,
    subject: t('mail.passkey.subject', { heading, club: club.name }),
    preheader: t('mail.passkey.preheader'),
    eyebrow: t('mail.passkey.eyebrow'),
    body: [{ kind: 'text', text }],
    link: { label: t('mail.passkey.button'), href: link },
    advice: t('mail.passkey.advice'),
    why: t('mail.passkey.why'),
  };
}

function says(news: PasskeyNews, { name: club }: MailClub, when: Text): { heading: Text; text: Text } {
  switch (news.is) {
    case 'added':
      return {
        heading: t('mail.passkey.added'),
        text: t('mail.passkey.added_text', { name: news.name, when, club }),
      };
    case 'removed':
      return {
        heading: t('mail.passkey.removed'),
        text: t('mail.passkey.removed_text', { name: news.name, when }),
      };
    case 'copied':
      return {
        heading: t('mail.passkey.refused'),
        text: t('mail.passkey.refused_text', { when, club }),
      };
  }
}
