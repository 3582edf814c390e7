import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage, personPath } from './frame.ts';

interface OfPerson extends PeoplePageProps {
  person: { id: string; name: string };
}

export interface PersonDevicesPageProps extends OfPerson {
  devices: readonly { id: string; browser: string; network: string; since: string; seen: string }[];
}

const crumbs = ({ id, name }: OfPerson['person']) => [
  { href: '/admin/people', label: 'People' },
  { href: personPath(id), label: name },
];

/** The sessions of a person, with a button to end each, and one to make a link that signs them in. */
export function personDevicesPage(props: PersonDevicesPageProps): Html {
  const { person, devices, done } = props;
  const path = `${personPath(person.id)}/devices`;
  const title = `Where ${person.name} is signed in`;
  const body = html`${pageHeader({ title, crumbs: crumbs(person) })}
${doneNotice(done)}
${devices.length === 0 && html`<p>Nowhere.</p>`}
<ul class="action-list" role="list">${devices.map(
    ({ id, browser, network, since, seen }) =>
      html`<li><p><strong>${browser}</strong><br><span class="soft small">Since ${since}, last seen ${seen}, from ${network}</span></p>
<form method="post" action="${path}/${id}?_method=DELETE"><button class="button button-quiet button-small">Sign out<span class="visually-hidden"> ${browser}</span></button></form></li>\n`,
  )}</ul>
${
  devices.length > 1 &&
  html`
<form method="post" action="${path}/end-all"><button class="button button-danger-quiet">Sign out
everywhere</button></form>`
}
<h2>When no mail reaches them</h2>
<p>A link signs ${person.name} in for 15 minutes from now, once, in any browser. It is for them alone: be sure
that it is they who ask. No ballot opens with it.</p>
<form method="post" action="${personPath(person.id)}/sign-in-link"><button class="button button-quiet">New sign-in link</button></form>`;
  return peoplePage(title, body, props);
}

/** Shows a link that signs somebody in. It cannot be shown again. */
export function signInLinkPage(props: OfPerson & { link: string; until: string }): Html {
  const { person, link, until } = props;
  const title = `A sign-in link for ${person.name}`;
  const body = html`${pageHeader({
    title,
    lede: `It works once, until ${until}. This page is shown once.`,
    crumbs: crumbs(person),
  })}
<p><code class="address">${link}</code></p>
${notice(
  'attention',
  'Anyone who has this link can sign in as this person. Give it to nobody else, and do not open it ' +
    'yourself: it works once.',
)}
<p><a class="link-alone" href="${personPath(person.id)}/devices">Back to the devices</a></p>`;
  return peoplePage(title, body, props);
}
