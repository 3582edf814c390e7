// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { createTally, lotOrders } from './ballot-types.ts';
import type { DrawnLot, LotFacts } from './lots.ts';
import { inDisplayOrder, type Question, questionText, type Translations } from './question.ts';
import type { TallyResult } from './results.ts';
import { seatsRuleIn } from './seats.ts';
import type { ElectionSettings } from './settings.ts';
import { ADDED_LATER, type Electorate, type RuleSettings, type TallyOption } from './tally.ts';

/** Elections with fewer ballots publish no list of them: readers might guess who cast which ballot. */
export const LISTED_FROM = 10;

/**
 * The number of ballots from which an election lists them; undefined: never. Unless an officer decided it, rankings of
 * more than three candidates are listed from a hundred on: among few of them most occur once, like a signature.
 * @param candidates the number of candidates of a ranked election, else 0
 */
export function listedFrom(publish: boolean | null, candidates: number): number | undefined {
  if (publish === false) return undefined;
  return publish === null && candidates > 3 ? 100 : LISTED_FROM;
}

/** What decides the result of given ballots. The lot is no rule of the question: it can be changed until the close. */
type CountedSettings = RuleSettings & Partial<Pick<ElectionSettings, 'lot'>>;

/** A ballot for display: `yes`, the names of the chosen options in the stored order, or an answer for each name. */
export type ReadableBallot = string | string[] | Record<string, string>;

/** The ballots of an election as they are published after the close, at /e/:id/ballots.json. */
export interface BallotFile {
  format: 'publichouse-ballots-1';
  election: {
    id: string;
    title: string;
    ballot_type: BallotType;
    status: 'closed';
    open_at: string;
    close_at: string;
    closed_at: string | null;
    settings: CountedSettings & Pick<ElectionSettings, 'receipts'>;
    /** As they were when the first ballot was cast. */
    description: string | null;
    attachment_url: string | null;
    /** In other languages; absent without any. */
    translations?: Translations;
  };
  /** In display order; `name` is unique in an election. */
  options: (TallyOption & { display_order: number })[];
  total_ballots: number;
  /** Files of earlier versions have none. */
  electors?: number;
  present?: number;
  quorate?: boolean;
  /** The lots that were drawn by hand; absent without any. */
  lots?: DrawnLot[];
  ballot_set_sha256: string;
  /** Null in results of earlier versions, which committed to the ballots alone. */
  question_sha256: string | null;
  ballot_set_salt: string | null;
  results: TallyResult;
  /** In the order of their hashes, see `listPublicBallots`. */
  ballots: ReadableBallot[];
  /** Only with receipts that cover the choice: the receipt of each ballot, in the order of `ballots`. */
  receipts?: string[];
}

/** @param names option names by option number */
export function readableBallot(choice: string, names: ReadonlyMap<number, string>): ReadableBallot {
  const nameOf = (number: string | number) => names.get(Number(number)) ?? '';
  if (choice.startsWith('[')) return (JSON.parse(choice) as number[]).map(nameOf);
  if (!choice.startsWith('{')) return choice;
  const answers = Object.entries(JSON.parse(choice) as Record<string, string>);
  return Object.fromEntries(answers.map(([number, answer]) => [nameOf(number), answer]));
}

/** The lines of a list in which people read a ballot. @param word how an answer is said */
export function ballotLines(ballot: ReadableBallot, word = (answer: string): string => answer): string[] {
  if (typeof ballot === 'string') return [word(ballot)];
  return Array.isArray(ballot)
    ? ballot
    : Object.entries(ballot).map(([name, answer]) => `${name}: ${word(answer)}`);
}

/** The spelling of a ballot that a receipt covers: the word, or JSON with the names of its options. */
export const receiptSpelling = (ballot: ReadableBallot): string =>
  typeof ballot === 'string' ? ballot : JSON.stringify(ballot);

/**
 * Converts ballots that list option names, or option numbers as the officers' export does, to their stored spelling.
 * @throws Error with the index of a ballot that names an unknown option
 */
export function spellBallots({
  ballots,
  options,
}: {
  ballots: readonly (string | readonly (string | number)[] | Readonly<Record<string, string>>)[];
  options: BallotFile['options'];
}): string[] {
  const numbers = new Map(options.map(({ name, number }) => [name, number]));
  const isList = (ballot: object): ballot is readonly (string | number)[] => Array.isArray(ballot);
  return ballots.map((ballot, at) => {
    const numberOf = (part: string | number) => {
      const number = typeof part === 'string' ? numbers.get(part) : part;
      if (number === undefined) throw new Error(`ballots.${at} names no option of this election`);
      return number;
    };
    if (typeof ballot === 'string') return ballot;
    if (isList(ballot)) return JSON.stringify(ballot.map(numberOf));
    const answers = Object.entries(ballot).map(([name, answer]) => [numberOf(name), answer]);
    // Keys that are whole numbers are listed in ascending order, as they are stored.
    return JSON.stringify(Object.fromEntries(answers));
  });
}

/**
 * Counts ballots in their stored spelling, by the rule of seats of the results that the file has.
 * @throws Error with the index of an invalid ballot
 */
export function countBallotTexts(
  {
    election: { ballot_type, settings },
    options,
    electors = 0,
    present = 0,
    quorate = true,
    results,
    ...lots
  }: {
    election: { ballot_type: BallotType; settings: CountedSettings };
    options: BallotFile['options'];
    results?: object;
  } & Partial<Electorate> &
    LotFacts,
  texts: readonly string[],
): { total_ballots: number; results: TallyResult } {
  const tally = createTally(ballot_type, inDisplayOrder(options), {
    ...settings,
    electors,
    present,
    quorate,
    ...(results && { seats_rule: seatsRuleIn(results) }),
  });
  for (const [at, text] of texts.entries()) {
    try {
      tally.add(text);
    } catch {
      throw new Error(`ballots.${at}: ${text.slice(0, 200)} is not a ballot of this election`);
    }
  }
  const orders = lotOrders(ballot_type, options, { ...lots, lot: settings.lot });
  return { total_ballots: tally.ballots, results: tally.result(orders) };
}

/** The canonical text of the question of a file of ballots. */
export const fileQuestion = ({
  election,
  options,
}: { election: Omit<Question, 'options'> } & Pick<Question, 'options'>): string =>
  questionText({ ...election, options });

/** Returns the keys whose values differ between a counted and a published result, or that only one of them has. */
export function listDifferences(counted: TallyResult, published: object): string[] {
  const [mine, other] = [counted, published].map((result) => new Map(Object.entries(result)));
  const keys = new Set([...mine!.keys(), ...other!.keys()]);
  return [...keys].filter(
    (key) =>
      canonical(mine!.get(key)) !== canonical(other!.get(key)) && (other!.has(key) || !ADDED_LATER.has(key)),
  );
}

/** JSON with sorted object keys, so that equal values give equal text. */
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** What a published result commits to beside its ballots; earlier versions had neither. */
export interface Commitment {
  question_sha256?: string | null | undefined;
  ballot_set_salt?: string | null | undefined;
}

/**
 * The first two lines of the text whose SHA-256 is the hash of the ballot set: the hash of the question, and a salt,
 * without which nobody finds the figures from the hash by trying. Results of earlier versions have no such lines.
 */
export const ballotSetHead = ({ question_sha256, ballot_set_salt }: Commitment): string | undefined =>
  question_sha256 && ballot_set_salt ? `${question_sha256}\n${ballot_set_salt}\n` : undefined;

/** The text whose SHA-256 is the hash of the ballot set, see `ballotSetHash`. */
export function ballotSetText(texts: readonly string[], commitment: Commitment): string {
  const lines = [...texts].sort().map((text) => `${text}\n`);
  return `${ballotSetHead(commitment) ?? ''}${lines.join('')}`;
}
