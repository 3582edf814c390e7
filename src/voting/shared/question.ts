// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { rulesIn } from './ballot-types.ts';
import type { RuleSettings, TallyOption } from './tally.ts';

/** What voters are asked, and how their ballots are counted. */
export interface Question {
  ballot_type: BallotType;
  settings: RuleSettings;
  options: readonly (TallyOption & { display_order: number })[];
  title: string;
  description: string | null;
  attachment_url: string | null;
  /** Whether it is a trial, which its text says then. */
  trial?: boolean | undefined;
  /** Its texts in other languages, see elections/translations.ts. */
  translations?: Translations | undefined;
}

/** Texts in other languages, by language; each may be missing. Names by the id of the option. */
export type Translations = Record<
  string,
  {
    title?: string | undefined;
    description?: string | undefined;
    options?: Record<string, string> | undefined;
  }
>;

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
  trial,
  translations,
}: Question): string {
  return JSON.stringify({
    ballot_type,
    rules: rulesIn(ballot_type, settings),
    options: inDisplayOrder(options).map(({ number, id, name, is_none_of_the_above }) => ({
      number,
      id,
      name,
      none_of_the_above: is_none_of_the_above,
    })),
    title,
    description,
    attachment_url,
    ...(trial && { trial }),
    ...(translations && { translations }),
  });
}

/** Options as voters see them. */
export const inDisplayOrder = <Option extends { display_order: number; number: number }>(
  options: readonly Option[],
): Option[] => [...options].sort((a, b) => a.display_order - b.display_order || a.number - b.number);
