// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.

import { SIMPLE_CHOICES } from './choice.ts';
import type { LotOrder } from './lots.ts';
import {
  beats,
  condorcetWinner,
  indexNumbers,
  malformed,
  PairwiseCounter,
  rankCandidates,
  readNumbers,
  strongestPaths,
} from './schulze.ts';
import { choiceLimits, fillSeats, groupByVotes, type SeatsResult, type SeatsRule } from './seats.ts';
import type { ElectionSettings } from './settings.ts';
import {
  DEFAULT_MAJORITY,
  isDefaultMajority,
  type Majority,
  needed,
  reaches,
  type Share,
  type Threshold,
} from './share.ts';

/** An option or candidate as a tally needs it: stored ballots refer to it by `number`, which is at least 1. */
export interface TallyOption {
  id: string;
  number: number;
  name: string;
  is_none_of_the_above: boolean;
  /** Set if it was withdrawn after the opening: it is taken off all ballots before they are counted. */
  withdrawn?: boolean | object | undefined;
}

/** What every result has, whatever the type of ballot. */
export interface BaseResult {
  /** Ballots needed for the result to count; null: none was set. */
  quorum: number | null;
  /** Whether that many were cast; null without a quorum. */
  quorum_met: boolean | null;
  /** The share of the electors that `quorum` is, if it was set as one. */
  quorum_share?: Share;
  /** Blank ballots: they count for the turnout and the quorum. */
  blank: number;
  /** False without its quorum: then nothing is carried or elected, whatever `outcome` and `winners` say. */
  valid: boolean;
}

/** The parts of a result that those of earlier versions lack, see `completeResult`. */
export const ADDED_LATER: ReadonlySet<string> = new Set([
  'valid',
  'blank',
  'majority',
  'base',
  'needed',
  'carried',
]);

export interface SimpleResult extends BaseResult {
  method: 'majority';
  variant: 'yes against no';
  yes: number;
  no: number;
  abstain: number;
  /** What the votes say; `tied` only with the default majority. */
  outcome: 'passed' | 'failed' | 'tied';
  tied: boolean;
  majority: Majority;
  /** What the majority is a share of, and the least number of yes that is this share. */
  base: number;
  needed: number;
  /** Whether it has its majority and is valid. */
  carried: boolean;
}

/** With `seats` or a threshold the result says who is elected; `winners` then are these, whatever the quorum. */
export interface PollResult extends BaseResult, Partial<SeatsResult> {
  method: 'plurality';
  variant: 'single choice' | 'multiple choice';
  /** In display order; `share` is the fraction of the ballots with a choice, 0 to 1. */
  options: { id: string; name: string; count: number; share: number }[];
  /** Ids of the options with the most votes; empty without ballots. */
  winners: string[];
  tied: boolean;
  /** What a seat needs; `base` is the number that it is a share of, `needed` the votes. */
  threshold?: Threshold;
  base?: number;
  needed?: number;
}

/** With `seats` the result says who is elected; `winners` then are these, whatever the quorum. */
export interface RankedResult extends BaseResult, Partial<SeatsResult> {
  method: 'Schulze';
  variant: 'winning votes';
  candidates: { id: string; name: string; is_none_of_the_above: boolean }[];
  winners: string[];
  condorcet_winner: string | null;
  /** Best first; candidates of one entry are tied and share the rank (1, 2, 2, 4). */
  ranking: { rank: number; candidates: string[] }[];
  /** pairwise[i][j]: ballots that prefer candidates[i] to candidates[j]. */
  pairwise: number[][];
  strongest_paths: number[][];
  /** First choices of candidates[i]. */
  first_choices: number[];
  /** Candidates ranked below "none of the above". */
  not_acceptable: string[];
  /** Ballots that do not rank every candidate; present only with partial rankings. */
  truncated_ballots?: number;
  /** Present only with seats; absent where an earlier version filled them, see `SeatsRule`. */
  seats_rule?: 'beats';
  tied: boolean;
}

/** Counts the ballots of one election and computes its result. */
export interface Tally<Result> {
  /** Ballots added so far. */
  readonly ballots: number;
  /**
   * Adds `count` equal ballots, in the stored spelling of their type.
   * @throws Error on any other text: a malformed stored ballot is a bug, and is not counted.
   */
  add(choiceText: string, count?: number): void;
  /** @param orders that decide lots, see lots.ts; where one is missing, the result waits for it */
  result(orders?: readonly LotOrder[]): Result;
  /** Computes the same result and yields about every millisecond where it takes long. */
  inTurns(orders?: readonly LotOrder[]): Generator<void, Result>;
}

/** How many people could vote. */
export interface Electorate {
  /** The voting codes that somebody holds. */
  electors: number;
  /** Known in meetings only. */
  present?: number;
  /** Whether the meeting had its quorum; absent elsewhere. Without it no result is valid. */
  quorate?: boolean;
  /** What the door counted, where more have voted: then these are the base. It decides nothing. */
  door?: number;
}

/** All ballots of an election, also the blank ones, and its electors. */
export interface Whole extends Required<Omit<Electorate, 'quorate' | 'door'>> {
  ballots: number;
  blank: number;
  /** Whether there are enough ballots, see `BaseResult`. */
  valid: boolean;
}

/** Counts the ballots of one type that have a choice; blank ones and the quorum are counted by `ElectionTally`. */
export interface ChoiceTally<Result extends BaseResult> {
  /** See `Tally`. */
  add(choiceText: string, count?: number): void;
  result(whole: Whole, orders?: readonly LotOrder[]): Omit<Result, keyof BaseResult>;
  inTurns?(whole: Whole, orders?: readonly LotOrder[]): Generator<void, Omit<Result, keyof BaseResult>>;
}

/** The settings that decide how ballots are counted. */
export type Rule =
  | 'poll_response_type'
  | 'ranking'
  | 'quorum'
  | 'majority'
  | 'quorum_share'
  | 'allow_blank'
  | 'seats'
  | 'min_choices'
  | 'max_choices'
  | 'max_yes'
  | 'threshold';

/** Ballot files lack the rules that came after them: those have their default. */
export type RuleSettings = Pick<ElectionSettings, 'poll_response_type' | 'quorum'> &
  Partial<Pick<ElectionSettings, Rule>>;

/** What a tally counts by. Files of elections whose rules need no electors may lack them. */
export type TallySettings = RuleSettings &
  Partial<Electorate & Pick<ElectionSettings, 'lot'>> & {
    /** By default `beats`; `ranks` counts again what an earlier version settled. */
    seats_rule?: SeatsRule | undefined;
  };

/**
 * Counts `yes`, `no` and `abstain`. With the default majority the outcome is `passed` with more yes than no, `failed`
 * with more no than yes, else `tied`, also without ballots; with another one `passed` or `failed`. Abstentions count
 * as turnout, and in a base of ballots, of those present or of electors.
 */
export class SimpleTally implements ChoiceTally<SimpleResult> {
  readonly #majority: Majority;
  readonly #counts = { yes: 0, no: 0, abstain: 0 };

  constructor({ majority }: TallySettings) {
    this.#majority = majority ?? DEFAULT_MAJORITY;
  }

  add(choiceText: string, count = 1): void {
    const choice = SIMPLE_CHOICES.find((known) => known === choiceText);
    if (choice === undefined) throw malformed(choiceText);
    this.#counts[choice] += count;
  }

  result(whole: Whole): Omit<SimpleResult, keyof BaseResult> {
    const { yes, no } = this.#counts;
    const majority = this.#majority;
    const base = { yes_no: yes + no, ...whole }[majority.of];
    const passed = reaches(majority.share, yes, base);
    const tied = isDefaultMajority(majority) && yes === no;
    const decided = passed ? 'passed' : 'failed';
    return {
      method: 'majority',
      variant: 'yes against no',
      ...this.#counts,
      outcome: tied ? 'tied' : decided,
      tied,
      majority,
      base,
      needed: needed(majority.share, base),
      carried: passed && whole.valid,
    };
  }
}

/**
 * Counts the numbers of the chosen options, ascending, `[2]` or `[1,4]`: those with the most votes win, several winners
 * are `tied`; no winner without ballots. With seats or a threshold the options with the most votes are elected.
 */
export class PollTally implements ChoiceTally<PollResult> {
  readonly #options: readonly TallyOption[];
  readonly #settings: TallySettings;
  /** The numbers of the options, each at its own index; -1: no such number. */
  readonly #known: Int32Array;
  readonly #chosen: Int32Array;
  /** Votes by option number. */
  readonly #votes: Float64Array;

  constructor(options: readonly TallyOption[], settings: TallySettings) {
    this.#options = options;
    this.#settings = settings;
    const places = indexNumbers(options.map((option) => option.number));
    this.#known = places.map((place, number) => (place < 0 ? -1 : number));
    // No least number: a ballot has fewer left where options of it were withdrawn.
    this.#chosen = new Int32Array(choiceLimits(settings, options.length).max);
    this.#votes = new Float64Array(this.#known.length);
  }

  add(choiceText: string, count = 1): void {
    const chosen = this.#chosen.subarray(0, readNumbers(choiceText, this.#known, this.#chosen));
    if (chosen.some((number, at) => at > 0 && number <= chosen[at - 1]!)) throw malformed(choiceText);
    for (const number of chosen) this.#votes[number]! += count;
  }

  result(whole: Whole, orders?: readonly LotOrder[]): Omit<PollResult, keyof BaseResult> {
    const valid = whole.ballots - whole.blank;
    const options = this.#options.map(({ id, name, number }) => {
      const count = this.#votes[number]!;
      return { id, name, count, share: valid === 0 ? 0 : count / valid };
    });
    const most = Math.max(1, ...options.map((option) => option.count));
    const winners = options.filter((option) => option.count === most).map((option) => option.id);
    return {
      method: 'plurality',
      variant: this.#settings.poll_response_type === 'single' ? 'single choice' : 'multiple choice',
      options,
      winners,
      tied: winners.length > 1,
      ...this.#filled(options, whole, orders),
    };
  }

  #filled(
    options: PollResult['options'],
    whole: Whole,
    orders: readonly LotOrder[] | undefined,
  ): Partial<PollResult> {
    const { seats, threshold, lot } = this.#settings;
    if (!seats && !threshold) return {};
    const bases = { ...whole, valid: whole.ballots - whole.blank };
    const base = threshold ? bases[threshold.of] : 0;
    const reached = options.filter(
      ({ count }) => count > 0 && (!threshold || reaches(threshold.share, count, base)),
    );
    const passed = new Set(reached.map(({ id }) => id));
    const filling = {
      seats: seats ?? 1,
      ids: options.map(({ id }) => id),
      order: groupByVotes(options.map(({ id, count }) => ({ id, votes: count }))),
      passes: (id: string) => passed.has(id),
      orders,
      byLot: lot === 'drawn',
    };
    return {
      ...fillSeats(filling, whole.valid),
      ...(threshold && { threshold, base, needed: needed(threshold.share, base) }),
    };
  }
}

/**
 * Counts rankings, best first, `[3,1,2]`, by the Schulze method with winning votes, see schulze.ts. With partial
 * rankings those that a ballot leaves out share its last place, “none of the above” too, which can win like any other.
 * `tied` means more than one winner; lower ranks can be shared without it. Without ballots all candidates tie, but a
 * single candidate does not win.
 */
export class RankedTally implements ChoiceTally<RankedResult> {
  readonly #candidates: readonly TallyOption[];
  readonly #settings: TallySettings;
  readonly #counter: PairwiseCounter;

  constructor(candidates: readonly TallyOption[], settings: TallySettings) {
    this.#candidates = candidates;
    this.#settings = settings;
    const numbers = candidates.map((candidate) => candidate.number);
    this.#counter = new PairwiseCounter(numbers, settings.ranking === 'partial');
  }

  add(choiceText: string, count = 1): void {
    this.#counter.add(choiceText, count);
  }

  result(whole: Whole, orders?: readonly LotOrder[]): Omit<RankedResult, keyof BaseResult> {
    const { n, pairwise, firstChoices, ballots, truncated } = this.#counter;
    const idAt = (place: number) => this.#candidates[place]!.id;
    const paths = strongestPaths(pairwise, n);
    const groups = rankCandidates(paths, n);
    // A single candidate would win even when nobody voted.
    const winners = ballots === 0 && n === 1 ? [] : (groups[0] ?? []).map(idAt);
    const condorcet = ballots === 0 ? null : condorcetWinner(pairwise, n);
    return {
      method: 'Schulze',
      variant: 'winning votes',
      candidates: this.#candidates.map(({ id, name, is_none_of_the_above }) => ({
        id,
        name,
        is_none_of_the_above,
      })),
      winners,
      condorcet_winner: condorcet === null ? null : idAt(condorcet),
      ranking: assignRanks(groups).map(({ rank, group }) => ({ rank, candidates: group.map(idAt) })),
      pairwise: toRows(pairwise, n),
      strongest_paths: toRows(paths, n),
      first_choices: [...firstChoices],
      not_acceptable: this.#notAcceptable(groups),
      ...(this.#settings.ranking === 'partial' && { truncated_ballots: truncated }),
      tied: winners.length > 1,
      ...this.#filled(paths, groups, whole, orders),
    };
  }

  /** The first of the order are elected, of those who beat “none of the above”; without ballots nobody. */
  #filled(
    paths: Uint32Array,
    groups: readonly number[][],
    { valid }: Whole,
    orders: readonly LotOrder[] | undefined,
  ): Partial<RankedResult> {
    const { seats, seats_rule = 'beats' } = this.#settings;
    if (!seats) return {};
    const people = this.#candidates.filter((one) => !one.is_none_of_the_above);
    const ids = people.map(({ id }) => id);
    const all = groups.map((group) => group.map((place) => this.#candidates[place]!.id));
    const none = all.findIndex((group) => group.some((id) => !ids.includes(id)));
    const acceptable = this.#counter.ballots === 0 ? [] : all.slice(0, none < 0 ? all.length : none).flat();
    const order = all.map((group) => group.filter((id) => ids.includes(id)));
    const ranked = { seats, ids, order, passes: (id: string) => acceptable.includes(id), orders };
    if (seats_rule === 'ranks') return fillSeats(ranked, valid);
    const places = new Map(this.#candidates.map(({ id }, place) => [id, place]));
    const isAhead = (one: string, other: string) =>
      beats(paths, places.size, places.get(one)!, places.get(other)!);
    const refusing = this.#candidates.filter((one) => one.is_none_of_the_above);
    const passes = (id: string) =>
      this.#counter.ballots > 0 && refusing.every((none) => isAhead(id, none.id));
    return { seats_rule, ...fillSeats({ ...ranked, passes, beats: isAhead }, valid) };
  }

  /** Ids of the candidates ranked below "none of the above"; if there are several of these, below the best one. */
  #notAcceptable(groups: readonly number[][]): string[] {
    const isNone = (place: number) => this.#candidates[place]!.is_none_of_the_above;
    const none = groups.findIndex((group) => group.some(isNone));
    if (none < 0) return [];
    const below = groups.slice(none + 1).flat();
    return below.filter((place) => !isNone(place)).map((place) => this.#candidates[place]!.id);
  }
}

/** Standard competition ranks: a group's rank is one more than the number of candidates before it. */
function assignRanks(groups: readonly number[][]): { rank: number; group: number[] }[] {
  let before = 0;
  return groups.map((group) => {
    const rank = before + 1;
    before += group.length;
    return { rank, group };
  });
}

function toRows(matrix: Uint32Array, n: number): number[][] {
  return Array.from({ length: n }, (_, i) => [...matrix.subarray(i * n, (i + 1) * n)]);
}
