import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { badField, badFields, type FieldError, fieldError } from '#kernel/http/errors.ts';
import { flag, oneOf, orNone, wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { MajorityOrNone, QuorumInput, ShareOrNone, ThresholdInput } from './share-input.ts';
import { choiceLimits } from './shared/seats.ts';
import { ANNOUNCING, type ElectionSettings, RANKINGS, RECEIPTS } from './shared/settings.ts';

/** A number of options or seats; an election has at most 100 options. */
const few = orNone(wholeNumber(1, 100));

/**
 * The settings that an officer may change; an absent key keeps the stored value. The form has a field for each, see
 * views/voting/admin/sections/settings-fields.ts; `changeSettings` refuses those that ballots have fixed.
 */
export const SettingsInput = z
  .object(
    {
      hide_results_until_close: flag.optional(),
      publish_results_to_home: flag.optional(),
      poll_response_type: oneOf(['single', 'multiple']).optional(),
      quorum: QuorumInput.optional(),
      /** The older form of `receipts`: true means `included`. If both are given, `receipts` counts. */
      inclusion_codes: flag.optional(),
      receipts: oneOf(RECEIPTS).optional(),
      // An empty form field, or null, leaves it to the rule of `listedFrom`.
      publish_ballots: z
        .union([z.literal('').transform(() => null), z.null(), flag], coded('not_true_false_or_null'))
        .optional(),
      ranking: oneOf(RANKINGS).optional(),
      randomize_order: flag.optional(),
      majority: MajorityOrNone.optional(),
      quorum_share: ShareOrNone.optional(),
      allow_blank: flag.optional(),
      seats: few.optional(),
      min_choices: few.optional(),
      max_choices: few.optional(),
      max_yes: few.optional(),
      threshold: ThresholdInput.optional(),
      announce: oneOf(ANNOUNCING).optional(),
      lot: orNone(oneOf(['drawn'])).optional(),
    },
    { error: coded('not_object') },
  )
  .transform(({ receipts, inclusion_codes, ...settings }) => {
    const kind =
      receipts ?? (inclusion_codes === undefined ? undefined : inclusion_codes ? 'included' : 'off');
    return { ...settings, ...(kind !== undefined && { inclusion_codes: kind !== 'off', receipts: kind }) };
  });

type GivenSettings = z.output<typeof SettingsInput>;

/** The settings that the first ballot fixes: the rules under which it was cast. */
const FIXED_BY_BALLOTS = [
  'poll_response_type',
  'ranking',
  'inclusion_codes',
  'receipts',
  'quorum',
  'hide_results_until_close',
  'majority',
  'quorum_share',
  'allow_blank',
  'seats',
  'min_choices',
  'max_choices',
  'max_yes',
  'threshold',
] as const;

/**
 * The settings that only some types of ballot know; the others belong to every type. Those of the first versions are
 * not listed: a type without them ignores them.
 */
const KNOWN_BY: { readonly [Setting in keyof GivenSettings]: readonly BallotType[] } = {
  majority: ['SIMPLE_TRIPLE', 'YES_NO_EACH'],
  seats: ['POLL', 'RANKED_CONDORCET', 'YES_NO_EACH', 'RANKED_STV'],
  min_choices: ['POLL'],
  max_choices: ['POLL'],
  threshold: ['POLL'],
  max_yes: ['YES_NO_EACH'],
  lot: ['POLL', 'YES_NO_EACH', 'RANKED_STV'],
};

/** The types whose options are there from the beginning: there cannot be more seats or choices than these. */
const WITH_OPTIONS: readonly BallotType[] = ['POLL', 'YES_NO_EACH'];

/** Whether elections of a type have this setting. */
export const knowsSetting = (type: BallotType, setting: keyof GivenSettings): boolean =>
  KNOWN_BY[setting]?.includes(type) ?? true;

/** Leaves out the settings that a type does not know: a form without script has the fields of every type. */
export function withoutUnknown(type: BallotType, settings: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(settings).filter(([name]) => knowsSetting(type, name as keyof GivenSettings));
  return Object.fromEntries(known);
}

/** What settings are checked against. */
export interface CheckedElection {
  ballot_type: BallotType;
  /** The number of its options or candidates. */
  options: number;
  /** Whether it is voted on in a meeting, where those present are counted. */
  in_meeting: boolean;
}

type CrossCheck = (settings: ElectionSettings, election: CheckedElection) => FieldError | undefined | false;

/** What settings must be beside each other, one rule each. */
const CROSS_CHECKS: readonly CrossCheck[] = [
  ({ quorum, quorum_share }) =>
    quorum !== null && quorum_share !== null && fieldError('settings.quorum_share', 'quorum_said_twice'),
  ({ majority }, { in_meeting }) =>
    majority?.of === 'present' && !in_meeting && fieldError('settings.majority.of', 'only_in_meetings'),
  ...(['seats', 'max_choices', 'max_yes'] as const).map(
    (setting): CrossCheck =>
      (settings, { ballot_type, options }) =>
        WITH_OPTIONS.includes(ballot_type) &&
        (settings[setting] ?? 0) > options &&
        fieldError(`settings.${setting}`, 'more_than_options', { max: options }),
  ),
  ({ poll_response_type, max_choices }, { ballot_type }) =>
    knowsSetting(ballot_type, 'max_choices') &&
    poll_response_type === 'single' &&
    (max_choices ?? 1) > 1 &&
    fieldError('settings.max_choices', 'single_choice_only'),
  (settings, { ballot_type, options }) => {
    const { max } = choiceLimits(settings, options);
    return (
      knowsSetting(ballot_type, 'max_choices') &&
      (settings.min_choices ?? 1) > max &&
      fieldError('settings.min_choices', 'more_than_max_choices', { max })
    );
  },
];

/**
 * Checks given settings for an election.
 * @param before the settings that are not given
 * @throws 400 naming a setting that its type does not know, or those that do not fit each other
 */
export function ensureFitting(
  given: GivenSettings,
  election: CheckedElection,
  before: ElectionSettings = readSettings('{}'),
): void {
  const { ballot_type } = election;
  for (const setting of Object.keys(given) as (keyof GivenSettings)[])
    if (given[setting] != null && !knowsSetting(ballot_type, setting))
      throw badField(`settings.${setting}`, 'setting_of_other_type', { type: ballot_type });
  const settings = readSettings(JSON.stringify({ ...before, ...given }));
  const errors = CROSS_CHECKS.map((check) => check(settings, election) || undefined);
  const found = errors.filter((error) => error !== undefined);
  if (found.length > 0) throw badFields(found);
}

/** The settings that the close fixes. */
export const FIXED_BY_CLOSE = ['announce', 'lot'] as const;

const DEFAULTS: Omit<ElectionSettings, 'receipts'> = {
  hide_results_until_close: false,
  publish_results_to_home: false,
  poll_response_type: 'single',
  ranking: 'complete',
  quorum: null,
  inclusion_codes: false,
  publish_ballots: null,
  randomize_order: false,
  majority: null,
  quorum_share: null,
  allow_blank: false,
  seats: null,
  min_choices: null,
  max_choices: null,
  max_yes: null,
  threshold: null,
  announce: 'at_close',
  lot: null,
};

/** Returns the first changed setting that is fixed once there are ballots. */
export function findFixed(
  before: ElectionSettings,
  changed: GivenSettings,
  isClosed: boolean,
): keyof ElectionSettings | undefined {
  // Until the close, fewer ballots can be listed than voters were told, and never more.
  const list = changed.publish_ballots;
  const mayChangeList =
    !isClosed && (list === undefined || openness(list) <= openness(before.publish_ballots));
  const fixed = [...FIXED_BY_BALLOTS, ...(mayChangeList ? [] : (['publish_ballots'] as const))];
  return fixed.find((key) => changed[key] !== undefined && !isDeepStrictEqual(changed[key], before[key]));
}

const openness = (publish: boolean | null): number => [false, null, true].indexOf(publish);

/** The stored settings over the defaults. */
export function readSettings(stored: string): ElectionSettings {
  const settings = { ...DEFAULTS, ...JSON.parse(stored) };
  // Versions before receipts could cover the choice stored only `inclusion_codes`.
  settings.receipts ??= settings.inclusion_codes ? 'included' : 'off';
  return settings;
}

/** Whether a voter's inclusion code also covers the choice, see `RECEIPTS`. */
export const coversChoice = ({ receipts }: Pick<ElectionSettings, 'receipts'>): boolean =>
  receipts === 'content';
