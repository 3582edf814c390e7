import type { Selectable } from 'kysely';
import type { OptionsTable } from '#kernel/db/schema.ts';
import { badField } from '#kernel/http/errors.ts';
import type { Election } from '#voting/elections/elections.ts';
import { type Ranking, readSettings } from '#voting/elections/settings.ts';

type Answer = Record<string, unknown>;
type Options = Selectable<OptionsTable>[];

export const SIMPLE_CHOICES = ['yes', 'no', 'abstain'] as const;

export type SimpleChoice = (typeof SIMPLE_CHOICES)[number];

/**
 * Converts a voter's answer to the stored choice: `yes`, `[2]`, `[1,4]` or a ranking, best first, `[3,1,2]`, of all
 * candidates or, with partial rankings, of some. `checkBallotForm` has the same rules for the review page.
 * @param listOptions reads the election's options; called only if its type has any
 * @throws 400 naming the field, and the ids that are missing, unknown or repeated.
 */
export function readChoice(
  election: Pick<Election, 'ballot_type' | 'settings'>,
  listOptions: () => Options,
  answer: Answer,
): string {
  if (election.ballot_type === 'SIMPLE_TRIPLE') return readSimple(answer);
  const numbers = new Map(listOptions().map(({ id, number }) => [id, number]));
  const { ranking, poll_response_type } = readSettings(election.settings);
  if (election.ballot_type === 'RANKED_CONDORCET') return readRanking(numbers, ranking, answer);
  return poll_response_type === 'multiple' ? readSelection(numbers, answer) : readSingle(numbers, answer);
}

function readSimple({ choice }: Answer): string {
  const word = typeof choice === 'string' ? choice.trim().toLowerCase() : '';
  if (!SIMPLE_CHOICES.some((known) => known === word)) throw badField('choice', 'must be yes, no or abstain');
  return word;
}

function readSingle(numbers: Map<string, number>, { selected_option, selected_options }: Answer): string {
  if (selected_options !== undefined)
    throw badField('selected_options', 'this poll takes one option: send selected_option');
  const number = typeof selected_option === 'string' ? numbers.get(selected_option.trim()) : undefined;
  if (number === undefined) throw badField('selected_option', 'must be the id of one option of this poll');
  return JSON.stringify([number]);
}

function readSelection(numbers: Map<string, number>, { selected_option, selected_options }: Answer): string {
  if (selected_option !== undefined) {
    throw badField('selected_option', 'this poll takes several options: send selected_options');
  }
  const ids = readIds('selected_options', selected_options);
  if (ids.length === 0) throw badField('selected_options', 'must name at least one option');
  ensureKnownOnce('selected_options', ids, numbers);
  return JSON.stringify(ids.map((id) => numbers.get(id)!).sort((a, b) => a - b));
}

function readRanking(numbers: Map<string, number>, allowed: Ranking, { ranking }: Answer): string {
  if (numbers.size === 0) throw badField('ranking', 'this election has no candidates yet');
  const ids = readIds('ranking', ranking);
  ensureKnownOnce('ranking', ids, numbers);
  const missing = [...numbers.keys()].filter((id) => !ids.includes(id));
  if (missing.length > 0 && allowed === 'complete')
    throw badField('ranking', `must list every candidate once; missing: ${missing.join(', ')}`);
  if (ids.length === 0) throw badField('ranking', 'must rank at least one candidate');
  return JSON.stringify(ids.map((id) => numbers.get(id)));
}

function readIds(field: string, value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string'))
    throw badField(field, 'must be a list of ids');
  return value.map((id) => id.trim());
}

function ensureKnownOnce(field: string, ids: string[], numbers: Map<string, number>): void {
  const shown = (list: string[]) =>
    list
      .slice(0, 10)
      .map((id) => id.slice(0, 64))
      .join(', ');
  const unknown = ids.filter((id) => !numbers.has(id));
  if (unknown.length > 0) throw badField(field, `holds unknown ids: ${shown(unknown)}`);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (repeated.length > 0) throw badField(field, `holds ids more than once: ${shown(repeated)}`);
}
