import type { Words } from '#kernel/language/words.ts';
import type { Entered } from '#views/components/entered.ts';
import type { AuditLogRow } from '#views/voting/admin/audit-log.ts';
import type { OfficerProps } from '#views/voting/admin/frame.ts';
import type { ListChoice, MailState, RollChoice } from '#views/voting/admin/invitations/invite-fields.ts';
import type { ShownMailing } from '#views/voting/admin/invitations/mailing.ts';
import type { Named, SectionId, SubPage } from '#views/voting/words.ts';
import type { Batch } from '#voting/ballots/tokens.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import type { InviteCounts } from '#voting/invitations/invites.ts';
import type { FormProblem } from './forms.ts';

/** The destructive act that has to be confirmed; the page shows what would be lost. */
export type Ask =
  | { kind: 'close' }
  | { kind: 'delete' }
  | { kind: 'batch'; batch_name: string | null }
  | { kind: 'computed' };

/** The data about the invitations of one election, without the invitations themselves. */
export interface Invitations extends MailState {
  /** Of all invitations; `notVoted` are those sent whose token is unused. */
  counts: InviteCounts & { used: number; notVoted: number };
  /** When the queued ones are sent, already formatted. */
  goesOut?: Words | string | undefined;
  lists: readonly ListChoice[];
  roll: RollChoice;
  /** The mails that a mail of the result would send: one for each address. */
  resultMails: number;
  /** All mailings, the newest first. */
  mailings: readonly ShownMailing[];
  /** The outcome of the last request: one of the mailings, or that there was nobody to mail. */
  said?: SaidOfMailing | undefined;
  /** What was entered, on the way back from the check page. */
  entered?: Entered | undefined;
}

export type SaidOfMailing = { mailing: ShownMailing } | { nobody: 'reminders' | 'results' };

/** The times of an election or a ballot paper, already formatted. */
export interface ElectionTimes {
  opens: Words | string;
  closes: Words | string;
  /** When voting ends or has ended, also where an officer closed it early. */
  ends: Words | string;
  /** In the format of the fields that change them. */
  opensInput: string;
  closesInput: string;
  /** When an officer closed it early. */
  closedEarly?: Words | string | null | undefined;
  /** The time zone in words; `zoneInFull` adds its technical name. */
  zone: Words | string;
  zoneInFull: Words | string;
}

/** A batch of voting codes; `created` is the time of creation, already formatted. */
export type ShownBatch = Batch & { created: Words | string };

/** The newest entries of the audit log about it, equal ones grouped. */
export interface History {
  entries: readonly Required<Pick<AuditLogRow, 'when' | 'action' | 'count' | 'who'>>[];
  /** The number of newest single entries that were read, where there are more. */
  span?: number;
}

/** The data that the officers' pages of an election and of a ballot paper share. */
export interface SharedProps extends OfficerProps {
  page: SubPage;
  election: Named & Pick<ElectionJson, 'description' | 'status' | 'trial' | 'invite_mode'>;
  times: ElectionTimes;
  /** The full address of the voters’ page. */
  publicUrl: string;
  turnout: { issued: number; used: number; invited: number };
  publication: { results_visible: boolean };
  /** Whether people can be invited by mail; of a question its ballot paper invites them. */
  mayInvite: boolean;
  /** The invitations that were not sent, while voting is open. */
  unsent?: Pick<InviteCounts, 'queued' | 'failed'> | undefined;
  /** Each only on its sub-page; a question has neither codes nor invitations. */
  batches?: readonly ShownBatch[] | undefined;
  /** The language of the form for texts in another one, if it was asked for or the club has a second one. */
  translating?: string | undefined;
  /** The page of the list on a sub-page, from 1. */
  listPage?: number | undefined;
  invitations?: Invitations | undefined;
  history?: History | undefined;
  ask?: Ask | undefined;
  problem?: FormProblem | undefined;
  /** A sentence on what has just been done, and the section it was done in. */
  done?: Words | string | undefined;
  doneAt?: SectionId | undefined;
  /** Whether the clock of the machine was changed a short while ago. */
  clockJumped?: boolean | undefined;
}
