import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
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
  const tick = (setting: string, label: string, note: string, shown = true) => {
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
<fieldset><legend class="visually-hidden">Results and ballots</legend><div class="choices choices-plain">
${tick(
  'publish_results_to_home',
  'Show it on the home page',
  'Everyone sees the election there, and its result as soon as that is not hidden.',
  !trial,
)}
${tick(
  'randomize_order',
  'Shuffle the order on each ballot',
  'Nobody gains by standing first. Otherwise every voter sees your order.',
  shuffles,
)}
${tick(
  'allow_blank',
  'A ballot can be left blank',
  'Voters who take no side still take part: a blank ballot counts for the quorum and for nobody.',
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
  label: string;
  hint?: string;
  rows: readonly { value: Value; label: string; note?: string }[];
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
  label: 'When are the figures shown?',
  hint: 'The first ballot fixes this.',
  rows: [
    {
      value: 'true',
      label: 'Hidden until voting closes',
      note:
        'Nobody sees them before, officers neither. With fewer than five voters, votes can be guessed from ' +
        'the result.',
    },
    { value: 'false', label: 'Live', note: LIVE_WORDS },
  ],
};

const ANNOUNCE_ROWS: RadioChoice<Announcing> = {
  label: 'Who sees the result first?',
  hint: 'You can change this until voting closes.',
  rows: [
    { value: 'at_close', label: 'Everybody, when voting closes' },
    {
      value: 'by_officer',
      label: 'An officer, who announces it',
      note: 'After the close only officers who may certify results see it, until one of them announces it.',
    },
  ],
};

const LOT_ROWS: RadioChoice = {
  label: 'If votes for the last seat are equal',
  hint: 'You can change this until voting closes.',
  rows: [
    {
      value: '',
      label: 'No lot is drawn by hand',
      note:
        'With several seats by ranking, the order of a lot comes from the check number of the ballots: everybody ' +
        'can repeat it, and nobody can choose it. Elsewhere a further vote decides.',
    },
    {
      value: 'drawn',
      label: 'The chair draws a lot',
      note: 'The count waits until an officer enters who was drawn, by whom, and who saw it.',
    },
  ],
};

const LIST_ROWS: RadioChoice = {
  label: 'A public list of the ballots after the close',
  hint:
    'Everybody can read and count them; nobody sees whose they are. Until voting closes you can choose a ' +
    'stricter one.',
  rows: [
    {
      value: '',
      label: 'From ten ballots on',
      note: 'Rankings of more than three candidates from a hundred ballots on.',
    },
    {
      value: 'true',
      label: 'From ten ballots on, long rankings too',
      note:
        'Of 20 rankings of many candidates some 14 occur only once: a voter who was told to rank the last ' +
        'places in a certain order can be recognised by it, and a voter’s hints may be enough to find the ' +
        'ballot.',
    },
    { value: 'false', label: 'No list', note: 'Nobody outside can count again.' },
  ],
};

const RECEIPT_ROWS: RadioChoice<Receipts> = {
  label: 'Codes to check the count',
  hint: 'Voters see a code once, after voting. After the close they look for it in a public list.',
  rows: [
    { value: 'off', label: 'No codes', note: 'Voters cannot look for their own ballot.' },
    {
      value: 'included',
      label: 'A code shows that the ballot is in the box',
      note: 'It says nothing about the choice.',
    },
    {
      value: 'content',
      label: 'A code covers the choice too',
      note:
        'A ballot that was changed is found, too. But with this code a voter can prove the vote to somebody ' +
        'else, who may have bought it or demanded it.',
    },
  ],
};
