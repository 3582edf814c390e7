import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Entered, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, hiddenInputs } from '#views/components/forms.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { quorumFields } from '#views/voting/rule-fields.ts';
import { LIVE_WORDS } from '#views/voting/words.ts';
import { knowsSetting } from '#voting/election-settings.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import type { Announcing, Receipts } from '#voting/shared/settings.ts';

/** The settings of an election as fields, in a new election or on its page. */
export interface SettingsFieldsProps {
  /** The prefix of each id, on a page with several forms. */
  prefix?: string | undefined;
  entered: Entered;
  errors: readonly FieldError[];
  /** Leaves out the fields of other types of ballot; all fields when absent. */
  type?: BallotType | undefined;
  /** Leaves out the settings that cannot change once there are ballots. */
  fixed?: boolean | undefined;
  /** What most elections leave as it is: left out, left out unless something of it was entered, or alone. */
  rarely?: 'out' | 'if entered' | 'alone' | undefined;
  /** Leaves out what a trial has not. */
  trial?: boolean | undefined;
  /** Leaves out the settings that cannot change after the close. */
  closed?: boolean | undefined;
  /** Whether it can no longer be decided that ballots are published. */
  listFixed?: boolean | undefined;
  /** `own`: what each question of a ballot paper decides; `shared`: what holds for all of them. Both when absent. */
  part?: 'own' | 'shared' | undefined;
}

/** Every setting with a sentence on what it does. */
export function settingsFields({
  prefix = '',
  entered,
  errors,
  type,
  fixed = false,
  trial = false,
  rarely,
  closed = false,
  listFixed = false,
  part,
}: SettingsFieldsProps): Html {
  const tick = (setting: string, label: Words | string, note: Words | string, shown = true) => {
    const name = `settings.${setting}`;
    const checked = isTicked(entered, name);
    const box = tickBox({ name, id: `${prefix}${name}`, label, note, checked });
    // A setting that is not sent is not changed, so one that is not ticked is sent as “false”.
    return shown && html`${hiddenInputs({ [name]: 'false' })}${box}`;
  };
  const radio = (setting: string, of: RadioChoice) =>
    !fixed && radioField({ prefix, entered, errors }, setting, of);
  // Once there are ballots, fewer can be listed than voters were told, and never more.
  const mayRaise = !fixed || enteredText(entered, 'settings.publish_ballots') === 'true';
  const list = { ...LIST_ROWS, rows: LIST_ROWS.rows.filter(({ value }) => mayRaise || value !== 'true') };
  const types = type === undefined ? BALLOT_TYPES : [type];
  const ofSeveral = Map.groupBy(
    types.flatMap((one) => (viewOf(one).fields ?? []).map((fields) => ({ one, fields }))),
    ({ fields }) => fields,
  );
  const own =
    !fixed &&
    html`${types.map((one) => {
      const { setting } = viewOf(one);
      return setting && html`<div data-for="${one}">${radio(setting.name, setting)}</div>`;
    })}${[...ofSeveral].map(
      ([fields, of]) =>
        html`<div data-for="${of.map(({ one }) => one).join(' ')}">${fields({ prefix, entered, errors })}</div>`,
    )}`;
  const withLots = types.filter((one) => knowsSetting(one, 'lot'));
  const lot =
    !closed &&
    withLots.length > 0 &&
    html`<div data-for="${withLots.join(' ')}">${radioField({ prefix, entered, errors }, 'lot', LOT_ROWS)}</div>`;
  if (part === 'own') return html`${own}${lot}`;
  const shuffles = type === undefined || rulesOf(type).options !== null;
  const rest = html`${!closed && radioField({ prefix, entered, errors }, 'announce', ANNOUNCE_ROWS)}
${!listFixed && radioField({ prefix, entered, errors }, 'publish_ballots', list)}
${radio('receipts', RECEIPT_ROWS)}
${!fixed && quorumFields({ prefix, entered, errors })}`;
  if (rarely === 'alone') return rest;
  const isEntered =
    errors.some(({ path }) => isRarelyChanged(path)) ||
    RARELY_CHANGED.some(
      (name) => !['', 'off', 'at_close'].includes(enteredText(entered, `settings.${name}`)),
    );
  return html`${part === undefined && html`${own}${lot}`}
${radio('hide_results_until_close', SHOWN)}
<fieldset><legend class="visually-hidden">${t('voting-admin.settings_fields.results_ballots')}</legend><div class="choices choices-plain">
${tick(
  'publish_results_to_home',
  t('voting-admin.settings_fields.show_home_page'),
  t('voting-admin.settings_fields.everyone_sees_election_result_soon'),
  !trial,
)}
${tick(
  'randomize_order',
  t('voting-admin.settings_fields.shuffle_order_each_ballot'),
  t('voting-admin.settings_fields.gains_standing_first_otherwise_every'),
  shuffles,
)}
${tick(
  'allow_blank',
  t('voting-admin.settings_fields.ballot_left_blank'),
  t('voting-admin.settings_fields.voters_who_take_side_still'),
  !fixed,
)}
</div></fieldset>
${(rarely === undefined || (rarely === 'if entered' && isEntered)) && rest}`;
}

const RARELY_CHANGED = [
  'announce',
  'publish_ballots',
  'receipts',
  'quorum',
  'quorum_share.kind',
  'quorum_share.fraction',
];

/** Whether a field is of a setting that few elections change. */
export const isRarelyChanged = (path: string): boolean =>
  RARELY_CHANGED.some((name) => path.startsWith(`settings.${name}`));

/** Which of the two forms with settings sent these fields: one always says whether the election is on the home page. */
export const settingsFormIn = (entered: Record<string, unknown>): 'settings' | 'checks' =>
  Object.keys(entered).some(isRarelyChanged) && !('settings.publish_results_to_home' in entered)
    ? 'checks'
    : 'settings';

interface RadioChoice<Value extends string = string> {
  label: Words | string;
  hint?: Words | string;
  rows: readonly { value: Value; label: Words | string; note?: Words | string }[];
}

/** A setting with a choice of values; the first row is chosen if nothing else was entered. */
function radioField(
  { prefix, entered, errors }: Required<Pick<SettingsFieldsProps, 'prefix' | 'entered' | 'errors'>>,
  setting: string,
  { label, hint, rows }: RadioChoice,
): Html {
  const name = `settings.${setting}`;
  const given = enteredText(entered, name);
  const chosen = rows.find(({ value }) => value === given) ?? rows[0];
  return choiceGroup({
    name: `${prefix}${name}`,
    label,
    hint,
    error: errorAt(errors, name),
    plain: true,
    rows: rows.map((row, index) =>
      choice({
        ...row,
        type: 'radio',
        name,
        id: `${prefix}${name}${index === 0 ? '' : `-${index + 1}`}`,
        checked: row === chosen,
      }),
    ),
  });
}

const SHOWN: RadioChoice<'true' | 'false'> = {
  label: t('voting-admin.settings_fields.when_figures_shown'),
  hint: t('voting-admin.settings_fields.first_ballot_fixes'),
  rows: [
    {
      value: 'true',
      label: t('voting-admin.settings_fields.hidden_until_voting_closes'),
      note: t('voting-admin.settings_fields.sees_before_officers_neither_fewer'),
    },
    { value: 'false', label: t('voting-admin.settings_fields.live'), note: LIVE_WORDS },
  ],
};

const ANNOUNCE_ROWS: RadioChoice<Announcing> = {
  label: t('voting-admin.settings_fields.who_sees_result_first'),
  hint: t('voting-admin.settings_fields.change_until_voting_closes'),
  rows: [
    { value: 'at_close', label: t('voting-admin.settings_fields.everybody_when_voting_closes') },
    {
      value: 'by_officer',
      label: t('voting-admin.settings_fields.officer_who_announces'),
      note: t('voting-admin.settings_fields.after_close_only_officers_who'),
    },
  ],
};

const LOT_ROWS: RadioChoice = {
  label: t('voting-admin.settings_fields.votes_last_seat_equal'),
  hint: t('voting-admin.settings_fields.change_until_voting_closes'),
  rows: [
    {
      value: '',
      label: t('voting-admin.settings_fields.lot_drawn_hand'),
      note: t('voting-admin.settings_fields.several_seats_ranking_order_lot'),
    },
    {
      value: 'drawn',
      label: t('voting-admin.settings_fields.chair_draws_lot'),
      note: t('voting-admin.settings_fields.count_waits_until_officer_enters'),
    },
  ],
};

const LIST_ROWS: RadioChoice = {
  label: t('voting-admin.settings_fields.public_list_ballots_after_close'),
  hint: t('voting-admin.settings_fields.everybody_read_count_sees_whose'),
  rows: [
    {
      value: '',
      label: t('voting-admin.settings_fields.ten_ballots'),
      note: t('voting-admin.settings_fields.rankings_more_three_candidates_hundred'),
    },
    {
      value: 'true',
      label: t('voting-admin.settings_fields.ten_ballots_long_rankings_too'),
      note: t('voting-admin.settings_fields.rankings_recognised'),
    },
    {
      value: 'false',
      label: t('voting-admin.settings_fields.list'),
      note: t('voting-admin.settings_fields.outside_count_again'),
    },
  ],
};

const RECEIPT_ROWS: RadioChoice<Receipts> = {
  label: t('voting-admin.settings_fields.codes_check_count'),
  hint: t('voting-admin.settings_fields.voters_see_code_once_after'),
  rows: [
    {
      value: 'off',
      label: t('voting-admin.settings_fields.codes'),
      note: t('voting-admin.settings_fields.voters_cannot_look_own_ballot'),
    },
    {
      value: 'included',
      label: t('voting-admin.settings_fields.code_shows_ballot_box'),
      note: t('voting-admin.settings_fields.says_nothing_about_choice'),
    },
    {
      value: 'content',
      label: t('voting-admin.settings_fields.code_covers_choice_too'),
      note: t('voting-admin.settings_fields.ballot_changed_found_too_but'),
    },
  ],
};
