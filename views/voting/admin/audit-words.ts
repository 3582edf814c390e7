import { ownValue } from '#kernel/own-value.ts';
import { count } from '#views/components/numbers.ts';

/** The words for each action: for one entry, and for several. */
const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  'access.denied': ['Access denied', 'accesses denied'],
  'access.refused': ['Wrong key refused', 'wrong keys refused'],
  'approval.asked': ['A second person was asked', 'second persons asked'],
  'approval.confirmed': ['Confirmed by a second person', 'confirmed by a second person'],
  'approval.refused': ['Refused by a second person', 'refused by a second person'],
  'batch.deleted': ['Batch of voting codes deleted', 'batches of voting codes deleted'],
  'candidate.added': ['Candidate added', 'candidates added'],
  'candidate.changed': ['Candidate changed', 'changes of candidates'],
  'candidate.removed': ['Candidate removed', 'candidates removed'],
  'club.set_up': ['Club set up', 'set-ups of the club'],
  'code.replaced': ['Voting code of one elector replaced', 'voting codes replaced'],
  'code.withdrawn': ['Voting code of one elector withdrawn', 'voting codes withdrawn'],
  'election.attachment_changed': ['Document changed', 'changes of the document'],
  'election.closed': ['Voting closed', 'closings'],
  'election.created': ['Election made', 'elections made'],
  'election.dates_changed': ['Dates changed', 'changes of the dates'],
  'election.deleted': ['Election deleted', 'elections deleted'],
  'election.hint_dismissed': ['Hint dismissed', 'hints dismissed'],
  'election.opened': ['Voting opened', 'openings'],
  'election.question_recorded': ['Question recorded', 'questions recorded'],
  'election.reopened': ['Voting opened again', 'openings after a close'],
  'election.sealed': ['Election sealed', 'sealings'],
  'election.settings_changed': ['Settings changed', 'changes of the settings'],
  'election.text_changed': ['Title or description changed', 'changes of title or description'],
  'electors.added': ['Electors added', 'additions of electors'],
  'group.changed': ['Group changed', 'changes of a group'],
  'group.created': ['Group made', 'groups made'],
  'group.deleted': ['Group deleted', 'groups deleted'],
  'invite.failed': ['Invitation not delivered', 'invitations not delivered'],
  'invite.link_renewed': ['New voting link made', 'new voting links made'],
  'invite.queued': ['Invitations queued', 'times invitations were queued'],
  'invite.resent': ['Voting link sent again', 'voting links sent again'],
  'invite.sent': ['Invitation sent', 'invitations sent'],
  'invite.slips_opened': ['Slips with names printed', 'prints of slips with names'],
  'kind.changed': ['Kind of membership changed', 'changes of a kind of membership'],
  'kind.created': ['Kind of membership made', 'kinds of membership made'],
  'kind.deleted': ['Kind of membership deleted', 'kinds of membership deleted'],
  'list.changed': ['Distribution list changed', 'changes of a distribution list'],
  'list.created': ['Distribution list made', 'distribution lists made'],
  'list.deleted': ['Distribution list deleted', 'distribution lists deleted'],
  'option.added': ['Option added', 'options added'],
  'option.changed': ['Option changed', 'changes of options'],
  'option.removed': ['Option removed', 'options removed'],
  'people.exported': ['Roll of members exported', 'exports of the roll'],
  'people.imported': ['Roll of members imported', 'imports of the roll'],
  'person.changed': ['Person changed', 'changes of people'],
  'person.created': ['Person added', 'people added'],
  'person.erased': ['Person erased', 'people erased'],
  'person.exported': ['Data of a person exported', 'exports of a person’s data'],
  'recovery_codes.made': ['Recovery codes made', 'sets of recovery codes made'],
  'reminder.sent': ['Reminder sent', 'reminders sent'],
  'results.emailed': ['Result mailed', 'mailings of the result'],
  'results.manual_cleared': ['Certified results removed', 'removals of certified results'],
  'results.manual_set': ['Certified results entered', 'entries of certified results'],
  'results.settled': ['Result settled', 'results settled'],
  'roles.changed': ['Roles changed', 'changes of roles'],
  'session.confirmed': ['Confirmed who they are', 'confirmations of who it is'],
  'session.ended': ['Session ended', 'sessions ended'],
  'session.opened': ['Signed in', 'sign-ins'],
  'settings.changed': ['Settings of the club changed', 'changes of the club’s settings'],
  'sign_in.link_made': ['Sign-in link made', 'sign-in links made'],
  'tokens.generated': ['Voting codes made', 'times voting codes were made'],
  'vote.submitted': ['Vote cast', 'votes cast'],
  'workspace.synced': ['Workspace page updated', 'updates of the workspace page'],
};

/** An action in plain words: `Invitation sent`, `1,500 invitations sent`. */
export function actionWords(action: string, times = 1): string {
  const words = ownValue(WORDS, action);
  if (words) return times === 1 ? words[0] : `${count(times)} ${words[1]}`;
  const plain = action.replaceAll(/[._]/g, ' ');
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  return times === 1 ? sentence : `${sentence}, ${count(times)} times`;
}
