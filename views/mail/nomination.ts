import type { MailClub } from '#kernel/mail/club.ts';
import { excerpt, type Mail, renderMail } from './layout.ts';

/** The data of the mails about a nomination; times are already formatted. */
export interface NominationMailProps {
  club: MailClub;
  meeting: string;
  office: string;
  name: string;
  text: string;
  proposer: string | null;
  closes: string;
  link: string;
}

const facts = ({ office, meeting, name, proposer, closes }: NominationMailProps) => ({
  kind: 'facts' as const,
  facts: [
    ['Office', office],
    ['Meeting', meeting],
    ['Nominee', name],
    ...(proposer ? [['Proposed by', proposer] as const] : []),
    ['Answer until', closes],
  ] as const,
});

export const NOT_YOU = 'If you do not want this, or it does not concern you, you need not do anything.';

/** Asks a nominee whether they stand. */
export function consentMail(props: NominationMailProps): Mail {
  const { club, office, text, link } = props;
  return renderMail({
    club,
    subject: `Do you stand for ${office}?`,
    preheader: 'One click, and the nomination counts.',
    eyebrow: 'Nomination',
    heading: `Do you stand for ${office}?`,
    body: [
      {
        kind: 'text',
        text: 'You were nominated, by yourself or by somebody else. It counts once you confirm it.',
      },
      facts(props),
      ...(text === '' ? [] : [{ kind: 'text' as const, text: `About you: ${excerpt(text, 1_000)}` }]),
    ],
    link: { label: 'Answer', href: link },
    advice: `The link is yours alone; you can also withdraw by it until voting opens. ${NOT_YOU}`,
    why: 'You get this mail because your address was entered for a nomination.',
  });
}

/** Asks somebody to second a nomination. */
export function secondMail(props: NominationMailProps): Mail {
  const { club, office, name, text, link } = props;
  return renderMail({
    club,
    subject: `Do you second ${name} for ${office}?`,
    preheader: 'One click, if you do.',
    eyebrow: 'Nomination',
    heading: `Do you second ${name}?`,
    body: [
      { kind: 'text', text: 'You were named as somebody who seconds this nomination.' },
      facts(props),
      ...(text === '' ? [] : [{ kind: 'text' as const, text: excerpt(text, 1_000) }]),
    ],
    link: { label: 'Answer', href: link },
    advice: `The link is yours alone. ${NOT_YOU}`,
    why: 'You get this mail because your address was entered for a nomination.',
  });
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
}): Mail {
  const heading = accepted ? `You are a candidate for ${office}` : `Your nomination for ${office} is refused`;
  return renderMail({
    club,
    subject: heading,
    preheader: meeting,
    eyebrow: 'Nomination',
    heading,
    body: [
      {
        kind: 'text',
        text: accepted
          ? `Your name is on the ballot of ${meeting}.`
          : `The officers of ${meeting} refused it${reason ? `: ${reason}` : '.'}`,
      },
    ],
    link: { label: accepted ? 'See or withdraw it' : 'See it', href: link },
    why: 'You get this mail because you stand, or wanted to stand, for an office.',
  });
}

/** The data of the call for candidates; times are already formatted. */
export interface CallMailProps {
  club: MailClub;
  meeting: string;
  /** When the meeting is. */
  when: string;
  office: string;
  text: string | null;
  /** When nominations begin; undefined once they have. */
  opens: string | undefined;
  closes: string;
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
}: Pick<CallMailProps, 'meeting' | 'when' | 'opens' | 'closes' | 'seconders'>) => ({
  kind: 'facts' as const,
  facts: [
    ['Meeting', `${meeting}, ${when}`],
    ...(opens === undefined ? [] : [['From', opens] as const]),
    ['Until', closes],
    ...(seconders > 0 ? [['Seconders', String(seconders)] as const] : []),
  ] as const,
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
}: CallMailProps): Mail {
  return renderMail({
    club,
    subject: `Who stands for ${office}?`,
    preheader: `Nominations are taken until ${closes}.`,
    eyebrow: 'Call for candidates',
    heading: `Who stands for ${office}?`,
    body: [
      { kind: 'text', text: 'You can stand yourself, or nominate somebody else, who is asked by mail.' },
      callFacts({ meeting, when, opens, closes, seconders }),
      ...(text ? [{ kind: 'text' as const, text: excerpt(text, 1_000) }] : []),
    ],
    link: { label: 'Nominate', href: link },
    why: 'You get this mail because you may vote at this meeting.',
  });
}
