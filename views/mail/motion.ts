import type { MailClub } from '#kernel/mail/club.ts';
import { excerpt, type Mail, renderMail } from './layout.ts';
import { type CallMailProps, callFacts, NOT_YOU } from './nomination.ts';

/** The data of the mails about a motion that is handed in; times are already formatted. */
export interface MotionMailProps {
  club: MailClub;
  meeting: string;
  /** Its author, and what it says. */
  name: string;
  title: string;
  text: string;
  reason: string | null;
  closes: string;
  link: string;
}

const LONGEST = 1_000;

const content = ({ meeting, name, title, text, reason, closes }: MotionMailProps) => [
  {
    kind: 'facts' as const,
    facts: [
      ['Motion', title],
      ['Meeting', meeting],
      ['Proposed by', name],
      ['Answer until', closes],
    ] as const,
  },
  { kind: 'text' as const, text: excerpt(text, LONGEST) },
  ...(reason ? [{ kind: 'text' as const, text: `Reasons: ${excerpt(reason, LONGEST)}` }] : []),
];

const WHY = 'You get this mail because your address was entered with a motion.';

/** Asks the author whether the motion is theirs. */
export function motionConsentMail(props: MotionMailProps): Mail {
  const { club, title, link } = props;
  return renderMail({
    club,
    subject: `Confirm your motion: ${title}`,
    preheader: 'One click, and the motion counts.',
    eyebrow: 'Motion',
    heading: 'Is this your motion?',
    body: [{ kind: 'text', text: 'It counts once you confirm it.' }, ...content(props)],
    link: { label: 'Answer', href: link },
    advice: `The link is yours alone; you can also withdraw the motion by it until the meeting begins. ${NOT_YOU}`,
    why: WHY,
  });
}

/** Asks somebody to second a motion. */
export function motionSecondMail(props: MotionMailProps): Mail {
  const { club, name, title, link } = props;
  return renderMail({
    club,
    subject: `Do you second a motion: ${title}?`,
    preheader: 'One click, if you do.',
    eyebrow: 'Motion',
    heading: `Do you second the motion of ${name}?`,
    body: [
      {
        kind: 'text',
        text: 'You were named as somebody who seconds this motion. Your name is then shown with it.',
      },
      ...content(props),
    ],
    link: { label: 'Answer', href: link },
    advice: `The link is yours alone. ${NOT_YOU}`,
    why: WHY,
  });
}

/** Tells the author what the officers decided. */
export function motionDecisionMail({
  club,
  meeting,
  title,
  accepted,
  number,
  refusal,
  link,
}: Pick<MotionMailProps, 'club' | 'meeting' | 'title' | 'link'> & {
  accepted: boolean;
  /** On the agenda. */
  number: string | undefined;
  refusal: string | null;
}): Mail {
  const heading = accepted ? 'Your motion is on the agenda' : 'Your motion is refused';
  return renderMail({
    club,
    subject: `${heading}: ${title}`,
    preheader: meeting,
    eyebrow: 'Motion',
    heading,
    body: [
      {
        kind: 'text',
        text: accepted
          ? `“${title}” is ${number === undefined ? 'an item' : `item ${number}`} of ${meeting}.`
          : `The officers of ${meeting} refused “${title}”${refusal ? `: ${refusal}` : '.'}`,
      },
    ],
    link: { label: accepted ? 'See or withdraw it' : 'See it', href: link },
    why: 'You get this mail because you handed in a motion.',
  });
}

/** Calls for motions. */
export function motionCallMail({ club, link, ...call }: Omit<CallMailProps, 'office' | 'text'>): Mail {
  return renderMail({
    club,
    subject: `Motions for ${call.meeting}`,
    preheader: `Motions are taken until ${call.closes}.`,
    eyebrow: 'Call for motions',
    heading: 'What should the meeting decide?',
    body: [
      { kind: 'text', text: 'You can hand in a motion. Once the officers accept it, it is on the agenda.' },
      callFacts(call),
    ],
    link: { label: 'Hand in a motion', href: link },
    why: 'You get this mail because you may vote at this meeting.',
  });
}
