import { PERMISSIONS, type Permission, roleLabel } from '#kernel/access/roles.ts';
import { type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import type { OwnMinutes } from '#meetings/minutes/versions.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { ownLanguage } from './language.ts';
import { type OwnElectionsProps, ownElectionsPart } from './own-elections.ts';
import { NOT_OFFERED } from './passkeys.ts';

export interface MePageProps {
  person: { id: string; name: string; language: string | null };
  roles: readonly string[];
  permissions: readonly Permission[];
  addresses: readonly { email: string; primary: boolean; verified: boolean }[];
  /** The number of unused codes; null for people without a role. */
  recoveryCodes: number | null;
  elections: OwnElectionsProps;
  /** The meetings whose minutes they write, sign or correct. */
  minutes: readonly OwnMinutes[];
  /** The pages for their roles, each with what waits there, in words. */
  tasks: readonly { href: string; label: string; waits: string }[];
  /** The number of passkeys, and whether one can be made here. */
  passkeys: { count: number; offered: boolean };
  /** Whether accounts at an OpenID provider sign people in. */
  accounts: boolean;
}

/** The page of the signed-in person about themselves. */
export function mePage(props: MePageProps): Html {
  const { person, roles, permissions, addresses, elections, minutes } = props;
  const tasks = [
    ...minutes.map(({ meeting, title, to_correct }) => ({
      href: `/admin/meetings/${meeting}/minutes`,
      label: `${to_correct ? 'Correct the minutes' : 'Minutes'}: ${title}`,
      waits: '',
    })),
    ...props.tasks,
  ];
  const body = html`${pageHeader({ title: person.name, eyebrow: 'You are signed in' })}
${ownElectionsPart(elections)}
${
  tasks.length > 0 &&
  html`<h2>Your tasks</h2>
<ul class="found" role="list">${tasks.map(
    ({ href, label, waits }) => html`
<li><a class="link-alone" href="${href}">${label}${waits !== '' && html`: ${waits}`}</a></li>\n`,
  )}</ul>`
}
<h2>Your account</h2>
${definitionList([
  ['Addresses', addresses.map(({ email }) => displayAddress(email)).join(', ')],
  ...(roles.length > 0 ? [['Roles', listed(roles.map(roleLabel))] as const] : []),
])}
${
  permissions.length > 0 &&
  disclosure(
    'Your permissions',
    html`
<ul>${permissions.map((permission) => html`<li>${PERMISSIONS[permission]}</li>`)}</ul>`,
  )
}
<ul class="action-list" role="list">${accountLines(props).map((line) => html`<li>${line}</li>\n`)}</ul>
${ownLanguage(person.language)}
<form method="post" action="/sign-out"><button class="button button-quiet">Sign out</button></form>`;
  return page({ title: person.name, body, nav: '/me' });
}

/** How they sign in, and what is stored about them. */
function accountLines({ roles, recoveryCodes, passkeys, accounts }: MePageProps): Html[] {
  const { count, offered } = passkeys;
  const line = (href: string, label: string, about: string) =>
    html`<p><a class="link-alone" href="${href}">${label}</a><br><span class="small soft">${about}</span></p>`;
  const lines = [
    offered || count > 0
      ? line('/me/passkeys', 'Your passkeys', offered ? haveWords(count) : NOT_OFFERED)
      : html`<p>Passkeys<br><span class="small soft">${NOT_OFFERED}</span></p>`,
    recoveryCodes !== null && recoveryLine(recoveryCodes),
    accounts && line('/me/oidc', 'Accounts that sign you in', 'With another service, without a mail.'),
    line('/me/devices', 'Where you are signed in', 'This device and others.'),
    line('/me/export', 'Your data', 'Download it as a file.'),
    roles.includes('owner') && line('/me/first-steps', 'First evening', 'What a new club sets up.'),
  ];
  return lines.filter((one) => one !== false);
}

const haveWords = (count: number): string =>
  `You have ${count === 0 ? 'none' : counted(count, 'passkey')}. They sign you in without a mail.`;

function recoveryLine(left: number): Html {
  const says =
    left === 0
      ? 'You have none. They sign you in when no mail arrives; print them and put them away.'
      : `You have ${counted(left, 'code')} left. New ones end those from before.`;
  return html`<p>Recovery codes<br><span class="small soft">${says}</span></p>
<form method="post" action="/me/recovery-codes"><button class="button button-quiet">Make recovery codes</button></form>`;
}

/** Shows the recovery codes. They cannot be shown again. */
export function recoveryCodesPage({ codes }: { codes: readonly string[] }): Html {
  const body = html`${pageHeader({
    title: 'Your recovery codes',
    lede: 'This page is shown once. Print it, or write the codes down.',
    crumbs: [{ href: '/me', label: 'You' }],
  })}
<ul>${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
<p>Each signs you in once, at <a class="print-address" href="/sign-in/recovery">the sign-in page for
recovery codes</a>, with your address. Anyone who has them and your address can sign in as you: keep them with your
passport.</p>
<p><a class="button button-quiet" href="/me">Back to your page</a></p>`;
  return page({ title: 'Your recovery codes', body });
}

export interface DevicesPageProps {
  devices: readonly {
    id: string;
    browser: string;
    network: string;
    since: string;
    seen: string;
    current: boolean;
  }[];
}

/** The sessions of the signed-in person, with a button to end each. */
export function devicesPage({ devices }: DevicesPageProps): Html {
  const body = html`${pageHeader({ title: 'Where you are signed in', crumbs: [{ href: '/me', label: 'You' }] })}
<ul class="action-list" role="list">${devices.map(
    ({ id, browser, network, since, seen, current }) =>
      html`<li><p><strong>${browser}</strong> ${
        current && badge('This one', 'open')
      }<br><span class="soft small">Since ${since}, last seen ${seen}, from ${network}</span></p>
<form method="post" action="/me/devices/${id}?_method=DELETE"><button class="button button-quiet button-small">Sign out<span class="visually-hidden"> ${browser}</span></button></form></li>\n`,
  )}</ul>
${
  devices.length > 1 &&
  html`
<form method="post" action="/me/devices/end-others"><button class="button button-danger-quiet">Sign out everywhere
else</button></form>`
}`;
  return page({ title: 'Where you are signed in', body });
}
