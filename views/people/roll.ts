import { roleLabel } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { formatDate } from '#kernel/local-time.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
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
    html`<a class="button" href="/admin/people/new">New person</a><a class="button button-quiet" href="/admin/people/import">Import</a>`
  }
${
  may('people:export') &&
  !past &&
  html`<a class="button button-quiet" href="/api/admin/people/export.csv${
    query.size > 0 && `?${query}`
  }" download>Download</a>`
}`;
  const body = html`${pageHeader({
    title: 'People',
    lede: 'Members, staff, and other people the club knows.',
    actions,
  })}
${doneNotice(done)}${past && PAST_NOTICE}${filterForm(props)}${pastLink(props)}${list(props, past || query.size > 0)}`;
  return peoplePage('People', body, props);
}

const PAST_NOTICE = notice(
  'info',
  html`<p>Their membership ended more than two years ago. Since then they have not signed in; they have no role
  and are in no election that is not over. Nobody is erased automatically: open a person, and choose
  “Erase”. <a href="/admin/people">Show everybody</a></p>`,
  'Only people who have not been members for two years',
);

/** The link to the people who are proposed for erasure. */
function pastLink({ past, pastMembers }: RollPageProps): Html | null {
  if (past || pastMembers === 0) return null;
  const text =
    pastMembers === 1
      ? '1 person has not been a member'
      : `${count(pastMembers)} people have not been members`;
  return html`<p>${text} for two years. <a href="/admin/people?past=1">See who may be erased</a></p>`;
}

function filterForm({ filter, past, kinds, groups }: RollPageProps): Html {
  const options = (all: readonly { name: string }[], first: string) => [
    { value: '', label: first },
    ...all.map(({ name }) => ({ value: name, label: name })),
  ];
  return html`<form class="card people-filter" method="get" action="/admin/people"
  role="search">${past && hiddenInputs({ past: '1' })}
${openField({ name: 'q', label: 'Name, number or address', type: 'search', value: filter.q })}
${selectField({ name: 'kind', label: 'Membership', options: options(kinds, 'Any or none'), value: filter.kind })}
${selectField({ name: 'group', label: 'Group', options: options(groups, 'Any or none'), value: filter.group })}
${openField({ name: 'on', label: 'Members on', type: 'date', value: filter.on })}
<p class="people-go"><button class="button button-quiet">Show</button></p></form>`;
}

function list({ people, pages }: RollPageProps, filtered: boolean): Html {
  if (people.length === 0)
    return filtered
      ? empty('Nobody is found', html`Nobody on the roll fits. <a href="/admin/people">Show all</a>`)
      : empty('Nobody is on the roll yet', 'Add people one by one, or import the list that you have.');
  const columns = [
    { label: 'Name' },
    { label: 'Number' },
    { label: 'Membership' },
    { label: 'E-mail address' },
    { label: 'Groups' },
  ];
  return html`${table({ caption: 'People', quietCaption: true, flows: true, columns, rows: people.map(cells) })}
${numberedPages({ ...pages, of: pages.total === 1 ? 'person' : 'people' })}`;
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
        more.length > 0 && html` <span class="small soft">and ${count(more.length)} more</span>`
      }</span>`,
    groups.join(', '),
  ];
}

/** `since Jan 1, 2020`, `Jan 1, 2020 to Dec 31, 2020`. */
export function days({ first_day, last_day }: { first_day: string; last_day: string | null }): string {
  const words = (day: string) => formatDate(day, { day: 'numeric', month: 'short', year: 'numeric' });
  return last_day === null ? `since ${words(first_day)}` : `${words(first_day)} to ${words(last_day)}`;
}
