import type { Identity } from '#kernel/access/permissions.ts';
import { PERMISSIONS, ROLES, type Role } from '#kernel/access/roles.ts';
import { type Html, html } from '#kernel/html.ts';
import { choice, field } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { type Refusal, refusalSentence } from './refusal.ts';
import { doneNotice, staffPage } from './staff-frame.ts';

/** A person with a role. `granted` is when and by whom, as a ready string. */
export interface RoleRow {
  email: string;
  roles: readonly Role[];
  granted: string;
}

export interface RolesPageProps {
  people: readonly RoleRow[];
  identity: Identity | undefined;
  done?: string | undefined;
  /** Why a change was not made, and for which address. */
  refused?: (Refusal & { email: string }) | undefined;
}

const ROLE_NAMES = Object.keys(ROLES) as Role[];

const ABOUT: Record<Role, string> = {
  owner: 'Everything, and decides who may do what',
  officer: 'Runs elections, sees the members',
  secretary: 'Prepares elections, keeps the roll of members',
  manager: 'Everything in the pub and the calendar',
  dj: 'Displays, lights, sound, song requests',
  tender: 'Displays, what is showing, lights, sound',
  events: 'Calendar, screenings, what is showing',
  auditor: 'Sees everything and the audit log, changes nothing',
  viewer: 'Sees the pub and the calendar, changes nothing',
};

/** Who may do what, and where that is decided. */
export function rolesPage({ people, identity, done, refused }: RolesPageProps): Html {
  const mayWrite = identity?.permissions.has('roles:write') ?? false;
  const adding = refused && !people.some(({ email }) => email === refused.email);
  const body = html`${pageHeader({ title: 'Roles', lede: 'Who may do what. People are known by the address they sign in with.' })}
${doneNotice(done)}${refused && html`<div role="alert">${notice('danger', refusalSentence(refused, { email: 'The e-mail address' }), 'Nothing was changed')}</div>`}
${
  people.length === 0
    ? empty(
        'Nobody has a role yet',
        html`The first owner is made on the server: <code>npm run admin -- grant you@club.example owner</code>.`,
      )
    : html`<ul class="people" role="list">${people.map((person) => html`<li>${mayWrite ? editable(person, refused?.email === person.email) : shown(person)}</li>\n`)}</ul>`
}
${
  mayWrite &&
  html`<section class="panel"><h2>Add someone</h2><form method="post" action="/admin/pub/roles">
${field({ name: 'email', id: 'new-email', label: 'E-mail address', type: 'email', value: adding ? refused.email : '', autocomplete: 'off', spellcheck: false, maxlength: 254 })}
${roleChoices([], 'new')}<p class="actions"><button class="button">Give these roles</button></p></form></section>`
}
<section class="panel"><h2>What each role may do</h2><dl class="role-list">${ROLE_NAMES.map((role) => html`<div><dt>${role}</dt><dd>${permissionsOf(role)}</dd></div>`)}</dl></section>`;
  return staffPage({ title: 'Roles', body, nav: '/admin/pub/roles', identity });
}

function editable(person: RoleRow, open: boolean): Html {
  const { email, roles, granted } = person;
  return disclosure(
    head(person),
    html`<form method="post" action="/admin/pub/roles"><input type="hidden" name="email" value="${email}">
${roleChoices(roles, email)}<p class="small soft">${granted}</p>
<p class="actions"><button class="button">Save<span class="visually-hidden"> the roles of ${email}</span></button></p></form>
<form method="post" action="/admin/pub/roles"><input type="hidden" name="email" value="${email}"><button class="button button-danger-quiet">Take all roles away<span class="visually-hidden"> from ${email}</span></button></form>`,
    open,
  );
}

function shown(person: RoleRow): Html {
  return html`<div class="card">${head(person)}<p class="small soft">${person.granted}</p></div>`;
}

function head({ email, roles }: RoleRow): Html {
  const names = roles.length === 0 ? [badge('no role')] : roles.map((role) => badge(role));
  return html`<span class="person"><span class="person-name">${email}</span> <span class="person-roles">${names}</span></span>`;
}

function roleChoices(chosen: readonly Role[], of: string): Html {
  const id = of.replace(/[^a-z0-9]+/gi, '-');
  return html`<fieldset><legend>Roles${of !== 'new' && html`<span class="visually-hidden"> of ${of}</span>`}</legend><div class="choices choices-two">${ROLE_NAMES.map(
    (role) =>
      choice({
        type: 'checkbox',
        name: 'roles',
        value: role,
        id: `${id}-${role}`,
        label: role,
        note: ABOUT[role],
        checked: chosen.includes(role),
      }),
  )}</div></fieldset>`;
}

function permissionsOf(role: Role): string {
  return ROLES[role].map((permission) => PERMISSIONS[permission]).join(' · ');
}
