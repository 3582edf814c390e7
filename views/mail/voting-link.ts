import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import { secrecyInShort } from '#views/voting/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import { type Block, excerpt, type MailParts, type Text } from './layout.ts';

/** The data of the mails about one ballot. */
export interface BallotMailProps {
  /** The club that sends the mail. */
  club: MailClub;
  title: Text;
  description?: Text | null | undefined;
  opens: Text;
  closes: Text;
  /** Whether voting is open now. */
  isOpen: boolean;
  /** The voter's own voting link. */
  link: string;
  /** The voter whose ballot it is, where known. */
  forName?: string | null | undefined;
  /** Whether others are invited at the same address; the subject then names the voter. */
  isShared?: boolean | undefined;
  /** When the meeting is held whose questions these are. */
  meeting?: Text | undefined;
  secrecy: Secrecy;
  /** When the election is deleted, if it is a trial. */
  trial?: Text | undefined;
  /** The questions of a ballot paper. */
  questions?: readonly Text[] | undefined;
}

/** The invitation to one election or ballot paper with the voter's own voting link. */
export function votingLinkParts({
  club,
  title,
  description,
  opens,
  closes,
  isOpen,
  link,
  trial,
  questions,
  meeting,
  secrecy,
  ...whom
}: BallotMailProps): MailParts {
  if (meeting !== undefined)
    return {
      club,
      subject: forWhom(t('mail.vote.meeting_subject', { title }), whom),
      preheader: meeting,
      eyebrow: t('mail.vote.meeting_eyebrow'),
      heading: title,
      body: [
        ...forLine(whom),
        { kind: 'facts', facts: [[t('mail.vote.meeting_when'), meeting]] },
        ...questionList(questions),
      ],
      link: { label: t('mail.vote.meeting_button'), href: link },
      advice: sentences([t('mail.vote.meeting_advice'), ...adviceFor(secrecy, questions ?? [])]),
      why: t('mail.vote.meeting_why'),
    };
  return {
    club,
    subject: trialSubject(forWhom(t('mail.vote.subject', { title }), whom), trial),
    notice: trialNotice(trial),
    preheader: isOpen ? t('mail.vote.until', { closes }) : t('mail.vote.from', { opens }),
    eyebrow: t('mail.vote.eyebrow'),
    heading: title,
    body: [
      ...forLine(whom),
      ...(description ? [{ kind: 'text', text: excerpt(description) } as const] : []),
      ...questionList(questions),
      datesOf({ opens, closes, isOpen }),
    ],
    link: { label: ballotLabel({ isOpen }), href: link },
    advice: sentences([!isOpen && t('mail.vote.works_later'), ...adviceFor(secrecy, questions)]),
    why: questions ? t('mail.vote.why_paper') : t('mail.vote.why'),
  };
}

/** The questions of a ballot paper, in their order. */
export function questionList(questions: readonly Text[] = []): Block[] {
  if (questions.length === 0) return [];
  return [{ kind: 'list', items: questions.map((title) => ({ title })) }];
}

/** When voting opens and closes. */
export const datesOf = ({
  opens,
  closes,
  isOpen,
}: Pick<BallotMailProps, 'opens' | 'closes' | 'isOpen'>): Block => ({
  kind: 'facts',
  facts: [
    [isOpen ? t('mail.vote.open_since') : t('mail.vote.opens'), opens],
    [t('mail.vote.closes'), closes],
  ],
});

/** The words on the button that leads to one ballot. */
export const ballotLabel = ({ isOpen }: Pick<BallotMailProps, 'isOpen'>): Words =>
  isOpen ? t('mail.vote.now') : t('mail.vote.ballot');

interface Whom {
  forName?: string | null | undefined;
  isShared?: boolean | undefined;
}

/** The subject, with the voter's name where several people share the address. */
export function forWhom(subject: Words, { forName, isShared }: Whom): Words {
  return forName && isShared ? t('mail.vote.for_whom', { subject, name: forName }) : subject;
}

/** The line that says whose ballot it is. */
export function forLine({ forName }: Whom): Block[] {
  return forName ? [{ kind: 'text', text: t('mail.vote.ballot_of', { name: forName }) }] : [];
}

/** The advice on a link that gives access to one ballot, and what its ballot says about secrecy. */
const adviceFor = (secrecy: Secrecy, questions: readonly Text[] | undefined): Text[] => [
  questions ? t('mail.vote.advice_paper') : t('mail.vote.advice'),
  secrecyInShort(secrecy),
];

/** `questions`: those of a ballot paper that are not answered yet. */
export type ReminderMailProps = Pick<
  BallotMailProps,
  'club' | 'title' | 'closes' | 'link' | 'secrecy' | 'forName' | 'isShared' | 'trial' | 'questions'
>;

/** The reminder to somebody whose voting link has not been used. */
export function reminderParts({
  club,
  title,
  closes,
  link,
  secrecy,
  trial,
  questions,
  ...whom
}: ReminderMailProps): MailParts {
  return {
    club,
    subject: trialSubject(forWhom(t('mail.reminder.subject', { title }), whom), trial),
    notice: trialNotice(trial),
    preheader: t('mail.reminder.preheader', { closes }),
    eyebrow: t('mail.reminder.eyebrow'),
    heading: title,
    body: [
      ...forLine(whom),
      {
        kind: 'text',
        text: questions ? t('mail.reminder.questions', { n: questions.length }) : t('mail.reminder.unused'),
      },
      ...questionList(questions),
      { kind: 'facts', facts: [[t('mail.vote.closes'), closes]] },
    ],
    link: { label: t('mail.vote.now'), href: link },
    advice: sentences(adviceFor(secrecy, questions)),
    why: questions ? t('mail.reminder.why_paper') : t('mail.reminder.why'),
  };
}
