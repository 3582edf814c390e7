import type { MailClub } from '#kernel/mail/club.ts';
import { type Mail, renderMail } from './layout.ts';

/** Shows an owner that mails arrive. @param sent already formatted */
export function testMail({ club, sent }: { club: MailClub; sent: string }): Mail {
  return renderMail({
    club,
    subject: `[Test] Mails from ${club.name} arrive`,
    preheader: 'There is nothing to do.',
    notice: 'This is a test mail. There is nothing to do.',
    eyebrow: 'Set-up',
    heading: 'Mails arrive',
    body: [{ kind: 'text', text: `${club.name} sent this mail at ${sent}.` }],
    why: 'You get this mail because an owner of the club sent a test mail to their own address.',
  });
}
