import { z } from 'zod';
import { flag, wholeNumber } from '#kernel/http/validation.ts';

/**
 * What a voter's code shows: nothing, as there is none; that a ballot is in the box; or also what it says, so that an
 * altered ballot is found, and a voter can prove the vote to somebody else.
 */
export const RECEIPTS = ['off', 'included', 'content'] as const;
export type Receipts = (typeof RECEIPTS)[number];

/**
 * What a ranked ballot may hold: every candidate, or one and more. On a partial ballot the candidates that it does not
 * rank are equal last. Other types of ballot ignore it.
 */
export const RANKINGS = ['complete', 'partial'] as const;
export type Ranking = (typeof RANKINGS)[number];

/**
 * What an officer may set; an absent key keeps what is stored. The form has a field for each, see
 * views/voting/admin/settings-fields.ts; `changeSettings` refuses those that ballots have fixed.
 */
export const SettingsInput = z
  .object(
    {
      hide_results_until_close: flag.optional(),
      publish_results_to_home: flag.optional(),
      poll_response_type: z.enum(['single', 'multiple'], { error: 'must be single or multiple' }).optional(),
      // A form's empty field takes the quorum away.
      quorum: z
        .union([z.literal('').transform(() => null), z.null(), wholeNumber(1, 1_000_000)], {
          error: 'must be a whole number from 1 to 1,000,000, or null',
        })
        .optional(),
      /** The older spelling of `receipts`: true means `included`. `receipts` decides where both are given. */
      inclusion_codes: flag.optional(),
      receipts: z.enum(RECEIPTS, { error: 'must be off, included or content' }).optional(),
      publish_ballots: flag.optional(),
      ranking: z.enum(RANKINGS, { error: 'must be complete or partial' }).optional(),
      randomize_order: flag.optional(),
    },
    { error: 'must be an object' },
  )
  .transform(({ receipts, inclusion_codes, ...settings }) => {
    const kind =
      receipts ?? (inclusion_codes === undefined ? undefined : inclusion_codes ? 'included' : 'off');
    return { ...settings, ...(kind !== undefined && { inclusion_codes: kind !== 'off', receipts: kind }) };
  });

/** What the first ballot fixes: the rules under which it was cast. */
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
  /** Whether the ballots are listed for everybody after the close, where there are ten and more. */
  publish_ballots: boolean;
  randomize_order: boolean;
}

const DEFAULTS: Omit<ElectionSettings, 'receipts'> = {
  hide_results_until_close: false,
  publish_results_to_home: false,
  poll_response_type: 'single',
  ranking: 'complete',
  quorum: null,
  inclusion_codes: false,
  publish_ballots: true,
  randomize_order: false,
};

/** The first of the changed settings that cannot change once there are ballots. */
export function findFixed(
  before: ElectionSettings,
  changed: z.output<typeof SettingsInput>,
  isClosed: boolean,
): keyof ElectionSettings | undefined {
  // The list of ballots may be given up before it is published. Voters would not know of one that is decided on later.
  const mayChangeList = before.publish_ballots && !isClosed;
  const fixed = [...FIXED_BY_BALLOTS, ...(mayChangeList ? [] : (['publish_ballots'] as const))];
  return fixed.find((key) => changed[key] !== undefined && changed[key] !== before[key]);
}

/** The stored settings over the defaults. */
export function readSettings(stored: string): ElectionSettings {
  const settings = { ...DEFAULTS, ...JSON.parse(stored) };
  // Versions before receipts could cover the choice stored whether there were codes.
  settings.receipts ??= settings.inclusion_codes ? 'included' : 'off';
  return settings;
}
