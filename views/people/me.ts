import { PERMISSIONS, type Permission, roleLabel } from '#kernel/access/roles.ts';
import { OTHER_BROWSER } from '#kernel/access/sessions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import type { OwnMinutes } from '#meetings/minutes/versions.ts';
import { hidden } from '#views/components/slots.ts';
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
  tasks: readonly { href: string; label: Words; waits: Words | string | undefined }[];
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
      label: to_correct ? t('people.me.correct_minutes', { title }) : t('people.me.minutes', { title }),
      waits: undefined,
    })),
    ...props.tasks,
  ];
  const body = html`${pageHeader({ title: person.name, eyebrow: t('people.me.signed_in') })}
${ownElectionsPart(elections)}
${
  tasks.length > 0 &&
  html`<h2>${t('people.me.tasks')}</h2>
<ul class="found" role="list">${tasks.map(
    ({ href, label, waits }) => html`
<li><a class="link-alone" href="${href}">${waits === undefined ? label : t('people.task.waits', { task: label, waits })}</a></li>\n`,
  )}</ul>`
}
<h2>${t('people.me.account')}</h2>
${definitionList([
  [t('people.me.addresses'), commas(addresses.map(({ email }) => displayAddress(email))) ?? ''],
  ...(roles.length > 0 ? [[t('people.me.roles'), allOf(roles.map(roleLabel))] as const] : []),
])}
${
  permissions.length > 0 &&
  disclosure(
    t('people.me.permissions'),
    html`
<ul>${permissions.map((permission) => html`<li>${PERMISSIONS[permission]}</li>`)}</ul>`,
  )
}
<ul class="action-list" role="list">${accountLines(props).map((line) => html`<li>${line}</li>\n`)}</ul>
${ownLanguage(person.language)}
<form method="post" action="/sign-out"><button class="button button-quiet">${t('people.me.sign_out')}</button></form>`;
  return page({ title: person.name, body, nav: '/me' });
}

/** How they sign in, and what is stored about them. */
function accountLines({ roles, recoveryCodes, passkeys, accounts }: MePageProps): Html[] {
  const { count, offered } = passkeys;
  const line = (href: string, label: Words, about: Words) =>
    html`<p><a class="link-alone" href="${href}">${label}</a><br><span class="small soft">${about}</span></p>`;
  const lines = [
    offered || count > 0
      ? line('/me/passkeys', t('people.me.own_passkeys'), offered ? haveWords(count) : NOT_OFFERED)
      : html`<p>${t('people.me.passkeys')}<br><span class="small soft">${NOT_OFFERED}</span></p>`,
    recoveryCodes !== null && recoveryLine(recoveryCodes),
    accounts && line('/me/oidc', t('people.me.accounts'), t('people.me.accounts_about')),
    line('/me/devices', t('people.me.devices'), t('people.me.devices_about')),
    line('/me/export', t('people.me.own_data'), t('people.me.own_data_about')),
    roles.includes('owner') &&
      line('/me/first-steps', t('people.me.first_evening'), t('people.me.first_evening_about')),
  ];
  return lines.filter((one) => one !== false);
}

const haveWords = (n: number): Words =>
  n === 0 ? t('people.me.no_passkeys') : t('people.me.have_passkeys', { n });

function recoveryLine(left: number): Html {
  const says = left === 0 ? t('people.me.no_codes') : t('people.me.codes_left', { n: left });
  return html`<p>${t('people.me.recovery_codes')}<br><span class="small soft">${says}</span></p>
<form method="post" action="/me/recovery-codes"><button class="button button-quiet">${t('people.me.make_recovery_codes')}</button></form>`;
}

/** Shows the recovery codes. They cannot be shown again. */
export function recoveryCodesPage({ codes }: { codes: readonly string[] }): Html {
  const body = html`${pageHeader({
    title: t('people.me.own_recovery_codes'),
    lede: t('people.me.codes_lede'),
    crumbs: [{ href: '/me', label: t('people.me.you') }],
  })}
<ul>${codes.map((code) => html`<li><code>${code}</code></li>\n`)}</ul>
<p>${t('people.me.codes_how', { link: (inside) => html`<a class="print-address" href="/sign-in/recovery">${inside}</a>` })}</p>
<p><a class="button button-quiet" href="/me">${t('people.me.back_page')}</a></p>`;
  return page({ title: t('people.me.own_recovery_codes'), body });
}

export interface DevicesPageProps {
  devices: readonly {
    id: string;
    browser: string;
    network: string;
    since: Words;
    seen: Words;
    current: boolean;
  }[];
}

/** The browser of a session, as a list of devices names it. */
export const browserWords = ({ browser }: { browser: string }): Words | string =>
  browser === OTHER_BROWSER ? t('people.me.another_browser') : browser;

/** The sessions of the signed-in person, with a button to end each. */
export function devicesPage({ devices }: DevicesPageProps): Html {
  const body = html`${pageHeader({ title: t('people.me.devices'), crumbs: [{ href: '/me', label: t('people.me.you') }] })}
<ul class="action-list" role="list">${devices.map(({ id, network, since, seen, current, ...device }) => {
    const browser = browserWords(device);
    return html`<li><p><strong>${browser}</strong> ${
      current && badge(t('people.me.this_one'), 'open')
    }<br><span class="soft small">${t('people.me.since_last_seen', { since, seen, network })}</span></p>
<form method="post" action="/me/devices/${id}?_method=DELETE"><button class="button button-quiet button-small">${t('people.me.sign_out_device', { hidden, browser })}</button></form></li>\n`;
  })}</ul>
${
  devices.length > 1 &&
  html`
<form method="post" action="/me/devices/end-others"><button class="button button-danger-quiet">${t('people.me.sign_out_everywhere_else')}</button></form>`
}`;
  return page({ title: t('people.me.devices'), body });
}
