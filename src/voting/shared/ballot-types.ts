// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import type { BallotType } from '#kernel/db/schema/voting.ts';
import type { PlainArguments } from '#kernel/language/message.ts';
import type { Texts } from '#kernel/language/texts.ts';
import { ElectionTally } from './election-tally.ts';
import { type LotFacts, type LotOrder, orderByHash } from './lots.ts';
import type { Results, TallyResult } from './results.ts';
import type { ElectionSettings } from './settings.ts';
import { DEFAULT_MAJORITY, needed } from './share.ts';
import { openSeats, StvTally } from './stv-tally.ts';
import {
  type BaseResult,
  type ChoiceTally,
  PollTally,
  RankedTally,
  type Rule,
  type RuleSettings,
  SimpleTally,
  type Tally,
  type TallyOption,
  type TallySettings,
} from './tally.ts';
import { EachTally } from './yes-no-each.ts';

/** Candidates stand for an office, options are anything else; otherwise they are the same. */
export type OptionKind = 'candidate' | 'option';

/** What voters choose from in elections of a type. */
export interface OptionRules {
  kind: OptionKind;
  /** How many an election has from its creation on; the others can be added until the first ballot. */
  least: number;
  /** Whether one of them may be “none of the above”. */
  noneOfTheAbove: boolean;
}

type Named = Pick<TallyOption, 'id' | 'name'>;

/** Writes a text: in the language of a page, or in English for files and logs. */
export type Say = <Key extends keyof Texts>(key: Key, ...values: PlainArguments<Key>) => string;

/** What a ballot type is, for the service, for browsers and for `npm run recount`. */
interface BallotTypeRules<Result extends TallyResult> {
  /** Null where the answers are always the same. */
  options: OptionRules | null;
  /** The settings that decide how its ballots are counted, see `rulesIn`. */
  rules: readonly Rule[];
  /** Whether lots come from the check number of the ballots where none are to be drawn by hand. */
  lotsByHash: boolean;
  /** Whether a ballot may leave out some candidates, which then share its last place. */
  partial(settings: TallySettings): boolean;
  createTally(options: readonly TallyOption[], settings: TallySettings): ChoiceTally<Result>;
  /** What results of earlier versions lack, which stored and published it without. */
  addedLater?(result: Result): Partial<Result>;
  /** What `winnerIn` says of a valid result. */
  winner(result: Result, say: Say): string;
  /** The figures in one line: counts, or the order of the candidates. */
  figures(result: Result, say: Say): string;
  /** How many candidates its ballots rank: rankings of many can be recognised. */
  ranked(result: Result): number;
  /** The answers with their votes; without votes where single figures do not decide, or nothing was counted. */
  answers(
    options: readonly Named[],
    result: Result | undefined,
  ): { label: string; votes: number | undefined }[];
}

const OUTCOMES = {
  passed: 'voting.recount.passed',
  failed: 'voting.recount.failed',
  tied: 'voting.recount.tied',
} as const;

/** Rules that came after the first types, for all of them. */
const SHARED_RULES = ['quorum_share', 'allow_blank'] as const;

/**
 * The types of ballot. Two more tables have an entry for each: how their ballots are read (ballots/ballot-types.ts),
 * and their words and pages (views/voting/ballot-types.ts).
 */
const RULES: { readonly [Type in BallotType]: BallotTypeRules<Results[Type]> } = {
  SIMPLE_TRIPLE: {
    options: null,
    rules: ['quorum', 'majority', ...SHARED_RULES],
    lotsByHash: false,
    partial: () => false,
    createTally: (_options, settings) => new SimpleTally(settings),
    addedLater: ({ yes, no, outcome, valid }) => ({
      majority: DEFAULT_MAJORITY,
      base: yes + no,
      needed: needed(DEFAULT_MAJORITY.share, yes + no),
      carried: outcome === 'passed' && valid,
    }),
    winner: ({ outcome }, say) => say(OUTCOMES[outcome]),
    figures: ({ yes, no, abstain }, say) => say('voting.recount.answers', { yes, no, abstain }),
    ranked: () => 0,
    answers: (_options, result) => [
      { label: 'Yes', votes: result?.yes },
      { label: 'No', votes: result?.no },
    ],
  },
  POLL: {
    options: { kind: 'option', least: 2, noneOfTheAbove: false },
    rules: [
      'poll_response_type',
      'quorum',
      ...SHARED_RULES,
      'seats',
      'min_choices',
      'max_choices',
      'threshold',
    ],
    lotsByHash: false,
    partial: () => false,
    createTally: (options, settings) => new PollTally(options, settings),
    winner: ({ options, winners }, say) => namesOf(options, winners) || say('voting.recount.nobody'),
    figures: ({ options }) => options.map(({ name, count }) => `${name} ${count}`).join(', '),
    ranked: () => 0,
    answers: (options, result) =>
      options.map(({ id, name: label }) => ({
        label,
        votes: result?.options.find((option) => option.id === id)?.count,
      })),
  },
  RANKED_CONDORCET: {
    options: { kind: 'candidate', least: 0, noneOfTheAbove: true },
    rules: ['ranking', 'quorum', ...SHARED_RULES, 'seats'],
    lotsByHash: false,
    partial: ({ ranking }) => ranking === 'partial',
    createTally: (options, settings) => new RankedTally(options, settings),
    winner: ({ candidates, winners }, say) => namesOf(candidates, winners) || say('voting.recount.nobody'),
    figures: ({ candidates, ranking }) => {
      const names = new Map(candidates.map(({ id, name }) => [id, name]));
      return ranking
        .map(({ rank, candidates: tied }) => `${rank}. ${tied.map((id) => names.get(id)).join(' = ')}`)
        .join(', ');
    },
    ranked: ({ candidates }) => candidates.length,
    // First choices could show another winner.
    answers: (candidates) => candidates.map(({ name: label }) => ({ label, votes: undefined })),
  },
  RANKED_STV: {
    options: { kind: 'candidate', least: 0, noneOfTheAbove: false },
    rules: ['quorum', 'seats', ...SHARED_RULES],
    lotsByHash: true,
    // The candidates that a ballot leaves out share no place on it: it never goes to them.
    partial: () => false,
    createTally: (options, settings) => new StvTally(options, settings),
    addedLater: openSeats,
    winner: ({ candidates, elected }, say) =>
      orderedNames(candidates, elected) || say('voting.recount.nobody'),
    figures({ candidates, quota, stages }, say) {
      const last = stages[stages.length - 1];
      if (last === undefined) return say('voting.recount.no_stages');
      const moved = stages.map(({ action, candidate }) => {
        const name = candidate === null ? '' : orderedNames(candidates, [candidate]);
        if (action === 'surplus') return say('voting.recount.stage_surplus', { name });
        return action === 'exclude'
          ? say('voting.recount.stage_exclude', { name })
          : say('voting.recount.stage_first');
      });
      const votes = candidates.map(({ id, name }) => `${name} ${last.votes[id]}`);
      return say('voting.recount.stages', {
        quota: quota ?? '',
        stages: moved.join(', '),
        votes: votes.join(', '),
      });
    },
    ranked: ({ candidates }) => candidates.length,
    // Votes at the end of a stage do not count ballots.
    answers: (candidates) => candidates.map(({ name: label }) => ({ label, votes: undefined })),
  },
  YES_NO_EACH: {
    options: { kind: 'option', least: 1, noneOfTheAbove: false },
    rules: ['quorum', 'majority', ...SHARED_RULES, 'seats', 'max_yes'],
    lotsByHash: false,
    partial: () => false,
    createTally: (options, settings) => new EachTally(options, settings),
    winner: ({ options, winners }, say) => namesOf(options, winners) || say('voting.recount.nobody'),
    figures: ({ options }, say) =>
      options
        .map(({ name, yes, no, abstain }) =>
          say('common.named', { name, value: say('voting.recount.answers', { yes, no, abstain }) }),
        )
        .join('; '),
    ranked: () => 0,
    // A majority of yes and no decides, not the number of Yes alone.
    answers: (options) => options.map(({ name: label }) => ({ label, votes: undefined })),
  },
};

/** The rules that every question of their types states, also where they have their default. */
const ALWAYS_STATED: readonly Rule[] = ['poll_response_type', 'ranking', 'quorum'];

/**
 * The rules of an election as its question and its files state them, in a fixed order. One that came later is left out
 * where it has its default: the published hashes of earlier elections are found again.
 */
export const rulesIn = (type: BallotType, settings: RuleSettings): Partial<Pick<ElectionSettings, Rule>> =>
  Object.fromEntries(
    rulesOf(type)
      .rules.filter((rule) => ALWAYS_STATED.includes(rule) || Boolean(settings[rule]))
      .map((rule) => [rule, settings[rule]]),
  );

/** The names of the winners, or the outcome of a vote on a motion; without its quorum a result has none. */
export const winnerIn = <Type extends BallotType>(type: Type, result: Results[Type], say: Say): string =>
  result.valid ? rulesOf(type).winner(result, say) : say('voting.recount.no_valid_result');

/** The rules of a type of ballot. */
export const rulesOf = <Type extends BallotType>(type: Type): BallotTypeRules<Results[Type]> => RULES[type];

/**
 * Creates the empty tally of an election. The order of the options breaks no tie: they are only listed in it.
 * @param options in display order, which the lists and matrices of the result keep
 * @throws Error when two options share a number.
 */
export const createTally = (
  type: BallotType,
  options: readonly TallyOption[],
  settings: TallySettings,
): Tally<TallyResult> => {
  const withdrawn = new Set(options.filter((option) => option.withdrawn).map(({ number }) => number));
  const standing = options.filter(({ number }) => !withdrawn.has(number));
  return new ElectionTally(rulesOf(type).createTally(standing, settings), settings, withdrawn);
};

/** A result with what an earlier version, which stored or published it, did not have. */
export function completeResult(type: BallotType, stored: TallyResult): TallyResult {
  const { blank = 0, valid = stored.quorum_met !== false }: Partial<BaseResult> = stored;
  const result = { ...stored, blank, valid };
  return { ...rulesOf(type).addedLater?.(result), ...result } as TallyResult;
}

/**
 * The orders that decide the lots of an election. There are none before its close, so that results of that time wait for
 * each lot.
 */
export function lotOrders(
  type: BallotType,
  options: readonly Pick<TallyOption, 'id'>[],
  { lot, ballot_set_sha256, lots = [] }: LotFacts & { lot?: ElectionSettings['lot'] | undefined },
): LotOrder[] {
  const drawn = lots.map(({ order }) => order);
  if (drawn.length > 0 || lot === 'drawn' || !rulesOf(type).lotsByHash || !ballot_set_sha256) return drawn;
  return [
    orderByHash(
      options.map(({ id }) => id),
      ballot_set_sha256,
    ),
  ];
}

/** The names of these, in their order. */
const orderedNames = (all: readonly Named[], ids: readonly string[]): string =>
  ids.map((id) => all.find((one) => one.id === id)?.name ?? '').join(', ');

const namesOf = (all: readonly Named[], winners: readonly string[]): string =>
  all
    .filter(({ id }) => winners.includes(id))
    .map(({ name }) => name)
    .join(', ');
