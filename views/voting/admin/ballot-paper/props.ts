import type {
  CodesProps,
  ElectionPageProps,
  ElectionTimes,
  SectionId,
} from '#views/voting/admin/election/props.ts';
import type { BallotType, ElectionStatus } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';

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
  lacks?: string | undefined;
  /** Where its result stands. */
  result: 'open' | 'hidden' | 'unannounced' | 'shown' | 'void';
  published: boolean;
  /** Whether its count waits for a lot, and its open seats without a follow-up, where the officer may see its result. */
  awaitsLot: boolean;
  openSeats: number;
}

/** The data of the officers' page of a ballot paper. */
export interface PaperPageProps extends CodesProps {
  election: CodesProps['election'] & { description: string | null };
  times: ElectionTimes;
  /** The full address of the voters’ page. */
  publicUrl: string;
  /** In their order. */
  questions: readonly PaperQuestion[];
  turnout: { issued: number; used: number; invited: number };
  /** The settings of questions that are added, where they say nothing else. */
  settings: Record<string, unknown>;
  /** Elections that can become a question: they have no code yet. */
  joinable: readonly { id: string; title: string }[];
  /** The meeting that it is the paper of. */
  meeting: { id: string; title: string } | undefined;
  history?: ElectionPageProps['history'];
  ask?: PaperAsk | undefined;
  /** A sentence on what has just been done, and the section it was done in. */
  done?: string | undefined;
  doneAt?: SectionId | undefined;
  clockJumped?: boolean | undefined;
}

/** The destructive act that has to be confirmed. */
export type PaperAsk = { kind: 'close' } | { kind: 'delete' } | { kind: 'batch'; batch_name: string | null };
