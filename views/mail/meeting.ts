import type { MailClub } from '#kernel/mail/club.ts';
import type { ItemJson } from '#meetings/items.ts';
import { counted } from '#views/components/numbers.ts';
import { proposersWords } from '#views/meetings/words.ts';
import { excerpt, type Mail, type MailParts, renderMail } from './layout.ts';

/** A call for candidates for an office, or for motions of members. */
export interface MeetingCall {
  /** `8. Committee`; undefined: motions. */
  office: string | undefined;
  /** Undefined where it is open. */
  opens: string | undefined;
  closes: string;
  link: string;
}

/** The data of the invitation to a meeting; its time is already formatted. */
export interface MeetingMailProps {
  club: MailClub;
  title: string;
  when: string;
  place: string | null;
  notes: string | null;
  /** Why it is called off; null: it is held. */
  calledOff: string | null;
  /** Whether its time or place is another one than in the invitation. */
  isMoved: boolean;
  /** What was put on the agenda since the invitation. */
  added: readonly Pick<ItemJson, 'title' | 'text' | 'old_text' | 'reason' | 'mover' | 'seconders'>[];
  /** Own words of whoever invites. */
  message?: string | undefined;
  /** How many absent members one person may represent. */
  represents: number;
  /** Whether members elsewhere can take part. */
  remote: boolean;
  /** What changes of the rules say, as it is and as it would be. */
  wordings: readonly { title: string; before: string; after: string }[];
  /** Where candidates are nominated and motions are handed in, now or later. Times are already formatted. */
  calls: readonly MeetingCall[];
  agenda: readonly Pick<ItemJson, 'title' | 'mover' | 'seconders'>[];
  /** For the door, of each person who has this address: the picture is a file of the mail. */
  numbers: readonly { name: string | null; number: string; picture: string; link: string }[];
  link: string;
}

/** The invitation to a meeting, with its agenda and the number for the door. It has no voting code. */
export const meetingMail = (props: MeetingMailProps): Mail => renderMail(meetingParts(props));

/** What the invitation says, by mail or as a letter. */
export function meetingParts(props: MeetingMailProps): MailParts {
  const { club, title, when, place, notes, agenda, numbers, link, calledOff, isMoved, message } = props;
  const is =
    calledOff !== null
      ? 'Called off'
      : isMoved
        ? 'New time or place'
        : props.added.length > 0
          ? 'Added to the agenda'
          : undefined;
  return {
    club,
    subject: `${is ? `${is}: ` : ''}${title}: ${when}`,
    preheader: calledOff ?? `${when}${place ? `, ${place}` : ''}`,
    eyebrow: is ?? 'Invitation',
    heading: title,
    body: [
      ...(calledOff === null
        ? []
        : [{ kind: 'text' as const, text: `This meeting is not held: ${calledOff}` }]),
      ...paragraphs(message),
      {
        kind: 'facts',
        facts: [['When', when], ...(place ? [['Where', place] as const] : [])],
      },
      ...addedBlocks(props.added),
      ...(notes ? [{ kind: 'text' as const, text: excerpt(notes, 1_000) }] : []),
      ...(agenda.length > 0
        ? [
            { kind: 'text' as const, text: 'The agenda:' },
            { kind: 'list' as const, items: agenda.map(agendaLine) },
          ]
        : []),
      ...props.calls.map(callBlock),
      ...props.wordings.flatMap(wordingBlocks),
      ...howToTakePart(props),
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
        name: name ?? 'Your number',
        code: number,
        picture,
        link: { label: 'Show it on your phone', href },
      })),
    ],
    link: { label: calledOff === null ? 'Agenda and documents' : 'The page of the meeting', href: link },
    advice:
      calledOff !== null
        ? 'The file with this mail takes the meeting out of your calendar.'
        : `The file with this mail ${isMoved ? 'moves the meeting in' : 'puts the meeting into'} your calendar.`,
    why: 'You get this mail because you are invited to this meeting.',
  };
}

const callBlock = ({ office, opens, closes, link }: MeetingCall) => ({
  kind: 'page' as const,
  text: `${office === undefined ? 'Members can hand in motions' : `Candidates for ${office} can be nominated`} ${
    opens === undefined ? '' : `from ${opens} `
  }until ${closes}:`,
  href: link,
});

/** An item with its number, and who proposes it. */
function agendaLine(item: MeetingMailProps['agenda'][number]) {
  const note = proposersWords(item);
  return { title: item.title, ...(note !== undefined && { note }) };
}

const text = (words: string) => ({ kind: 'text' as const, text: words });

/** What is new on the agenda, with its wording. That of a change of the rules follows with the one in force. */
const addedBlocks = (added: MeetingMailProps['added']) =>
  added.length === 0
    ? []
    : [
        text('Added to the agenda:'),
        { kind: 'list' as const, items: added.map(agendaLine) },
        ...added.flatMap((item) => [
          ...(item.text && item.old_text === null
            ? [text(`${item.title}: ${excerpt(item.text, LONGEST_WORDING)}`)]
            : []),
          ...(item.reason ? [text(`Reasons: ${excerpt(item.reason, LONGEST_WORDING)}`)] : []),
        ]),
      ];

/** Each paragraph of what somebody wrote. */
const paragraphs = (words = '') =>
  words
    .split(/\n\s*\n/)
    .filter((one) => one.trim() !== '')
    .map(text);

/** A change of the rules: a mail is what members can prove they were sent. */
const wordingBlocks = ({ title, before, after }: MeetingMailProps['wordings'][number]) => [
  text(`${title}. The wording in force:`),
  text(excerpt(before, LONGEST_WORDING)),
  text('The new wording:'),
  text(excerpt(after, LONGEST_WORDING)),
];
const LONGEST_WORDING = 4_000;

function howToTakePart({ represents, remote }: MeetingMailProps) {
  return [
    ...(represents > 0
      ? [
          text(
            `If you cannot come, another member can represent you. Give them a signed note for the door. Nobody represents more than ${counted(represents, 'member')}.`,
          ),
        ]
      : []),
    ...(remote ? [text('You can also take part from elsewhere: ask for a link before the meeting.')] : []),
  ];
}

/** Asks one of the two persons whom a meeting names to sign its minutes. */
export function signatureMail({
  club,
  meeting,
  as,
  reason,
  again,
  link,
}: {
  club: MailClub;
  meeting: string;
  as: 'chair' | 'secretary';
  /** Why the version that was signed before is corrected. */
  reason: string | null;
  /** Whether there was a signature, which a change has made void. */
  again: boolean;
  link: string;
}): Mail {
  const role = as === 'chair' ? 'chair' : 'minute taker';
  return renderMail({
    club,
    subject: `${again ? 'Sign again' : 'To sign'}: minutes of ${meeting}`,
    preheader: `They wait for your signature as ${role}.`,
    eyebrow: 'Minutes',
    heading: `Sign the minutes of ${meeting}`,
    body: [
      {
        kind: 'text',
        text: again
          ? `They were changed after the ${role} had signed, so that signature is void. Read them again, and sign them as they are now.`
          : `They wait for your signature as ${role}. Read them first. You can write in them until both of you have signed.`,
      },
      ...(reason ? [{ kind: 'text' as const, text: `They are a corrected version: ${reason}` }] : []),
    ],
    link: { label: 'Read and sign', href: link },
    advice: 'You sign in with the address to which this mail came.',
    why: `You get this mail because the meeting names you as its ${role}.`,
  });
}

/** The signed minutes of a meeting, as a file. */
export function minutesMail({
  club,
  meeting,
  when,
  reason,
  link,
}: {
  club: MailClub;
  meeting: { title: string };
  when: string;
  /** Why they correct a version that was signed before. */
  reason: string | null;
  link: string;
}): Mail {
  return renderMail({
    club,
    subject: `Minutes: ${meeting.title}`,
    preheader: 'They are signed, and in the file with this mail.',
    eyebrow: reason === null ? 'Minutes' : 'Corrected minutes',
    heading: meeting.title,
    body: [
      { kind: 'facts', facts: [['The meeting', when]] },
      { kind: 'text', text: 'The signed minutes are in the file with this mail.' },
      ...(reason === null
        ? []
        : [{ kind: 'text' as const, text: `They correct the ones that were signed before: ${reason}` }]),
    ],
    link: { label: 'The page of the meeting', href: link },
    why: 'You get this mail because you were invited to this meeting.',
  });
}
