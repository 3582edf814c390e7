import { roleLabel } from '#kernel/access/roles.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { listed } from '#views/components/numbers.ts';
import { ended, type Mail, type MailParts, renderMail } from './layout.ts';

interface Notice {
  club: MailClub;
  /** When it happened, already formatted. */
  at: string;
}

type NoticeParts = Notice &
  Pick<MailParts, 'eyebrow' | 'heading' | 'link' | 'advice' | 'why'> & { texts: readonly string[] };

/** A mail that says what happened since when; its subject is its heading. */
const noticeMail = ({ at, texts, ...parts }: NoticeParts): Mail =>
  renderMail({
    ...parts,
    subject: parts.heading,
    preheader: `Since ${at}.`,
    body: texts.map((text) => ({ kind: 'text', text })),
  });

/** Tells somebody that an account at the OpenID provider was linked to them, or removed from them. */
export function accountMail({
  club,
  at,
  account,
  isLinked,
  link,
}: Notice & { account: string; isLinked: boolean; link: string }): Mail {
  const heading = isLinked ? `An account signs you in: ${account}` : `An account was removed: ${account}`;
  return noticeMail({
    club,
    at,
    eyebrow: 'Sign in',
    heading,
    texts: [
      isLinked
        ? `An account at ${account} was linked to you at ${at}. Anyone who has that account can sign in as you at ${ended(club.name)}`
        : `An account at ${account} was removed at ${at}. It no longer signs you in at ${club.name}, and sessions that it opened have ended.`,
    ],
    link: { label: 'See your accounts', href: link },
    advice: 'Was it not you? Then remove the account, and tell an officer.',
    why: 'You get this mail because the ways to sign in as you have changed.',
  });
}

/** Tells the owners that there is a new one. @param by who gave the role, as pages name them */
export function newOwnerMail({
  club,
  at,
  owner,
  by,
  link,
}: Notice & { owner: string; by: string; link: string }): Mail {
  const heading = `A new owner: ${owner}`;
  return noticeMail({
    club,
    at,
    eyebrow: 'Roles',
    heading,
    texts: [
      `${by} made ${owner} an owner of ${club.name} at ${at}. An owner may do everything here, and decide who else may.`,
    ],
    link: { label: 'See who may do what', href: link },
    advice: 'If this was not agreed, remove the role, and find out how it was granted.',
    why: 'You get this mail because you are an owner.',
  });
}

const WAYS_IN = {
  base_url: {
    title: 'The service has another address',
    what: 'the address of the service',
    none: 'it has none',
  },
  house_network: {
    title: 'Who in the house reaches the service has changed',
    what: 'who in the house reaches the service',
    none: 'it is open on its own computer only',
  },
  'mail.host': {
    title: 'Mail goes through another server',
    what: 'the mail server',
    none: 'no mail is sent',
  },
  'oidc.issuer': {
    title: 'Another provider signs people in',
    what: 'the OpenID provider',
    none: 'there is none',
  },
} as const;

/** Tells the owners that codes to sign in go another way now, or that another provider vouches for people. */
export function settingsMail({
  club,
  at,
  changed,
  now,
  by,
  labels = [],
  link,
}: Notice & {
  changed: keyof typeof WAYS_IN;
  now: string | null;
  by: string;
  labels?: readonly string[] | undefined;
  link: string;
}): Mail {
  const { title, what, none } = WAYS_IN[changed];
  return noticeMail({
    club,
    at,
    eyebrow: 'Settings',
    heading: title,
    texts: [
      `${by} changed ${what} of ${club.name} at ${at}. Now ${now === null ? none : `it is ${now}`}. It decides who can sign in.`,
      ...(labels.length > 0 ? [`What changed: ${listed(labels)}.`] : []),
    ],
    link: { label: 'See the settings', href: link },
    advice: 'If this was not agreed, change it back, and find out who did it in the audit log.',
    why: 'You get this mail because you are an owner.',
  });
}

/** Tells somebody which roles they have now, and where to sign in. */
export function roleMail({
  club,
  at,
  roles,
  by,
  link,
}: Notice & { roles: readonly string[]; by: string; link: string }): Mail {
  const heading =
    roles.length > 0 ? `Your role: ${listed(roles.map(roleLabel))}` : 'You have no role any more';
  return noticeMail({
    club,
    at,
    eyebrow: 'Roles',
    heading,
    texts: [
      roles.length > 0
        ? `${by} decided at ${at} what you may do at ${ended(club.name)} You sign in with this address; a code comes by mail.`
        : `${by} decided at ${at} that you have no role at ${club.name} any more.`,
    ],
    link: { label: roles.length > 0 ? 'Sign in' : 'See your own page', href: link },
    advice: 'Your own page says what you may do.',
    why: 'You get this mail because your role has changed.',
  });
}

/** Tells somebody with a role that another person has their address too. */
export function sharedAddressMail({ club, at, email, link }: Notice & { email: string; link: string }): Mail {
  const heading = 'You share an address';
  return noticeMail({
    club,
    at,
    eyebrow: 'Sign in',
    heading,
    texts: [
      `Since ${at} somebody else on the roll of ${club.name} has the address ${displayAddress(email)} too. You keep your roles. Anyone who reads the mail of that address can sign in as you, and use them.`,
    ],
    link: { label: 'See your addresses', href: link },
    advice: 'Ask for an address of your own on the roll, and have this one removed from you.',
    why: 'You get this mail because you have a role.',
  });
}
