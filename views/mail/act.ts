import type { MailClub } from '#kernel/mail/club.ts';
import { type Mail, renderMail } from './layout.ts';

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
  act: string;
  /** What exactly it does. */
  details: readonly { label: string; value: string }[];
  by: string;
  at: string;
  /** Whether another person has to confirm it first. */
  waits: boolean;
  link: string;
}): Mail {
  const heading = waits ? `To confirm: ${act}` : `Done: ${act}`;
  return renderMail({
    club,
    subject: heading,
    preheader: `By ${by}, ${at}.`,
    eyebrow: 'Grave acts',
    heading,
    body: [
      {
        kind: 'text',
        text: waits
          ? `${by} asked for this at ${at}. Not done yet. A second person must confirm it within 24 hours.`
          : `${by} did this at ${at}.`,
      },
      ...details.map(({ label, value }) => ({ kind: 'text' as const, text: `${label}: ${value}` })),
    ],
    link: { label: waits ? 'Look at it' : 'See who decides about sensitive actions', href: link },
    advice: waits ? 'Ask before you confirm.' : 'If this was not agreed, talk to each other.',
    why: 'You get this mail because you may do the same.',
  });
}
