import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { PERSON } from '#people/roll/person-input.ts';
import { type Entered, enteredLines, enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { linkTo } from '#views/components/slots.ts';

/** The data of a person that the form shows. */
export interface EditedPerson {
  name: string;
  called: string | null;
  number: string | null;
  note: string | null;
  addresses: readonly { email: string }[];
  standings: readonly { kind: string; first_day: string; last_day: string | null }[];
  groups: readonly string[];
  version?: number | undefined;
}

/** The words of the fields of a person. */
export const PERSON_WORDS = {
  name: { label: t('people-admin.person_form.name') },
  called: { label: t('people-admin.person_form.called'), hint: t('people-admin.person_form.called_hint') },
  number: { label: t('people-admin.person_form.number'), hint: t('people-admin.person_form.number_hint') },
  note: { label: t('people-admin.person_form.note') },
  addresses: {
    label: t('people-admin.person_form.e_mail_addresses'),
    hint: t('people-admin.person_form.addresses_hint'),
  },
  standings: { label: t('people-admin.person_form.membership') },
  standing: { label: t('people-admin.person_form.new_membership') },
  'standing.kind': { label: t('people-admin.person_form.new_membership') },
  'standing.first_day': { label: t('people-admin.person_form.first_day') },
  'standing.last_day': { label: t('people-admin.person_form.last_day') },
  groups: { label: t('people-admin.person_form.groups') },
} satisfies Words<typeof PERSON.fields, string>;

export const PERSON_LABELS = labelsOf(PERSON_WORDS);

/** The id of the field that a problem belongs to. */
export function personFieldId(path: string): string {
  if (/^addresses\b/.test(path)) return 'addresses';
  if (/^groups\b/.test(path)) return 'groups-group';
  if (path === 'standing') return 'standing.kind';
  return path === 'standings' ? 'standings.0.kind' : path;
}

/** The form of a person; after a refusal it shows the submitted values. */
export function personForm(props: {
  action: string;
  button: Text;
  person: EditedPerson;
  kinds: readonly { name: string; votes: boolean }[];
  groups: readonly { name: string }[];
  refused: RefusedForm | undefined;
}): Html {
  const { action, button, person, kinds, groups, refused } = props;
  const entered: Entered = refused?.entered ?? {};
  const errors = refused?.errors ?? [];
  const { name, called, number, note } = PERSON_WORDS;
  const given = { entered: { ...person, ...entered }, errors };
  const emails = person.addresses.map(({ email }) => displayAddress(email)).join('\n');
  const chosen = refused ? [entered.groups].flat() : person.groups;
  const groupRows = groups.map(({ name }) =>
    choice({ type: 'checkbox', name: 'groups', value: name, label: name, checked: chosen.includes(name) }),
  );
  return html`<form method="post" action="${action}">${
    person.version !== undefined && hiddenInputs({ version: String(person.version) })
  }
${recordFields(PERSON, { name }, given)}
<div class="people-pair">${recordFields(PERSON, { called, number }, given)}</div>
${field({
  name: 'addresses',
  ...PERSON_WORDS.addresses,
  optional: true,
  rows: 3,
  spellcheck: false,
  value: refused ? enteredLines(entered, 'addresses') : emails,
  error: errorAt(errors, 'addresses'),
})}
${standingFields(person, kinds, { entered, errors })}
${
  groupRows.length > 0 &&
  choiceGroup({
    name: 'groups',
    label: t('people-admin.person_form.groups'),
    rows: groupRows,
    plain: true,
    error: errorAt(errors, 'groups'),
  })
}
${recordFields(PERSON, { note }, given)}
<p class="actions"><button class="button">${button}</button></p></form>`;
}

function standingFields(
  person: EditedPerson,
  kinds: readonly { name: string; votes: boolean }[],
  { entered, errors }: { entered: Entered; errors: NonNullable<RefusedForm['errors']> },
): Html {
  if (kinds.length === 0)
    return html`<p class="hint">${t('people-admin.person_form.no_kinds', { link: linkTo('/admin/people/kinds') })}</p>`;
  const row = (path: string, stored: EditedPerson['standings'][number] | undefined, none: Text) => {
    const at = (part: 'kind' | 'first_day' | 'last_day') => ({
      name: `${path}.${part}`,
      error: errorAt(errors, `${path}.${part}`),
      value: enteredText(entered, `${path}.${part}`, stored?.[part] ?? ''),
    });
    const options = [
      { value: '', label: none },
      ...kinds.map(({ name, votes }) => ({
        value: name,
        label: votes ? name : t('people-admin.person_form.without_vote', { name }),
      })),
    ];
    return html`<div class="people-standing">${selectField({ ...at('kind'), label: t('people-admin.person_form.kind'), options })}
${openField({ ...at('first_day'), label: t('people-admin.person_form.first_day'), type: 'date' })}
${openField({ ...at('last_day'), label: t('people-admin.person_form.last_day'), type: 'date' })}</div>`;
  };
  const problem =
    errorAt(
      errors.filter(({ path }) => path === 'standings' || path === 'standing'),
      'standings',
    ) ??
    errorAt(
      errors.filter(({ path }) => path === 'standing'),
      'standing',
    );
  return html`${
    person.standings.length > 0 &&
    html`<fieldset><legend>${t('people-admin.person_form.membership')}</legend>
    ${person.standings.map((standing, index) => row(`standings.${index}`, standing, t('people-admin.person_form.take_away')))}</fieldset>`
  }<fieldset><legend>${person.standings.length > 0 ? t('people-admin.person_form.new_membership') : t('people-admin.person_form.membership')}</legend>
${problem && html`<p class="error-text">${problem}</p>`}${
  person.standings.length > 0 &&
  html`
<p class="hint">${t('people-admin.person_form.membership_hint')}</p>`
}
${row('standing', undefined, t('people-admin.person_form.none'))}</fieldset>`;
}
