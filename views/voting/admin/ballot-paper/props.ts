import type { Words } from '#kernel/language/words.ts';
import type { SharedProps } from '#views/voting/admin/sections/props.ts';
import type { BallotType, ElectionStatus } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import type { Translations } from '#voting/shared/question.ts';

/** A question of a ballot paper, on the officers' page. */
export interface PaperQuestion {
  id: string;
  title: string;
  ballot_type: BallotType;
  status: ElectionStatus;
  turnout: ShownTurnout;
  /** Whether it has ballots, so that its place is fixed. */
  hasBallots: boolean;
  /** Why nobody can answer it yet. */
  lacks?: Words | string | undefined;
  /** Where its result stands. */
  result: 'open' | 'hidden' | 'unannounced' | 'shown' | 'void';
  published: boolean;
  /** Whether its count waits for a lot, and its open seats without a follow-up, where the officer may see its result. */
  awaitsLot: boolean;
  openSeats: number;
}

/** The data of the officers' page of a ballot paper. */
export interface PaperPageProps extends SharedProps {
  /** Its own texts in other languages. */
  translations?: Translations | undefined;
  /** In their order. */
  questions: readonly PaperQuestion[];
  /** The settings of questions that are added, where they say nothing else. */
  settings: Record<string, unknown>;
  /** Elections that can become a question: they have no code yet. */
  joinable: readonly { id: string; title: string }[];
}
