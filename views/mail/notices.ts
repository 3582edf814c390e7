import { type Mail, renderMail } from './layout.ts';

interface Notice {
  clubName: string;
  /** When it happened, as a ready string. */
  at: string;
}

/** Tells somebody that an account at the OpenID provider signs them in from now on, or does so no more. */
export function accountMail({
  clubName,
  at,
  account,
  isLinked,
  link,
}: Notice & { account: string; isLinked: boolean; link: string }): Mail {
  const heading = isLinked ? `An account signs you in: ${account}` : `An account was removed: ${account}`;
  return renderMail({
    ...{ clubName, subject: heading, preheader: `Since ${at}.`, eyebrow: 'Sign in', heading },
    body: [
      {
        kind: 'text',
        text: isLinked
          ? `An account at ${account} was linked to you at ${at}. Whoever has that account can sign in as you at ${clubName}.`
          : `An account at ${account} was removed at ${at}. It signs you in at ${clubName} no more, and whoever was signed in with it is not any longer.`,
      },
    ],
    link: { label: 'See your accounts', href: link },
    advice: 'Was it not you? Then remove the account, and tell an officer.',
    why: 'You get this mail because the ways to sign in as you have changed.',
  });
}
