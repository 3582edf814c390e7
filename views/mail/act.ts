import { t } from '#kernel/language/message.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { MailParts, Text } from './layout.ts';
import { atStart } from './notices.ts';

/** Tells the people who may do a sensitive act that one of them did it, or asks them to confirm it. */
export function actMail({
  club,
  act,
  details,
  by,
  at,
  waits,
  link,
}: {
  club: MailClub;
  /** A sentence without its subject. */
  act: Text;
  /** What exactly it does. */
  details: readonly { label: Text; value: Text }[];
  by: Text;
  at: Text;
  /** Whether another person has to confirm it first. */
  waits: boolean;
  link: string;
}): MailParts {
  const heading = waits ? t('mail.act.heading_waits', { act }) : t('mail.act.heading_done', { act });
  return {
    club,
    subject: heading,
    preheader: t('mail.act.preheader', { who: by, when: at }),
    eyebrow: t('mail.act.eyebrow'),
    heading,
    body: [
      {
        kind: 'text',
        text: waits
          ? t('mail.act.text_waits', { who: atStart(by), when: at })
          : t('mail.act.text_done', { who: atStart(by), when: at }),
      },
      ...details.map(({ label, value }) => ({
        kind: 'text' as const,
        text: t('common.named', { name: label, value }),
      })),
    ],
    link: { label: waits ? t('mail.act.look') : t('mail.act.see_who'), href: link },
    advice: waits ? t('mail.act.advice_waits') : t('mail.act.advice_done'),
    why: t('mail.act.why'),
  };
}
