// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import type { BallotType, ElectionSettings } from '#voting/elections/elections.ts';
import type { TallyOption } from './tally.ts';

/**
 * The settings that decide how ballots of each type are counted. A setting that is added here later must be left out
 * of the text where it has its default, or the published hashes of earlier elections are not found again.
 */
const RULES = {
  SIMPLE_TRIPLE: ['quorum'],
  POLL: ['poll_response_type', 'quorum'],
  RANKED_CONDORCET: ['ranking', 'quorum'],
} as const satisfies Record<BallotType, readonly (keyof ElectionSettings)[]>;

/** What voters are asked, and how their ballots are counted. */
export interface Question {
  ballot_type: BallotType;
  settings: Pick<ElectionSettings, (typeof RULES)[BallotType][number]>;
  options: readonly (TallyOption & { display_order: number })[];
  title: string;
  description: string | null;
  attachment_url: string | null;
}

/**
 * The canonical text of a question: JSON without spaces, with these keys in this order, options in display order. Its
 * SHA-256 (UTF-8, lower-case hex) is the election's `question_sha256`.
 */
export function questionText({
  ballot_type,
  settings,
  options,
  title,
  description,
  attachment_url,
}: Question): string {
  return JSON.stringify({
    ballot_type,
    rules: Object.fromEntries(RULES[ballot_type].map((rule) => [rule, settings[rule]])),
    options: inDisplayOrder(options).map(({ number, id, name, is_none_of_the_above }) => ({
      number,
      id,
      name,
      none_of_the_above: is_none_of_the_above,
    })),
    title,
    description,
    attachment_url,
  });
}

/** Options as voters see them. */
export const inDisplayOrder = <Option extends { display_order: number; number: number }>(
  options: readonly Option[],
): Option[] => [...options].sort((a, b) => a.display_order - b.display_order || a.number - b.number);
