import { t } from '#kernel/language/message.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import type { MailParts, Text } from './layout.ts';

export interface SignInMailProps {
  club: MailClub;
  /** In groups, as it is typed. */
  code: string;
  /** Absent where the code confirms a change instead of a sign-in. */
  link?: string | undefined;
  /** The provider whose account the code links to the person; absent where it only signs in. */
  account?: string | undefined;
  /** When it was requested, and until when it works. */
  asked: Text;
  until: Text;
}

/** The code and the link to sign in with. */
export function signInMail(props: SignInMailProps): MailParts {
  const { club, code, link, account, until } = props;
  return {
    club,
    subject: t('mail.sign_in.subject', { code, club: club.name }),
    preheader: t('mail.sign_in.preheader', { until }),
    eyebrow:
      link === undefined && account === undefined
        ? t('mail.sign_in.eyebrow_confirm')
        : t('mail.sign_in.eyebrow'),
    heading: code,
    body: [{ kind: 'text', text: purposeOf(props) }],
    link: link === undefined ? undefined : { label: t('mail.sign_in.this_device'), href: link },
    advice: t('mail.sign_in.advice'),
    why: t('mail.sign_in.why'),
  };
}

function purposeOf({ club, link, account, asked, until }: SignInMailProps): Text {
  const facts = { club: club.name, when: asked, until };
  if (account !== undefined) return t('mail.sign_in.links', { account, ...facts });
  return link === undefined ? t('mail.sign_in.confirms', facts) : t('mail.sign_in.signs_in', facts);
}
