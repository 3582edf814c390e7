import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { GROUP, KIND } from '#people/roll/kinds-and-groups.ts';
import type { Entered } from '#views/components/entered.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, refusedNotice } from '#views/components/notices.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { hidden } from '#views/components/slots.ts';
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
  name: { label: t('people-admin.kinds_and_groups.name') },
  votes: {
    label: t('people-admin.kinds_and_groups.vote'),
    options: [
      { value: 'true', label: t('people-admin.kinds_and_groups.has_vote') },
      { value: 'false', label: t('people-admin.kinds_and_groups.has_no_vote') },
    ],
  },
};
export const GROUP_WORDS: Words<typeof GROUP.fields> = {
  name: { label: t('people-admin.kinds_and_groups.name') },
};

/** Whether a form was refused; its hidden field holds `new-kind`, `new-group`, or the id of a kind or group. */
const isRefused = ({ refused }: KindsPageProps, form: string): boolean => refused?.entered.form === form;

/** The club's kinds of membership and its groups. */
export function kindsPage(props: KindsPageProps): Html {
  const { kinds, groups, identity, done, refused } = props;
  const mayWrite = identity?.permissions.has('people:write') ?? false;
  const form = typeof refused?.entered.form === 'string' ? refused.entered.form : '';
  const body = html`${pageHeader({ title: t('people-admin.kinds_and_groups.title'), crumbs: [{ href: '/admin/people', label: t('people-admin.kinds_and_groups.people') }] })}
${doneNotice(done)}${refusedNotice(refused, labelsOf(KIND_WORDS), () => `name-${form}`)}
<section class="panel"><h2>${t('people-admin.kinds_and_groups.kinds_membership')}</h2>
${
  kinds.length === 0
    ? empty(t('people-admin.kinds_and_groups.kinds_yet'), t('people-admin.kinds_and_groups.kinds_yet_text'))
    : html`<ul class="people" role="list">${kinds.map(
        (kind) =>
          html`<li>${
            mayWrite ? editable(props, { ...kind, kind: true }) : shown(kind.name, kind.people, kind.votes)
          }</li>`,
      )}</ul>`
}
${mayWrite && addForm(props, 'new-kind', '/admin/people/kinds', t('people-admin.kinds_and_groups.new_kind'))}</section>
<section class="panel"><h2>${t('people-admin.kinds_and_groups.groups')}</h2>
${
  groups.length === 0
    ? empty(t('people-admin.kinds_and_groups.groups_yet'), t('people-admin.kinds_and_groups.groups_yet_text'))
    : html`
<ul class="people" role="list">${groups.map(
        (group) => html`
<li>${mayWrite ? editable(props, { ...group, kind: false }) : shown(group.name, group.people)}</li>`,
      )}</ul>`
}
${mayWrite && addForm(props, 'new-group', '/admin/people/groups', t('people-admin.kinds_and_groups.new_group'))}</section>`;
  return peoplePage(t('people-admin.kinds_and_groups.title'), body, props, '/admin/people/kinds');
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
<p class="actions"><button class="button">${t('people-admin.kinds_and_groups.save', { hidden, name })}</button></p></form>
${
  people === 0 &&
  html`
<form method="post" action="${path}?_method=DELETE">${hiddenInputs({
    form: id,
  })}<button class="button button-text">${t('people-admin.kinds_and_groups.delete', { hidden, name })}</button></form>`
}`;
  return disclosure(summary(name, people, votes), form, isRefused(props, id));
}

function shown(name: string, people: number, votes?: boolean): Html {
  return html`<div class="card">${summary(name, people, votes)}</div>`;
}

function summary(name: string, people: number, votes?: boolean): Html {
  return html`<span class="person"><span class="person-name">${name}</span> <span class="small soft">${t('people-admin.kinds_and_groups.count', { people })}</span>${votes === false && html` ${badge(t('people-admin.kinds_and_groups.no_vote'))}`}</span>`;
}

function addForm(props: KindsPageProps, form: 'new-kind' | 'new-group', action: string, button: Text): Html {
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
