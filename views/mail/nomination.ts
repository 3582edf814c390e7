import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import { type Block, excerpt, type MailParts, type Text } from './layout.ts';

/** The data of the mails about a nomination. */
export interface NominationMailProps {
  club: MailClub;
  meeting: string;
  office: string;
  name: string;
  text: string;
  proposer: string | null;
  closes: Text;
  link: string;
}

const facts = ({ office, meeting, name, proposer, closes }: NominationMailProps): Block => ({
  kind: 'facts',
  facts: [
    [t('mail.nomination.office'), office],
    [t('mail.proposal.meeting'), meeting],
    [t('mail.nomination.nominee'), name],
    ...(proposer ? [[t('mail.proposal.proposer'), proposer] as const] : []),
    [t('mail.proposal.until'), closes],
  ],
});

/** Asks a nominee whether they stand. */
export function consentMail(props: NominationMailProps): MailParts {
  const { club, office, text, link } = props;
  return {
    club,
    subject: t('mail.nomination.consent', { office }),
    preheader: t('mail.nomination.one_click'),
    eyebrow: t('mail.nomination.eyebrow'),
    heading: t('mail.nomination.consent', { office }),
    body: [
      { kind: 'text', text: t('mail.nomination.consent_text') },
      facts(props),
      ...(text === ''
        ? []
        : [{ kind: 'text' as const, text: t('mail.nomination.about', { text: excerpt(text, 1_000) }) }]),
    ],
    link: { label: t('mail.proposal.button'), href: link },
    advice: t('mail.nomination.consent_advice'),
    why: t('mail.nomination.why'),
  };
}

/** Asks somebody to second a nomination. */
export function secondMail(props: NominationMailProps): MailParts {
  const { club, office, name, text, link } = props;
  return {
    club,
    subject: t('mail.nomination.second_subject', { name, office }),
    preheader: t('mail.proposal.one_click'),
    eyebrow: t('mail.nomination.eyebrow'),
    heading: t('mail.nomination.second', { name }),
    body: [
      { kind: 'text', text: t('mail.nomination.second_text') },
      facts(props),
      ...(text === '' ? [] : [{ kind: 'text' as const, text: excerpt(text, 1_000) }]),
    ],
    link: { label: t('mail.proposal.button'), href: link },
    advice: t('mail.proposal.second_advice'),
    why: t('mail.nomination.why'),
  };
}

/** Tells a nominee what the officers decided. */
export function decisionMail({
  club,
  meeting,
  office,
  accepted,
  reason,
  link,
}: Pick<NominationMailProps, 'club' | 'meeting' | 'office' | 'link'> & {
  accepted: boolean;
  reason: string | null;
}): MailParts {
  const heading = accepted
    ? t('mail.nomination.accepted', { office })
    : t('mail.nomination.refused', { office });
  return {
    club,
    subject: heading,
    preheader: meeting,
    eyebrow: t('mail.nomination.eyebrow'),
    heading,
    body: [
      {
        kind: 'text',
        text: accepted
          ? t('mail.nomination.accepted_text', { meeting })
          : reason
            ? t('mail.nomination.refused_reason', { meeting, reason })
            : t('mail.nomination.refused_text', { meeting }),
      },
    ],
    link: { label: accepted ? t('mail.proposal.see_or_withdraw') : t('mail.proposal.see'), href: link },
    why: t('mail.nomination.decision_why'),
  };
}

/** The data of the call for candidates. */
export interface CallMailProps {
  club: MailClub;
  meeting: string;
  /** When the meeting is. */
  when: Text;
  office: string;
  text: string | null;
  /** When nominations begin; undefined once they have. */
  opens: Text | undefined;
  closes: Text;
  /** How many members have to second each nomination. */
  seconders: number;
  link: string;
}

/** What the mail of every call says: which meeting, when, and how many seconders. */
export const callFacts = ({
  meeting,
  when,
  opens,
  closes,
  seconders,
}: Pick<CallMailProps, 'meeting' | 'when' | 'opens' | 'closes' | 'seconders'>): Block => ({
  kind: 'facts',
  facts: [
    [t('mail.proposal.meeting'), commas([meeting, when]) ?? ''],
    ...(opens === undefined ? [] : [[t('mail.call.from'), opens] as const]),
    [t('mail.call.until'), closes],
    ...(seconders > 0 ? [[t('mail.call.seconders'), String(seconders)] as const] : []),
  ],
});

/** Calls for candidates. */
export function callMail({
  club,
  meeting,
  when,
  office,
  text,
  opens,
  closes,
  seconders,
  link,
}: CallMailProps): MailParts {
  return {
    club,
    subject: t('mail.call.heading', { office }),
    preheader: t('mail.call.preheader', { closes }),
    eyebrow: t('mail.call.eyebrow'),
    heading: t('mail.call.heading', { office }),
    body: [
      { kind: 'text', text: t('mail.call.text') },
      callFacts({ meeting, when, opens, closes, seconders }),
      ...(text ? [{ kind: 'text' as const, text: excerpt(text, 1_000) }] : []),
    ],
    link: { label: t('mail.call.button'), href: link },
    why: t('mail.call.why'),
  };
}
