import type { MailClub } from '#kernel/mail/club.ts';
import { excerpt, type Mail, renderMail } from './layout.ts';

/** The data of the invitation to a meeting; its time is already formatted. */
export interface MeetingMailProps {
  club: MailClub;
  title: string;
  when: string;
  place: string | null;
  notes: string | null;
  agenda: readonly { title: string; note: string }[];
  link: string;
}

/** The invitation to a meeting, with its agenda. It has no voting code. */
export function meetingMail({ club, title, when, place, notes, agenda, link }: MeetingMailProps): Mail {
  return renderMail({
    club,
    subject: `${title}: ${when}`,
    preheader: `${when}${place ? `, ${place}` : ''}`,
    eyebrow: 'Invitation',
    heading: title,
    body: [
      {
        kind: 'facts',
        facts: [['When', when], ...(place ? [['Where', place] as const] : [])],
      },
      ...(notes ? [{ kind: 'text' as const, text: excerpt(notes, 1_000) }] : []),
      ...(agenda.length > 0
        ? [
            { kind: 'text' as const, text: 'The agenda:' },
            { kind: 'list' as const, items: agenda },
          ]
        : []),
    ],
    link: { label: 'Agenda and documents', href: link },
    advice: 'The file with this mail puts the meeting into your calendar.',
    why: 'You get this mail because you are invited to this meeting.',
  });
}
