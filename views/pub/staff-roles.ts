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
import { displayAddress } from '#kernel/mail-addresses.ts';
import { choice, field } from '#views/components/forms.ts';
import { icon } from '#views/components/icons.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { type Refusal, refusalSentence } from './refusal.ts';
import { doneNotice, staffPage } from './staff-frame.ts';

/** A person with a role. `granted` says when and by whom, already formatted. */
export interface RoleRow {
  email: string;
  name: string;
  roles: readonly Role[];
  /** When those with an end are over, already formatted. */
  until?: Partial<Record<Role, string>>;
  granted: string;
}

export interface RolesPageProps {
  people: readonly RoleRow[];
  identity: Identity | undefined;
  done?: string | undefined;
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

const ABOUT: Record<Role, string> = {
  owner: 'Everything, and decides who may do what',
  officer: 'Runs elections, sees the members',
  chair: 'Leads a meeting: opens, closes, announces',
  door: 'Keeps the door of a meeting: who is in, cards, papers',
  teller: 'Enters the papers of a meeting, and never sees figures',
  secretary: 'Prepares elections, keeps the roll of members',
  manager: 'Everything in the pub and the calendar',
  dj: 'Displays, lights, sound, song requests',
  tender: 'Displays, what is showing, song requests, messages, lights, sound',
  events: 'Calendar, screenings, what is showing',
  auditor: 'Sees everything and the audit log, changes nothing',
  viewer: 'Sees the pub and the calendar, changes nothing',
};

/** The roles of people, and what each role may do. */
export function rolesPage({ people, identity, done, refused }: RolesPageProps): Html {
  const mayWrite = identity?.permissions.has('roles:write') ?? false;
  const adding = refused && !people.some(({ email }) => email === refused.email);
  const body = html`${pageHeader({
    title: 'Roles',
    lede: 'Who may do what. People are known by the address they sign in with.',
  })}
${doneNotice(done)}${
  refused &&
  html`
<div role="alert">${notice(
    'danger',
    refusalSentence(refused, { email: 'The e-mail address', until: 'Until' }),
    'Nothing was changed',
  )}</div>`
}
${
  people.length === 0
    ? empty(
        'Nobody has a role yet',
        html`The first owner is made on the server: <code>npm run admin -- grant you@club.example owner</code>.`,
      )
    : html`<ul class="people" role="list">${people.map(
        (person) => html`
    <li>${mayWrite ? editable(person, refused?.email === person.email ? refused : undefined) : shown(person)}</li>\n`,
      )}</ul>`
}
${
  mayWrite &&
  disclosure(
    'New role for somebody else',
    html`<form method="post" action="/admin/pub/roles">
${field({
  name: 'email',
  id: 'new-email',
  label: 'E-mail address',
  type: 'email',
  value: adding ? refused.email : '',
  autocomplete: 'off',
  spellcheck: false,
  maxlength: 254,
})}
${roleChoices(adding ? refused.roles : [], 'new')}${untilField('new', adding ? refused.until : '')}<p class="actions"><button class="button">Give these roles</button></p></form>`,
    adding === true || people.length === 0,
    'roles',
  )
}
<section class="panel"><h2 id="may-do">What each role may do</h2>${tickTable()}</section>`;
  return staffPage({ title: 'Roles', body, nav: '/admin/pub/roles', identity });
}

function editable(person: RoleRow, typed: Typed | undefined): Html {
  const { email, granted } = person;
  const { roles, until } = typed ?? { roles: person.roles, until: '' };
  return disclosure(
    head(person),
    html`<form method="post" action="/admin/pub/roles"><input type="hidden" name="email" value="${email}">
${roleChoices(roles, email)}${untilField(email, until)}<p class="small soft">${granted}</p>
<p class="actions"><button class="button">Save<span class="visually-hidden"> the roles of ${displayAddress(email)}</span></button></p></form>
<form method="post" action="/admin/pub/roles"><input type="hidden" name="email" value="${email}"><button class="button button-text">Take all roles away<span class="visually-hidden"> from ${displayAddress(email)}</span></button></form>`,
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
      ? [badge('No role')]
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
    label: 'Until',
    value,
    hint: 'The last day of what you tick now, for the chair of a meeting, for example. Empty: for good.',
    optional: true,
    type: 'date',
    short: true,
  });

function roleChoices(chosen: readonly Role[], of: string): Html {
  const id = of.replace(/[^a-z0-9]+/gi, '-');
  return html`<fieldset>
  <legend>Roles${of !== 'new' && html`<span class="visually-hidden"> of ${of}</span>`}</legend>
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
  return html`<table class="ticks" aria-labelledby="may-do"><thead><tr><th scope="col">What</th>
  ${ROLE_NAMES.map((role) => html`<th scope="col">${ROLE_LABELS[role]}</th>`)}</tr></thead>
<tbody>${RIGHTS.map(
    (right) => html`<tr><th scope="row">${PERMISSIONS[right]}</th>
${ROLE_NAMES.map((role) => tick(role, right))}</tr>\n`,
  )}</tbody></table>`;
}

function tick(role: Role, right: Permission): Html {
  const has = permissionsOf([role]);
  const named = html`<span class="tick-role">${ROLE_LABELS[role]}: </span>`;
  if (has.has(right)) return html`<td>${named}${icon('check')}<span class="visually-hidden">yes</span></td>`;
  const reads = has.has(right.replace(/:write$/, ':read') as Permission);
  return reads
    ? html`<td>${named}<span class="small">reads</span></td>`
    : html`<td class="tick-no"><span class="visually-hidden">no</span></td>`;
}
