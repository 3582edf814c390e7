import { PERMISSIONS, type Permission, roleLabel } from '#kernel/access/roles.ts';
import { type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import type { OwnMinutes } from '#meetings/minutes/versions.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { type OwnElectionsProps, ownElectionsPart } from './own-elections.ts';
import { NOT_OFFERED } from './passkeys.ts';

export interface MePageProps {
  person: { id: string; name: string };
  roles: readonly string[];
  permissions: readonly Permission[];
  addresses: readonly { email: string; primary: boolean; verified: boolean }[];
  /** The number of unused codes; null for people without a role. */
  recoveryCodes: number | null;
  elections: OwnElectionsProps;
  /** The meetings whose minutes they write, sign or correct. */
  minutes: readonly OwnMinutes[];
  /** The number of passkeys, and whether one can be made here. */
  passkeys: { count: number; offered: boolean };
  /** Whether accounts at an OpenID provider sign people in. */
  accounts: boolean;
}

/** The page of the signed-in person about themselves. */
export function mePage({
  person,
  roles,
  permissions,
  addresses,
  recoveryCodes,
  elections,
  minutes,
  passkeys,
  accounts,
}: MePageProps): Html {
  const may = (...prefixes: string[]) =>
    permissions.some((permission) => prefixes.some((prefix) => permission.startsWith(prefix)));
  const desks = [
    ...minutes.map(({ meeting, title, to_correct }) => ({
      href: `/admin/meetings/${meeting}/minutes`,
      label: `${to_correct ? 'Correct the minutes' : 'Minutes'}: ${title}`,
    })),
    ...(may('elections:') ? [{ href: '/admin', label: 'Elections' }] : []),
    ...(may('controls:', 'now_showing:', 'requests:', 'lighting:')
      ? [{ href: '/admin/pub', label: 'The pub' }]
      : []),
    ...(may('feedback:') ? [{ href: '/admin/feedback', label: 'Feedback' }] : []),
    ...(may('content:write') ? [{ href: '/admin/content', label: 'Events, hours and slides' }] : []),
    ...(may('people:') ? [{ href: '/admin/people', label: 'Members' }] : []),
    ...(may('calendar:') ? [{ href: '/admin/calendar', label: 'Calendar subscribers' }] : []),
    ...(may('roles:') ? [{ href: '/admin/pub/roles', label: 'Roles' }] : []),
  ];
  const body = html`${pageHeader({ title: person.name, eyebrow: 'You are signed in' })}
${ownElectionsPart(elections)}
${
  desks.length > 0 &&
  html`<h2>Your tasks</h2>
<ul class="action-list" role="list">${desks.map(
    ({ href, label }) => html`
<li><a class="button button-quiet" href="${href}">${label}</a></li>\n`,
  )}</ul>`
}
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
${passkeyPart(passkeys)}
${recoveryCodes !== null && recoveryPart(recoveryCodes)}
${accounts && html`<h2>Other ways in</h2><p><a class="link-alone" href="/me/oidc">Accounts that sign you in</a></p>`}
<h2>This device and others</h2><p><a class="link-alone" href="/me/devices">Where you are signed in</a></p>
<h2>Your data</h2><p><a class="link-alone" href="/me/export">Download it as a file</a></p>
${
  roles.includes('owner') &&
  html`<h2>Set-up</h2><p><a class="link-alone" href="/me/first-steps">First evening</a></p>`
}
<form method="post" action="/sign-out"><button class="button button-quiet">Sign out</button></form>`;
  return page({ title: person.name, body, nav: '/me' });
}

function passkeyPart({ count, offered }: MePageProps['passkeys']): Html {
  const have = count === 0 ? 'none' : counted(count, 'passkey');
  return html`<h2>Passkeys</h2><p>${offered ? `You have ${have}. They sign you in without a mail.` : NOT_OFFERED}</p>
${(offered || count > 0) && html`<p><a class="link-alone" href="/me/passkeys">Your passkeys</a></p>`}`;
}

function recoveryPart(left: number): Html {
  const says =
    left === 0
      ? 'You have none. They sign you in when no mail arrives; print them and put them away.'
      : `You have ${counted(left, 'code')} left. New ones end those from before.`;
  return html`<h2>Recovery codes</h2><p>${says}</p>
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
