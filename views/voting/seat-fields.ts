import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { selectField } from '#views/components/forms.ts';
import { type RuleFieldsProps, shareFields } from './rule-fields.ts';
import { SETTINGS_LABELS } from './words.ts';

/** A setting that is a number of options; empty where it is not set. */
function numberField({ prefix, entered, errors }: RuleFieldsProps, setting: string, hint: Words): Html {
  const name = `settings.${setting}`;
  return openField({
    name,
    id: `${prefix}${name}`,
    label: html`${SETTINGS_LABELS[name]} <span class="optional">${t('voting-admin.seat_fields.optional')}</span>`,
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
  numberField(props, 'seats', t('voting-admin.seat_fields.how_many_elected'));

/** How many options a ballot of a poll chooses. */
export const choicesFields = (props: RuleFieldsProps): Html =>
  html`<div class="field-row">${numberField(
    props,
    'max_choices',
    t('voting-admin.seat_fields.most_choices_empty'),
  )}${numberField(props, 'min_choices', t('voting-admin.seat_fields.fewest_choices_empty'))}</div>`;

/** How many Yes a ballot may have. */
export const maxYesField = (props: RuleFieldsProps): Html =>
  numberField(props, 'max_yes', t('voting-admin.seat_fields.some_clubs_allow_many_yes'));

const THRESHOLD = 'settings.threshold';

/** The votes that a seat needs. */
export const thresholdFields = (props: RuleFieldsProps): Html =>
  html`${shareFields(props, {
    name: `${THRESHOLD}.share`,
    label: t('voting-admin.seat_fields.how_many_votes_seat_need'),
    hint: t('voting-admin.seat_fields.where_reaches_further_vote_between'),
    none: t('voting-admin.seat_fields.most_votes_enough'),
  })}${selectField({
    name: `${THRESHOLD}.of`,
    id: `${props.prefix}${THRESHOLD}.of`,
    label: t('voting-admin.seat_fields.what'),
    value: enteredText(props.entered, `${THRESHOLD}.of`),
    options: [
      { value: 'valid', label: t('voting-admin.seat_fields.ballots_choice') },
      { value: 'ballots', label: t('voting-admin.seat_fields.all_ballots_also_blank_ones') },
      { value: 'electors', label: t('voting-admin.seat_fields.electors_also_those_who_vote') },
    ],
  })}`;
