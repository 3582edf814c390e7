import { roleLabel } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas, formatNumber as count, formatDate } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { linkTo } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { type ListPages, numberedPages, pageHeader } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage, personPath } from './frame.ts';

/** A person of the table. */
export interface RollRow {
  id: string;
  name: string;
  called: string | null;
  number: string | null;
  addresses: readonly { email: string }[];
  standing: { kind: string; first_day: string; last_day: string | null } | null;
  groups: readonly string[];
  roles: readonly string[];
}

/** The search and the filters of the roll, as they were entered. */
export interface RollFilter {
  q: string | null;
  kind: string | null;
  group: string | null;
  on: string | null;
}

export interface RollPageProps extends PeoplePageProps {
  people: readonly RollRow[];
  pages: ListPages;
  filter: RollFilter;
  /** Whether only people are shown who have not been members for two years. */
  past: boolean;
  /** The number of these people for users who may erase them and see the whole roll, else 0. */
  pastMembers: number;
  kinds: readonly { name: string }[];
  groups: readonly { name: string }[];
}

/** The roll of members: search, filters, and a page of people. */
export function rollPage(props: RollPageProps): Html {
  const { filter, past, identity, done } = props;
  const may = (permission: 'people:write' | 'people:export') =>
    identity?.permissions.has(permission) ?? false;
  const query = new URLSearchParams(
    Object.entries(filter).filter((part): part is [string, string] => !!part[1]),
  );
  const actions = html`${
    may('people:write') &&
    html`<a class="button" href="/admin/people/new">${t('people-admin.roll.new_person')}</a><a class="button button-quiet" href="/admin/people/import">${t('people-admin.roll.import')}</a>`
  }
${
  may('people:export') &&
  !past &&
  html`<a class="button button-quiet" href="/api/admin/people/export.csv${
    query.size > 0 && `?${query}`
  }" download>${t('people-admin.roll.download')}</a>`
}`;
  const body = html`${pageHeader({
    title: t('people-admin.roll.people'),
    lede: t('people-admin.roll.lede'),
    actions,
  })}
${doneNotice(done)}${past && PAST_NOTICE}${filterForm(props)}${pastLink(props)}${list(props, past || query.size > 0)}`;
  return peoplePage(t('people-admin.roll.people'), body, props);
}

const PAST_NOTICE = notice(
  'info',
  html`<p>${t('people-admin.roll.past_notice', { link: linkTo('/admin/people') })}</p>`,
  t('people-admin.roll.past_title'),
);

/** The link to the people who are proposed for erasure. */
function pastLink({ past, pastMembers }: RollPageProps): Html | null {
  if (past || pastMembers === 0) return null;
  return html`<p>${t('people-admin.roll.past', { n: pastMembers, link: linkTo('/admin/people?past=1') })}</p>`;
}

function filterForm({ filter, past, kinds, groups }: RollPageProps): Html {
  const options = (all: readonly { name: string }[], first: Words) => [
    { value: '', label: first },
    ...all.map(({ name }) => ({ value: name, label: name })),
  ];
  return html`<form class="card people-filter" method="get" action="/admin/people"
  role="search">${past && hiddenInputs({ past: '1' })}
${openField({ name: 'q', label: t('people-admin.roll.name_number_address'), type: 'search', value: filter.q })}
${selectField({ name: 'kind', label: t('people-admin.roll.membership'), options: options(kinds, t('people-admin.roll.any_none')), value: filter.kind })}
${selectField({ name: 'group', label: t('people-admin.roll.group'), options: options(groups, t('people-admin.roll.any_none')), value: filter.group })}
${openField({ name: 'on', label: t('people-admin.roll.members_on'), type: 'date', value: filter.on })}
<p class="people-go"><button class="button button-quiet">${t('people-admin.roll.show')}</button></p></form>`;
}

function list({ people, pages }: RollPageProps, filtered: boolean): Html {
  if (people.length === 0)
    return filtered
      ? empty(
          t('people-admin.roll.nobody_found'),
          t('people-admin.roll.nobody_fits', { link: linkTo('/admin/people') }),
        )
      : empty(t('people-admin.roll.nobody_yet'), t('people-admin.roll.nobody_yet_text'));
  const columns = [
    { label: t('people-admin.roll.name') },
    { label: t('people-admin.roll.number') },
    { label: t('people-admin.roll.membership') },
    { label: t('people-admin.roll.e_mail_address') },
    { label: t('people-admin.roll.groups') },
  ];
  return html`${table({ caption: t('people-admin.roll.people'), quietCaption: true, flows: true, columns, rows: people.map(cells) })}
${numberedPages({ ...pages, of: (range) => t('people-admin.roll.shown', range) })}`;
}

function cells({ id, name, called, number, addresses, standing, groups, roles }: RollRow): Child[] {
  const [first, ...more] = addresses;
  return [
    html`<span><a href="${personPath(id)}">${name}</a>${
      called && html` <span class="small soft">${called}</span>`
    }${roles.map((role) => html` ${badge(roleLabel(role))}`)}</span>`,
    number,
    standing &&
      html`<span>${standing.kind} <span class="small soft people-days">${days(standing)}</span></span>`,
    first &&
      html`<span class="address">${displayAddress(first.email)}${
        more.length > 0 &&
        html` <span class="small soft">${t('people-admin.roll.more_addresses', { n: count(more.length) })}</span>`
      }</span>`,
    commas(groups),
  ];
}

/** `since Jan 1, 2020`, `Jan 1, 2020 to Dec 31, 2020`. */
export function days({ first_day, last_day }: { first_day: string; last_day: string | null }): Words {
  const words = (day: string) => formatDate(day, { day: 'numeric', month: 'short', year: 'numeric' });
  return last_day === null
    ? t('people-admin.roll.since', { day: words(first_day) })
    : t('people-admin.roll.from_to', { first: words(first_day), last: words(last_day) });
}

/** A kind of membership, and when: `Full, since Jan 1, 2020`. */
export const standingWords = (standing: {
  kind: string;
  first_day: string;
  last_day: string | null;
}): Words => t('people-admin.roll.standing', { kind: standing.kind, days: days(standing) });
