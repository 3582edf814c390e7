import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { empty } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage, refusedNotice } from './frame.ts';

export interface KindsPageProps extends PeoplePageProps {
  kinds: readonly { id: string; name: string; votes: boolean; people: number }[];
  groups: readonly { id: string; name: string; people: number }[];
}

/** Whether a form was refused; its hidden field holds `new-kind`, `new-group`, or the id of a kind or group. */
const isRefused = ({ refused }: KindsPageProps, form: string): boolean => refused?.entered.form === form;

/** The club's kinds of membership and its groups. */
export function kindsPage(props: KindsPageProps): Html {
  const { kinds, groups, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('people:write') ?? false;
  const form = typeof refused?.entered.form === 'string' ? refused.entered.form : '';
  const body = html`${pageHeader({ title: 'Kinds and groups', crumbs: [{ href: '/admin/people', label: 'People' }] })}
${doneNotice(done)}${refusedNotice(refused, { name: 'Name' }, () => `name-${form}`)}
<section class="panel"><h2>Kinds of membership</h2>
${
  kinds.length === 0
    ? empty(
        'No kinds yet',
        'Such as full, associate, honorary, trial. A kind without a vote, as suspended, may lie over another ' +
          'for a while.',
      )
    : html`<ul class="people" role="list">${kinds.map(
        (kind) =>
          html`<li>${
            mayWrite ? editable(props, { ...kind, kind: true }) : shown(kind.name, kind.people, kind.votes)
          }</li>`,
      )}</ul>`
}
${mayWrite && addForm(props, 'new-kind', '/admin/people/kinds', 'Add a kind')}</section>
<section class="panel"><h2>Groups</h2>
${
  groups.length === 0
    ? empty('No groups yet', 'Such as the committee, the bar team, the choir.')
    : html`
<ul class="people" role="list">${groups.map(
        (group) => html`
<li>${mayWrite ? editable(props, { ...group, kind: false }) : shown(group.name, group.people)}</li>`,
      )}</ul>`
}
${mayWrite && addForm(props, 'new-group', '/admin/people/groups', 'Add a group')}</section>`;
  return peoplePage('Kinds and groups', body, props);
}

interface Edited {
  id: string;
  name: string;
  people: number;
  kind: boolean;
  votes?: boolean;
}

function editable(props: KindsPageProps, { id, name, people, kind, votes }: Edited): Html {
  const path = `/admin/people/${kind ? 'kinds' : 'groups'}/${id}`;
  const refused = isRefused(props, id) ? props.refused : undefined;
  const form = html`<form method="post" action="${path}?_method=PATCH">${hiddenInputs({
    form: id,
  })}${nameField(props, id, name)}
${votes !== undefined && voteField(id, enteredText(refused?.entered ?? {}, 'votes', String(votes)))}
<p class="actions"><button class="button">Save<span class="visually-hidden"> ${name}</span></button></p></form>
${
  people === 0 &&
  html`
<form method="post" action="${path}?_method=DELETE">${hiddenInputs({
    form: id,
  })}<button class="button button-danger-quiet">Delete<span class="visually-hidden"> ${name}</span></button></form>`
}`;
  return disclosure(summary(name, people, votes), form, refused !== undefined);
}

function shown(name: string, people: number, votes?: boolean): Html {
  return html`<div class="card">${summary(name, people, votes)}</div>`;
}

function summary(name: string, people: number, votes?: boolean): Html {
  return html`<span class="person"><span class="person-name">${name}</span> <span class="small soft">${counted(
    people,
    'person',
    'people',
  )}</span>${votes === false && html` ${badge('no vote')}`}</span>`;
}

function addForm(
  props: KindsPageProps,
  form: 'new-kind' | 'new-group',
  action: string,
  button: string,
): Html {
  const refused = isRefused(props, form) ? props.refused : undefined;
  return html`<form class="card" method="post" action="${action}">${hiddenInputs({ form })}${nameField(props, form, '')}
${form === 'new-kind' && voteField(form, enteredText(refused?.entered ?? {}, 'votes', 'true'))}
<p class="actions"><button class="button">${button}</button></p></form>`;
}

function nameField(props: KindsPageProps, form: string, stored: string): Html {
  const refused = isRefused(props, form) ? props.refused : undefined;
  const value = enteredText(refused?.entered ?? {}, 'name', stored);
  const error = errorAt(refused?.errors ?? [], 'name');
  return field({
    name: 'name',
    id: `name-${form}`,
    label: 'Name',
    value,
    error,
    maxlength: 80,
    autocomplete: 'off',
  });
}

function voteField(form: string, value: string): Html {
  const options = [
    { value: 'true', label: 'Has a vote' },
    { value: 'false', label: 'Has no vote' },
  ];
  return selectField({ name: 'votes', id: `votes-${form}`, label: 'Vote', options, value });
}
