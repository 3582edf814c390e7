import { inAllLanguages } from '#kernel/language/catalogues.ts';
import type { Texts } from '#kernel/language/texts.ts';
import { nameKey } from '#kernel/names.ts';
import { handlingOf } from '#voting/ballots/ballot-types.ts';
import { readSettings } from '#voting/election-settings.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import { createTally, rulesOf } from '#voting/shared/ballot-types.ts';
import { BLANK, SIMPLE_CHOICES } from '#voting/shared/choice.ts';
import { validityOf } from '#voting/shared/election-tally.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import { choiceLimits } from '#voting/shared/seats.ts';
import { reaches } from '#voting/shared/share.ts';
import type { BaseResult, Electorate, TallyOption, TallySettings } from '#voting/shared/tally.ts';
import type { ManualResults } from './manual-results.ts';

/** What is asked, its rules as they are stored, and those who stand. */
export interface Asked {
  ballot_type: BallotType;
  settings: string;
}

/** Votes that are no ballots of this service. */
export type Votes =
  | { way: 'hands'; yes: number; no: number; abstain: number }
  /** The ids of those who stand; nobody for a motion. Everybody who is present counts as voting for them. */
  | { way: 'unopposed'; elected: readonly string[] }
  | { way: 'certified'; results: ManualResults['results']; options: readonly TallyOption[] }
  /** Counted ballots. */
  | { way: 'ballots'; results: TallyResult };

/** What follows from votes by the rules of the question. */
export interface Outcome extends Pick<BaseResult, 'quorum' | 'quorum_met' | 'quorum_share' | 'valid'> {
  /** Of a motion. */
  carried?: boolean;
  /** Ids, of everything else; absent where certified figures do not say it. */
  elected?: string[];
  /** The figures in the shape of ballots, where they say all that ballots would. */
  results?: TallyResult;
}

/**
 * The outcome of a question, by whichever way its votes were counted: with the same quorum, share of the electors,
 * majority and base, blanks, seats and threshold. Without its quorum nothing is carried and nobody elected.
 */
export function outcomeOf(asked: Asked, electorate: Partial<Electorate>, votes: Votes): Outcome {
  const settings = { ...readSettings(asked.settings), ...electorate };
  switch (votes.way) {
    case 'ballots':
      return ofResult(votes.results);
    case 'hands':
      return ofHands(asked, settings, votes);
    case 'unopposed':
      return unopposed(asked, settings, votes.elected);
    case 'certified':
      return certified(asked, settings, votes);
  }
}

function ofResult(results: TallyResult): Outcome {
  const { valid, quorum, quorum_met, quorum_share } = results;
  const of = { valid, quorum, quorum_met, ...(quorum_share && { quorum_share }), results };
  if ('carried' in results) return { ...of, carried: results.carried };
  const { winners, tied } = 'winners' in results ? results : { winners: [], tied: false };
  const elected = 'elected' in results && results.elected ? results.elected : tied ? [] : winners;
  return { ...of, elected: valid ? [...elected] : [] };
}

function ofHands(
  { ballot_type }: Asked,
  settings: TallySettings,
  votes: Record<'yes' | 'no' | 'abstain', number>,
) {
  const tally = createTally(ballot_type, [], settings);
  for (const choice of SIMPLE_CHOICES) if (votes[choice] > 0) tally.add(choice, votes[choice]);
  return ofResult(tally.result());
}

/** Who is present and opposes nothing has voted for it. */
function unopposed({ ballot_type }: Asked, settings: TallySettings, standing: readonly string[]): Outcome {
  const { present = 0, electors = 0, threshold } = settings;
  const validity = validityOf(settings, present);
  const base = threshold?.of === 'electors' ? electors : present;
  const valid = validity.valid && (!threshold || reaches(threshold.share, present, base));
  if (rulesOf(ballot_type).options === null) return { ...validity, valid, carried: valid };
  return { ...validity, valid, elected: valid ? [...standing] : [] };
}

/**
 * The names under which certified figures may have the answers that a ballot type gives: in any language, because that of
 * the club may have changed since, and as earlier versions named them.
 */
const namesOf = (answer: keyof typeof ANSWERS): readonly string[] => {
  const [key, ...earlier] = ANSWERS[answer];
  return [...inAllLanguages(key), ...earlier];
};
const ANSWERS = {
  yes: ['voting.simple_triple.yes'],
  no: ['voting.simple_triple.no'],
  abstain: ['voting.simple_triple.abstain', 'Abstentions'],
  [BLANK]: ['voting.simple_triple.blank', 'Blank ballots'],
} as const satisfies Record<string, readonly [keyof Texts, ...string[]]>;

/**
 * Certified figures are votes for named answers. Where the names are those of a motion or of the options of a poll, they
 * are counted as its ballots would be; elsewhere they say no more than how many ballots there were at least.
 */
function certified(
  { ballot_type }: Asked,
  settings: TallySettings,
  { results: { contests }, options }: Extract<Votes, { way: 'certified' }>,
): Outcome {
  const answers: [choice: string, labels: readonly string[]][] =
    rulesOf(ballot_type).options === null
      ? [
          ['yes', namesOf('yes')],
          ['no', namesOf('no')],
          ['abstain', namesOf('abstain')],
        ]
      : options.map(({ number, name }) => [`[${number}]`, [name]]);
  const choices = [...answers, [BLANK, namesOf(BLANK)] as const];
  const choiceOf = (label: string) =>
    choices.find(([, labels]) => labels.some((one) => nameKey(one) === nameKey(label)))?.[0];
  const [contest] = contests;
  const items = (contest?.items ?? []).map(({ label, votes }) => ({ choice: choiceOf(label), votes }));
  const isOneVoteEach = choiceLimits(settings, options.length).max === 1;
  const isKnown = contests.length === 1 && items.every(({ choice }) => choice !== undefined);
  // How a paper is marked says whether votes for an answer are ballots.
  const marks = handlingOf(ballot_type).onPaper;
  if (isKnown && (marks === 'answer' || (marks === 'crosses' && isOneVoteEach))) {
    const tally = createTally(ballot_type, options, settings);
    for (const { choice = BLANK, votes } of items) if (votes > 0) tally.add(choice, votes);
    return ofResult(tally.result());
  }
  const leastOf = ({ items: all }: (typeof contests)[number]) =>
    Math.max(0, ...all.map(({ votes }) => votes));
  return validityOf(settings, Math.max(0, ...contests.map(leastOf)));
}
