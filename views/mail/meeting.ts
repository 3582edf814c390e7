import type { MailClub } from '#kernel/mail/club.ts';
import { excerpt, type Mail, renderMail } from './layout.ts';

/** The data of the invitation to a meeting; its time is already formatted. */
export interface MeetingMailProps {
  club: MailClub;
  title: string;
  when: string;
  place: string | null;
  notes: string | null;
  agenda: readonly { title: string; note?: string }[];
  /** For the door, of each person who has this address: the picture is a file of the mail. */
  numbers: readonly { name: string; number: string; picture: string; link: string }[];
  link: string;
}

/** The invitation to a meeting, with its agenda and the number for the door. It has no voting code. */
export function meetingMail(props: MeetingMailProps): Mail {
  const { club, title, when, place, notes, agenda, numbers, link } = props;
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
      ...(numbers.length > 0
        ? [
            {
              kind: 'text' as const,
              text: 'Show this at the door, or say the number: it finds you on the list. It is not a voting code.',
            },
          ]
        : []),
      ...numbers.map(({ name, number, picture, link: href }) => ({
        kind: 'code' as const,
        name: numbers.length === 1 ? 'Your number' : name,
        code: number,
        picture,
        link: { label: 'Show it on your phone', href },
      })),
    ],
    link: { label: 'Agenda and documents', href: link },
    advice: 'The file with this mail puts the meeting into your calendar.',
    why: 'You get this mail because you are invited to this meeting.',
  });
}
