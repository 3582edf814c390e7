import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage, personPath } from './frame.ts';

interface OfPerson extends PeoplePageProps {
  person: { id: string; name: string };
}

export interface PersonDevicesPageProps extends OfPerson {
  devices: readonly { id: string; browser: string; network: string; since: Words; seen: Words }[];
}

const crumbs = ({ id, name }: OfPerson['person']) => [
  { href: '/admin/people', label: t('people-admin.devices.people') },
  { href: personPath(id), label: name },
];

/** The sessions of a person, with a button to end each, and one to make a link that signs them in. */
export function personDevicesPage(props: PersonDevicesPageProps): Html {
  const { person, devices, done } = props;
  const path = `${personPath(person.id)}/devices`;
  const title = t('people-admin.devices.title', { name: person.name });
  const body = html`${pageHeader({ title, crumbs: crumbs(person) })}
${doneNotice(done)}
${devices.length === 0 && html`<p>${t('people-admin.devices.nowhere')}</p>`}
<ul class="action-list" role="list">${devices.map(
    ({ id, browser, network, since, seen }) =>
      html`<li><p><strong>${browser}</strong><br><span class="soft small">${t('people-admin.devices.since_last_seen', { since, seen, network })}</span></p>
<form method="post" action="${path}/${id}?_method=DELETE"><button class="button button-quiet button-small">${t('people-admin.devices.sign_out', { hidden, browser })}</button></form></li>\n`,
  )}</ul>
${
  devices.length > 1 &&
  html`
<form method="post" action="${path}/end-all"><button class="button button-danger-quiet">${t('people-admin.devices.sign_out_everywhere')}</button></form>`
}
<h2>${t('people-admin.devices.no_mail')}</h2>
<p>${t('people-admin.devices.link_text', { name: person.name })}</p>
<form method="post" action="${personPath(person.id)}/sign-in-link"><button class="button button-quiet">${t('people-admin.devices.new_link')}</button></form>`;
  return peoplePage(title, body, props);
}

/** Shows a link that signs somebody in. It cannot be shown again. */
export function signInLinkPage(props: OfPerson & { link: string; until: Words }): Html {
  const { person, link, until } = props;
  const title = t('people-admin.devices.link_title', { name: person.name });
  const body = html`${pageHeader({
    title,
    lede: t('people-admin.devices.link_lede', { until }),
    crumbs: crumbs(person),
  })}
<p><code class="address">${link}</code></p>
${notice('attention', t('people-admin.devices.link_notice'))}
<p><a class="link-alone" href="${personPath(person.id)}/devices">${t('people-admin.devices.back_devices')}</a></p>`;
  return peoplePage(title, body, props);
}
