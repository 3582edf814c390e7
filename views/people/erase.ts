import { type Html, html } from '#kernel/html.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type PeoplePageProps, peoplePage, personPath } from './frame.ts';

export interface ErasePageProps extends PeoplePageProps {
  person: { id: string; name: string };
}

const GOES = [
  'name, number, note, e-mail addresses and groups',
  'roles, sessions, passkeys, linked accounts and recovery codes',
  'calendar subscriptions and entries in distribution lists under these addresses, unless somebody ' +
    'else has the address too',
  'name and address on the lists of voters of elections that are over',
  'name, addresses and network addresses in the audit log',
];
const STAYS = [
  'an entry without a name, so that old numbers still add up',
  'how many members of each kind there were in each year',
  'of elections that are over: that somebody was invited, and whether the code was used. Votes were ' +
    'never kept with a person',
  'in the audit log: what was done and when, under a number; and entries of earlier versions as they are',
  'texts that others wrote, as a title or a note that names the person, and who certified a result',
];

/** Asks before a person is erased, and says what is deleted and what is kept. */
export function erasePage({ person, ...props }: ErasePageProps): Html {
  const path = personPath(person.id);
  const title = `Erase ${person.name}`;
  const body = html`${pageHeader({
    title,
    lede: 'This cannot be taken back.',
    crumbs: [
      { href: '/admin/people', label: 'People' },
      { href: path, label: person.name },
    ],
  })}
${refusedNotice(props.refused, {})}
<h2>What is deleted</h2><ul>${GOES.map((text) => html`<li>${text}</li>\n`)}</ul>
<h2>What is kept</h2><ul>${STAYS.map((text) => html`<li>${text}</li>\n`)}</ul>
${notice(
  'attention',
  'Backups from before still hold it. The newest 14 are kept, unless the server is configured ' +
    'otherwise; a daily backup is gone after two weeks. When one is restored, the person is erased again.',
  'Backups',
)}
<form method="post" action="${path}/erase">
<div class="actions"><button class="button button-danger">Erase ${person.name}</button><a class="button button-quiet" href="${path}">Cancel</a></div></form>`;
  return peoplePage(title, body, props);
}
