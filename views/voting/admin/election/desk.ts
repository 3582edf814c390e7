import type { FieldError } from '#kernel/http/errors.ts';
import type { Entered } from '#views/voting/admin/entered.ts';
import type { OfficerProps } from '#views/voting/admin/frame.ts';
import type { Batch } from '#voting/ballots/tokens.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import type { Invitations } from './invitations.ts';

/** A form on the page of an election; `manual-results` stands on a page of its own. */
export type FormName =
  | 'tokens'
  | 'batches'
  | 'candidates'
  | 'options'
  | 'dates'
  | 'settings'
  | 'attachments'
  | 'close'
  | 'delete'
  | 'clone'
  | 'manual-results'
  | 'invite'
  | 'resend'
  | 'reminders'
  | 'results-email'
  | 'workspace';

/** A part of the page: what the address can point at with `#`. */
export type SectionId =
  | 'tokens'
  | 'invitations'
  | 'candidates'
  | 'options'
  | 'dates'
  | 'settings'
  | 'attachments'
  | 'results'
  | 'workspace'
  | 'ending';

/** A refused form, shown where it stands with what was entered. */
export interface FormProblem {
  form: FormName;
  message: string;
  errors: readonly FieldError[];
  entered: Entered;
}

/** What is about to be destroyed: the page shows what goes before it asks. */
export type Ask =
  | { kind: 'close' }
  | { kind: 'delete' }
  | { kind: 'batch'; batch_name: string | null }
  | { kind: 'computed' };

/** The times of an election as ready strings. */
export interface ElectionTimes {
  /** With zone and offset, for sentences. */
  opens: string;
  closes: string;
  /** Without, for the line of its life; a close by hand counts. */
  opensShort: string;
  closesShort: string;
  /** For the fields that change them. */
  opensInput: string;
  closesInput: string;
  /** When an officer closed it before its time. */
  closedEarly?: string | null | undefined;
  zone: string;
}

/** Everything an officer sees and does about one election. */
export interface ElectionDesk extends OfficerProps {
  election: ElectionJson;
  times: ElectionTimes;
  /** The full address of the voters’ page. */
  publicUrl: string;
  turnout: { issued: number; used: number; invited: number };
  /** Each with the time of its making as a ready string. */
  batches: readonly (Batch & { created: string })[];
  /** Candidates or options in display order; empty for yes or no. */
  options: readonly (OptionJson & { editable: boolean })[];
  /** Ballots cast. */
  ballots: number;
  publication: { published: boolean; results_visible: boolean };
  /** How much the certified results hold, when they stand in for the counted ones. */
  manual?: { contests: number; items: number } | null | undefined;
  invitations?: Invitations | undefined;
  /** What was entered to invite people, on the way back from the check page. */
  inviting?: Entered | undefined;
  /** Absent where no workspace is set up; `synced` is a ready string. */
  workspace?: { synced: string | null } | undefined;
  ask?: Ask | undefined;
  /** A sentence on what has just been done, and the section it was done in. */
  done?: string | undefined;
  doneAt?: SectionId | undefined;
  problem?: FormProblem | undefined;
}

/** What stands wrong in one form, and what was entered there. */
export function problemOf(
  { problem }: ElectionDesk,
  form: FormName,
): { errors: readonly FieldError[]; entered: Entered | undefined } {
  return problem?.form === form ? problem : { errors: [], entered: undefined };
}

/** Whether voting is possible: somebody has a token, and there is something to choose from. */
export function isReady({ turnout, options, election }: ElectionDesk): boolean {
  return turnout.issued > 0 && (election.ballot_type === 'SIMPLE_TRIPLE' || options.length >= 2);
}
