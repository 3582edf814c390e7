import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { type Option, selectField } from '#views/components/forms.ts';
import { MAJORITY_PRESETS, presetWords } from '#voting/majority-presets.ts';
import { FRACTION_KINDS, MajorityInput } from '#voting/share-input.ts';
import { BASE_LABELS, SHARE_LABELS } from '#voting/share-words.ts';
import { isDefaultMajority, isSameShare, SHARE_WORDS } from '#voting/shared/share.ts';

/** A form with settings: what was entered, and the errors. */
export interface RuleFieldsProps {
  /** The prefix of each id. */
  prefix: string;
  entered: Entered;
  errors: readonly FieldError[];
}

/** A share as fields: a word, or a fraction to write. @param none the words for no share, where that is possible */
export function shareFields(
  { prefix, entered, errors }: RuleFieldsProps,
  { name, label, hint, none }: { name: string; label: Words; hint?: Words; none?: Words },
): Html {
  const of = (part: string) => enteredText(entered, `${name}.${part}`);
  // What was sent, or the stored share: a word, or an object.
  const kind =
    of('kind') || enteredText(entered, name) || (FRACTION_KINDS.find((known) => of(known) !== '') ?? '');
  const options = [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...SHARE_WORDS.map((value) => ({ value, label: SHARE_LABELS[value] })),
    { value: 'at_least', label: t('voting-admin.rule_fields.least_fraction') },
    { value: 'more_than', label: t('voting-admin.rule_fields.more_fraction') },
  ];
  const error = errorAt(errors, name);
  return html`<div class="field-row">${selectField({
    name: `${name}.kind`,
    id: `${prefix}${name}`,
    label,
    hint,
    error,
    value: kind,
    options,
  })}
<div data-for="${FRACTION_KINDS.join(' ')}" data-of="${name}.kind">${openField({
    name: `${name}.fraction`,
    id: `${prefix}${name}.fraction`,
    label: t('voting-admin.rule_fields.fraction'),
    hint: t('voting-admin.rule_fields.such_3_5_two_last'),
    value: of('fraction') || of(kind),
    short: true,
  })}</div></div>`;
}

const MAJORITY = 'settings.majority';

/** The majority that a motion needs: a usual rule by country, or the club's own. */
export function majorityFields(props: RuleFieldsProps): Html {
  const { prefix, entered, errors } = props;
  const rule = ruleOf(entered);
  const base = enteredText(entered, `${MAJORITY}.of`);
  const presets = MAJORITY_PRESETS.map(({ title, presets }) => ({
    title,
    options: Object.entries(presets).map(([value, preset]) => ({ value, label: presetWords(preset) })),
  }));
  return html`${selectField({
    name: `${MAJORITY}.rule`,
    id: `${prefix}${MAJORITY}`,
    label: t('voting-admin.rule_fields.what_needed_pass'),
    hint: t('voting-admin.rule_fields.country_what_holds_where_rules'),
    error: errorAt(errors, MAJORITY),
    value: rule,
    options: [
      { value: '', label: t('voting-admin.rule_fields.more_yes') },
      { value: 'own', label: t('voting-admin.rule_fields.own_rule') },
    ],
    groups: presets,
  })}
<div data-for="own" data-of="${MAJORITY}.rule">${shareFields(props, {
    name: `${MAJORITY}.share`,
    label: t('voting-admin.rule_fields.own_rule_how_many_must'),
  })}${selectField({
    name: `${MAJORITY}.of`,
    id: `${prefix}${MAJORITY}.of`,
    label: t('voting-admin.rule_fields.whom'),
    value: base,
    options: base === 'present' ? [...BASES, PRESENT] : BASES,
  })}</div>`;
}

const BASES: readonly Option[] = [
  { value: 'yes_no', label: t('voting-admin.rule_fields.abstentions_count') },
  {
    value: 'ballots',
    label: t('voting-admin.rule_fields.abstentions_too'),
  },
  {
    value: 'electors',
    label: t('voting-admin.rule_fields.also_those_who_vote'),
  },
];

/** In meetings alone. */
const PRESENT: Option = { value: 'present', label: BASE_LABELS.present };

/** The rule that was chosen; for a stored majority the first preset with it. */
function ruleOf(entered: Entered): string {
  const sent = enteredText(entered, `${MAJORITY}.rule`, 'none');
  if (sent !== 'none') return sent;
  const { settings } = entered as { settings?: { majority?: unknown } };
  const stored = MajorityInput.safeParse(settings?.majority);
  if (!stored.success || isDefaultMajority(stored.data)) return '';
  const { share, of } = stored.data;
  const same = MAJORITY_PRESETS.flatMap(({ presets }) => Object.entries(presets)).find(
    ([, { majority }]) => majority.of === of && isSameShare(majority.share, share),
  );
  return same?.[0] ?? 'own';
}

/** The quorum: a number of ballots, or a share of the electors. */
export function quorumFields(props: RuleFieldsProps): Html {
  const { prefix, entered, errors } = props;
  return html`${openField({
    name: 'settings.quorum',
    id: `${prefix}settings.quorum`,
    label: html`${t('voting-admin.rule_fields.quorum_optional', { span: (inside) => html`<span class="optional">${inside}</span>` })}`,
    hint: t('voting-admin.rule_fields.how_many_ballots_must_result'),
    error: errorAt(errors, 'settings.quorum'),
    value: enteredText(entered, 'settings.quorum'),
    type: 'number',
    min: 1,
    short: true,
  })}${shareFields(props, {
    name: 'settings.quorum_share',
    label: t('voting-admin.rule_fields.share_electors_must_vote'),
    hint: t('voting-admin.rule_fields.every_valid_voting_code_elector'),
    none: t('voting-admin.rule_fields.share'),
  })}`;
}
