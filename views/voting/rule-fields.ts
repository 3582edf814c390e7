import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { type Option, selectField } from '#views/components/forms.ts';
import { MAJORITY_PRESETS, presetWords } from '#voting/majority-presets.ts';
import { FRACTION_KINDS, MajorityInput } from '#voting/share-input.ts';
import { BASE_WORDS, isDefaultMajority, isSameShare, SHARE_WORDS, shareWords } from '#voting/shared/share.ts';

/** A form with settings: what was entered, and the errors. */
export interface RuleFieldsProps {
  /** The prefix of each id. */
  prefix: string;
  entered: Entered;
  errors: readonly FieldError[];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A share as fields: a word, or a fraction to write. @param none the words for no share, where that is possible */
export function shareFields(
  { prefix, entered, errors }: RuleFieldsProps,
  { name, label, hint, none }: { name: string; label: string; hint?: string; none?: string },
): Html {
  const of = (part: string) => enteredText(entered, `${name}.${part}`);
  // What was sent, or the stored share: a word, or an object.
  const kind =
    of('kind') || enteredText(entered, name) || (FRACTION_KINDS.find((known) => of(known) !== '') ?? '');
  const options = [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...SHARE_WORDS.map((value) => ({ value, label: capital(shareWords(value)) })),
    { value: 'at_least', label: 'At least a fraction' },
    { value: 'more_than', label: 'More than a fraction' },
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
    label: 'Fraction',
    hint: 'Such as 3/5, for the two last choices.',
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
    label: 'What is needed to pass?',
    hint:
      'By country: what holds where the rules of a club say nothing else. Your own rules decide. The first ' +
      'ballot fixes this, and every ballot shows it.',
    error: errorAt(errors, MAJORITY),
    value: rule,
    options: [
      { value: '', label: 'More yes than no' },
      { value: 'own', label: 'Our own rule' },
    ],
    groups: presets,
  })}
<div data-for="own" data-of="${MAJORITY}.rule">${shareFields(props, {
    name: `${MAJORITY}.share`,
    label: 'Our own rule: how many must say yes',
  })}${selectField({
    name: `${MAJORITY}.of`,
    id: `${prefix}${MAJORITY}.of`,
    label: 'Of whom',
    value: base,
    options: base === 'present' ? [...BASES, PRESENT] : BASES,
  })}</div>`;
}

const BASES: readonly Option[] = [
  { value: 'yes_no', label: `${capital(BASE_WORDS.yes_no)}: abstentions do not count` },
  { value: 'ballots', label: `${capital(BASE_WORDS.ballots)}, abstentions too` },
  { value: 'electors', label: `${capital(BASE_WORDS.electors)}, also those who do not vote` },
];

/** In meetings alone. */
const PRESENT: Option = { value: 'present', label: capital(BASE_WORDS.present) };

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
    label: html`Quorum <span class="optional">(optional)</span>`,
    hint: 'How many ballots there must be for the result to count. Empty: any number.',
    error: errorAt(errors, 'settings.quorum'),
    value: enteredText(entered, 'settings.quorum'),
    type: 'number',
    min: 1,
    short: true,
  })}${shareFields(props, {
    name: 'settings.quorum_share',
    label: 'Or a share of the electors that must vote',
    hint: 'Every valid voting code is one elector.',
    none: 'No share',
  })}`;
}
