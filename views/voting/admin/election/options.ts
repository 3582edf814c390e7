import { type Html, html } from '#kernel/html.ts';
import { openField } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import { formOf, type Section } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath, OPTION_WORDS } from '#views/voting/words.ts';
import type { OptionRules } from '#voting/shared/ballot-types.ts';
import type { ElectionPageProps } from './props.ts';

/** Candidates or options with their order. */
export function optionsSection(props: ElectionPageProps, rules: OptionRules): Section {
  const { election, options, ballots } = props;
  const { kind, least } = rules;
  const fixed = ballots > 0 || options.some((option) => !option.editable);
  const editable = !fixed && mayDo(props, 'elections:write');
  return {
    id: `${kind}s`,
    title: OPTION_WORDS[kind].many,
    about: election.settings.randomize_order
      ? 'Each time a ballot is opened they are listed in a new random order.'
      : 'Voters see them in this order: the lowest number first.',
    work: html`${
      options.length === 0
        ? html`
    <p>There are no ${kind}s yet.</p>`
        : optionTable(props, rules, editable)
    }
${
  editable
    ? html`${
        least > 0 &&
        options.length <= least &&
        html`
    <p class="soft">There must be at least ${least === 1 ? 'one' : 'two'}. To replace
    one, add the new one first.</p>`
      }${addForm(props, rules)}`
    : fixed &&
      html`<p class="soft">${
        ballots === 0 ? 'Ballots are in' : `${counted(ballots, 'ballot')} ${ballots === 1 ? 'is' : 'are'} in`
      }, so this list is fixed: what was voted on stays what it was.</p>`
}`,
  };
}

function optionTable(props: ElectionPageProps, { kind, least }: OptionRules, editable: boolean): Html {
  const { election, options } = props;
  // Until the first ballot a name is removed.
  const withdrawable = !editable && election.status !== 'closed' && mayDo(props, 'elections:certify');
  const removable = editable && options.length > least;
  const columns = [
    { label: OPTION_WORDS[kind].one },
    { label: 'Text and picture' },
    { label: 'Order', number: true },
    ...(editable ? [{ label: 'Change', quiet: true }] : []),
  ];
  return table({
    caption: OPTION_WORDS[kind].many,
    quietCaption: true,
    columns: withdrawable
      ? [...columns, { label: 'Withdraw', quiet: true }]
      : removable
        ? [...columns, { label: 'Remove', quiet: true }]
        : columns,
    rows: options.map(({ id, name, display_order, is_none_of_the_above, text, picture, withdrawn }) => [
      html`${name}${
        is_none_of_the_above &&
        name.toLowerCase() !== 'none of the above' &&
        html` ${badge('None of the above')}`
      }${withdrawn && html` ${badge('Withdrawn')}`}`,
      [text !== null && 'Text', picture !== null && 'Picture'].filter(Boolean).join(', ') || '–',
      display_order,
      ...(editable
        ? [
            html`<a class="button button-text button-small" href="${adminElectionPath(
              election.id,
              `${kind}s/${id}`,
            )}">Change<span class="visually-hidden"> ${name}</span></a>`,
          ]
        : []),
      ...(withdrawable
        ? [
            withdrawn || is_none_of_the_above
              ? '–'
              : html`<a class="button button-text button-small" href="${adminElectionPath(
                  election.id,
                  `${kind}s/${id}/withdraw`,
                )}">Withdraw …<span class="visually-hidden"> ${name}</span></a>`,
          ]
        : []),
      ...(removable
        ? [
            html`<form method="post" action="${adminElectionPath(
              election.id,
              `${kind}s/${id}?_method=DELETE`,
            )}"><button class="button button-text button-small">Remove<span class="visually-hidden"> ${name}</span></button></form>`,
          ]
        : []),
    ]),
  });
}

function addForm(props: ElectionPageProps, { kind, noneOfTheAbove }: OptionRules): Html {
  const form = `${kind}s` as const;
  const { at, tick } = formOf(props, form);
  const none = noneOfTheAbove && !props.options.some((option) => option.is_none_of_the_above);
  const order = at('display_order');
  return html`<form class="card" method="post" action="${adminElectionPath(props.election.id, form)}">
<h3>${OPTION_WORDS[kind].add}</h3>
<div class="field-row">
${field({ ...at('name'), maxlength: 300, autocomplete: 'off' })}
${openField({
  ...order,
  label: html`${order.label} <span class="optional">(optional)</span>`,
  type: 'number',
  short: true,
})}
</div>
${field({
  ...at('text'),
  hint: `Voters unfold it on the ballot. At most ${props.optionTextAtMost} characters. A picture is added under “Change”.`,
  optional: true,
  rows: 3,
  maxlength: props.optionTextAtMost,
})}
${none && html`<div class="choices choices-plain">${tick('is_none_of_the_above')}</div>`}
<p class="hint">Without an order it goes to the end.</p>
<button class="button button-quiet">Add</button></form>`;
}
