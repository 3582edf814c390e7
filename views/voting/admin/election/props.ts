import type { Html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, namedErrors } from '#views/components/entered.ts';
import { errorSummary } from '#views/components/notices.ts';
import type { AuditLogRow } from '#views/voting/admin/audit-log.ts';
import type { OfficerProps } from '#views/voting/admin/frame.ts';
import {
  INVITE_LABELS,
  type ListChoice,
  type MailState,
  type RollChoice,
} from '#views/voting/admin/invitations/invite-fields.ts';
import type { ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import { type Named, SETTINGS_LABELS } from '#views/voting/words.ts';
import type { Batch } from '#voting/ballots/tokens.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import type { ShownTurnout } from '#voting/elections/shown-turnout.ts';
import type { HiddenBecause } from '#voting/elections/visibility.ts';
import type { InviteCounts } from '#voting/invitations/invites.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';

/** A form on the page of an election; `manual-results` has a page of its own. */
export type FormName =
  | 'tokens'
  | 'batches'
  | 'wording'
  | 'candidates'
  | 'options'
  | 'dates'
  | 'settings'
  | 'attachments'
  | 'close'
  | 'announce'
  | 'delete'
  | 'manual-results'
  | 'invite'
  | 'resend'
  | 'reminders'
  | 'questions'
  | 'results-email'
  | 'workspace';

/** A section of the page, as the address names it after `#`. */
export type SectionId =
  | 'questions'
  | 'tokens'
  | 'invitations'
  | 'text'
  | 'candidates'
  | 'options'
  | 'dates'
  | 'settings'
  | 'attachments'
  | 'results'
  | 'workspace'
  | 'history'
  | 'ending';

/** A refused form; the page shows it again with what was entered. */
export interface FormProblem {
  form: FormName;
  message: string;
  errors: readonly FieldError[];
  entered: Entered;
}

/** The destructive act that has to be confirmed; the page shows what would be lost. */
export type Ask =
  | { kind: 'close' }
  | { kind: 'delete' }
  | { kind: 'batch'; batch_name: string | null }
  | { kind: 'computed' };

/** Which invitations are shown. */
export type InviteFilter = 'all' | 'queued' | 'sent' | 'failed' | 'slip' | 'not-voted';

/** The data about the invitations of one election, without the invitations themselves. */
export interface Invitations extends MailState {
  /** Of all invitations; `notVoted` are those sent whose token is unused. */
  counts: InviteCounts & { used: number; notVoted: number };
  /** When the queued ones are sent, already formatted. */
  goesOut?: string | undefined;
  lists: readonly ListChoice[];
  roll: RollChoice;
  /** The mails that a mail of the result would send: one for each address. */
  resultMails: number;
  /** All mailings, the newest first. */
  mailings: readonly ShownMailing[];
  /** The outcome of the last request: one of the mailings, or that there was nobody to mail. */
  said?: SaidOfMailing | undefined;
}

export type SaidOfMailing = { mailing: ShownMailing } | { nobody: 'reminders' | 'results' };

/** The times of an election, already formatted. */
export interface ElectionTimes {
  opens: string;
  closes: string;
  /** When voting ends or has ended, also where an officer closed it early. */
  ends: string;
  /** In the format of the fields that change them. */
  opensInput: string;
  closesInput: string;
  /** When an officer closed it early. */
  closedEarly?: string | null | undefined;
  /** The time zone in words; `zoneInFull` adds its technical name. */
  zone: string;
  zoneInFull: string;
}

/** The data about the voting codes and the invitations of an election or a ballot paper. */
export interface CodesProps extends OfficerProps {
  election: Named & Pick<ElectionJson, 'status' | 'trial' | 'invite_mode'>;
  times: Pick<ElectionTimes, 'opens' | 'closes'>;
  /** `created` is the time of creation, already formatted. */
  batches: readonly (Batch & { created: string })[];
  publication: { results_visible: boolean };
  invitations?: Invitations | undefined;
  /** The invitation that was entered, on the way back from the check page. */
  enteredInvitation?: Entered | undefined;
  problem?: FormProblem | undefined;
}

/** The data of the officers' page of an election. */
export interface ElectionPageProps extends CodesProps {
  election: ElectionJson;
  times: ElectionTimes;
  /** The full address of the voters’ page. */
  publicUrl: string;
  turnout: ShownTurnout & { invited: number };
  /** The ballot paper that it is a question of: that has the codes and the invitations. */
  paper?: (Named & { place: number; of: number }) | undefined;
  /** Candidates or options in display order; empty for yes or no. */
  options: readonly (OptionJson & { editable: boolean })[];
  /** The most characters that the text of one may have. */
  optionTextAtMost: number;
  /** Ballots cast. */
  ballots: number;
  publication: { published: boolean; results_visible: boolean };
  /** Seats that nobody was elected to. */
  openSeats?: number | undefined;
  /** Whether the count waits for a lot that is to be drawn. */
  awaitsLot?: boolean | undefined;
  /** Why the viewer sees no figures. */
  hidden?: HiddenBecause | undefined;
  /** The size of the certified results, where they replace the counted ones. */
  manual?: { contests: number; items: number } | null | undefined;
  /** Absent where no workspace is set up; `synced` is already formatted. */
  workspace?: { synced: string | null } | undefined;
  /** The newest entries of the audit log about it, equal ones grouped; absent for officers who may not read that. */
  history?:
    | {
        entries: readonly Required<Pick<AuditLogRow, 'when' | 'action' | 'count' | 'who'>>[];
        /** The number of newest single entries that were read, where there are more. */
        span?: number;
      }
    | undefined;
  ask?: Ask | undefined;
  /** A sentence on what has just been done, and the section it was done in. */
  done?: string | undefined;
  doneAt?: SectionId | undefined;
  /** Whether the clock of the machine was changed a short while ago. */
  clockJumped?: boolean | undefined;
}

/** The errors of one form, and what was entered there. */
export function problemOf(
  { problem }: Pick<CodesProps, 'problem'>,
  form: FormName,
): { errors: readonly FieldError[]; entered: Entered | undefined } {
  return problem?.form === form ? problem : { errors: [], entered: undefined };
}

/** Whether voting is possible: somebody has a token, and there is something to choose from. */
export function isReady({ turnout, options, election }: ElectionPageProps): boolean {
  return turnout.issued > 0 && (rulesOf(election.ballot_type).options === null || options.length >= 2);
}

/** Whether voting has closed and the result is not announced. */
export const isAwaited = ({
  election: { status, announced_at, void: isVoid },
  hidden,
}: ElectionPageProps): boolean =>
  status === 'closed' && !isVoid && announced_at === null && hidden !== 'results_withheld';

const LABELS: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  count: 'How many',
  batch_name: 'Name of the batch',
  name: 'Name',
  display_order: 'Order',
  text: 'Text',
  is_none_of_the_above: 'None of the above',
  election_id: 'Election',
  order: 'Order',
  open_at: 'Opens',
  close_at: 'Closes',
  attachment_url: 'Address',
  confirm: 'To confirm',
  database_id: 'Database',
  page_id: 'Page',
  status_property_name: 'Property for the status',
  ...SETTINGS_LABELS,
  ...INVITE_LABELS,
};

/** The errors at the top of the page, with links to their fields. */
export function problemSummary({ problem }: Pick<CodesProps, 'problem'>): Html | null {
  if (problem === undefined) return null;
  const { form, message, errors } = problem;
  const section = sectionOf(form);
  const listed = errors.length > 0 ? namedErrors(errors, LABELS) : [{ path: '', message }];
  const idOf = (path: string) => {
    if (path === '') return section;
    if (section === 'ask') return path === 'confirm' ? 'confirm' : 'ask';
    if (form === 'invite') return inviteField(path);
    return section === 'invitations' ? section : `${form}-${path}`;
  };
  return errorSummary(listed, idOf, PROBLEMS[form]);
}

const PROBLEMS: Record<FormName, string> = {
  tokens: 'No voting codes were made',
  batches: 'The batch was not deleted',
  wording: 'Title and description were not changed',
  candidates: 'The candidates were not changed',
  options: 'The options were not changed',
  dates: 'The dates were not changed',
  settings: 'The settings were not changed',
  attachments: 'The document was not changed',
  close: 'The election was not closed',
  announce: 'The result was not announced',
  delete: 'The election was not deleted',
  'manual-results': 'The certified results were not changed',
  invite: 'Nobody was invited yet',
  questions: 'The questions were not changed',
  resend: 'The mail was not sent',
  reminders: 'No reminder was sent',
  'results-email': 'The result was not mailed',
  workspace: 'The page was not linked',
};

/** The section that holds a form. */
function sectionOf(form: FormName): SectionId | 'ask' {
  switch (form) {
    case 'batches':
    case 'close':
    case 'delete':
      return 'ask';
    case 'wording':
      return 'text';
    case 'announce':
    case 'manual-results':
      return 'results';
    case 'invite':
    case 'resend':
    case 'reminders':
    case 'results-email':
      return 'invitations';
    default:
      return form;
  }
}

/** The id of the field for an error; that of the section for checkboxes, which may not be there. */
function inviteField(path: string): string {
  const name = path.replace(/\.\d+$/, '');
  return ['emails', 'invite_mode', 'batch_name'].includes(name) ? `invite-${name}` : 'invitations';
}
