import { type Html, html } from '#kernel/html.ts';
import { GROUP, KIND } from '#people/roll/kinds-and-groups.ts';
import type { Entered } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, refusedNotice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { doneNotice } from '#views/pub/staff-frame.ts';
import { type PeoplePageProps, peoplePage } from './frame.ts';

export interface KindsPageProps extends PeoplePageProps {
  kinds: readonly { id: string; name: string; votes: boolean; people: number }[];
  groups: readonly { id: string; name: string; people: number }[];
}

/** The words of the fields of a kind, and of those of a group. */
export const KIND_WORDS: Words<typeof KIND.fields> = {
  name: { label: 'Name' },
  votes: {
    label: 'Vote',
    options: [
      { value: 'true', label: 'Has a vote' },
      { value: 'false', label: 'Has no vote' },
    ],
  },
};
export const GROUP_WORDS: Words<typeof GROUP.fields> = { name: { label: 'Name' } };

/** Whether a form was refused; its hidden field holds `new-kind`, `new-group`, or the id of a kind or group. */
const isRefused = ({ refused }: KindsPageProps, form: string): boolean => refused?.entered.form === form;

/** The club's kinds of membership and its groups. */
export function kindsPage(props: KindsPageProps): Html {
  const { kinds, groups, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('people:write') ?? false;
  const form = typeof refused?.entered.form === 'string' ? refused.entered.form : '';
  const body = html`${pageHeader({ title: 'Kinds and groups', crumbs: [{ href: '/admin/people', label: 'People' }] })}
${doneNotice(done)}${refusedNotice(refused, labelsOf(KIND_WORDS), () => `name-${form}`)}
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
${mayWrite && addForm(props, 'new-kind', '/admin/people/kinds', 'New kind')}</section>
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
${mayWrite && addForm(props, 'new-group', '/admin/people/groups', 'New group')}</section>`;
  return peoplePage('Kinds and groups', body, props, '/admin/people/kinds');
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
  const form = html`<form method="post" action="${path}?_method=PATCH">${hiddenInputs({
    form: id,
  })}${fields(props, id, kind, { name, votes })}
<p class="actions"><button class="button">Save<span class="visually-hidden"> ${name}</span></button></p></form>
${
  people === 0 &&
  html`
<form method="post" action="${path}?_method=DELETE">${hiddenInputs({
    form: id,
  })}<button class="button button-text">Delete<span class="visually-hidden"> ${name}</span></button></form>`
}`;
  return disclosure(summary(name, people, votes), form, isRefused(props, id));
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
  return html`<form class="card" method="post" action="${action}">${hiddenInputs({ form })}${fields(
    props,
    form,
    form === 'new-kind',
    {},
  )}
<p class="actions"><button class="button">${button}</button></p></form>`;
}

/** The fields of a kind or a group, as they are stored or were refused. */
function fields(props: KindsPageProps, form: string, isKind: boolean, stored: Entered): Html {
  const refused = isRefused(props, form) ? props.refused : undefined;
  const given = {
    entered: refused?.entered ?? stored,
    errors: refused?.errors ?? [],
    suffix: `-${form}`,
  };
  return isKind ? recordFields(KIND, KIND_WORDS, given) : recordFields(GROUP, GROUP_WORDS, given);
}
