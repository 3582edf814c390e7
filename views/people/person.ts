import { roleLabel } from '#kernel/access/roles.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { refusedNotice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage, personPath } from './frame.ts';
import { type EditedPerson, PERSON_LABELS, personFieldId, personForm } from './person-form.ts';
import { standingWords } from './roll.ts';

interface Choices {
  kinds: readonly { name: string; votes: boolean }[];
  groups: readonly { name: string }[];
}

export interface PersonPageProps extends PeoplePageProps, Choices {
  person: Omit<EditedPerson, 'addresses'> & {
    id: string;
    standing: { kind: string; first_day: string; last_day: string | null } | null;
    addresses: readonly { email: string; primary: boolean; verified: boolean }[];
    roles: readonly string[];
  };
}

const CRUMBS = [{ href: '/admin/people', label: t('people-admin.person.people') }];
const BLANK: EditedPerson = {
  name: '',
  called: null,
  number: null,
  note: null,
  addresses: [],
  standings: [],
  groups: [],
};

/** The form for a new person. */
export function newPersonPage(props: PeoplePageProps & Choices): Html {
  const { kinds, groups, refused } = props;
  const body = html`${pageHeader({ title: t('people-admin.person.new_person'), crumbs: CRUMBS })}
${refusedNotice(refused, PERSON_LABELS, personFieldId)}
<div class="card">${personForm({
    action: '/admin/people',
    button: t('people-admin.person.add'),
    person: BLANK,
    kinds,
    groups,
    refused,
  })}</div>`;
  return peoplePage(t('people-admin.person.new_person'), body, props);
}

/** The page of a person: the stored data, and the form to change it. */
export function personPage(props: PersonPageProps): Html {
  const { person, kinds, groups, identity, refused, done } = props;
  const may = (permission: 'people:write' | 'people:export' | 'people:erase' | 'people:sign_in') =>
    identity?.permissions.has(permission) ?? false;
  const path = personPath(person.id);
  const form = html`${personForm({ action: path, button: t('people-admin.person.save'), person, kinds, groups, refused })}`;
  const body = html`${pageHeader({
    title: person.name,
    eyebrow: person.roles.length > 0 && person.roles.map((role) => html`${badge(roleLabel(role))} `),
    crumbs: CRUMBS,
    actions: html`${
      may('people:sign_in') &&
      html`<a class="button button-quiet" href="${path}/devices">${t('people-admin.person.devices_sign_link')}</a> `
    }${
      may('people:export') &&
      html`<a class="button button-quiet" href="/api/admin/people/${encodeURIComponent(person.id)}/export"
      download>${t('people-admin.person.download_what_kept')}</a>`
    }
${may('people:erase') && html`<a class="button button-danger-quiet" href="${path}/erase">${t('people-admin.person.erase')}</a>`}`,
  })}
${doneNotice(done)}${refusedNotice(refused, PERSON_LABELS, personFieldId)}${facts(props)}
${may('people:write') && disclosure(t('people-admin.person.change'), form, refused !== undefined)}`;
  return peoplePage(person.name, body, props);
}

/** The stored data; it is shown too where somebody else changed the person before this form was sent. */
function facts({ person }: PersonPageProps): Html {
  const { called, number, addresses, standing, standings, groups, note } = person;
  const past = standings.filter((one) => one.first_day !== standing?.first_day || one.kind !== standing.kind);
  return definitionList([
    ...(called === null ? [] : [[t('people-admin.person.called'), called] as const]),
    [t('people-admin.person.number'), number ?? t('people-admin.person.none')],
    [
      t('people-admin.person.membership'),
      standing ? standingWords(standing) : t('people-admin.person.member_today'),
    ],
    ...(past.length === 0
      ? []
      : [
          [
            t('people-admin.person.other_times'),
            past.map((one, index) => html`${index > 0 && '; '}${standingWords(one)}`),
          ] as const,
        ]),
    [
      t('people-admin.person.e_mail_addresses'),
      addresses.length === 0
        ? t('people-admin.person.none')
        : html`<ul class="plain-list" role="list">${addresses.map(
            ({ email, verified }) => html`
        <li><span class="address">${displayAddress(email)}</span>${
          verified && html` ${badge(t('people-admin.person.verified'), 'open')}`
        }</li>`,
          )}</ul>`,
    ],
    [t('people-admin.person.groups'), commas(groups) ?? t('people-admin.person.none')],
    ...(note === null
      ? []
      : [[t('people-admin.person.note'), html`<span class="pre-line">${note}</span>`] as const]),
  ]);
}
