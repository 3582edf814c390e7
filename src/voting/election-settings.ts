import { z } from 'zod';
import { flag, oneOf, wholeNumber } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';

/**
 * What a voter's inclusion code proves. `off`: there is no code; `included`: that the ballot is stored; `content`: also
 * its choice, so that an altered ballot is found, but a voter can prove the vote to somebody else.
 */
export const RECEIPTS = ['off', 'included', 'content'] as const;
export type Receipts = (typeof RECEIPTS)[number];

/**
 * What a ranked ballot must rank: every candidate, or at least one. The unranked candidates of a partial ballot share
 * its last place. Other ballot types ignore this.
 */
export const RANKINGS = ['complete', 'partial'] as const;
export type Ranking = (typeof RANKINGS)[number];

/**
 * The settings that an officer may change; an absent key keeps the stored value. The form has a field for each, see
 * views/voting/admin/settings-fields.ts; `changeSettings` refuses those that ballots have fixed.
 */
export const SettingsInput = z
  .object(
    {
      hide_results_until_close: flag.optional(),
      publish_results_to_home: flag.optional(),
      poll_response_type: oneOf(['single', 'multiple']).optional(),
      // An empty form field removes the quorum.
      quorum: z
        .union(
          [z.literal('').transform(() => null), z.null(), wholeNumber(1, 1_000_000)],
          coded('out_of_range_or_null', { min: 1, max: 1_000_000 }),
        )
        .optional(),
      /** The older form of `receipts`: true means `included`. If both are given, `receipts` counts. */
      inclusion_codes: flag.optional(),
      receipts: oneOf(RECEIPTS).optional(),
      // An empty form field, or null, leaves it to the rule of `listedFrom`.
      publish_ballots: z
        .union([z.literal('').transform(() => null), z.null(), flag], coded('not_true_false_or_null'))
        .optional(),
      ranking: oneOf(RANKINGS).optional(),
      randomize_order: flag.optional(),
    },
    { error: 'must be an object' },
  )
  .transform(({ receipts, inclusion_codes, ...settings }) => {
    const kind =
      receipts ?? (inclusion_codes === undefined ? undefined : inclusion_codes ? 'included' : 'off');
    return { ...settings, ...(kind !== undefined && { inclusion_codes: kind !== 'off', receipts: kind }) };
  });

/** The settings that the first ballot fixes: the rules under which it was cast. */
const FIXED_BY_BALLOTS = [
  'poll_response_type',
  'ranking',
  'inclusion_codes',
  'receipts',
  'quorum',
  'hide_results_until_close',
] as const;

export interface ElectionSettings {
  hide_results_until_close: boolean;
  publish_results_to_home: boolean;
  poll_response_type: 'single' | 'multiple';
  ranking: Ranking;
  /** Ballots needed for the result to count; null: none. */
  quorum: number | null;
  /** Whether voters get a code: `receipts` is not `off`. */
  inclusion_codes: boolean;
  receipts: Receipts;
  /** Whether the ballots are published after the close, see `listedFrom`; null: if there are enough for their type. */
  publish_ballots: boolean | null;
  randomize_order: boolean;
}

const DEFAULTS: Omit<ElectionSettings, 'receipts'> = {
  hide_results_until_close: false,
  publish_results_to_home: false,
  poll_response_type: 'single',
  ranking: 'complete',
  quorum: null,
  inclusion_codes: false,
  publish_ballots: null,
  randomize_order: false,
};

/** Returns the first changed setting that is fixed once there are ballots. */
export function findFixed(
  before: ElectionSettings,
  changed: z.output<typeof SettingsInput>,
  isClosed: boolean,
): keyof ElectionSettings | undefined {
  // Until the close, fewer ballots can be listed than voters were told, and never more.
  const list = changed.publish_ballots;
  const mayChangeList =
    !isClosed && (list === undefined || openness(list) <= openness(before.publish_ballots));
  const fixed = [...FIXED_BY_BALLOTS, ...(mayChangeList ? [] : (['publish_ballots'] as const))];
  return fixed.find((key) => changed[key] !== undefined && changed[key] !== before[key]);
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
