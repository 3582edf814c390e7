import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { openField } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { mayDo } from '#views/voting/admin/frame.ts';
import { formOf, type Section } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath, OPTION_WORDS, optionCode } from '#views/voting/words.ts';
import { shownName } from '#voting/option-names.ts';
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
      ? t('voting-admin.options.each_time_ballot_opened_listed')
      : t('voting-admin.options.voters_see_order_lowest_number'),
    work: html`${
      options.length === 0
        ? html`
    <p>${t('voting-admin.options.none_yet', { kind: optionCode(kind) })}</p>`
        : optionTable(props, rules, editable)
    }
${
  editable
    ? html`${
        least > 0 &&
        options.length <= least &&
        html`
    <p class="soft">${t('voting-admin.options.must_least_two_replace_add', { least })}</p>`
      }${addForm(props, rules)}`
    : fixed &&
      html`<p class="soft">${ballots === 0 ? t('voting-admin.options.fixed_by_ballots') : t('voting-admin.options.fixed_by_counted_ballots', { ballots })}</p>`
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
    { label: t('voting-admin.options.text_picture') },
    { label: t('voting-admin.options.order'), number: true },
    ...(editable ? [{ label: t('voting-admin.options.change'), quiet: true }] : []),
  ];
  return table({
    caption: OPTION_WORDS[kind].many,
    quietCaption: true,
    columns: withdrawable
      ? [...columns, { label: t('voting-admin.options.withdraw'), quiet: true }]
      : removable
        ? [...columns, { label: t('voting-admin.options.remove'), quiet: true }]
        : columns,
    rows: options.map(({ id, name, display_order, is_none_of_the_above, text, picture, withdrawn }) => [
      html`${name}${
        is_none_of_the_above &&
        typeof shownName({ name, is_none_of_the_above }) === 'string' &&
        html` ${badge(t('voting-admin.options.none_above'))}`
      }${withdrawn && html` ${badge(t('voting-admin.options.withdrawn'))}`}`,
      commas([
        text !== null && t('voting-admin.options.text'),
        picture !== null && t('voting-admin.options.picture'),
      ]) ?? '–',
      display_order,
      ...(editable
        ? [
            html`<a class="button button-text button-small" href="${adminElectionPath(
              election.id,
              `${kind}s/${id}`,
            )}">${t('voting-admin.options.change_named', { hidden, name })}</a>`,
          ]
        : []),
      ...(withdrawable
        ? [
            withdrawn || is_none_of_the_above
              ? '–'
              : html`<a class="button button-text button-small" href="${adminElectionPath(
                  election.id,
                  `${kind}s/${id}/withdraw`,
                )}">${t('voting-admin.options.withdraw_named', { hidden, name })}</a>`,
          ]
        : []),
      ...(removable
        ? [
            html`<form method="post" action="${adminElectionPath(
              election.id,
              `${kind}s/${id}?_method=DELETE`,
            )}"><button class="button button-text button-small">${t('voting-admin.options.remove_named', { hidden, name })}</button></form>`,
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
  label: html`${order.label} <span class="optional">${t('voting-admin.options.optional')}</span>`,
  type: 'number',
  short: true,
})}
</div>
${field({
  ...at('text'),
  hint: t('voting-admin.options.voters_unfold_ballot_most_characters', { most: props.optionTextAtMost }),
  optional: true,
  rows: 3,
  maxlength: props.optionTextAtMost,
})}
${none && html`<div class="choices choices-plain">${tick('is_none_of_the_above')}</div>`}
<p class="hint">${t('voting-admin.options.without_order_goes_end')}</p>
<button class="button button-quiet">${t('voting-admin.options.add')}</button></form>`;
}
