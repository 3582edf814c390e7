import { z } from 'zod';
import { flag, wholeNumber } from '#kernel/http/validation.ts';

/**
 * What an officer may set; an absent key keeps what is stored. The form has a field for each, see
 * views/voting/admin/settings-fields.ts; `changeSettings` refuses those that ballots have fixed.
 */
export const SettingsInput = z.object(
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
    inclusion_codes: flag.optional(),
    randomize_order: flag.optional(),
  },
  { error: 'must be an object' },
);

/** What the first ballot fixes: the rules under which it was cast. */
export const FIXED_BY_BALLOTS = [
  'poll_response_type',
  'inclusion_codes',
  'quorum',
  'hide_results_until_close',
] as const;

export interface ElectionSettings {
  hide_results_until_close: boolean;
  publish_results_to_home: boolean;
  poll_response_type: 'single' | 'multiple';
  /** Ballots needed for the result to count; null: none. */
  quorum: number | null;
  inclusion_codes: boolean;
  randomize_order: boolean;
}

const DEFAULTS: ElectionSettings = {
  hide_results_until_close: false,
  publish_results_to_home: false,
  poll_response_type: 'single',
  quorum: null,
  inclusion_codes: false,
  randomize_order: false,
};

/** The stored settings over the defaults. */
export function readSettings(stored: string): ElectionSettings {
  return { ...DEFAULTS, ...JSON.parse(stored) };
}
