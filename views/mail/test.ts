import { type Mail, renderMail } from './layout.ts';

/** Shows an owner that mails arrive. @param sent a ready string */
export function testMail({ clubName, sent }: { clubName: string; sent: string }): Mail {
  return renderMail({
    clubName,
    subject: `[Test] Mails from ${clubName} arrive`,
    preheader: 'There is nothing to do.',
    notice: 'This is a test mail. There is nothing to do.',
    eyebrow: 'Set-up',
    heading: 'Mails arrive',
    body: [{ kind: 'text', text: `${clubName} sent this mail at ${sent}.` }],
    why: 'You get this mail because an owner of the club sent a test mail to their own address.',
  });
}
