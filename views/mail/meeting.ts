import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { ItemJson } from '#meetings/items.ts';
import { proposersWords } from '#views/meetings/words.ts';
import { type Block, excerpt, type MailParts, type Text } from './layout.ts';

/** A call for candidates for an office, or for motions of members. */
export interface MeetingCall {
  /** `8. Committee`; undefined: motions. */
  office: string | undefined;
  /** Undefined where it is open. */
  opens: Text | undefined;
  closes: Text;
  link: string;
}

/** The data of the invitation to a meeting. */
export interface MeetingMailProps {
  club: MailClub;
  title: string;
  when: Text;
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
  /** Where candidates are nominated and motions are handed in, now or later. */
  calls: readonly MeetingCall[];
  agenda: readonly Pick<ItemJson, 'title' | 'mover' | 'seconders'>[];
  /** For the door, of each person who has this address: the picture is a file of the mail. */
  numbers: readonly { name: string | null; number: string; picture: string; link: string }[];
  link: string;
}

/** The invitation to a meeting, with its agenda and the number for the door. It has no voting code. */
export function meetingParts(props: MeetingMailProps): MailParts {
  const { club, title, when, place, notes, agenda, numbers, link, calledOff, isMoved, message } = props;
  const news =
    calledOff !== null
      ? t('mail.meeting.called_off')
      : isMoved
        ? t('mail.meeting.moved')
        : props.added.length > 0
          ? t('mail.meeting.added')
          : undefined;
  return {
    club,
    subject: news
      ? t('mail.meeting.subject_news', { news, title, when })
      : t('mail.meeting.subject', { title, when }),
    preheader: calledOff ?? commas([when, place]) ?? '',
    eyebrow: news ?? t('mail.meeting.eyebrow'),
    heading: title,
    body: [
      ...(calledOff === null ? [] : [text(t('mail.meeting.not_held', { reason: calledOff }))]),
      ...paragraphs(message),
      {
        kind: 'facts',
        facts: [
          [t('mail.meeting.when'), when],
          ...(place ? [[t('mail.meeting.where'), place] as const] : []),
        ],
      },
      ...addedBlocks(props.added),
      ...(notes ? [text(excerpt(notes, 1_000))] : []),
      ...(agenda.length > 0
        ? [text(t('mail.meeting.agenda')), { kind: 'list' as const, items: agenda.map(agendaLine) }]
        : []),
      ...props.calls.map(callBlock),
      ...props.wordings.flatMap(wordingBlocks),
      ...howToTakePart(props),
      ...(numbers.length > 0 ? [text(t('mail.meeting.door'))] : []),
      ...numbers.map(({ name, number, picture, link: href }) => ({
        kind: 'code' as const,
        name: name ?? t('mail.meeting.your_number'),
        code: number,
        picture,
        link: { label: t('mail.meeting.on_phone'), href },
      })),
    ],
    link: {
      label: calledOff === null ? t('mail.meeting.button') : t('mail.meeting.page'),
      href: link,
    },
    advice:
      calledOff !== null
        ? t('mail.meeting.file_off')
        : isMoved
          ? t('mail.meeting.file_moved')
          : t('mail.meeting.file'),
    why: t('mail.meeting.why'),
  };
}

const callBlock = ({ office, opens, closes, link }: MeetingCall): Block => ({
  kind: 'page',
  text:
    office === undefined
      ? opens === undefined
        ? t('mail.meeting.motions', { closes })
        : t('mail.meeting.motions_from', { opens, closes })
      : opens === undefined
        ? t('mail.meeting.candidates', { office, closes })
        : t('mail.meeting.candidates_from', { office, opens, closes }),
  href: link,
});

/** An item with its number, and who proposes it. */
function agendaLine(item: MeetingMailProps['agenda'][number]) {
  const note = proposersWords(item);
  return { title: item.title, ...(note !== undefined && { note }) };
}

const text = (words: Text): Block => ({ kind: 'text', text: words });

/** What is new on the agenda, with its wording. That of a change of the rules follows with the one in force. */
const addedBlocks = (added: MeetingMailProps['added']): Block[] =>
  added.length === 0
    ? []
    : [
        text(t('mail.meeting.added_list')),
        { kind: 'list', items: added.map(agendaLine) },
        ...added.flatMap((item) => [
          ...(item.text && item.old_text === null
            ? [text(t('common.named', { name: item.title, value: excerpt(item.text, LONGEST_WORDING) }))]
            : []),
          ...(item.reason
            ? [text(t('mail.motion.reasons', { text: excerpt(item.reason, LONGEST_WORDING) }))]
            : []),
        ]),
      ];

/** Each paragraph of what somebody wrote. */
const paragraphs = (words = ''): Block[] =>
  words
    .split(/\n\s*\n/)
    .filter((one) => one.trim() !== '')
    .map(text);

/** A change of the rules: a mail is what members can prove they were sent. */
const wordingBlocks = ({ title, before, after }: MeetingMailProps['wordings'][number]): Block[] => [
  text(t('mail.meeting.wording_before', { title })),
  text(excerpt(before, LONGEST_WORDING)),
  text(t('mail.meeting.wording_after')),
  text(excerpt(after, LONGEST_WORDING)),
];
const LONGEST_WORDING = 4_000;

const howToTakePart = ({ represents, remote }: MeetingMailProps): Block[] => [
  ...(represents > 0 ? [text(t('mail.meeting.represented', { n: represents }))] : []),
  ...(remote ? [text(t('mail.meeting.remote'))] : []),
];

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
}): MailParts {
  const role = as === 'chair' ? 'chair' : 'other';
  return {
    club,
    subject: again
      ? t('mail.signature.subject_again', { meeting })
      : t('mail.signature.subject', { meeting }),
    preheader: t('mail.signature.preheader', { role }),
    eyebrow: t('mail.minutes.eyebrow'),
    heading: t('mail.signature.heading', { meeting }),
    body: [
      text(again ? t('mail.signature.again', { role }) : t('mail.signature.waits', { role })),
      ...(reason ? [text(t('mail.signature.corrected', { reason }))] : []),
    ],
    link: { label: t('mail.signature.button'), href: link },
    advice: t('mail.signature.advice'),
    why: t('mail.signature.why', { role }),
  };
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
  when: Text;
  /** Why they correct a version that was signed before. */
  reason: string | null;
  link: string;
}): MailParts {
  return {
    club,
    subject: t('mail.minutes.subject', { title: meeting.title }),
    preheader: t('mail.minutes.preheader'),
    eyebrow: reason === null ? t('mail.minutes.eyebrow') : t('mail.minutes.eyebrow_corrected'),
    heading: meeting.title,
    body: [
      { kind: 'facts', facts: [[t('mail.results.meeting'), when]] },
      text(t('mail.minutes.text')),
      ...(reason === null ? [] : [text(t('mail.minutes.corrected', { reason }))]),
    ],
    link: { label: t('mail.meeting.page'), href: link },
    why: t('mail.meeting.why_after'),
  };
}
