import { roleLabel } from '#kernel/access/roles.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, atLineStart } from '#kernel/language/times.ts';
import { Words } from '#kernel/language/words.ts';
import type { MailClub } from '#kernel/mail/club.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import type { WayIn } from '#people/notices.ts';
import type { MailParts, Text } from './layout.ts';

interface Notice {
  club: MailClub;
  /** When it happened. */
  at: Text;
}

type NoticeParts = Notice &
  Pick<MailParts, 'eyebrow' | 'heading' | 'link' | 'advice' | 'why'> & { texts: readonly Text[] };

/** A mail that says what happened since when; its subject is its heading. */
const noticeMail = ({ at, texts, ...parts }: NoticeParts): MailParts => ({
  ...parts,
  subject: parts.heading,
  preheader: t('mail.notice.since', { when: at }),
  body: texts.map((text) => ({ kind: 'text', text })),
});

/** Who did something, where a sentence begins; a name stays as its owner writes it. */
export const atStart = (who: Text): Text => (who instanceof Words ? atLineStart(who) : who);

/** Tells somebody that an account at the OpenID provider was linked to them, or removed from them. */
export function accountMail({
  club,
  at,
  account,
  isLinked,
  link,
}: Notice & { account: string; isLinked: boolean; link: string }): MailParts {
  const facts = { account, when: at, club: club.name };
  return noticeMail({
    club,
    at,
    eyebrow: t('mail.sign_in.eyebrow'),
    heading: isLinked ? t('mail.account.linked', { account }) : t('mail.account.removed', { account }),
    texts: [isLinked ? t('mail.account.linked_text', facts) : t('mail.account.removed_text', facts)],
    link: { label: t('mail.account.button'), href: link },
    advice: t('mail.account.advice'),
    why: t('mail.account.why'),
  });
}

/** Tells the owners that there is a new one. @param by who gave the role, as pages name them */
export function newOwnerMail({
  club,
  at,
  owner,
  by,
  link,
}: Notice & { owner: string; by: Text; link: string }): MailParts {
  return noticeMail({
    club,
    at,
    eyebrow: t('mail.roles.eyebrow'),
    heading: t('mail.owner.heading', { owner }),
    texts: [t('mail.owner.text', { who: atStart(by), owner, club: club.name, when: at })],
    link: { label: t('mail.owner.button'), href: link },
    advice: t('mail.owner.advice'),
    why: t('mail.owner.why'),
  });
}

/** What the mail about a way in says: its title, and what changed, to which value or to none. */
interface WayInWords {
  title: Words;
  text(facts: { who: Text; club: string; when: Text }, now: string | null): Words;
}

const WAYS_IN: Readonly<Record<WayIn, WayInWords>> = {
  base_url: {
    title: t('mail.way_in.address'),
    text: (facts, now) =>
      now === null
        ? t('mail.way_in.address_none', facts)
        : t('mail.way_in.address_now', { ...facts, value: now }),
  },
  house_network: {
    title: t('mail.way_in.house'),
    text: (facts, now) =>
      now === null ? t('mail.way_in.house_none', facts) : t('mail.way_in.house_now', facts),
  },
  'mail.host': {
    title: t('mail.way_in.server'),
    text: (facts, now) =>
      now === null
        ? t('mail.way_in.server_none', facts)
        : t('mail.way_in.server_now', { ...facts, value: now }),
  },
  'oidc.issuer': {
    title: t('mail.way_in.provider'),
    text: (facts, now) =>
      now === null
        ? t('mail.way_in.provider_none', facts)
        : t('mail.way_in.provider_now', { ...facts, value: now }),
  },
};

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
  changed: WayIn;
  now: string | null;
  by: Text;
  labels?: readonly Text[] | undefined;
  link: string;
}): MailParts {
  const { title, text } = WAYS_IN[changed];
  return noticeMail({
    club,
    at,
    eyebrow: t('mail.way_in.eyebrow'),
    heading: title,
    texts: [
      text({ who: atStart(by), club: club.name, when: at }, now),
      ...(labels.length > 0 ? [t('mail.way_in.changed', { settings: allOf(labels) })] : []),
    ],
    link: { label: t('mail.way_in.button'), href: link },
    advice: t('mail.way_in.advice'),
    why: t('mail.owner.why'),
  });
}

/** Tells somebody which roles they have now, and where to sign in. */
export function roleMail({
  club,
  at,
  roles,
  by,
  link,
}: Notice & { roles: readonly string[]; by: Text; link: string }): MailParts {
  const facts = { who: atStart(by), when: at, club: club.name };
  const hasAny = roles.length > 0;
  return noticeMail({
    club,
    at,
    eyebrow: t('mail.roles.eyebrow'),
    heading: hasAny ? t('mail.roles.now', { roles: allOf(roles.map(roleLabel)) }) : t('mail.roles.none'),
    texts: [hasAny ? t('mail.roles.now_text', facts) : t('mail.roles.none_text', facts)],
    link: { label: hasAny ? t('mail.sign_in.button') : t('mail.roles.own_page'), href: link },
    advice: t('mail.roles.advice'),
    why: t('mail.roles.why'),
  });
}

/** Tells somebody with a role that another person has their address too. */
export function sharedAddressMail({
  club,
  at,
  email,
  link,
}: Notice & { email: string; link: string }): MailParts {
  return noticeMail({
    club,
    at,
    eyebrow: t('mail.sign_in.eyebrow'),
    heading: t('mail.shared.heading'),
    texts: [t('mail.shared.text', { when: at, club: club.name, address: displayAddress(email) })],
    link: { label: t('mail.shared.button'), href: link },
    advice: t('mail.shared.advice'),
    why: t('mail.shared.why'),
  });
}
