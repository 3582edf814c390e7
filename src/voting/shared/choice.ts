// What a valid choice is: the service asks it for JSON and for forms, and the script of the ballot before it sends one.
// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.

import { choiceLimits, type PollLimits } from './seats.ts';
import type { ElectionSettings } from './settings.ts';

export const SIMPLE_CHOICES = ['yes', 'no', 'abstain'] as const;

export type SimpleChoice = (typeof SIMPLE_CHOICES)[number];

/** The stored spelling of a blank ballot, of every type. */
export const BLANK = 'blank';

/** A stored ballot without the options with these numbers; blank if nothing is left of it. */
export function withoutOptions(choice: string, withdrawn: ReadonlySet<number>): string {
  if (choice.startsWith('[')) {
    const left = (JSON.parse(choice) as number[]).filter((number) => !withdrawn.has(number));
    return left.length === 0 ? BLANK : JSON.stringify(left);
  }
  if (!choice.startsWith('{')) return choice;
  const left = Object.entries(JSON.parse(choice) as object).filter(
    ([number]) => !withdrawn.has(Number(number)),
  );
  return left.length === 0 ? BLANK : JSON.stringify(Object.fromEntries(left));
}

/** What is wrong with a choice, and with which options. */
export interface ChoiceProblem {
  code:
    | 'no_candidates'
    | 'not_a_list'
    | 'none_chosen'
    | 'several_chosen'
    | 'none_ranked'
    | 'unranked'
    | 'unknown'
    | 'repeated'
    | 'not_answers'
    | 'none_answered'
    | 'too_many_yes'
    | 'too_few'
    | 'too_many';
  ids: readonly string[];
  /** What a number of choices exceeds or does not reach. */
  limit?: number;
}

/** Reads yes, no or abstain, in any spelling. */
export const readSimpleChoice = (text: string): SimpleChoice | undefined =>
  SIMPLE_CHOICES.find((choice) => choice === text.trim().toLowerCase());

/**
 * Checks the chosen options of a poll: one, or with several answers as many as `choiceLimits` says.
 * @param ids undefined: not a list
 */
export function checkSelection(
  ids: readonly string[] | undefined,
  options: readonly string[],
  settings: PollLimits,
): ChoiceProblem | undefined {
  if (ids === undefined) return { code: 'not_a_list', ids: [] };
  if (ids.length === 0) return { code: 'none_chosen', ids };
  if (settings.poll_response_type === 'single' && ids.length > 1) return { code: 'several_chosen', ids };
  const wrong = checkKnownOnce(ids, options);
  if (wrong) return wrong;
  const { min, max } = choiceLimits(settings, options.length);
  if (ids.length > max) return { code: 'too_many', ids, limit: max };
  return ids.length < min ? { code: 'too_few', ids, limit: min } : undefined;
}

/** Yes, no or abstain for options, by their ids. */
export type Answers = Readonly<Record<string, SimpleChoice>>;

/**
 * Checks yes or no to each option: at least one answer, and not more Yes than allowed. Options that are left out are
 * abstentions. @param answers undefined: not answers
 */
export function checkAnswers(
  answers: Answers | undefined,
  options: readonly string[],
  maxYes: number | null,
): ChoiceProblem | undefined {
  if (answers === undefined) return { code: 'not_answers', ids: [] };
  const ids = Object.keys(answers);
  const unknown = ids.filter((id) => !options.includes(id));
  if (unknown.length > 0) return { code: 'unknown', ids: unknown };
  if (ids.length === 0) return { code: 'none_answered', ids };
  const yes = ids.filter((id) => answers[id] === 'yes');
  return maxYes !== null && yes.length > maxYes
    ? { code: 'too_many_yes', ids: yes, limit: maxYes }
    : undefined;
}

/**
 * Checks a ranking, best first: of every candidate, or if it is partial of at least one.
 * @param ids undefined: not a list
 */
export function checkRanking(
  ids: readonly string[] | undefined,
  candidates: readonly string[],
  ranking: ElectionSettings['ranking'],
): ChoiceProblem | undefined {
  if (candidates.length === 0) return { code: 'no_candidates', ids: [] };
  if (ids === undefined) return { code: 'not_a_list', ids: [] };
  const wrong = checkKnownOnce(ids, candidates);
  if (wrong) return wrong;
  const missing = candidates.filter((id) => !ids.includes(id));
  if (missing.length > 0 && ranking === 'complete') return { code: 'unranked', ids: missing };
  return ids.length === 0 ? { code: 'none_ranked', ids } : undefined;
}

function checkKnownOnce(ids: readonly string[], known: readonly string[]): ChoiceProblem | undefined {
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length > 0) return { code: 'unknown', ids: unknown };
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return repeated.length > 0 ? { code: 'repeated', ids: repeated } : undefined;
}

/** The rank that was entered for each candidate, by its id. */
export type Ranks = Readonly<Record<string, string>>;

export interface ReadRanks {
  /** The ranks that are valid, by candidate; two candidates may have the same. */
  valid: ReadonlyMap<string, number>;
  /** Each candidate whose rank an earlier one of the ballot has already, with that one. */
  taken: ReadonlyMap<string, string>;
  /** The candidates with a rank of their own, best first. */
  ranking: readonly string[];
}

/** Reads the ranks that were entered. @param candidates in the order of the ballot */
export function readRanks(candidates: readonly string[], entered: Ranks): ReadRanks {
  const valid = new Map<string, number>();
  for (const id of candidates) {
    const rank = Number(entered[id] || Number.NaN);
    if (Number.isInteger(rank) && rank >= 1 && rank <= candidates.length) valid.set(id, rank);
  }
  const ranked = [...valid.keys()];
  const withRankOf = (id: string) => ranked.filter((other) => valid.get(other) === valid.get(id));
  const taken = new Map(
    ranked.map((id) => [id, withRankOf(id)[0]!] as const).filter(([id, first]) => id !== first),
  );
  const ranking = ranked.filter((id) => withRankOf(id).length === 1);
  return { valid, taken, ranking: ranking.sort((a, b) => valid.get(a)! - valid.get(b)!) };
}
