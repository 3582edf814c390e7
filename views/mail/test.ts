import { t } from '#kernel/language/message.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { MailParts, Text } from './layout.ts';

/** Shows an owner that mails arrive. */
export function testMail({ club, sent }: { club: MailClub; sent: Text }): MailParts {
  return {
    club,
    subject: t('mail.test.subject', { club: club.name }),
    preheader: t('mail.test.preheader'),
    notice: t('mail.test.notice'),
    eyebrow: t('mail.test.eyebrow'),
    heading: t('mail.test.heading'),
    body: [{ kind: 'text', text: t('mail.test.sent', { club: club.name, when: sent }) }],
    why: t('mail.test.why'),
  };
}
