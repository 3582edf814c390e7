import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { choice, choiceGroup, hiddenInputs } from '#views/components/forms.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import type { Ranking, Receipts } from '#voting/elections/settings.ts';

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
  /** Whether it can still be decided to publish the ballots. */
  canPublish?: boolean | undefined;
}

/** The labels of the settings in a summary of errors. */
export const SETTINGS_LABELS: Readonly<Record<string, string>> = {
  'settings.hide_results_until_close': 'Hide results',
  'settings.publish_results_to_home': 'Home page',
  'settings.poll_response_type': 'Answers in a poll',
  'settings.ranking': 'Rankings',
  'settings.quorum': 'Quorum',
  'settings.inclusion_codes': 'Codes to check the count',
  'settings.receipts': 'Codes to check the count',
  'settings.publish_ballots': 'List of ballots',
  'settings.randomize_order': 'Order on the ballot',
};

/** Every setting with a sentence on what it does. */
export function settingsFields({
  prefix = '',
  entered,
  errors,
  type,
  fixed = false,
  canPublish = true,
}: SettingsFieldsProps): Html {
  const tick = (setting: string, label: string, note: string, shown = true) => {
    const name = `settings.${setting}`;
    const checked = isTicked(entered, name, setting === 'publish_ballots');
    const box = tickBox({ name, id: `${prefix}${name}`, label, note, checked });
    // A setting that is not sent is not changed, so one that is not ticked is sent as “false”.
    return shown && html`${hiddenInputs({ [name]: 'false' })}${box}`;
  };
  return html`${type !== 'SIMPLE_TRIPLE' && type !== 'RANKED_CONDORCET' && !fixed && answersField(prefix, entered, errors)}
${type !== 'SIMPLE_TRIPLE' && type !== 'POLL' && !fixed && rankingField(prefix, entered, errors)}
<fieldset><legend class="visually-hidden">Results and ballots</legend><div class="choices choices-plain">
${tick('hide_results_until_close', 'Hide results until it closes', 'Live results give votes away: whoever watches turnout and result together can tell how the person who just voted voted. While they are hidden officers do not see them either, and nobody can change this after the first ballot.', !fixed)}
${tick('publish_results_to_home', 'Show it on the home page', 'Everyone sees the election there, and its result as soon as that is not hidden.')}
${tick('publish_ballots', 'Publish the ballots after the close', 'From ten ballots on everybody can read and count them. Nobody sees whose they are, but somebody who was told to vote in a rare order could be recognised by it. It can be taken back until voting closes, and not be decided later.', canPublish)}
${tick('randomize_order', 'Shuffle the order on each ballot', 'Nobody gains by standing first. Otherwise every voter sees your order.', type !== 'SIMPLE_TRIPLE')}
</div></fieldset>
${!fixed && receiptsField(prefix, entered, errors)}
${
  !fixed &&
  openField({
    name: 'settings.quorum',
    id: `${prefix}settings.quorum`,
    label: html`Quorum <span class="optional">(optional)</span>`,
    hint: 'How many ballots there must be for the result to count. Empty: any number.',
    error: errorAt(errors, 'settings.quorum'),
    value: enteredText(entered, 'settings.quorum'),
    type: 'number',
    min: 1,
    short: true,
  })
}`;
}

function receiptsField(prefix: string, entered: Entered, errors: readonly FieldError[]): Html {
  const name = 'settings.receipts';
  const chosen = enteredText(entered, name, 'off');
  const row = (value: Receipts, label: string, note: string) =>
    choice({
      type: 'radio',
      ...{ name, value, label, note },
      id: `${prefix}${name}${value === 'off' ? '' : `-${value}`}`,
      checked: value === chosen,
    });
  return choiceGroup({
    name: `${prefix}${name}`,
    label: 'Codes to check the count',
    hint: 'Voters see a code once, after voting. After the close they look for it in a public list.',
    error: errorAt(errors, name),
    plain: true,
    rows: [
      row('off', 'No codes', 'Voters cannot look for their own ballot.'),
      row('included', 'A code shows that the ballot is in the box', 'It says nothing about the choice.'),
      row(
        'content',
        'A code covers the choice too',
        'A ballot that was changed is found, too. But with this code a voter can prove the vote to somebody else, who may have bought it or demanded it.',
      ),
    ],
  });
}

function rankingField(prefix: string, entered: Entered, errors: readonly FieldError[]): Html {
  const name = 'settings.ranking';
  const chosen = enteredText(entered, name) === 'partial' ? 'partial' : 'complete';
  const row = (value: Ranking, label: string, note: string) =>
    choice({
      type: 'radio',
      ...{ name, value, label, note },
      id: `${prefix}${name}${value === 'complete' ? '' : '-2'}`,
      checked: value === chosen,
    });
  return html`<div data-for="RANKED_CONDORCET">${choiceGroup({
    name: `${prefix}${name}`,
    label: 'Rankings',
    error: errorAt(errors, name),
    plain: true,
    rows: [
      row('complete', 'Each voter ranks every candidate', 'Nobody is left out of a ballot.'),
      row(
        'partial',
        'Each voter ranks one candidate or more',
        'Nobody has to rank strangers. Whoever a voter does not rank counts as equal last on that ballot.',
      ),
    ],
  })}</div>`;
}

function answersField(prefix: string, entered: Entered, errors: readonly FieldError[]): Html {
  const name = 'settings.poll_response_type';
  const chosen = enteredText(entered, name) === 'multiple' ? 'multiple' : 'single';
  const row = (value: 'single' | 'multiple', label: string) =>
    choice({
      type: 'radio',
      name,
      value,
      label,
      id: `${prefix}${name}${value === 'single' ? '' : '-2'}`,
      checked: value === chosen,
    });
  return html`<div data-for="POLL">${choiceGroup({
    name: `${prefix}${name}`,
    label: 'Answers in a poll',
    error: errorAt(errors, name),
    plain: true,
    rows: [
      row('single', 'Each voter chooses one option'),
      row('multiple', 'Each voter chooses one option or more'),
    ],
  })}</div>`;
}
