import { t } from '#kernel/language/message.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import { type Block, excerpt, type MailParts, type Text } from './layout.ts';
import { type CallMailProps, callFacts } from './nomination.ts';

/** The data of the mails about a motion that is handed in. */
export interface MotionMailProps {
  club: MailClub;
  meeting: string;
  /** Its author, and what it says. */
  name: string;
  title: string;
  text: string;
  reason: string | null;
  closes: Text;
  link: string;
}

const LONGEST = 1_000;

const content = ({ meeting, name, title, text, reason, closes }: MotionMailProps): Block[] => [
  {
    kind: 'facts',
    facts: [
      [t('mail.motion.eyebrow'), title],
      [t('mail.proposal.meeting'), meeting],
      [t('mail.proposal.proposer'), name],
      [t('mail.proposal.until'), closes],
    ],
  },
  { kind: 'text', text: excerpt(text, LONGEST) },
  ...(reason
    ? [{ kind: 'text' as const, text: t('mail.motion.reasons', { text: excerpt(reason, LONGEST) }) }]
    : []),
];

/** Asks the author whether the motion is theirs. */
export function motionConsentMail(props: MotionMailProps): MailParts {
  const { club, title, link } = props;
  return {
    club,
    subject: t('mail.motion.consent_subject', { title }),
    preheader: t('mail.motion.one_click'),
    eyebrow: t('mail.motion.eyebrow'),
    heading: t('mail.motion.consent'),
    body: [{ kind: 'text', text: t('mail.motion.consent_text') }, ...content(props)],
    link: { label: t('mail.proposal.button'), href: link },
    advice: t('mail.motion.consent_advice'),
    why: t('mail.motion.why'),
  };
}

/** Asks somebody to second a motion. */
export function motionSecondMail(props: MotionMailProps): MailParts {
  const { club, name, title, link } = props;
  return {
    club,
    subject: t('mail.motion.second_subject', { title }),
    preheader: t('mail.proposal.one_click'),
    eyebrow: t('mail.motion.eyebrow'),
    heading: t('mail.motion.second', { name }),
    body: [{ kind: 'text', text: t('mail.motion.second_text') }, ...content(props)],
    link: { label: t('mail.proposal.button'), href: link },
    advice: t('mail.proposal.second_advice'),
    why: t('mail.motion.why'),
  };
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
}): MailParts {
  const facts = { title, meeting };
  const text = accepted
    ? number === undefined
      ? t('mail.motion.accepted_text', facts)
      : t('mail.motion.accepted_number', { ...facts, number })
    : refusal
      ? t('mail.motion.refused_reason', { ...facts, reason: refusal })
      : t('mail.motion.refused_text', facts);
  return {
    club,
    subject: accepted
      ? t('mail.motion.accepted_subject', { title })
      : t('mail.motion.refused_subject', { title }),
    preheader: meeting,
    eyebrow: t('mail.motion.eyebrow'),
    heading: accepted ? t('mail.motion.accepted') : t('mail.motion.refused'),
    body: [{ kind: 'text', text }],
    link: { label: accepted ? t('mail.proposal.see_or_withdraw') : t('mail.proposal.see'), href: link },
    why: t('mail.motion.decision_why'),
  };
}

/** Calls for motions. */
export function motionCallMail({ club, link, ...call }: Omit<CallMailProps, 'office' | 'text'>): MailParts {
  return {
    club,
    subject: t('mail.motion.call_subject', { meeting: call.meeting }),
    preheader: t('mail.motion.call_preheader', { closes: call.closes }),
    eyebrow: t('mail.motion.call_eyebrow'),
    heading: t('mail.motion.call'),
    body: [{ kind: 'text', text: t('mail.motion.call_text') }, callFacts(call)],
    link: { label: t('mail.motion.call_button'), href: link },
    why: t('mail.call.why'),
  };
}
