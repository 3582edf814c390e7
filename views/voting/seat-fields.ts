import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { type RuleFieldsProps, shareFields } from './rule-fields.ts';
import { SETTINGS_LABELS } from './words.ts';

/** A setting that is a number of options; empty where it is not set. */
function numberField({ prefix, entered, errors }: RuleFieldsProps, setting: string, hint: string): Html {
  const name = `settings.${setting}`;
  return openField({
    name,
    id: `${prefix}${name}`,
    label: html`${SETTINGS_LABELS[name]} <span class="optional">(optional)</span>`,
    hint,
    error: errorAt(errors, name),
    value: enteredText(entered, name),
    type: 'number',
    min: 1,
    short: true,
  });
}

/** How many are elected. */
export const seatsField = (props: RuleFieldsProps): Html =>
  numberField(
    props,
    'seats',
    'For an election: how many are elected, as 3 of 6 to the committee. Empty: a poll and a ranking have one ' +
      'winner; with yes or no to each everybody with a majority is elected.',
  );

/** How many options a ballot of a poll chooses. */
export const choicesFields = (props: RuleFieldsProps): Html =>
  html`<div class="field-row">${numberField(
    props,
    'max_choices',
    'Where a voter chooses several. Empty: as many as there are seats, or all.',
  )}${numberField(props, 'min_choices', 'Where a voter chooses several. Empty: one.')}</div>`;

/** How many Yes a ballot may have. */
export const maxYesField = (props: RuleFieldsProps): Html =>
  numberField(props, 'max_yes', 'Some clubs allow as many Yes as there are seats. Empty: any number.');

const THRESHOLD = 'settings.threshold';

/** The votes that a seat needs. */
export const thresholdFields = (props: RuleFieldsProps): Html =>
  html`${shareFields(props, {
    name: `${THRESHOLD}.share`,
    label: 'How many votes does a seat need?',
    hint: 'Where nobody reaches it, a further vote between the best decides.',
    none: 'The most votes are enough',
  })}${selectField({
    name: `${THRESHOLD}.of`,
    id: `${props.prefix}${THRESHOLD}.of`,
    label: 'Of what',
    value: enteredText(props.entered, `${THRESHOLD}.of`),
    options: [
      { value: 'valid', label: 'The ballots with a choice' },
      { value: 'ballots', label: 'All ballots, also blank ones' },
      { value: 'electors', label: 'The electors, also those who do not vote' },
    ],
  })}`;
