import type { MailClub } from '#kernel/mail/club.ts';
import { trialNotice, trialSubject } from '#views/voting/trial.ts';
import { secrecyInShort } from '#views/voting/words.ts';
import type { Secrecy } from '#voting/ballots/secrecy.ts';
import { excerpt, type Mail, type MailParts, renderMail } from './layout.ts';

/** The data of the mails about one ballot; times are already formatted. */
export interface BallotMailProps {
  /** The club that sends the mail. */
  club: MailClub;
  title: string;
  description?: string | null | undefined;
  opens: string;
  closes: string;
  /** Whether voting is open now. */
  isOpen: boolean;
  /** The voter's own voting link. */
  link: string;
  /** The voter whose ballot it is, where known. */
  forName?: string | null | undefined;
  /** Whether others are invited at the same address; the subject then names the voter. */
  isShared?: boolean | undefined;
  /** When the meeting is held whose questions these are. */
  meeting?: string | undefined;
  secrecy: Secrecy;
  /** When the election is deleted, if it is a trial. */
  trial?: string | undefined;
  /** The questions of a ballot paper. */
  questions?: readonly string[] | undefined;
}

/** The invitation to one election or ballot paper with the voter's own voting link. */
export function votingLinkMail(props: BallotMailProps): Mail {
  return renderMail(votingLinkParts(props));
}

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
      subject: forWhom(`Your link to the meeting: ${title}`, whom),
      preheader: meeting,
      eyebrow: 'Take part from elsewhere',
      heading: title,
      body: [...forLine(whom), { kind: 'facts', facts: [['When', meeting]] }, ...questionList(questions)],
      link: { label: 'Follow the meeting', href: link },
      advice: `Open the link while the meeting is held: then you count as present, and vote there. ${adviceFor(secrecy, questions ?? [])}`,
      why: 'You get this mail because you can take part in this meeting from elsewhere.',
    };
  return {
    club,
    subject: trialSubject(forWhom(`Your vote: ${title}`, whom), trial),
    notice: trialNotice(trial),
    preheader: isOpen ? `Vote until ${closes}.` : `Voting opens ${opens}.`,
    eyebrow: 'You are invited to vote',
    heading: title,
    body: [
      ...forLine(whom),
      ...(description ? [{ kind: 'text', text: excerpt(description) } as const] : []),
      ...questionList(questions),
      datesOf({ opens, closes, isOpen }),
    ],
    link: { label: ballotLabel({ isOpen }), href: link },
    advice: `${isOpen ? '' : 'The link works from the time voting opens. '}${adviceFor(secrecy, questions)}`,
    why: `You get this mail because you were invited to vote${questions ? '' : ' in this election'}.`,
  };
}

/** The questions of a ballot paper, in their order. */
export function questionList(
  questions: readonly string[] = [],
): { kind: 'list'; items: { title: string }[] }[] {
  if (questions.length === 0) return [];
  return [{ kind: 'list', items: questions.map((title) => ({ title })) }];
}

/** When voting opens and closes. */
export function datesOf({ opens, closes, isOpen }: Pick<BallotMailProps, 'opens' | 'closes' | 'isOpen'>) {
  return {
    kind: 'facts',
    facts: [[isOpen ? 'Open since' : 'Voting opens', opens] as const, ['Voting closes', closes] as const],
  } as const;
}

/** The words on the button that leads to one ballot. */
export const ballotLabel = ({ isOpen }: Pick<BallotMailProps, 'isOpen'>): string =>
  isOpen ? 'Vote now' : 'Open my ballot';

interface Whom {
  forName?: string | null | undefined;
  isShared?: boolean | undefined;
}

/** The subject, with the voter's name where several people share the address. */
export function forWhom(subject: string, { forName, isShared }: Whom): string {
  return forName && isShared ? `${subject} (${forName})` : subject;
}

/** The line that says whose ballot it is. */
export function forLine({ forName }: Whom): { kind: 'text'; text: string }[] {
  return forName ? [{ kind: 'text', text: `This is the ballot of ${forName}.` }] : [];
}

/** The advice on a link that gives access to one ballot, and what its ballot says about secrecy. */
const adviceFor = (secrecy: Secrecy, questions: readonly string[] | undefined): string =>
  `${questions ? PAPER_ADVICE : LINK_ADVICE} ${secrecyInShort(secrecy)}`;

const LINK_ADVICE =
  'This link is yours alone and counts once: anyone who has it can cast your ballot, so please do not ' +
  'forward this mail.';

/** The same for the link to a ballot paper. */
const PAPER_ADVICE =
  'This link is yours alone and counts once for each question: anyone who has it can cast your ballots, so please do ' +
  'not forward this mail. You need not answer all questions at once.';

/** `questions`: those of a ballot paper that are not answered yet. */
export type ReminderMailProps = Pick<
  BallotMailProps,
  'club' | 'title' | 'closes' | 'link' | 'secrecy' | 'forName' | 'isShared' | 'trial' | 'questions'
>;

/** The reminder to somebody whose voting link has not been used. */
export function reminderMail(props: ReminderMailProps): Mail {
  return renderMail(reminderParts(props));
}

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
    subject: trialSubject(forWhom(`Reminder: ${title}`, whom), trial),
    notice: trialNotice(trial),
    preheader: `Voting closes ${closes}.`,
    eyebrow: 'Your ballot is still waiting',
    heading: title,
    body: [
      ...forLine(whom),
      {
        kind: 'text',
        text: questions ? waitingText(questions.length) : 'Your link has not been used to vote yet.',
      },
      ...questionList(questions),
      { kind: 'facts', facts: [['Voting closes', closes]] },
    ],
    link: { label: 'Vote now', href: link },
    advice: adviceFor(secrecy, questions),
    why:
      `You get this mail because you were invited to vote${questions ? '' : ' in this election'}. If you have voted ` +
      'in the meantime, there is nothing left to do.',
  };
}

const waitingText = (waiting: number): string =>
  waiting === 1 ? 'This question has not been answered yet:' : 'These questions have not been answered yet:';
