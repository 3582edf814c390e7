import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type PeoplePageProps, peoplePage, personPath } from './frame.ts';

export interface ErasePageProps extends PeoplePageProps {
  person: { id: string; name: string };
}

const GOES = [
  t('people-admin.erase.goes_data'),
  t('people-admin.erase.goes_access'),
  t('people-admin.erase.goes_lists'),
  t('people-admin.erase.goes_electors'),
  t('people-admin.erase.goes_log'),
];
const STAYS = [
  t('people-admin.erase.stays_entry'),
  t('people-admin.erase.stays_numbers'),
  t('people-admin.erase.stays_elections'),
  t('people-admin.erase.stays_log'),
  t('people-admin.erase.stays_texts'),
];

/** Asks before a person is erased, and says what is deleted and what is kept. */
export function erasePage({ person, ...props }: ErasePageProps): Html {
  const path = personPath(person.id);
  const title = t('people-admin.erase.title', { name: person.name });
  const body = html`${pageHeader({
    title,
    lede: t('people-admin.erase.lede'),
    crumbs: [
      { href: '/admin/people', label: t('people-admin.erase.people') },
      { href: path, label: person.name },
    ],
  })}
${refusedNotice(props.refused, {})}
<h2>${t('people-admin.erase.what_deleted')}</h2><ul>${GOES.map((text) => html`<li>${text}</li>\n`)}</ul>
<h2>${t('people-admin.erase.what_kept')}</h2><ul>${STAYS.map((text) => html`<li>${text}</li>\n`)}</ul>
${notice('attention', t('people-admin.erase.backups_text'), t('people-admin.erase.backups'))}
<form method="post" action="${path}/erase">
<div class="actions"><button class="button button-danger">${t('people-admin.erase.title', { name: person.name })}</button><a class="button button-quiet" href="${path}">${t('people-admin.erase.cancel')}</a></div></form>`;
  return peoplePage(title, body, props);
}
