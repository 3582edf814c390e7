import type { BallotType } from '#kernel/db/schema/voting.ts';
import type { Html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { badge } from '#views/components/status.ts';
import type { BallotFrameProps } from '#views/voting/ballots/ballot-frame.ts';
import type { RuleFieldsProps } from '#views/voting/rule-fields.ts';
import type { Choices, Entries } from '#voting/ballots/ballot-types.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import type { DrawnLot } from '#voting/shared/lots.ts';
import type { Results } from '#voting/shared/results.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';
import type { FigureTable } from './figure-tables.ts';

/** The words and pages of a type of ballot. */
export interface BallotView<Type extends BallotType> {
  /** The name, how it works, and when to choose it: for officers. */
  name: Words;
  how: Words;
  when: Words;
  /** The setting that only elections of this type have, and how a sentence says it once it is fixed. */
  setting?: SettingField & { said(settings: ElectionSettings): Words };
  /** What a voter is asked to do, in a line. */
  asked(election: Pick<ElectionJson, 'settings' | 'candidates' | 'options'>): Words;
  /** Fields of further settings that only some types have; a form for several types has each of them once. */
  fields?: readonly ((props: RuleFieldsProps) => Html)[];
  /** What decides, in sentences, for voters; see `ruleSentences`. */
  rules?(settings: ElectionSettings): Words[];
  /** Whether its answers have an abstention, so that a blank ballot needs no button. */
  abstains?: true;
  /** The ballot as voters will see it: the text above it, and its choices, disabled. */
  preview(
    names: readonly string[],
    settings: ElectionSettings,
  ): { asked: Words; hint?: Words; choices: Html };
  /** The page of the ballot. */
  ballotPage(props: BallotPageProps<Entries[Type]>): Html;
  /** A choice on the review page. */
  choiceInWords(choice: Choices[Type]): Html;

  /** Every name in an outcome. */
  namesIn(result: Results[Type]): (Words | string)[];
  /**
   * The outcome in one sentence, with names as plain text.
   * @param ballots those with a choice
   * @param final whether it is valid, so that somebody has won
   */
  outcome(result: Results[Type], ballots: number, final: boolean): Words;
  /** Counts that are each 0 or the number of all ballots exactly if all ballots are equal. */
  counts(result: Results[Type]): number[];
  /** Facts needed to read an outcome shown alone. */
  note?(result: Results[Type], ballots: number): Words | null;
  parts(result: Results[Type], shown: ShownResult): ResultParts;
  wallBars(result: Results[Type], ballots: number): WallBars;
  /** Every figure as tables of texts, for a record on paper. */
  figureTables(result: Results[Type]): FigureTable[];
  /** The votes in words instead, where there are few: `yes 23`. */
  votesInWords?(result: Results[Type]): Words[];
  /** How equal votes were decided, in sentences. */
  tiesInWords?(result: Results[Type]): Words[];
  /** The rule by which an earlier version settled the result, where that is not the rule of today. */
  earlierRule?(result: Results[Type]): Words | null;
  /** What the page that counts again calls the winner and the figures. */
  recounted: { winner: Words; figures: Words };
  /** What becomes of the first one drawn by lot, in a sentence. */
  lotTakes?(result: Results[Type]): Words;
  /** A matrix for a page of its own; null or absent where there is none. */
  matrix?(result: Results[Type], ballots: number, kind: MatrixKind): Html | null;
}

/** A setting with a choice of values. */
export interface SettingField<Value extends string = string> {
  name: 'poll_response_type' | 'ranking';
  label: Words;
  rows: readonly { value: Value; label: Words; note?: Words }[];
}

/** A ballot; `entry` is what was entered before. */
export interface BallotPageProps<Entry> extends BallotFrameProps {
  /** Options or candidates in the order to show; empty for types without. */
  options: readonly OptionJson[];
  entry: Entry;
  /** Whether the entry was just completed, at the voter's request. */
  completed?: boolean | undefined;
}

export interface ShownResult {
  /** The ballots with a choice. */
  ballots: number;
  /** Whether the result is valid. */
  decided: boolean;
  /** The page with the matrices of many candidates; without it they are shown here. */
  matrixPath?: string | undefined;
  /** The lots that were drawn by hand. */
  lots?: readonly DrawnLot[] | undefined;
  /** The check number of the ballots, from which other lots come. */
  ballotSetSha256?: string | undefined;
}

/** The chart of a result and its collapsed details. */
export interface ResultParts {
  picture: Html;
  /** Summary and content of each disclosure. */
  details: readonly (readonly [summary: Words, content: Html])[];
}

/** The two matrices of a ranked election. */
export type MatrixKind = 'pairs' | 'chains';

/** A row of the result on the wall. */
export interface WallBar {
  label: Words | string;
  votes: number;
  /** Whether it has won, or leads. */
  leads: boolean;
}

/** The bars of a result; with a title where the numbers are not the outcome itself. */
export interface WallBars {
  title: Words | null;
  bars: WallBar[];
  /** The value of a full bar. */
  whole: number;
}

export const byVotes = (bars: readonly WallBar[]): WallBar[] => bars.toSorted((a, b) => b.votes - a.votes);

/** The badge of the leader; only a valid result has a winner. */
export function leaderBadge(tied: boolean, decided: boolean): Html {
  if (tied) return badge(t('voting.ballot_view.tied'));
  return decided ? badge(t('voting.ballot_view.winner'), 'open') : badge(t('voting.ballot_view.ahead'));
}
