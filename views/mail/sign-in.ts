import type { MailClub } from '#kernel/mail/club.ts';
import { ended, type Mail, type MailParts, renderMail } from './layout.ts';

export interface SignInMailProps {
  club: MailClub;
  /** In groups, as it is typed. */
  code: string;
  /** Absent where the code confirms a change instead of a sign-in. */
  link?: string | undefined;
  /** The provider whose account the code links to the person; absent where it only signs in. */
  account?: string | undefined;
  /** When it was requested, and until when it works, already formatted. */
  asked: string;
  until: string;
}

/** The code and the link to sign in with. */
export function signInMail(props: SignInMailProps): Mail {
  return renderMail(signInParts(props));
}

function signInParts(props: SignInMailProps): MailParts {
  const { club, code, link, account, until } = props;
  return {
    club,
    subject: `${code} is your code for ${club.name}`,
    preheader: `Type it where you began. It works until ${until}.`,
    eyebrow: link === undefined && account === undefined ? 'Confirm' : 'Sign in',
    heading: code,
    body: [{ kind: 'text', text: purposeOf(props) }],
    link: link === undefined ? undefined : { label: 'Sign in on this device', href: link },
    advice: 'Nobody from the club will ever ask you for this code. Was it not you? Then do nothing.',
    why: 'You get this mail because your address was typed in at the sign-in page of the club.',
  };
}

function purposeOf({ club, link, account, asked, until }: SignInMailProps): string {
  if (account !== undefined)
    return `Somebody, hopefully you, links an account at ${account} to you at ${asked}. Anyone who has that account can then sign in as you at ${ended(club.name)} Type this code where you began. It works until ${until}.`;
  if (link === undefined)
    return `Somebody, hopefully you, confirms at ${asked} that it is you who changes something at ${ended(club.name)} Type this code there. It works until ${until}.`;
  return `Somebody, hopefully you, is signing in to ${club.name} at ${asked}. Type this code where you began. On the same device you can open the link instead. Both work until ${until}.`;
}
