import type { Identity } from '#kernel/access/permissions.ts';
import {
  PERMISSIONS,
  type Permission,
  permissionsOf,
  ROLE_LABELS,
  ROLES,
  type Role,
} from '#kernel/access/roles.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { choice, field } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import type { Refusal } from './refusal.ts';
import { doneNotice, staffPage } from './staff-frame.ts';

/** A person with a role. `granted` says when and by whom, already formatted. */
export interface RoleRow {
  email: string;
  name: string;
  roles: readonly Role[];
  /** When those with an end are over, already formatted. */
  until?: Partial<Record<Role, Words>>;
  granted: Words;
}

export interface RolesPageProps {
  people: readonly RoleRow[];
  identity: Identity | undefined;
  done?: Words | undefined;
  /** Why a change was not made, and what was entered. */
  refused?: (Refusal & Typed) | undefined;
}

/** What stands in the form of a person. */
interface Typed {
  email: string;
  roles: readonly Role[];
  until: string;
}

const ROLE_NAMES = Object.keys(ROLES) as Role[];

const ABOUT: Record<Role, Words> = {
  owner: t('pub-staff.staff_roles.everything_decides_who_what'),
  officer: t('pub-staff.staff_roles.runs_elections_sees_members'),
  chair: t('pub-staff.staff_roles.leads_meeting_opens_closes_announces'),
  door: t('pub-staff.staff_roles.keeps_door_meeting_who_cards'),
  teller: t('pub-staff.staff_roles.enters_papers_meeting_never_sees'),
  secretary: t('pub-staff.staff_roles.prepares_elections_keeps_roll_members'),
  manager: t('pub-staff.staff_roles.everything_pub_calendar'),
  dj: t('pub-staff.staff_roles.displays_lights_sound_song_requests'),
  tender: t('pub-staff.staff_roles.displays_what_showing_song_requests'),
  events: t('pub-staff.staff_roles.calendar_screenings_what_showing'),
  auditor: t('pub-staff.staff_roles.sees_everything_audit_log_changes'),
  viewer: t('pub-staff.staff_roles.sees_pub_calendar_changes_nothing'),
};

/** The roles of people, and what each role may do. */
export function rolesPage({ people, identity, done, refused }: RolesPageProps): Html {
  const mayWrite = identity?.permissions.has('roles:write') ?? false;
  const adding = refused && !people.some(({ email }) => email === refused.email);
  const body = html`${pageHeader({
    title: t('pub-staff.staff_roles.roles'),
    lede: t('pub-staff.staff_roles.who_what_people_known_address'),
  })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice(
    'danger',
    refusalSentence(refused, {
      email: t('pub-staff.staff_roles.the_e_mail_address'),
      until: t('pub-staff.staff_roles.until'),
    }),
    t('pub-staff.staff_roles.nothing_changed'),
  )}</div>`
}
${
  people.length === 0
    ? empty(
        t('pub-staff.staff_roles.role_yet'),
        t('pub-staff.staff_roles.first_owner_made_server_npm', {
          code: (inside) => html`<code>${inside}</code>`,
        }),
      )
    : html`<ul class="people" role="list">${people.map(
        (person) => html`
    <li>${mayWrite ? editable(person, refused?.email === person.email ? refused : undefined) : shown(person)}</li>\n`,
      )}</ul>`
}
${
  mayWrite &&
  disclosure(
    t('pub-staff.staff_roles.new_role_somebody_else'),
    html`<form method="post" action="/admin/pub/roles">
${field({
  name: 'email',
  id: 'new-email',
  label: t('pub-staff.staff_roles.e_mail_address'),
  type: 'email',
  value: adding ? refused.email : '',
  autocomplete: 'off',
  spellcheck: false,
  maxlength: 254,
})}
${roleChoices(adding ? refused.roles : [], 'new')}${untilField('new', adding ? refused.until : '')}<p class="actions"><button class="button">${t('pub-staff.staff_roles.give_these_roles')}</button></p></form>`,
    adding === true || people.length === 0,
    'roles',
  )
}
<section class="panel"><h2 id="may-do">${t('pub-staff.staff_roles.what_each_role')}</h2>${tickTable()}</section>`;
  return staffPage({ title: t('pub-staff.staff_roles.roles'), body, nav: '/admin/pub/roles', identity });
}

function editable(person: RoleRow, typed: Typed | undefined): Html {
  const { email, granted } = person;
  const { roles, until } = typed ?? { roles: person.roles, until: '' };
  return disclosure(
    head(person),
    html`<form method="post" action="/admin/pub/roles"><input type="hidden" name="email" value="${email}">
${roleChoices(roles, email)}${untilField(email, until)}<p class="small soft">${granted}</p>
<p class="actions"><button class="button">${t('pub-staff.staff_roles.save_roles', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, email: displayAddress(email) })}</button></p></form>
<form method="post" action="/admin/pub/roles"><input type="hidden" name="email" value="${email}"><button class="button button-text">${t('pub-staff.staff_roles.take_all_roles_away', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, email: displayAddress(email) })}</button></form>`,
    typed !== undefined,
    'roles',
  );
}

function shown(person: RoleRow): Html {
  return html`<div class="card">${head(person)}<p class="small soft">${person.granted}</p></div>`;
}

function head({ email, name, roles, until = {} }: RoleRow): Html {
  const names =
    roles.length === 0
      ? [badge(t('pub-staff.staff_roles.role'))]
      : roles.map((role) => {
          const ends = until[role];
          return badge(
            ends ? t('people.role.until', { role: ROLE_LABELS[role], until: ends }) : ROLE_LABELS[role],
          );
        });
  return html`<span class="person"><span class="person-name" translate="no">${
    name === '' || name === email
      ? displayAddress(email)
      : html`${name} <span class="soft">${displayAddress(email)}</span>`
  }</span> <span class="person-roles">${names}</span></span>`;
}

/** The last day of the roles that the form gives; those without an end stay so. */
const untilField = (of: string, value: string): Html =>
  field({
    name: 'until',
    id: `${of.replace(/[^a-z0-9]+/gi, '-')}-until`,
    label: t('pub-staff.staff_roles.until'),
    value,
    hint: t('pub-staff.staff_roles.last_day_what_tick_now'),
    optional: true,
    type: 'date',
    short: true,
  });

function roleChoices(chosen: readonly Role[], of: string): Html {
  const id = of.replace(/[^a-z0-9]+/gi, '-');
  return html`<fieldset>
  <legend>${of !== 'new' ? t('pub-staff.staff_roles.roles_of', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, of }) : t('pub-staff.staff_roles.roles')}</legend>
  <div class="choices choices-two">${ROLE_NAMES.map((role) =>
    choice({
      type: 'checkbox',
      name: 'roles',
      value: role,
      id: `${id}-${role}`,
      label: ROLE_LABELS[role],
      note: ABOUT[role],
      checked: chosen.includes(role),
    }),
  )}</div></fieldset>`;
}

/** The rows of the table: a permission to write includes the one to read the same. */
const RIGHTS = (Object.keys(PERMISSIONS) as Permission[]).filter(
  (permission) => !(permission.endsWith(':read') && permission.replace(/:read$/, ':write') in PERMISSIONS),
);

/** A row for each permission, a column for each role; on a phone each row names its roles instead. */
function tickTable(): Html {
  return html`<table class="ticks" aria-labelledby="may-do"><thead><tr><th scope="col">${t('pub-staff.staff_roles.what')}</th>
  ${ROLE_NAMES.map((role) => html`<th scope="col">${ROLE_LABELS[role]}</th>`)}</tr></thead>
<tbody>${RIGHTS.map(
    (right) => html`<tr><th scope="row">${PERMISSIONS[right]}</th>
${ROLE_NAMES.map((role) => tick(role, right))}</tr>\n`,
  )}</tbody></table>`;
}

function tick(role: Role, right: Permission): Html {
  const has = permissionsOf([role]);
  const named = html`<span class="tick-role">${t('common.label', { label: ROLE_LABELS[role] })} </span>`;
  if (has.has(right))
    return html`<td>${named}${icon('check')}<span class="visually-hidden">${t('pub-staff.staff_roles.yes')}</span></td>`;
  const reads = has.has(right.replace(/:write$/, ':read') as Permission);
  return reads
    ? html`<td>${named}<span class="small">${t('pub-staff.staff_roles.reads')}</span></td>`
    : html`<td class="tick-no"><span class="visually-hidden">${t('pub-staff.staff_roles.no')}</span></td>`;
}
